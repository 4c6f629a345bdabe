"""RTF -> Markdown.

1. `tokens`: the bytes as groups, control words and text; `destinations`: groups that hold something other than text.
2. `reading`: one pass over them, with the `formatting` of every open group; `definitions`: encoding (`charsets`), fonts
   and styles.
3. `page`: paragraphs, lists, tables and notes become HTML, which is read like every page.
"""

from __future__ import annotations

from crosshead.errors import CorruptFile, ExtractError
from crosshead.formats.base import Extracted
from crosshead.formats.markup.html.generated import read_generated
from crosshead.formats.office.rtf.reading import RtfReader
from crosshead.options import ExtractOptions


def read_rtf(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a document of the Rich Text Format."""
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n\0").startswith(b"{\\rtf"):
        raise CorruptFile("not an RTF file: save it again with the program that made it")
    reader = RtfReader(comments=options.comments)
    reader.read(data)
    text = read_generated(reader.html(), options)
    if not text:
        raise ExtractError("no text found in this RTF file: it may be empty, or hold only pictures")
    return Extracted(text, title=reader.title, warnings=reader.left_out.warnings())
