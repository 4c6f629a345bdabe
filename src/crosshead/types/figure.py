"""The pictures of a document."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture of a document, and where it belongs in its text."""

    number: int
    """From 1, in the order of the document."""
    alt: str
    """The alternative text; often empty."""
    caption: str
    """What the document says about it: above or below it, or as its title; often empty."""
    start: int
    """Where it is in the text: from here up to `end`, if the text names it, else between two characters."""
    end: int
    line: int
    """The line of the text, from 1."""
    citation: str
    """As for any text: `report.pdf p. 3`."""
    problem: str = ""
    """Why it cannot be shown, such as a picture on the web; empty for all others."""

    @property
    def label(self) -> str:
        """The caption, or else the alternative text."""
        return self.caption or self.alt

    def to_json(self) -> dict[str, Any]:
        """Return the figure as JSON."""
        return asdict(self)


class FigureImage(NamedTuple):
    """A picture as browsers show it."""

    data: bytes
    type: str
    """PNG, JPEG, GIF or WebP, as in `image/png`."""
