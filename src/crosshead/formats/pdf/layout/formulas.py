"""Formulas: their parts are on many baselines, and drawn one after the other.

A part without words, such as a limit, an index or a numerator, belongs to the rows drawn before it if it is closer to
them than lines of text are. So do the words that follow it on the same line. A formula becomes one row in the order in
which it is drawn, and a line of text with a formula in it stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from crosshead.formats.pdf.layout.rows import make_row
from crosshead.formats.pdf.page.shapes import Row

_WORD: Final = re.compile(r"[^\W\d_]{4}|[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]")
"""Words of three letters may be `sin` or `max`; Chinese and Japanese ones may be short."""
_SIGN: Final = re.compile(r"[^\W_]|[+=√∑∫∏∂∞<>≤≥−-]")
_FIGURE: Final = re.compile(r"[\d.,()\s-]+")
_NEAR: Final = 0.95
"""How far the baselines of parts may be apart, in ems; lines of text are further apart."""
_SMALL: Final = 0.9
"""A number that belongs to a line of text is smaller than this, in ems."""
_TIGHT: Final = 0.4
"""How close to a word it is, in ems."""
_SAME_LINE: Final = 0.35
"""How far the baselines of one line may be apart, in ems."""
_OFF_LINE: Final = 0.1
"""How far the baseline of a part is from that of the line at least, in ems."""
_SPACE: Final = 1.0
"""The largest gap between a formula and the words after it, in ems."""


def join_formulas(rows: Sequence[Row]) -> list[Row]:
    """Join the parts of formulas with what is drawn before them."""
    groups: list[list[Row]] = []
    for row in rows:
        if groups and (_is_part(groups[-1], row) or _resumes(groups[-1], row)):
            groups[-1].append(row)
        else:
            groups.append([row])
    return [_join(group) if len(group) > 1 else group[0] for group in groups]


def _is_part(group: Sequence[Row], row: Row) -> bool:
    """Return whether a row is a part without words, near the rows drawn before it but off their line."""
    size = max(each.style.size for each in group)
    if _WORD.search(row.text) or not _SIGN.search(row.text) or row.style.mono or group[0].style.mono:
        return False
    if _FIGURE.fullmatch(row.text) and any(_WORD.search(each.text) for each in group):
        # An amount or a number in a form is not: one that belongs to a line of text is small, and right after a word.
        return row.style.size < _SMALL * size and abs(row.x0 - group[-1].x1) < _TIGHT * size
    beside = row.x0 < max(each.x1 for each in group) + 2 * size and row.x1 > min(each.x0 for each in group) - size
    return beside and any(_OFF_LINE * size < abs(each.base - row.base) < _NEAR * size for each in group)


def _resumes(group: Sequence[Row], row: Row) -> bool:
    """Return whether a row continues the line of text that a formula is in."""
    line = group[0]
    size = max(line.style.size, row.style.size)
    gap = row.x0 - max(each.x1 for each in group)
    return len(group) > 1 and abs(line.base - row.base) < _SAME_LINE * size and -size < gap < _SPACE * size


def _join(group: Sequence[Row]) -> Row:
    line = max(group, key=lambda row: len(row.text) if _WORD.search(row.text) else 0)
    joined = make_row([segment for row in group for segment in row.segments], line.page, group[0].order)
    drawn = [segment for row in group for segment in row.segments]
    text = " ".join([segment.text for segment in drawn])
    return replace(joined, segments=drawn, text=text, base=line.base, style=line.style)
