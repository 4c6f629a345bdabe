"""Where a text is seen on the pages of its file."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple


class TextSpan(NamedTuple):
    """A part of a document's text: from the offset `start` up to `end`."""

    document_id: str
    start: int
    end: int


class PictureSize(NamedTuple):
    """How large the picture of a page is; very large pages become smaller."""

    scale: float = 1.5
    """Pixels per point."""
    width: int = 0
    """In pixels, instead of the scale."""


class PageBox(NamedTuple):
    """A rectangle on a page as it is shown, in points from its upper left corner."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class LocatedPage:
    """A page with the rectangles of a text."""

    page: int
    """Its number, from 1."""
    width: float
    """In points, as it is shown."""
    height: float
    boxes: tuple[PageBox, ...] = ()
    """One for each line of the text, or for each cell of a table."""


@dataclass(frozen=True, slots=True)
class PageView(LocatedPage):
    """One page of a document, with what it shows of a text."""

    pages: int = 0
    """The number of pages of the document."""
    start: int = 0
    """Where the text of the page is in the text of the document: up to `end`."""
    end: int = 0
    share: float | None = None
    """How much of the text was found, from 0 to 1, as far as this page may show it; null without a text to look for."""

    def to_json(self) -> dict[str, Any]:
        """Return the view as JSON."""
        return {**asdict(self), "boxes": [box._asdict() for box in self.boxes]}


@dataclass(frozen=True, slots=True)
class Location:
    """Where a text is seen."""

    pages: tuple[LocatedPage, ...]
    """The pages that show any of it."""
    share: float
    """How much of its letters and digits was found, from 0 to 1; only that is in the boxes."""

    def to_json(self) -> dict[str, Any]:
        """Return the location as JSON."""
        pages = [{**asdict(each), "boxes": [box._asdict() for box in each.boxes]} for each in self.pages]
        return {"share": round(self.share, 4), "pages": pages}
