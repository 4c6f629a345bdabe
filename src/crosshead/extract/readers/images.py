"""Images -> Markdown: the text that recognition finds in them, which the user asks for."""

from __future__ import annotations

from crosshead.errors import ExtractError, UnsupportedFormat
from crosshead.extract.base import Extracted
from crosshead.extract.readers.plain import write_plain
from crosshead.extract.shared import gfm
from crosshead.extract.shared.recognition import recognize
from crosshead.extract.shared.text import normalize
from crosshead.options import ExtractOptions


def read_image(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a picture of text; one of several pages has a form feed between them."""
    if not options.ocr:
        raise UnsupportedFormat(
            "an image: only its text could be searched, so have it recognized, as with --ocr 'tesseract - -'"
        )
    blocks: list[str] = []
    pages: list[tuple[int, int]] = []
    line = 1
    for number, page in enumerate(normalize(recognize(data, options.ocr)).split("\f"), 1):
        text = write_plain(page.strip("\n")).strip("\n")
        if text.strip():
            blocks.append(text)
            pages.append((line, number))
            line += text.count("\n") + 2
    if not blocks:
        raise ExtractError("no text was recognized in the image")
    return Extracted(gfm.join_blocks(blocks), pages=tuple(pages) if len(pages) > 1 else ())
