"""The text of a table's cells."""

from __future__ import annotations

from crosshead.extract.readers.pdf.figures import close_up
from crosshead.extract.readers.pdf.joining import join_lines
from crosshead.extract.readers.pdf.markers import leaderless
from crosshead.extract.readers.pdf.shapes import Segment

Cell = list[Segment]


def cell_text(cell: Cell) -> str:
    """Return the lines of a cell as one text."""
    lines: list[list[Segment]] = []
    for segment in sorted(cell, key=lambda each: -each.base):
        if lines and abs(lines[-1][0].base - segment.base) < 0.4 * segment.size:
            lines[-1].append(segment)
        else:
            lines.append([segment])
    ordered = [" ".join([each.text for each in sorted(line, key=lambda each: each.x0)]) for line in lines]
    return close_up(leaderless(join_lines(ordered)))


def trim(rows: list[list[str]]) -> list[list[str]]:
    """Leave out rows and columns without any text."""
    rows = [row for row in rows if any(row)]
    if not rows:
        return []
    keep = [column for column in range(len(rows[0])) if any(row[column] for row in rows)]
    return [[row[column] for column in keep] for row in rows]
