"""Which index a command is about, and what it says when the index could be another."""
