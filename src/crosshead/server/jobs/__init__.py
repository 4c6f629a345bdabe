"""Background jobs: uploads and indexing, one after the other, kept on disk until they are done."""
