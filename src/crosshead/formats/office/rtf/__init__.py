"""RTF -> Markdown.

1. `tokens`: the bytes as groups, control words and text; `charsets`: which encoding a font's text is in.
2. `reading`: one pass over them, with the formatting of every open group; `destinations`: groups that are no text.
3. `page`: paragraphs, lists, tables and notes become HTML, and that is read as every page is.
"""

from __future__ import annotations

from crosshead.formats.office.rtf.reading import read_rtf

__all__ = ["read_rtf"]
