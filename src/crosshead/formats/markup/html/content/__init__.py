"""Which elements of a page are its content."""
