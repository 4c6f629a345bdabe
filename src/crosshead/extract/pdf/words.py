"""The words of a page with their places and styles.

pdfium gives the characters of a page in the order in which they are drawn, with spaces and newlines where it sees
them. Asking it about every character is slow: the text comes in one call, and places are asked for the first and the
last character of a word only. What is true of a whole text object (font, size, baseline) is asked once per object.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from crosshead.extract.pdf import native
from crosshead.extract.pdf.fonts import looks
from crosshead.extract.pdf.shapes import SOFT_HYPHEN, Run, Style, Word

_WORD: Final = re.compile(rf"[^\s\0{SOFT_HYPHEN}]+{SOFT_HYPHEN}?|{SOFT_HYPHEN}")
_NAME_SIZE: Final = 256


class _Ink(NamedTuple):
    """What is true of a whole text object; `quarter` counts its turns by 90 degrees."""

    style: Style
    quarter: int
    base: float
    tag: str


class TextReader:
    """Reads the words of one document's pages."""

    def __init__(self) -> None:
        self._native = native.load()
        self._box = native.Buffer(ctypes.c_double, 4)
        self._matrix = native.Buffer(ctypes.c_float, 6)
        self._flags = native.Buffer(ctypes.c_int, 1)
        self._name = ctypes.create_string_buffer(_NAME_SIZE)
        self._fonts: dict[int, tuple[bool, bool, bool]] = {}
        self._styles: dict[Style, Style] = {}

    def read(self, textpage: Any, tags: Mapping[int, str]) -> list[Word]:
        """Return the words in drawing order; `tags` names the marked contents of the page."""
        address = native.address_of(textpage)
        self._fonts.clear()  # a closed page may give its fonts' addresses to others
        inks: dict[int, _Ink] = {}
        found: list[tuple[int, Word]] = []
        char_box, box, (left, right, bottom, top) = self._native.char_box, self._box.values, self._box.addresses
        for start, end, text in _tokens(page_text(textpage)):
            char_box(address, start, left, right, bottom, top)
            x0, x1, y0, y1 = box
            if end - start > 1:
                char_box(address, end - 1, left, right, bottom, top)
                x2, x3, y2, y3 = box
                x0, x1, y0, y1 = min(x0, x2), max(x1, x3), min(y0, y2), max(y1, y3)
            ink, runs = self._runs(address, start, end, text, inks, tags)
            if ink.quarter:
                x0, x1 = _turn(ink.quarter, x0, x1, y0, y1)
            elif ink.style.mono:  # code is set in a grid, which the ink of a character does not fill
                self._native.char_origin(address, start, left, right)
                x0 = box[0]
            found.append((ink.quarter, Word(x0, x1, ink.base, runs, ink.tag)))
        return _mark_turned(found)

    def _runs(
        self, page: int, start: int, end: int, text: str, inks: dict[int, _Ink], tags: Mapping[int, str]
    ) -> tuple[_Ink, tuple[Run, ...]]:
        text_object = self._native.text_object
        first, last = text_object(page, start) or 0, text_object(page, end - 1) or 0
        ink = inks.get(first) or self._ink(page, start, first, inks, tags)
        if first == last:
            return ink, (Run(text, ink.style),)
        runs: list[Run] = []
        for index, character in enumerate(text, start):
            key = text_object(page, index) or 0
            each = inks.get(key) or self._ink(page, index, key, inks, tags)
            if runs and runs[-1].style == each.style:
                runs[-1] = Run(runs[-1].text + character, each.style)
            else:
                runs.append(Run(character, each.style))
        return ink, tuple(runs)

    def _ink(self, page: int, index: int, key: int, inks: dict[int, _Ink], tags: Mapping[int, str]) -> _Ink:
        call = self._native
        call.matrix(page, index, self._matrix.addresses[0])
        a, b, c, d, e, f = self._matrix.values
        size = call.font_size(page, index) * (math.hypot(c, d) or 1.0)
        quarter = round(math.atan2(b, a) / (math.pi / 2)) % 4 if b else (0 if a >= 0 else 2)
        base = (f, -e, -f, e)[quarter]
        style = Style(round(size * 4) / 4, *self._looks(key))
        tag = tags.get(call.mark_id(key), "") if tags and key else ""
        ink = _Ink(self._styles.setdefault(style, style), quarter, base, tag)
        if key:
            inks[key] = ink
        return ink

    def _looks(self, key: int) -> tuple[bool, bool, bool]:
        font = self._native.font(key) if key else None
        if not font:
            return False, False, False
        known = self._fonts.get(font)
        if known is None:
            length = self._native.font_name(font, ctypes.addressof(self._name), _NAME_SIZE)
            name = self._name.raw[: max(0, min(length, _NAME_SIZE) - 1)].decode("utf-8", "replace")
            flags = self._flags.values[0] if self._native.font_flags(font, self._flags.addresses[0]) else 0
            known = self._fonts[font] = looks(name, flags)
        return known


def page_text(textpage: Any) -> str:
    """Return the characters of a page; the index in the text is pdfium's index of the character."""
    import pypdfium2.raw as raw

    count = raw.FPDFText_CountChars(textpage)
    if count <= 0:
        return ""
    buffer = (ctypes.c_ushort * (count + 1))()
    length = raw.FPDFText_GetText(textpage, 0, count, buffer)
    text = bytes(buffer)[: 2 * max(0, length - 1)].decode("utf-16-le", "surrogatepass")
    if len(text) == count:
        return text
    # Characters beyond 16 bits, or without any meaning, shift the text against pdfium's own numbers.
    return "".join(map(_character, map(_unicode_of(textpage), range(count))))


def _unicode_of(textpage: Any) -> Callable[[int], int]:
    import pypdfium2.raw as raw

    return lambda index: int(raw.FPDFText_GetUnicode(textpage, index))


def _character(code: int) -> str:
    if code == 2:
        return SOFT_HYPHEN
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _tokens(text: str) -> Iterator[tuple[int, int, str]]:
    for found in _WORD.finditer(text):
        yield found.start(), found.end(), found[0]


def _turn(quarter: int, x0: float, x1: float, y0: float, y1: float) -> tuple[float, float]:
    """Where a word begins and ends in its own direction of reading."""
    return ((x0, x1), (y0, y1), (-x1, -x0), (-y1, -y0))[quarter]


def _mark_turned(found: list[tuple[int, Word]]) -> list[Word]:
    """The direction of most of the text is upright; words in other directions are marked."""
    quarters = Counter(quarter for quarter, _ in found)
    if len(quarters) <= 1:
        return [word for _, word in found]
    upright = quarters.most_common(1)[0][0]
    return [word if quarter == upright else word._replace(turned=True) for quarter, word in found]
