"""Values in rows -> tables of Markdown."""
