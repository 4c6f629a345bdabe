"""Tools that readers share: decoding, containers, tables, and the writer of Markdown."""
