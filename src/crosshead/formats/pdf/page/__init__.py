"""A page as pdfium gives it -> words, rules and tags with their positions."""
