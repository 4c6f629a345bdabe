"""The embedded store: one Lance table in a folder, or on object storage."""
