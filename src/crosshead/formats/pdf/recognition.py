"""Pages of a PDF that have no text -> the text that recognition finds in pictures of them.

1. pages are drawn that have no word in the text layer, none with a meaning, or hardly any beside a large image
2. the models of the extra `ocr` find words in the pictures, which take the same way as those of other pages; or a
   program or a function of the user's makes text of them, which goes between two blocks of the others
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Any, Final, NamedTuple

from crosshead.errors import CorruptFile, ExtractError, MissingExtra
from crosshead.formats.base import Extracted
from crosshead.formats.pdf import reading
from crosshead.formats.pdf.page import native
from crosshead.formats.pdf.page.shapes import Drawn
from crosshead.formats.scans import engine
from crosshead.formats.scans.program import recognize, write_png
from crosshead.formats.shared import gfm
from crosshead.formats.shared.decoding.text import normalize
from crosshead.formats.text.plain import write_plain
from crosshead.options import ExtractOptions

DOTS_PER_INCH: Final = 300
MAX_PIXELS: Final = 40_000_000
_POINTS_PER_INCH: Final = 72
_MORE: Final = 1.5
"""Recognized text is used if it has this many times the words of the text layer."""


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
    document = reading.read_drawn(data)
    drawn = document.pages
    unread = [page.number for page in drawn if page.needs_recognition]
    if unread and options.takes_images:
        return _read_by_command(data, document, unread, options)
    if unread and options.ocr == "auto" and engine.is_installed():
        return _read_scans(data, document, unread)
    if not any(page.segments for page in drawn):
        raise _no_text(drawn, options)
    found = reading.write_pages(document)
    how = "use --ocr auto" if options.ocr == "never" else f"pip install 'crosshead[{engine.EXTRA}]'"
    doubts = [(numbers, why) for numbers, why in _doubts(drawn) if numbers]
    warnings = [f"{why}: {how} to read them" for _, why in doubts]
    numbers = sorted([number for each, _ in doubts for number in each])
    return found._replace(unread_pages=tuple(numbers), warnings=(*found.warnings, *warnings))


def _doubts(drawn: Sequence[Drawn]) -> Iterator[tuple[list[int], str]]:
    """Yield pages that only a picture of them would tell, and why."""
    blank = [page.number for page in drawn if not page.segments and page.has_images]
    yield blank, f"no text on {reading.name_pages(blank)} of the PDF, only images"
    garbled = [page.number for page in drawn if page.is_garbled]
    yield garbled, f"the fonts on {reading.name_pages(garbled)} of the PDF do not say which letters they draw"
    scans = [page.number for page in drawn if page.is_scan and not page.is_garbled]
    yield scans, f"an image and hardly any text on {reading.name_pages(scans)} of the PDF"


def _no_text(drawn: Sequence[Drawn], options: ExtractOptions) -> Exception:
    """Return the error for a document in which no page has text."""
    damaged = [page.number for page in drawn if page.is_damaged]
    if damaged:
        numbers = reading.name_pages(damaged)
        return CorruptFile(f"the PDF is damaged: nothing can be read on {numbers}; get a complete copy")
    pages = reading.name_pages([page.number for page in drawn])
    if all(page.is_empty for page in drawn):
        return ExtractError(f"the PDF has no text: nothing is drawn on {pages}")
    if options.takes_images or (options.ocr == "auto" and engine.is_installed()):
        return ExtractError("no text was recognized on the pages of the PDF")
    if options.ocr == "auto":
        return MissingExtra(engine.EXTRA, f"The PDF has no text on {pages}: reading scanned pages")
    return ExtractError(f"the PDF has no text on {pages}: it seems to be scanned, so use --ocr auto")


def _read_by_command(
    data: bytes, document: reading.DrawnDocument, unread: Sequence[int], options: ExtractOptions
) -> Extracted:
    pages = document.pages
    texts = {number: _recognize(drawing, options) for number, drawing in _draw(data, unread)}
    texts = {number: text for number, text in texts.items() if _is_better(pages[number - 1], len(text.split()))}
    drawn = [page._replace(segments=()) if page.number in texts else page for page in pages]
    if not texts and not any(page.segments for page in drawn):
        raise _no_text(drawn, options)
    return _join(reading.write_pages(document._replace(pages=drawn)), texts)


def _is_better(page: Drawn, words: int) -> bool:
    """Return whether recognized words are better than those of the text layer: a stamp is also in the picture."""
    known = sum([len(segment.words) for segment in page.segments])
    return words > 0 if page.is_garbled else words > _MORE * known


def _read_scans(data: bytes, document: reading.DrawnDocument, unread: Sequence[int]) -> Extracted:
    from crosshead.formats.scans.drawing import draw_pages
    from crosshead.formats.scans.pages import ScannedPage, read_page, to_picture
    from crosshead.formats.scans.reporting import report

    scans: dict[int, ScannedPage] = {}
    for number, drawing in _draw(data, unread):
        picture = to_picture(drawing.pixels, drawing.width, drawing.height, drawing.stride)
        scan = read_page(picture).scaled(1 / drawing.scale)
        page = document.pages[number - 1]
        if not page.segments or _is_better(page, sum([len(line.words) for line in scan.lines])):
            scans[number] = scan
    pages = draw_pages(scans)
    drawn = [pages.get(page.number, page)._replace(is_damaged=page.is_damaged) for page in document.pages]
    if not any(page.segments for page in drawn):
        raise _no_text(drawn, ExtractOptions())
    return report(reading.write_pages(document._replace(pages=drawn)), scans)


def _recognize(drawing: _Drawing, options: ExtractOptions) -> str:
    text = normalize(recognize(write_png(*drawing[:4]), options.ocr)).replace("\f", "\n")
    return write_plain(text.strip("\n")).strip("\n")


def _draw(data: bytes, numbers: Sequence[int]) -> Iterator[tuple[int, _Drawing]]:
    """Yield pictures of pages one by one; those that are damaged are left out."""
    with native.LOCK:
        document = reading.open_document(data, [])  # what is wrong with it was found before
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
