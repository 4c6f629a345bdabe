"""Which files are indexed: walking folders, naming sources, noticing what is missing."""
