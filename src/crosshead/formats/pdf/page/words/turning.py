"""Words that are not drawn from left to right: by quarter turns from 0 to 3; 4 and 5 are mirrored."""

from __future__ import annotations

import math
from collections.abc import Iterable

from crosshead.formats.pdf.page.shapes import Word


def quarter_of(a: float, b: float, d: float) -> int:
    """Return the quarter turns of text with this matrix; 4 and 5 are mirrored left to right, and top to bottom."""
    if b:
        return round(math.atan2(b, a) / (math.pi / 2)) % 4
    if a < 0:
        return 4 if d > 0 else 2
    return 5 if d < 0 else 0


def turned_edges(quarter: int, x0: float, x1: float, y0: float, y1: float) -> tuple[float, float]:
    """Return the edges of a word in its own direction of reading."""
    return ((x0, x1), (y0, y1), (-x1, -x0), (-y1, -y0), (-x1, -x0), (x0, x1))[quarter]


def mark_turned(found: Iterable[tuple[int, Word]], upright: int) -> list[Word]:
    """Mark the words in another direction than most of the text."""
    return [word if quarter == upright else word._replace(turned=True) for quarter, word in found]
