"""What readers share: bytes to text, archives, tables, and the one writer of Markdown."""
