"""Figures: amounts, percentages, dates and dashes for zero, with the signs that belong to them.

Programs often draw `$`, `(`, `)` and `%` separately from their number, even in separate cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from crosshead.formats.pdf.page.shapes import Segment, Word

_SPACE: Final = 0.45
"""The widest space within a phrase, in ems."""
_SAME_LINE: Final = 0.3
"""How far the baselines of a figure and its sign may be apart, in ems."""
_OPENING_GAP: Final = 1
"""The largest gap after an opening sign, in ems; currencies and parentheses may be any distance away."""
_CLOSING_GAP: Final = 1.6
"""The largest gap before a closing sign, in ems."""
_THOUSANDS_GAP: Final = 0.4
"""The largest gap between thousands, in ems."""
_CURRENCY: Final = r"(?:[A-Z]{0,3}[$€£¥₹₽₩₪฿]|USD|EUR|GBP|CHF|JPY|CNY|Fr\.|kr\.?|R\$)"
_SIGN: Final = r"[-–−—+±~≈<>≤≥]"
_SPACED: Final = r"\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:[.,]\d+)?(?!\d)"
"""Many languages separate thousands by narrow spaces, which pdfium returns as plain ones."""
_DIGITS: Final = rf"(?:{_SPACED}|\d(?:[\d.,:/'’\u00a0\u202f-]*\d)?|[.,]\d+)"
_MARKS: Final = r"(?:[*†‡§]+|\^?\(?[\da-z]\)|\^\d+)?"
_FIGURE: Final = re.compile(
    rf"{_SIGN}?[(\[]?{_SIGN}?{_CURRENCY}?{_SIGN}?\(?{_SIGN}?{_DIGITS}(?:[%‰x×]|bps?|pp|pts?)?[)\]]?[%‰]?(?:{_CURRENCY})?{_MARKS}"
)
_NIL: Final = re.compile(rf"{_CURRENCY}?(?:[—–―−-]{{1,3}}|\(?n[./]?[am]\.?\)?|nil|NM|\(—\))%?", re.I)
_YEAR: Final = re.compile(r"(?:FY|CY|H[12]|Q[1-4])?['’]?(?:19|20)\d\d(?:[-–/](?:\d\d){1,2})?(?:\^\d|[*†])?")
_DATE: Final = re.compile(
    r"\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d|(?:19|20)\d\d[./-]\d{1,2}(?:[./-]\d{1,2})?|\d{1,2}[./](?:19|20)\d\d"
)
_OPENING: Final = re.compile(rf"(?:{_SIGN}|\(|{_CURRENCY}|\({_CURRENCY}|{_CURRENCY}\s?\()")
_CLOSING: Final = re.compile(r"\)?%?\)?(?:[*†‡]|\(\d\))?|€|‰")
_THREE: Final = re.compile(r"\d{3}(?:[.,]\d+)?\)?%?")
_OPEN_END: Final = re.compile(r"[-–−(]?\d{1,3}(?:[ \u00a0]\d{3})*")
_GAPS: Final = re.compile(r"(?<=[$€£¥₹(−–+-])\s+(?=[$€£¥₹(\d.−–—-])|(?<=[\d)%])\s+(?=[)%‰€])")
_MARKED: Final = re.compile(r"(.*\d[.,'’ ]\d+[)%]*)(\((?:\d{1,2}|[a-z])\))")
_LEADERS: Final = re.compile(r"[.…·_ ]*(?:[.·_ ]{2,}|…)[.…·_ ]*|\.")


def is_figure(text: str) -> bool:
    """Return whether a text is a number with its signs, or a dash for zero."""
    closed = _GAPS.sub("", text)
    return bool(_FIGURE.fullmatch(closed) or _NIL.fullmatch(closed))


def is_year(text: str) -> bool:
    """Return whether a text is a year or a date, and so perhaps the label of a column."""
    return bool(_YEAR.fullmatch(text) or _DATE.fullmatch(text))


def is_leader(text: str) -> bool:
    """Return whether a text is only leader dots."""
    return bool(_LEADERS.fullmatch(text))


def close_up(text: str) -> str:
    """Return a figure without the spaces between its signs, other text unchanged."""
    closed = _GAPS.sub("", text)
    return closed if closed == text or is_figure(closed) else text


def part_mark(text: str) -> str:
    """Return an amount with a space before its footnote mark, other text unchanged."""
    found = _MARKED.fullmatch(text)
    return f"{found[1]} {found[2]}" if found and is_figure(text) else text


def split_figures(segments: Iterable[Segment]) -> list[Segment]:
    """Return the units of a line from left to right: its words, and its figures with all of their signs."""
    words = [(word, segment.base) for segment in segments for word in segment.words]
    units: list[Segment] = []
    for word, base in sorted(words, key=lambda each: each[0].x0):
        if units and _belongs(units[-1], word, base) and not _ends_text(units, word):
            units[-1].add(word)
        else:
            units.append(Segment(word, base))
    return units


def find_free(units: Sequence[Segment]) -> list[bool]:
    """Return for each unit of a line whether it is a figure, and not part of a phrase such as `May 2019`."""
    kinds = [is_figure(unit.text) for unit in units]
    is_free = list(kinds)
    for number, (left, right) in enumerate(pairwise(units)):
        is_phrase = kinds[number] != kinds[number + 1] or left.words[-1].last_piece == right.words[0].piece
        if is_phrase and right.x0 - left.x1 < _SPACE * max(left.size, right.size):
            is_free[number] = is_free[number + 1] = False
    return is_free


def _belongs(unit: Segment, word: Word, base: float) -> bool:
    """Return whether a word belongs to the figure that the unit begins."""
    own = "".join([run.text for run in word.runs])
    before = unit.text
    if abs(unit.base - base) > _SAME_LINE * unit.size:
        return False
    gap = (word.x0 - unit.x1) / max(unit.size, 1.0)
    if _OPENING.fullmatch(before):
        joined = close_up(f"{before} {own}")
        is_amount = is_figure(joined) or (before.endswith("(") and bool(_FIGURE.fullmatch(f"{joined})")))
        return is_amount and (gap < _OPENING_GAP or before[-1] in "$€£¥₹(")
    if (
        gap < _THOUSANDS_GAP
        and _THREE.fullmatch(own)
        and _OPEN_END.fullmatch(before)
        and word.piece == unit.words[-1].last_piece
    ):
        return True
    return gap < _CLOSING_GAP and bool(_CLOSING.fullmatch(own)) and _takes(before, own)


def _ends_text(units: Sequence[Segment], word: Word) -> bool:
    """Return whether the sign before a word ends a phrase, such as `in T€`, and the word is another column."""
    if len(units) < 2 or word.x0 - units[-1].x1 < units[-1].size:
        return False
    return units[-1].x0 - units[-2].x1 < _SPACE * units[-1].size and not is_figure(units[-2].text)


def _takes(before: str, own: str) -> bool:
    closed = close_up(f"{before} {own}").replace(" ", "")
    return any(character.isdigit() for character in before) and bool(_FIGURE.fullmatch(closed))
