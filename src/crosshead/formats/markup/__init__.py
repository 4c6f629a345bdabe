"""Markup that authors or programs write: HTML and what holds it, reStructuredText, AsciiDoc, Org, LaTeX, man pages."""
