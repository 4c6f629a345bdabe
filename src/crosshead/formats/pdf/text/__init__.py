"""What the text of a line says: amounts, list markers, entries of a table of contents, broken words."""
