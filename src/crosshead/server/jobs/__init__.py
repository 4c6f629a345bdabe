"""Background jobs: indexing, uploads and removals, one at a time, kept on disk until they are done."""
