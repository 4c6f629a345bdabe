"""The readers: a file or a folder for each format."""
