"""The text of a table's cells."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from crosshead.formats.pdf.page.shapes import Segment
from crosshead.formats.pdf.text.amounts import close_up, part_mark
from crosshead.formats.pdf.text.joining import join_lines
from crosshead.formats.pdf.text.markers import leaderless

Cell = list[Segment]

SAME_LINE: Final = 0.4
"""How far apart the baselines of one line of a cell may be, in ems."""


def has_words(cells: Iterable[Iterable[str]]) -> bool:
    """Return whether a table has words; figures alone are better kept as text, because their labels are elsewhere."""
    return any(character.isalpha() for row in cells for cell in row for character in cell)


def cell_lines(cell: Iterable[Segment]) -> list[list[Segment]]:
    """Return the lines of a cell from top to bottom, each from left to right."""
    lines: list[list[Segment]] = []
    for segment in sorted(cell, key=lambda each: -each.base):
        if lines and abs(lines[-1][0].base - segment.base) < SAME_LINE * segment.size:
            lines[-1].append(segment)
        else:
            lines.append([segment])
    return [sorted(line, key=lambda each: each.x0) for line in lines]


def cell_text(cell: Iterable[Segment]) -> str:
    """Return the lines of a cell as one text."""
    texts = [" ".join([each.text for each in line]) for line in cell_lines(cell)]
    return part_mark(close_up(leaderless(join_lines(texts))))


def split_segment(segment: Segment, places: Sequence[float]) -> list[Segment]:
    """Cut a segment between its words at the given places."""
    parts: list[Segment] = []
    field = -1
    for word in segment.words:
        own = bisect_right(places, (word.x0 + word.x1) / 2)
        if parts and own == field:
            parts[-1].add(word)
        else:
            parts.append(Segment(word, segment.base))
            field = own
    return parts
