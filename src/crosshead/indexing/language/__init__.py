"""The language of an index, and of each of its documents."""
