"""Split words that are two amounts, because the amounts of two columns touch.

`1,2343,456` is not a number: after a comma come exactly three digits. The word is cut where correctly written
numbers end, if amounts of other rows end at the same place. Otherwise it stays whole.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

_SIGNS: Final = r"[-–−]?[(]?[-–−]?[$€£]?"
_AMOUNTS: Final = tuple(
    re.compile(rf"{_SIGNS}\d{{1,3}}(?:{group}\d{{3}})*(?:{point}\d{{1,3}})?[)]?%?")
    for group, point in ((",", r"\."), (r"\.", ","), ("['’]", r"\."))
)
"""Amounts as written in English, German and Swiss documents."""
_SUSPECT: Final = re.compile(r"[-–−$€£(\d][\d.,'’()$€£%–−-]*[,.'’]\d{3}[\d.,'’()$€£%–−-]+")
_DECIMAL: Final = re.compile(rf"{_SIGNS}\d+[.,]\d+[)]?%?")
_MAX_LENGTH: Final = 60
_MIN_ROWS: Final = 2
"""How many amounts of other rows must end at the same place."""
_EDGE: Final = 0.7
"""How far from each other their ends may be, in points."""


def is_glued(text: str) -> bool:
    """Return whether a word of digits is not an amount, but may be several."""
    if len(text) > _MAX_LENGTH or not _SUSPECT.fullmatch(text):
        return False
    return not _DECIMAL.fullmatch(text) and not any(amount.fullmatch(text) for amount in _AMOUNTS)


def find_cuts(text: str, ends: Sequence[float], others: Sequence[float]) -> list[int]:
    """Return where to cut a word into amounts; an empty list if that is not clear.

    `ends` are the right edges of its characters, `others` those of the amounts of other rows, in order.
    """
    possible = {cuts for amount in _AMOUNTS for cuts in _cuts(text, amount)}
    shared = [cuts for cuts in possible if all(_is_shared(ends[cut - 1], others) for cut in (*cuts, len(text)))]
    return list(shared[0]) if len(shared) == 1 else []


def _cuts(text: str, amount: re.Pattern[str]) -> Iterator[tuple[int, ...]]:
    @cache
    def after(start: int) -> list[tuple[int, ...]]:
        cuts: list[tuple[int, ...]] = []
        for end in range(start + 1, len(text)):
            if amount.fullmatch(text, start, end):
                cuts += [(end, *rest) for rest in after(end)]
        return [*cuts, ()] if amount.fullmatch(text, start) else cuts

    yield from (cut for cut in after(0) if cut)


def _is_shared(x: float, others: Sequence[float]) -> bool:
    return bisect_left(others, x + _EDGE) - bisect_left(others, x - _EDGE) >= _MIN_ROWS
