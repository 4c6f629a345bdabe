"""Words -> lines in reading order, without running heads and page numbers."""
