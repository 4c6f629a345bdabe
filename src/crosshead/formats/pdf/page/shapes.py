"""What is on a page: words with their positions, segments, rows and tables.

Coordinates are points with y going up, turned so that most of the page's text reads from left to right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

SOFT_HYPHEN = "\ufffe"
"""How pdfium marks a hyphen at the end of a line that breaks a word."""
MIDDLE: Final = 0.3
"""How far above the baseline the middle of small letters is, in ems."""


class TextStyle(NamedTuple):
    """What a run of text looks like."""

    size: float
    bold: bool = False
    italic: bool = False
    mono: bool = False


PLAIN = TextStyle(0.0)


class TextRun(NamedTuple):
    """Text in one style."""

    text: str
    style: TextStyle


class Word(NamedTuple):
    """Text without white space; `runs` has several entries where the style changes inside of the word."""

    x0: float
    x1: float
    base: float
    runs: tuple[TextRun, ...]
    tag: str
    piece: int = 0
    """Words that are drawn in one piece have the same number; a word split off another has a negative one."""
    last_piece: int = 0
    """The piece of its last letter: kerned letters are often drawn one by one."""
    turned: bool = False


class Segment:
    """Words on one baseline with no wide gap between them."""

    __slots__ = ("_text", "base", "size", "words", "x0", "x1")

    def __init__(self, word: Word, base: float) -> None:
        self.words = [word]
        self.x0 = word.x0
        self.x1 = word.x1
        self.base = base
        self.size = word.runs[0].style.size
        self._text = ""

    def add(self, word: Word) -> None:
        """Append a word."""
        self.words.append(word)
        self._text = ""
        if word.x0 < self.x0:
            self.x0 = word.x0
        if word.x1 > self.x1:
            self.x1 = word.x1
        size = word.runs[0].style.size
        if size > self.size:
            self.size = size

    def replace_first(self, word: Word) -> None:
        """Replace the first word."""
        self.words[0] = word
        self._text = ""

    @property
    def mid_y(self) -> float:
        """The height of the middle of its small letters."""
        return self.base + MIDDLE * self.size

    @property
    def text(self) -> str:
        """The words."""
        if not self._text:
            self._text = " ".join(
                [
                    word.runs[0].text if len(word.runs) == 1 else "".join([run.text for run in word.runs])
                    for word in self.words
                ]
            )
        return self._text


@dataclass(slots=True)
class Row:
    """A line of text: the segments that are side by side in one column."""

    segments: list[Segment]
    page: int
    order: int = 0
    """Its position in the order in which the page is drawn."""
    x0: float = 0.0
    x1: float = 0.0
    base: float = 0.0
    style: TextStyle = PLAIN
    """Of most of its text; bold, italic and mono only where all of it is."""
    text: str = ""
    tag: str = ""
    """The tagged structure's name for this text, such as `H1`; empty in a document without tags."""
    starts_column: bool = False
    """The row before it is not right above it."""
    left: float = 0.0
    """The left edge of its column."""
    right: float = 0.0
    """The right edge of the rows around it."""
    level: int = 0
    """The level of a heading; 0 for other text."""
    goes_on: bool = False
    """It continues the heading above."""
    title: str = ""
    """The text of a heading in the outline, which may differ from that of the row."""
    is_underlined: bool = False


@dataclass(slots=True)
class PdfTable:
    """Cells in rows; the first row is the header."""

    cells: list[list[str]]
    page: int
    x0: float
    x1: float
    top: float
    bottom: float
    order: int = 0
    """The position of its first cell in the order in which the page is drawn."""
    left: float = 0.0
    """The left edge of its column."""
    spans: list[tuple[float, float]] = field(default_factory=list)
    """The left and right edge of each column."""
    follows_in_column: bool = False
    """It is at the top of a column of text, and the table before it at the bottom of the column before."""


class Rule(NamedTuple):
    """A drawn line, or an edge of a drawn or shaded box; horizontal ones have y0 == y1, vertical ones x0 == x1."""

    x0: float
    y0: float
    x1: float
    y1: float
    is_shade: bool = False
    """The edge of a background, without a line."""


class Drawn(NamedTuple):
    """What is drawn on a page."""

    number: int
    shape: tuple[int, int] = (0, 0)
    """Width and height."""
    segments: Sequence[Segment] = ()
    """In the order in which they are drawn."""
    rules: Sequence[Rule] = ()
    has_images: bool = False
    is_empty: bool = False
    """Nothing is drawn, so recognition would find nothing either."""
    is_damaged: bool = False
    """Part of what the file draws here cannot be read."""
    is_garbled: bool = False
    """The fonts do not say which characters they draw."""
    is_scan: bool = False
    """An image fills the page, and there is hardly any text."""

    @property
    def needs_recognition(self) -> bool:
        """Whether the page may show text that the text layer does not have."""
        return not self.is_empty and (not self.segments or self.is_garbled or self.is_scan)


@dataclass(slots=True)
class PdfPage:
    """A page with its rows and tables in reading order."""

    number: int
    items: list[Row | PdfTable] = field(default_factory=list)
