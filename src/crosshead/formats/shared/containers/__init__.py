"""Files that hold other files: ZIP archives and compound files."""
