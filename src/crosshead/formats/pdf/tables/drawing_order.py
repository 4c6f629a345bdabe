"""Tables that are drawn one after the other, though they are side by side, or beside a column of text.

Where drawing jumps back up, and rows follow beside what was drawn before, another table begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise, takewhile
from typing import Final

from crosshead.formats.pdf.page.shapes import Segment
from crosshead.formats.pdf.text.amounts import is_figure

_MIN_ROWS: Final = 2
"""The least rows of a table."""
_JUMP: Final = 0.5
"""How far up drawing goes for the next table, in ems."""
_MAX_CELL: Final = 4
"""The most lines of a cell: from its last line, drawing goes up to the first line of the next cell."""
_LONG: Final = 30
"""The least characters of a line of text; cells are shorter."""
_MIN_LONG: Final = 3
"""The least such lines of a column of text."""


def split_drawn(flow: Sequence[int], segments: Sequence[Segment]) -> list[list[int]]:
    """Split the numbers of segments before each table that is beside what was drawn before it."""
    runs: list[list[int]] = []
    for place, number in enumerate(flow):
        last = max([segments[each].base for each in flow[max(0, place - _MAX_CELL) : place]], default=0.0)
        if not runs or segments[number].base > last + _JUMP * segments[number].size:
            runs.append([])
        runs[-1].append(number)
    parts = [list(run) for run in runs[:1]]
    for before, run in pairwise(runs):
        count = _count_beside([segments[number] for number in before], [segments[number] for number in run])
        if count:
            parts += [run[:count], run[count:]]
        else:
            parts[-1] += run
    return [part for part in parts if part]


def _count_beside(before: Sequence[Segment], run: Sequence[Segment]) -> int:
    """Return how many segments of a run are beside what was drawn before, if one of the two is a table; else 0."""
    top = run[0].base + run[0].size
    beside = [segment for segment in before if segment.base < top]
    if not beside:
        return 0
    left, right = min(segment.x0 for segment in beside), max(segment.x1 for segment in beside)
    is_right = run[0].x0 >= right
    own = list(takewhile(lambda each: each.x0 >= right if is_right else each.x1 <= left, run))
    rows = [_count_rows(side) >= _MIN_ROWS for side in (beside, own)]
    are_blocks = all(is_table or _is_text(side) for is_table, side in zip(rows, (beside, own), strict=True))
    return len(own) if any(rows) and are_blocks else 0


def _is_text(segments: Sequence[Segment]) -> bool:
    return sum(len(segment.text) >= _LONG for segment in segments) >= _MIN_LONG


def _count_rows(segments: Sequence[Segment]) -> int:
    """Return how many lines are drawn as words and then figures."""
    rows = groupby(segments, key=lambda segment: round(segment.base))
    return sum(_is_row([segment.text for segment in row]) for _, row in rows)


def _is_row(texts: Sequence[str]) -> bool:
    return any(character.isalpha() for character in texts[0]) and any(is_figure(text) for text in texts[1:])
