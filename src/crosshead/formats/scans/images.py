"""Images -> Markdown: the text that recognition finds in them."""

from __future__ import annotations

from crosshead.errors import ExtractError, UnsupportedFormat
from crosshead.formats.base import Extracted
from crosshead.formats.scans.engine import load_engine
from crosshead.formats.scans.program import recognize
from crosshead.formats.shared import gfm
from crosshead.formats.shared.decoding.text import normalize
from crosshead.formats.text.plain import write_plain
from crosshead.options import ExtractOptions


def read_image(data: bytes, options: ExtractOptions) -> Extracted:
    """Read an image; each of several frames is a page."""
    if options.ocr == "never":
        raise UnsupportedFormat("an image: to recognize its text, use --ocr auto")
    found = _read_by_command(data, options) if options.takes_images else _read_by_models(data)
    if not found.text.strip():
        raise ExtractError("no text was recognized in the image")
    return found


def _read_by_models(data: bytes) -> Extracted:
    load_engine()
    from crosshead.formats.pdf.reading import DrawnDocument, write_pages
    from crosshead.formats.scans.drawing import draw_pages, points_per_pixel
    from crosshead.formats.scans.loading import load_pictures
    from crosshead.formats.scans.pages import read_page
    from crosshead.formats.scans.reporting import report

    read = {number: read_page(picture) for number, picture in enumerate(load_pictures(data), 1)}
    scale = points_per_pixel(read.values())
    pages = {number: page.scaled(scale) for number, page in read.items()}
    found = report(write_pages(DrawnDocument([*draw_pages(pages).values()])), pages)
    return found if len(pages) > 1 else found._replace(pages=())


def _read_by_command(data: bytes, options: ExtractOptions) -> Extracted:
    """Run the user's command; form feeds separate the pages."""
    blocks: list[str] = []
    pages: list[tuple[int, int]] = []
    line = 1
    for number, page in enumerate(normalize(recognize(data, options.ocr)).split("\f"), 1):
        text = write_plain(page.strip("\n")).strip("\n")
        if text.strip():
            blocks.append(text)
            pages.append((line, number))
            line += text.count("\n") + 2
    return Extracted(gfm.join_blocks(blocks), pages=tuple(pages) if len(pages) > 1 else ())
