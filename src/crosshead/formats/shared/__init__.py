"""Tools that readers share: decoding, archives, tables, and the writer of Markdown."""
