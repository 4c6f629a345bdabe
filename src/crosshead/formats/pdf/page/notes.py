"""Text boxes that people added to a PDF with a viewer, and files that they attached."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any, Final

from crosshead.formats.pdf.page import native
from crosshead.formats.pdf.page.shapes import TextRun, TextStyle, Word

_SIZE: Final = 10.0
_LEADING: Final = 1.2
_WIDTH: Final = 0.5
"""Of a character, in sizes."""
_UNSEEN: Final = 0x02 | 0x20
"""Flags of annotations that are hidden, or not shown."""
_MAX_NAMES: Final = 5
_MAX_LENGTH: Final = 100_000


def read_notes(page: Any) -> list[Word]:
    """Return the words of text boxes (`FreeText`), which the text layer lacks, and remove the boxes from the page."""
    raw = native.raw()
    words: list[Word] = []
    for number in reversed(range(raw.FPDFPage_GetAnnotCount(page))):
        annotation = raw.FPDFPage_GetAnnot(page, number)
        if not annotation:
            continue
        is_box = raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_FREETEXT
        is_box = is_box and not raw.FPDFAnnot_GetFlags(annotation) & _UNSEEN
        words[:0] = _words_of(annotation) if is_box else ()
        raw.FPDFPage_CloseAnnot(annotation)
        if is_box:
            raw.FPDFPage_RemoveAnnot(page, number)
    return words


def _words_of(annotation: Any) -> Iterator[Word]:
    raw = native.raw()
    area = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, ctypes.byref(area))
    left, top = min(area.left, area.right), max(area.top, area.bottom)
    characters = max(1, int(abs(area.right - area.left) / (_SIZE * _WIDTH)))
    text = _read_text(lambda buffer, size: raw.FPDFAnnot_GetStringValue(annotation, b"Contents", buffer, size))
    for row, line in enumerate(_wrap(text, characters)):
        x = left
        for word in line:
            x1 = x + len(word) * _SIZE * _WIDTH
            yield Word(x, x1, top - (row + 1) * _SIZE * _LEADING, (TextRun(word, TextStyle(_SIZE)),), "")
            x = x1 + _SIZE * _WIDTH


def _wrap(text: str, characters: int) -> Iterator[list[str]]:
    """Break a text into lines about as its box does: a line that ran below the box would get between other text."""
    for paragraph in text.splitlines():
        line: list[str] = []
        for word in paragraph.split():
            if line and len(" ".join([*line, word])) > characters:
                yield line
                line = []
            line.append(word)
        if line:
            yield line


def _read_text(get: Callable[[Any, int], int]) -> str:
    size = min(get(None, 0), _MAX_LENGTH)
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    get(buffer, size)
    return bytes(buffer)[:size].decode("utf-16-le", "replace").rstrip("\0")


def attachment_warnings(document: Any) -> list[str]:
    """Return a warning that names the attached files, which are not read; an empty list if there are none."""
    count = document.count_attachments()
    if not count:
        return []
    names = [native.text_of(document.get_attachment(index).get_name) for index in range(min(count, _MAX_NAMES))]
    more = ", ..." if count > _MAX_NAMES else ""
    return [f"the PDF carries {count} attached files, which are not read: {', '.join(names)}{more}"]
