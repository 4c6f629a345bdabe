"""Pages of a PDF that have no text -> the text that recognition finds in pictures of them.

1. pages without a word in the text layer are drawn
2. the models of the extra `ocr` find words in the pictures, which take the same way as those of other pages; or a
   program or a function of the user's makes text of them, which goes between two blocks of the others
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Any, Final, NamedTuple

from crosshead.errors import ExtractError, MissingExtra
from crosshead.extract.base import Extracted
from crosshead.extract.readers.pdf import native, reading
from crosshead.extract.readers.pdf.shapes import Drawn
from crosshead.extract.readers.plain import write_plain
from crosshead.extract.readers.scans import engine
from crosshead.extract.shared import gfm
from crosshead.extract.shared.recognition import recognize, write_png
from crosshead.extract.shared.text import normalize
from crosshead.options import ExtractOptions

DOTS_PER_INCH: Final = 300
MAX_PIXELS: Final = 40_000_000
_POINTS_PER_INCH: Final = 72


class _Insert(NamedTuple):
    line: int
    """Of the text without it, counted from 0: it goes before this one."""
    page: int
    text: str


class _Drawing(NamedTuple):
    """The picture of a page, one byte for each pixel."""

    pixels: bytes
    width: int
    height: int
    stride: int
    scale: float
    """Pixels per point."""


def read_pdf(data: bytes, options: ExtractOptions) -> Extracted:
    """Read the text layer of a PDF, and recognize the text of pages that have none."""
    drawn, entries, title = reading.read_drawn(data)
    blank = [page.number for page in drawn if not page.segments]
    if not blank:
        return reading.write_pages(drawn, entries, title)
    if options.takes_images:
        texts = {number: _recognize(drawing, options) for number, drawing in _draw(data, blank)}
        written = reading.write_pages(drawn, entries, title) if len(blank) < len(drawn) else Extracted("", title)
        return _checked(_join(written, {number: text for number, text in texts.items() if text}))
    if options.ocr == "auto" and engine.is_installed():
        return _read_scans(data, drawn, blank, entries, title)
    unread = _find_unread(drawn, blank, options)
    found = reading.write_pages(drawn, entries, title)
    how = "use --ocr auto" if options.ocr == "never" else f"pip install 'crosshead[{engine.EXTRA}]'"
    warning = f"no text on {reading.name_pages(unread)} of the PDF, only images: {how} to read them"
    return found._replace(unread_pages=unread, warnings=(warning,)) if unread else found


def _checked(found: Extracted) -> Extracted:
    if not found.text:
        raise ExtractError("no text was recognized on the pages of the PDF")
    return found


def _read_scans(data: bytes, drawn: list[Drawn], blank: Sequence[int], entries: Sequence[Any], title: str) -> Extracted:
    from crosshead.extract.readers.scans.drawing import draw_pages
    from crosshead.extract.readers.scans.pages import ScannedPage, read_page, to_picture
    from crosshead.extract.readers.scans.reporting import report

    scans: dict[int, ScannedPage] = {}
    for number, drawing in _draw(data, blank):
        picture = to_picture(drawing.pixels, drawing.width, drawing.height, drawing.stride)
        scans[number] = read_page(picture).scaled(1 / drawing.scale)
    pages = draw_pages(scans)
    drawn = [pages.get(page.number, page) for page in drawn]
    if not any(page.segments for page in drawn):
        raise ExtractError("no text was recognized on the pages of the PDF")
    return report(reading.write_pages(drawn, entries, title), scans)


def _find_unread(pages: Sequence[Drawn], blank: Sequence[int], options: ExtractOptions) -> tuple[int, ...]:
    """Return the pages that only show images; if no page has text, that is an error."""
    if len(blank) == len(pages):
        numbers = reading.name_pages(blank)
        if options.ocr == "auto":
            raise MissingExtra(engine.EXTRA, f"The PDF has no text on {numbers}: reading scanned pages")
        raise ExtractError(f"the PDF has no text on {numbers}: it seems to be scanned, so use --ocr auto")
    return tuple([page.number for page in pages if not page.segments and page.has_images])


def _recognize(drawing: _Drawing, options: ExtractOptions) -> str:
    text = normalize(recognize(write_png(*drawing[:4]), options.ocr)).replace("\f", "\n")
    return write_plain(text.strip("\n")).strip("\n")


def _draw(data: bytes, numbers: Sequence[int]) -> Iterator[tuple[int, _Drawing]]:
    """Yield pictures of pages one by one; those that are damaged are left out."""
    with native.LOCK:
        document = reading.open_document(data)
    try:
        for number in numbers:
            with native.LOCK:
                try:
                    drawing = _draw_page(document[number - 1])
                except native.pdfium().PdfiumError:
                    continue
            yield number, drawing
    finally:
        with native.LOCK:
            document.close()


def _draw_page(page: Any) -> _Drawing:
    width, height = page.get_size()
    scale = min(DOTS_PER_INCH / _POINTS_PER_INCH, sqrt(MAX_PIXELS / max(1.0, width * height)))
    bitmap = page.render(scale=scale, grayscale=True)
    drawing = _Drawing(bytes(bitmap.buffer), bitmap.width, bitmap.height, bitmap.stride, scale)
    bitmap.close()
    page.close()
    return drawing


def _join(found: Extracted, texts: Mapping[int, str]) -> Extracted:
    """Put the texts of pages between the blocks of a document."""
    lines = found.text.removesuffix("\n").split("\n") if found.text else []
    gaps = _gaps(lines)
    inserts = [_Insert(_place(number, found.pages, gaps, len(lines)), number, text) for number, text in texts.items()]
    blocks: list[str] = []
    pages: list[tuple[int, int]] = []
    at, line = 0, 1
    for insert in [*inserts, _Insert(len(lines), 0, "")]:
        kept = "\n".join(lines[at : insert.line]).strip("\n")
        if kept:
            marks = [(first, page) for first, page in found.pages if at < first <= insert.line]
            before = [page for first, page in found.pages if first <= at + 1]
            pages += [(line, before[-1])] if before and (not marks or marks[0][0] > at + 1) else []
            pages += [(line + first - at - 1, page) for first, page in marks]
            blocks.append(kept)
            line += kept.count("\n") + 2
        if insert.text:
            blocks.append(insert.text)
            pages.append((line, insert.page))
            line += insert.text.count("\n") + 2
        at = insert.line
    return found._replace(text=gfm.join_blocks(blocks), pages=tuple(pages))


def _gaps(lines: Sequence[str]) -> list[int]:
    """Return where a block may go: before these lines."""
    found, fence = [0], ""
    for number, line in enumerate(lines):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~") and mark == (fence or mark):
            fence = "" if fence else mark
        elif not line and not fence:
            found.append(number + 1)
    return [*found, len(lines)]


def _place(number: int, pages: Sequence[tuple[int, int]], gaps: Sequence[int], end: int) -> int:
    """Return the first gap at or after the place where a later page begins."""
    later = next((line for line, page in pages if page > number), end + 1)
    return next((gap for gap in gaps if gap >= later - 1), end)
