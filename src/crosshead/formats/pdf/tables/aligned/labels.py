"""Which lines are labels of columns: those above the first row of data, in the region or right above it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from crosshead.formats.pdf.layout.lines import TableLine
from crosshead.formats.pdf.page.outline import shows_title
from crosshead.formats.pdf.tables.aligned.columns import Columns
from crosshead.formats.pdf.tables.aligned.regions import LABEL_SIZE, is_data
from crosshead.formats.pdf.tables.aligned.spanning import label_groups

_MAX_LINES: Final = 6
"""The most lines of labels above a region."""
_MAX_GAP: Final = 2.2
"""The largest distance of a line of labels from the line below, in ems."""
_MAX_LENGTH: Final = 60
"""The most characters of a label; more are a line of text."""
_BEYOND: Final = 5.0
"""How far labels may reach beyond the right edge of the region, in ems."""
_INDENT: Final = 0.5
"""How far a label of a later column may reach into the first one, in ems."""


def count_labels(region: Sequence[TableLine], columns: Columns, rules: Sequence[float]) -> int:
    """Return how many lines of labels a region begins with; `rules` are the heights of rules that cross it."""
    if not columns.figures:
        return 1
    first = next((number for number, line in enumerate(region) if is_data(line)), 1)
    for number, (above, below) in enumerate(pairwise(region[: first + 1]), 1):
        if any(below.base < y < above.low for y in rules):
            return number
    labels = 0
    named = False
    for number, line in enumerate(region[:first]):
        begins = columns.of(line.x0 + 1) == 0 and not line.text.startswith("(")
        if begins and named:
            break
        if len(line.groups) > 1 or not begins:
            labels = number + 1
        named = named or begins
    return labels


def find_labels_above(
    lines: Sequence[TableLine], region: Sequence[TableLine], columns: Columns, titles: Collection[str]
) -> list[TableLine]:
    """Return the lines right above a table of figures that are labels of its columns."""
    start = next(number for number, line in enumerate(lines) if line is region[0])
    found: list[TableLine] = []
    below = region[0]
    for line in reversed(lines[max(0, start - _MAX_LINES) : start]):
        if not _holds_labels(line, below, region, columns) or shows_title(line.text, titles):
            break
        found.insert(0, line)
        below = line
    return found


def _holds_labels(line: TableLine, below: TableLine, region: Sequence[TableLine], columns: Columns) -> bool:
    size = below.size
    if abs(line.size - size) > LABEL_SIZE * size or line.low - below.base > _MAX_GAP * size or is_data(line):
        return False
    right = max(own.x1 for own in region)
    groups = line.groups
    if any(len(group.text) > _MAX_LENGTH for group in groups):
        groups = label_groups(line, columns)
    if line.x1 > right + _BEYOND * size or any(len(group.text) > _MAX_LENGTH for group in groups):
        return False
    start = columns.figures[0][0]
    later = [group for group in groups if group.x1 > start]
    if any(group.x0 < columns.borders[0] - _INDENT * size for group in later):
        return False
    return bool(later) or (line.text.startswith("(") and line.text.endswith(")"))
