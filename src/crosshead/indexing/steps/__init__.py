"""The steps of a run: files, rows without vectors, rows in a store."""
