"""The guarantees of chunking, one rule per file."""
