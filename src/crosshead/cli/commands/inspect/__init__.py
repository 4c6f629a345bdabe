"""Commands that look at documents, without an index."""
