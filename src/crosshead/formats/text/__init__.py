"""Text without markup: plain text, source code and data, tables of values, subtitles."""
