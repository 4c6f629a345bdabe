"""Commands that keep an index in order."""
