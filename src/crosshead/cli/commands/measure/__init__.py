"""Commands that measure speed and retrieval."""
