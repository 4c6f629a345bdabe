"""Which files are indexed: walking folders, naming sources, noticing changed and missing files."""
