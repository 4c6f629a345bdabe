"""Documents whose text can be seen on pages: where it is, and pictures of the pages."""

from __future__ import annotations

from typing import Final

from crosshead.errors import NoSuchPage
from crosshead.types import Location, PageView, PictureSize, StoredDocument

PAGED: Final = "pdf"


def check_pages(format: str) -> None:
    """Raise `NoSuchPage` for a format whose documents are not shown as pages."""
    if format != PAGED:
        raise NoSuchPage(f"{format} documents have no pages: read the text instead")


def locate_on_pages(data: bytes, document: StoredDocument, start: int, end: int) -> Location:
    """Return where a part of a document's text is seen on the pages of its file."""
    from crosshead.formats.pdf import locate

    return locate.locate_span(data, locate.Wanted(document.text, document.pages, start, end))


def view_page(data: bytes, document: StoredDocument, page: int, start: int = 0, end: int = 0) -> PageView:
    """Return the size of a page, and what it shows of a part of the text."""
    from crosshead.formats.pdf import locate

    return locate.view_page(data, locate.Wanted(document.text, document.pages, start, end, page))


def draw_page(
    data: bytes, document: StoredDocument, page: int, size: PictureSize, start: int = 0, end: int = 0
) -> bytes:
    """Return the picture of a page as PNG, with marks where it shows a part of the text."""
    from crosshead.formats.pdf import locate

    wanted = locate.Wanted(document.text, document.pages, start, end, page)
    return locate.draw_page(data, wanted, size)
