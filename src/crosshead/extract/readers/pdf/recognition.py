"""Pages of a PDF that have no text -> the text that recognition finds in pictures of them.

1. pages without a letter in the text layer are drawn
2. a program or a function of the user's makes text of the pictures
3. the text goes where the page is, between two blocks of the others
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, Final, NamedTuple

from crosshead.errors import ExtractError
from crosshead.extract.base import Extracted
from crosshead.extract.readers.pdf import native, reading
from crosshead.extract.readers.plain import write_plain
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


def read_pdf(data: bytes, options: ExtractOptions) -> Extracted:
    """Read the text layer of a PDF, and where it has none and the user asks for it, recognize the text."""
    if not options.ocr or not data:
        return reading.read_pdf(data, options)
    blank, count = _blank_pages(data)
    texts = {number: _recognize(data, number, options) for number in blank}
    texts = {number: text for number, text in texts.items() if text}
    if len(blank) == count:
        if not texts:
            raise ExtractError("no text was recognized on the pages of the PDF")
        return _join(Extracted(""), texts)
    return _join(reading.read_pdf(data, options, recognized=blank), texts)


def _blank_pages(data: bytes) -> tuple[list[int], int]:
    """Return the numbers of the pages without text, and how many pages there are."""
    with native.LOCK:
        document = reading.open_document(data)
        try:
            count = len(document)
            return [index + 1 for index in range(count) if _is_blank(document, index)], count
        finally:
            document.close()


def _is_blank(document: Any, index: int) -> bool:
    try:
        page = document[index]
    except native.pdfium().PdfiumError:
        return False  # damaged, which is told when the document is read
    try:
        textpage = page.get_textpage()
        text = textpage.get_text_bounded()
        textpage.close()
        return not text.strip()
    finally:
        page.close()


def _recognize(data: bytes, number: int, options: ExtractOptions) -> str:
    text = normalize(recognize(_draw(data, number), options.ocr)).replace("\f", "\n")
    return write_plain(text.strip("\n")).strip("\n")


def _draw(data: bytes, number: int) -> bytes:
    with native.LOCK:
        document = reading.open_document(data)
        try:
            page = document[number - 1]
            width, height = page.get_size()
            scale = min(DOTS_PER_INCH / _POINTS_PER_INCH, sqrt(MAX_PIXELS / max(1.0, width * height)))
            bitmap = page.render(scale=scale, grayscale=True)
            pixels = bytes(bitmap.buffer), bitmap.width, bitmap.height, bitmap.stride
            bitmap.close()
            page.close()
        finally:
            document.close()
    return write_png(*pixels)


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
