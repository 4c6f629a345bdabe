"""The formatting of a group, and the control words that change it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from crosshead.formats.office.rtf import destinations as to
from crosshead.formats.office.rtf.page import BOLD, ITALIC, LOWERED, RAISED, STRIKE

MAX_TABLE_DEPTH: Final = 20
_MAX_FALLBACK: Final = 20
_MARKS: Final = {b"b": BOLD, b"i": ITALIC, b"strike": STRIKE, b"striked": STRIKE, b"super": RAISED, b"sub": LOWERED}


@dataclass(slots=True)
class Formatting:
    """The formatting of a group. A group inside it starts with a copy."""

    to: str = to.TEXT
    font: int = 0
    marks: int = 0
    is_hidden: bool = False
    skipped: int = 1
    """Fallback characters after a Unicode character, for older programs."""
    style: int = 0
    outline: int | None = None
    list_level: int | None = None
    indent: int = 0
    hangs: bool = False
    """The first line begins left of the others."""
    depth: int = 0
    """Of tables."""
    is_start: bool = True
    """Nothing was read in the group yet, so a word may name its destination."""
    is_optional: bool = False

    def apply(self, word: bytes, number: int | None) -> None:
        """Apply a word to the text that follows."""
        if mark := _MARKS.get(word):
            self.marks = self.marks | mark if number != 0 else self.marks & ~mark
        elif change := _CHANGES.get(word):
            change(self, number)

    def apply_to_paragraph(self, word: bytes, number: int | None) -> None:
        """Apply a word to the paragraph and those after it."""
        if change := _PARAGRAPH_CHANGES.get(word):
            change(self, number)

    def clear_marks(self, font: int) -> None:
        """Return to text without marks in this font."""
        self.marks, self.is_hidden, self.font = 0, False, font


def _end_raised(formatting: Formatting, _number: int | None) -> None:
    formatting.marks &= ~(RAISED | LOWERED)


def _hide(formatting: Formatting, number: int | None) -> None:
    formatting.is_hidden = number != 0


def _set_font(formatting: Formatting, number: int | None) -> None:
    formatting.font = number or 0


def _set_skipped(formatting: Formatting, number: int | None) -> None:
    formatting.skipped = max(0, min(number or 0, _MAX_FALLBACK))


def _set_style(formatting: Formatting, number: int | None) -> None:
    formatting.style = number or 0


def _clear_paragraph(formatting: Formatting, _number: int | None) -> None:
    formatting.style, formatting.outline, formatting.list_level = 0, None, None
    formatting.depth, formatting.indent, formatting.hangs = 0, 0, False


def _enter_table(formatting: Formatting, _number: int | None) -> None:
    formatting.depth = max(1, formatting.depth)


def _set_depth(formatting: Formatting, number: int | None) -> None:
    formatting.depth = max(0, min(number or 0, MAX_TABLE_DEPTH))


def _enter_list(formatting: Formatting, _number: int | None) -> None:
    formatting.list_level = formatting.list_level or 0


def _set_list_level(formatting: Formatting, number: int | None) -> None:
    formatting.list_level = number or 0


def _set_indent(formatting: Formatting, number: int | None) -> None:
    formatting.indent = number or 0


def _set_first_line(formatting: Formatting, number: int | None) -> None:
    formatting.hangs = (number or 0) < 0


_Changes = Mapping[bytes, Callable[[Formatting, int | None], None]]

_CHANGES: Final[_Changes] = {
    b"nosupersub": _end_raised,
    b"v": _hide,
    b"deleted": _hide,
    b"f": _set_font,
    b"uc": _set_skipped,
    b"s": _set_style,
}
_PARAGRAPH_CHANGES: Final[_Changes] = {
    b"pard": _clear_paragraph,
    b"intbl": _enter_table,
    b"itap": _set_depth,
    b"ls": _enter_list,
    b"ilvl": _set_list_level,
    b"li": _set_indent,
    b"fi": _set_first_line,
}
WORDS: Final = frozenset((*_MARKS, *_CHANGES, *_PARAGRAPH_CHANGES))
"""All words that change formatting."""
