"""The characters of pages as one text without white space, with the position of each."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from crosshead.formats.pdf.locate.tokens import HYPHENS, joins, spelling
from crosshead.formats.pdf.page import native
from crosshead.formats.pdf.page.shapes import SOFT_HYPHEN
from crosshead.formats.pdf.page.words import page_text
from crosshead.formats.pdf.page.words.right_to_left import RIGHT_TO_LEFT, reading_order

_PART: Final = re.compile(r"\s+|\S+")
_EXACT: Final = 100
"""pdfium gives positions on the page as shown in whole units: this many make a point."""


class Extent(NamedTuple):
    """A rectangle on a page as it is shown, y going down."""

    left: float
    top: float
    right: float
    bottom: float


class SeenPage:
    """The characters of a page; boxes are asked for when they are needed."""

    def __init__(self, page: Any, number: int) -> None:
        self.number = number
        self.width, self.height = page.get_size()
        self._textpage = page.get_textpage()
        self._address = native.address_of(self._textpage)
        self._char_box = native.load().char_box
        self._buffer = native.Buffer("f", 4)
        self._to_shown = shown_positions(page, self.width, self.height)
        self._known: dict[int, Extent] = {}
        self.text = page_text(self._textpage)

    def close(self) -> None:
        """Free what pdfium holds for the characters."""
        self._textpage.close()

    def extent(self, index: int) -> Extent:
        """Return the box of a character."""
        known = self._known.get(index)
        if known is None:
            self._char_box(self._address, index, self._buffer.addresses[0])
            left, top, right, bottom = self._buffer.read()
            a, b, c, d, e, f = self._to_shown
            xs = a * left + c * bottom + e, a * right + c * top + e
            ys = b * left + d * bottom + f, b * right + d * top + f
            known = self._known[index] = Extent(min(xs), min(ys), max(xs), max(ys))
        return known

    def middle(self, index: int) -> float:
        """Return the horizontal position of a character."""
        extent = self.extent(index)
        return (extent.left + extent.right) / 2


class SeenText:
    """The characters of pages in the order in which they are drawn, in the spelling of tokens."""

    def __init__(self, pages: Sequence[SeenPage]) -> None:
        self.pages = pages
        self._places: list[tuple[SeenPage, int]] = []
        letters: list[str] = []
        self.bounds: list[bool] = []
        """Whether a token may begin or end before a character."""
        self._hyphens: dict[int, Extent] = {}
        """Those that are left out, by the character before them."""
        for page in pages:
            self._read(page, letters)
        self.bounds.append(True)
        self.text = "".join(letters)

    def _read(self, page: SeenPage, letters: list[str]) -> None:
        text, before = page.text, ""
        for index in _in_reading_order(page):
            character = text[index]
            if character in HYPHENS and _breaks_word(text, index):
                self._hyphens[len(letters) - 1] = page.extent(index)
                continue
            plain = spelling(character)
            is_bound = not before or not plain or not joins(before, character)
            for number, each in enumerate(plain):
                letters.append(each)
                self.bounds.append(is_bound and not number)
                self._places.append((page, index))
            before = character if plain else "" if character.isspace() else before

    def page_at(self, at: int) -> SeenPage:
        """Return the page of a character."""
        return self._places[at][0]

    def extent_at(self, at: int) -> Extent:
        """Return the box of a character."""
        page, index = self._places[at]
        return page.extent(index)

    def extents(self, start: int, end: int) -> Iterator[Extent]:
        """Yield the boxes of characters, and of hyphens inside or after them."""
        for at in range(start, end):
            yield self.extent_at(at)
            if at in self._hyphens:
                yield self._hyphens[at]

    def find(self, text: str) -> list[int]:
        """Return where a text is drawn as whole words."""
        found = []
        at, bounds, length = self.text.find(text), self.bounds, len(text)
        while at >= 0:
            if bounds[at] and bounds[at + length]:
                found.append(at)
            at = self.text.find(text, at + 1)
        return found


def _in_reading_order(page: SeenPage) -> Sequence[int]:
    """Return the numbers of the characters, those of words from right to left as they are read."""
    text = page.text
    if not RIGHT_TO_LEFT.search(text):
        return range(len(text))
    order: list[int] = []
    for part in _PART.finditer(text):
        indexes = range(*part.span())
        middles = [page.middle(index) for index in indexes] if RIGHT_TO_LEFT.search(part[0]) else []
        order += [indexes[at] for at in reading_order(part[0], middles.__getitem__)] if middles else indexes
    return order


def _breaks_word(text: str, index: int) -> bool:
    """Return whether a hyphen is inside a word, or at the end of a line that breaks one."""
    if text[index] == SOFT_HYPHEN:
        return True
    after = text[index + 1 : index + 2]
    return index > 0 and text[index - 1].isalpha() and (after.isalpha() or after in ("\r", "\n"))


def shown_positions(page: Any, width: float, height: float) -> tuple[float, float, float, float, float, float]:
    """Return how a position of the file becomes one on the page as it is shown, cropped and turned."""
    raw = native.raw()
    size = round(width * _EXACT), round(height * _EXACT)
    x, y = ctypes.c_int(), ctypes.c_int()

    def shown(left: float, bottom: float) -> tuple[float, float]:
        raw.FPDF_PageToDevice(page, 0, 0, *size, 0, left, bottom, ctypes.byref(x), ctypes.byref(y))
        return x.value / _EXACT, y.value / _EXACT

    far = 1000.0
    (e, f), (right, right_y), (up_x, up) = shown(0, 0), shown(far, 0), shown(0, far)
    return (right - e) / far, (right_y - f) / far, (up_x - e) / far, (up - f) / far, e, f
