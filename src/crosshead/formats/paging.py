"""Documents whose text can be seen on pages: where it is, and pictures of the pages.

LibreOffice, if installed, prints those of office programs as PDF.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crosshead.errors import NoSuchPage
from crosshead.formats.office import libreoffice
from crosshead.types import Location, PageView, PictureSize, StoredDocument

if TYPE_CHECKING:
    from crosshead.formats.pdf.locate import Wanted

PDF: Final = "pdf"
_TEXTS: Final = ("docx", "odt", "rtf", "doc")
_SLIDES: Final = ("pptx", "odp", "ppt")
_HIDDEN_SLIDES: Final = ':impress_pdf_Export:{"ExportHiddenSlides":{"type":"boolean","value":"true"}}'
"""So that the numbers of pages are those of slides."""


def has_pages(format: str) -> bool:
    """Return whether documents of a format can be shown as pages here."""
    return format == PDF or (format in _TEXTS + _SLIDES and libreoffice.is_installed())


def check_pages(format: str) -> None:
    """Raise `NoSuchPage` for a format whose documents are not shown as pages."""
    if not has_pages(format):
        install = " install LibreOffice, so that soffice is on the PATH, or" if format in _TEXTS + _SLIDES else ""
        raise NoSuchPage(f"{format} documents have no pages:{install} read the text instead")


def print_as_pdf(data: bytes, format: str) -> bytes:
    """Return a document as PDF."""
    return libreoffice.convert(data, format, PDF, _HIDDEN_SLIDES if format in _SLIDES else "")


def locate_on_pages(pdf: bytes, document: StoredDocument, start: int, end: int) -> Location:
    """Return where a part of a document's text is seen on its pages."""
    from crosshead.formats.pdf import locate

    return locate.locate_span(pdf, _wanted(pdf, document, 0, start, end))


def view_page(pdf: bytes, document: StoredDocument, page: int, start: int = 0, end: int = 0) -> PageView:
    """Return the size of a page, and what it shows of a part of the text."""
    from crosshead.formats.pdf import locate

    return locate.view_page(pdf, _wanted(pdf, document, page, start, end))


def draw_page(
    pdf: bytes, document: StoredDocument, page: int, size: PictureSize, start: int = 0, end: int = 0
) -> bytes:
    """Return the picture of a page as PNG, with marks where it shows a part of the text."""
    from crosshead.formats.pdf import locate

    return locate.draw_page(pdf, _wanted(pdf, document, page, start, end), size)


def _wanted(pdf: bytes, document: StoredDocument, page: int, start: int, end: int) -> Wanted:
    from crosshead.formats.pdf import locate

    pages = document.pages if document.format in (PDF, *_SLIDES) else locate.pages_of(pdf, document.text)
    return locate.Wanted(document.text, pages, start, end, page)
