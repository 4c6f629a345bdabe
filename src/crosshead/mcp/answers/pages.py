"""A page of a document as a picture, with what it shows of a section."""

from __future__ import annotations

from typing import Final

from pydantic import PrivateAttr

from crosshead.indexing import PagedFile
from crosshead.mcp.budget import ToolAnswer
from crosshead.types import Passage, PictureSize, TextSpan

SIZE: Final = PictureSize(width=1000)
"""Wide enough to read small print; models scale larger pictures down."""


class ShownPage(ToolAnswer):
    """A page of a document, whose picture is sent beside this."""

    citation: str
    """Of the section."""
    page: int
    pages: int
    """Pages of the document."""
    section_pages: tuple[int, int]
    """The first and the last page of the section."""
    share: float
    """How much of the section this page shows, as far as it was found there: from 0 to 1. It is marked."""
    _picture: bytes = PrivateAttr(b"")

    def picture(self) -> bytes:
        """Return the picture as PNG."""
        return self._picture

    def text(self) -> str:
        """Return which page is shown, and what is marked on it."""
        marked = "the section is marked" if self.share == 1 else f"{self.share:.0%} of its text here is marked"
        if not self.share:
            marked = "nothing of it was found on this page"
        first, last = self.section_pages
        whole = f" | the section is on pages {first}-{last}" if first < last else ""
        return f"{self.citation} | page {self.page} of {self.pages}: {marked}{whole}"


def _pages_of(file: PagedFile, span: TextSpan) -> tuple[int, int]:
    numbers = [each.page for each in file.locate(span).pages] or [1]
    return numbers[0], numbers[-1]


def page_answer(file: PagedFile, section: Passage, span: TextSpan, page: int) -> ShownPage:
    """Draw a page with a section marked; page 0 is the first one of the section."""
    first, last = section.pages or _pages_of(file, span)
    view = file.view(page or first, span)
    answer = ShownPage(
        citation=section.citation,
        page=view.page,
        pages=view.pages,
        section_pages=(first, last),
        share=round(view.share or 0.0, 3),
    )
    answer._picture = file.draw(view.page, SIZE, span)
    return answer
