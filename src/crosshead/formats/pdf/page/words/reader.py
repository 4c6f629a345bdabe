"""The words of a page with their positions and styles.

pdfium returns the characters of a page in the order in which they are drawn, with spaces and newlines where it sees
them. To ask it about every character is slow, so the text is read in one call, positions are asked for the first and
last character of a word, and what is true of a whole text object (font, size, baseline) once per object.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from crosshead.formats.pdf.page import native
from crosshead.formats.pdf.page.shapes import SOFT_HYPHEN, TextRun, TextStyle, Word
from crosshead.formats.pdf.page.words.characters import page_text
from crosshead.formats.pdf.page.words.fonts import looks
from crosshead.formats.pdf.page.words.parts import join_words, split_word
from crosshead.formats.pdf.page.words.right_to_left import RIGHT_TO_LEFT, in_reading_order
from crosshead.formats.pdf.page.words.touching_amounts import find_cuts, is_glued
from crosshead.formats.pdf.page.words.turning import mark_turned, quarter_of, turned_edges

_WORD: Final = re.compile(rf"[^\s\0{SOFT_HYPHEN}]+{SOFT_HYPHEN}?|{SOFT_HYPHEN}")
_LINE: Final = re.compile(
    rf"[^\s\0{SOFT_HYPHEN}](?:[^\n\r\0{SOFT_HYPHEN}]*[^\s\0{SOFT_HYPHEN}])?{SOFT_HYPHEN}?|{SOFT_HYPHEN}"
)
_SPACE: Final = re.compile(r"(?<=\S) (?=\S)")
_MAX_SPACES: Final = 100
"""How many spaces show whether the page draws them."""
_NAME_SIZE: Final = 256
_SMALL: Final = 0.85
"""The largest size of a superscript, in ems of the text before it."""
_RAISED: Final = 0.15
"""How far above the baseline it is at least, in ems of the text before it."""
_TORN: Final = 0.2
"""Letters closer than this are one word, in ems: a space is about 0.25 wide, and pdfium sees one in half of that."""
_GLUED: Final = 8
"""The least characters of two amounts that touch each other."""
_SMALLEST: Final = 0.25
"""The size of text that has none, in points."""


_Height = tuple[float, float]
"""The bottom and top of a character's line: the same for all characters in one style on one line."""


class _Ink(NamedTuple):
    """What is true of a whole text object; `quarter` counts its turns by 90 degrees, 4 and 5 are mirrors."""

    style: TextStyle
    quarter: int
    base: float
    tag: str
    key: int


class TextReader:
    """Reads the words of one document's pages."""

    def __init__(self) -> None:
        self._native = native.load()
        self._box = native.Buffer("f", 4)
        self._matrix = native.Buffer("f", 6)
        self._flags = native.Buffer("i", 1)
        self._name = ctypes.create_string_buffer(_NAME_SIZE)
        self._fonts: dict[tuple[int, float], TextStyle] = {}
        self._drawn: dict[tuple[int, _Height], _Ink] = {}
        self.text = ""
        """All characters of the page that was read last."""
        self._has_spaces: bool | None = None
        self._glued: list[tuple[int, int]] = []
        """Words of the page that may be several amounts: which word it is, and its first character."""
        self.quarter = 0
        """How most of the text of the last page is turned."""

    def read(self, textpage: Any, tags: Mapping[int, str]) -> list[Word]:
        """Return the words in drawing order; `tags` names the marked contents of the page."""
        address = native.address_of(textpage)
        self._fonts.clear()  # a closed page may give its fonts' addresses to others
        self._drawn.clear()
        inks: dict[int, _Ink] = {}
        found: list[tuple[int, Word]] = []
        self.text = text = page_text(textpage)
        self._has_spaces = None
        self._glued.clear()
        for line in _LINE.finditer(text):
            self._read_line(address, text, line.start(), line.end(), inks, tags, found)
        if self._glued:
            self._cut_glued(address, found)
        quarters = Counter(quarter for quarter, _ in found)
        self.quarter = quarters.most_common(1)[0][0] if quarters else 0
        return mark_turned(found, self.quarter) if len(quarters) > 1 else [word for _, word in found]

    def _read_line(
        self,
        page: int,
        text: str,
        line_start: int,
        line_end: int,
        inks: dict[int, _Ink],
        tags: Mapping[int, str],
        found: list[tuple[int, Word]],
    ) -> None:
        text_object = self._native.text_object
        char_box, read_box, box = self._native.char_box, self._box.read, self._box.addresses[0]
        whole = self._ink_of_line(page, line_start, line_end, inks, tags)
        last_object, last_ink = 0, whole
        last_x1 = math.inf
        for match in _WORD.finditer(text, line_start, line_end):
            start, end = match.span()
            char_box(page, start, box)
            x0, y1, x1, y0 = read_box()
            height = last_height = y0, y1
            if end - start > 1:
                char_box(page, end - 1, box)
                x2, y3, x3, y2 = read_box()
                last_height = y2, y3
                x0 = x0 if x0 < x2 else x2
                x1 = x1 if x1 > x3 else x3
                y0, y1 = (y0 if y0 < y2 else y2), (y1 if y1 > y3 else y3)
            runs: tuple[TextRun, ...]
            if whole:
                ink, runs, last_key = whole, (TextRun(match[0], whole.style),), whole.key
            elif last_object and last_ink and text_object(page, end - 1) == last_object:
                ink, runs, last_key = last_ink, (TextRun(match[0], last_ink.style),), last_object
            else:
                heights = (height, last_height) if not tags else None
                ink, runs = self._runs(page, start, end, match[0], inks, tags, heights)
                last_object = text_object(page, end - 1) or 0
                last_ink = inks.get(last_object)
                last_key = last_object
            if len(runs) == 1 and not ink.quarter and RIGHT_TO_LEFT.search(match[0]):
                runs = (TextRun(self._in_reading_order(page, start, match[0]), ink.style),)
            if ink.quarter:
                x0, x1 = turned_edges(ink.quarter, x0, x1, y0, y1)
            word = Word(x0, x1, ink.base, runs, ink.tag, ink.key, last_key)
            is_torn = 0 < x0 - last_x1 < _TORN * ink.style.size and self._is_torn(page, start, found[-1][1], word)
            if is_torn and ink.quarter == found[-1][0]:
                found[-1] = ink.quarter, join_words(found[-1][1], word)
            else:
                found.append((ink.quarter, word))
            if end - start >= _GLUED and is_glued(match[0]):
                self._glued.append((len(found) - 1, start))
            last_x1 = x1

    def _cut_glued(self, page: int, found: list[tuple[int, Word]]) -> None:
        """Cut words that are amounts of several columns."""
        glued = dict(self._glued)
        whole = [word for number, (_, word) in enumerate(found) if number not in glued]
        others = sorted([word.x1 for word in whole if word.runs[-1].text[-1].isdecimal()])
        for number, start in reversed(self._glued):
            quarter, word = found[number]
            if not quarter and len(word.runs) == 1:
                boxes = [self._char_box(page, start + place) for place in range(len(word.runs[0].text))]
                cuts = find_cuts(word.runs[0].text, [x1 for _, x1 in boxes], others)
                found[number : number + 1] = [(quarter, each) for each in split_word(word, [0, *cuts], boxes, start)]

    def _char_box(self, page: int, index: int) -> tuple[float, float]:
        self._native.char_box(page, index, self._box.addresses[0])
        left, _, right, _ = self._box.read()
        return left, right

    def _is_torn(self, page: int, start: int, first: Word, second: Word) -> bool:
        """Return whether pdfium split a word, because letters are a little further apart than the font says."""
        before, after = first.runs[-1].text[-1], second.runs[0].text[0]
        if not (before.isalpha() and after.isalpha()) or (after.isupper() and not before.isupper()):
            return False
        if self._native.is_generated(page, start - 1) <= 0:
            return False
        if self._has_spaces is None:
            self._has_spaces = self._finds_spaces(page)
        return self._has_spaces

    def _finds_spaces(self, page: int) -> bool:
        """Return whether the page draws spaces; TeX does not, and leaves gaps of any width."""
        places = [match.start() for match in itertools.islice(_SPACE.finditer(self.text), _MAX_SPACES)]
        generated = sum(self._native.is_generated(page, place) > 0 for place in places)
        return 2 * generated < len(places)

    def _in_reading_order(self, page: int, start: int, text: str) -> str:
        return in_reading_order(text, lambda index: sum(self._char_box(page, start + index)) / 2)

    def _ink_of_line(
        self, page: int, start: int, end: int, inks: dict[int, _Ink], tags: Mapping[int, str]
    ) -> _Ink | None:
        """Return the style of a line that begins and ends with the same text object, and so has no other."""
        first = self._native.text_object(page, start)
        if not first or first != self._native.text_object(page, end - 1):
            return None
        return inks.get(first) or self._ink(page, start, first, inks, tags)

    def _runs(
        self,
        page: int,
        start: int,
        end: int,
        text: str,
        inks: dict[int, _Ink],
        tags: Mapping[int, str],
        heights: tuple[_Height, _Height] | None,
    ) -> tuple[_Ink, tuple[TextRun, ...]]:
        text_object = self._native.text_object
        first, last = text_object(page, start) or 0, text_object(page, end - 1) or 0
        if heights and first != last and text.isalpha():
            ink = self._ink_of_letters(page, start, first, last, heights, inks)
            if ink:
                return ink, (TextRun(text, ink.style),)
        ink = inks.get(first) or self._ink(page, start, first, inks, tags)
        if first == last:
            return ink, (TextRun(text, ink.style),)
        runs: list[TextRun] = []
        before = ink
        for index, character in enumerate(text, start):
            key = text_object(page, index) or 0
            each = inks.get(key) or self._ink(page, index, key, inks, tags)
            if runs and runs[-1].style == each.style:
                runs[-1] = TextRun(runs[-1].text + character, each.style)
            else:
                runs.append(
                    TextRun(f"^{character}" if _is_raised_number(character, each, before) else character, each.style)
                )
            before = each
        return ink, tuple(_mark_letter(runs))

    def _ink_of_letters(
        self, page: int, start: int, first: int, last: int, heights: tuple[_Height, _Height], inks: dict[int, _Ink]
    ) -> _Ink | None:
        """Return the style of a word that is drawn letter by letter, as many programs do.

        It is one style if the word begins and ends in the same font at the same height, and all words in that font at
        that height share it.
        """
        font = self._native.font(first) or 0
        if heights[0] != heights[1] or font != (self._native.font(last) or 0):
            return None
        known = self._drawn.get((font, heights[0]))
        if known is None:
            known = self._drawn[font, heights[0]] = inks.get(first) or self._ink(page, start, first, inks, {})
        return None if known.quarter else known._replace(key=first)

    def _ink(self, page: int, index: int, key: int, inks: dict[int, _Ink], tags: Mapping[int, str]) -> _Ink:
        call = self._native
        call.matrix(page, index, self._matrix.addresses[0])
        a, b, c, d, e, f = self._matrix.read()
        quarter = quarter_of(a, b, d)
        base = (f, -e, -f, e, f, -f)[quarter]
        style = self._style(key, _rounded_size(call.font_size(page, index) * (math.hypot(c, d) or 1.0)))
        tag = tags.get(call.mark_id(key), "") if tags and key else ""
        ink = _Ink(style, quarter, base, tag, key)
        if key:
            inks[key] = ink
        return ink

    def _style(self, key: int, size: float) -> TextStyle:
        font = (self._native.font(key) if key else None) or 0
        known = self._fonts.get((font, size))
        if known is None:
            known = self._fonts[font, size] = TextStyle(size, *self._looks(font))
        return known

    def _looks(self, font: int) -> tuple[bool, bool, bool]:
        if not font:
            return False, False, False
        length = self._native.font_name(font, ctypes.addressof(self._name), _NAME_SIZE)
        name = self._name.raw[: max(0, min(length, _NAME_SIZE) - 1)].decode("utf-8", "replace")
        flags = self._flags.read()[0] if self._native.font_flags(font, self._flags.addresses[0]) else 0
        return looks(name, flags)


def _rounded_size(size: float) -> float:
    """Round a size to quarters of a point, and never to nothing: distances are measured in sizes."""
    return max(_SMALLEST, round(abs(size) * 4) / 4) if math.isfinite(size) else _SMALLEST


def _is_raised_number(character: str, ink: _Ink, before: _Ink) -> bool:
    """Return whether a character is a raised number, which needs a `^` to stay apart from the word before it."""
    size = before.style.size
    is_raised = ink.style.size < _SMALL * size and ink.base - before.base > _RAISED * size
    return is_raised and (character.isdecimal() or character == "(") and ink.quarter == before.quarter


def _mark_letter(runs: list[TextRun]) -> list[TextRun]:
    """Put `^` before a single small letter after a number: it is a footnote mark."""
    if len(runs) < 2 or len(runs[-1].text) != 1 or not runs[-1].text.islower() or not runs[-2].text[-1].isdecimal():
        return runs
    is_small = runs[-1].style.size < _SMALL * runs[-2].style.size
    return [*runs[:-1], TextRun(f"^{runs[-1].text}", runs[-1].style)] if is_small else runs
