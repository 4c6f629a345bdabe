"""Many files -> rows of an index."""
