"""The labels above the columns of a table.

Lines of labels may be several, and a label may span columns. Markdown has one header row: the labels above a column are
joined from top to bottom, and one that spans is repeated for each of its columns.

1. Labels stand above the first row of data, in the table or right above it.
2. A rule right below a label shows which columns it spans; else it is centered above them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Final

from crosshead.extract.readers.pdf.cells import Cell
from crosshead.extract.readers.pdf.figures import is_figure, is_year
from crosshead.extract.readers.pdf.lines import Line, copy_segment
from crosshead.extract.readers.pdf.outline import shows_title
from crosshead.extract.readers.pdf.shapes import Rule, Segment
from crosshead.extract.readers.pdf.table_columns import Columns, Span

_MAX_LINES: Final = 6
_MAX_GAP: Final = 2.2
_MAX_LABEL: Final = 60
_CENTERED: Final = 1.5
"""How far the middle of a label may be from that of its columns, in sizes."""
_BESIDE: Final = 5.0
"""How far a label may reach beyond the figures below it, in sizes."""
_SPACE: Final = 0.45
_WIDE: Final = 0.8


def is_data(line: Line) -> bool:
    """Does the line show figures that are no years?"""
    return any(not is_year(unit.text) for unit in line.figures)


def count_labels(region: Sequence[Line], columns: Columns, across: Sequence[float]) -> int:
    """Return how many lines of labels a table begins with; `across` are the heights of rules that cross it."""
    if not columns.figures:
        return 1
    first = next((number for number, line in enumerate(region) if is_data(line)), 1)
    for number, (above, below) in enumerate(pairwise(region[: first + 1]), 1):
        if any(below.base < y < above.low for y in across):
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
    lines: Sequence[Line], region: Sequence[Line], columns: Columns, titles: Collection[str]
) -> list[Line]:
    """Return the lines right above a table of figures that hold labels of its columns."""
    start = next(number for number, line in enumerate(lines) if line is region[0])
    found: list[Line] = []
    below = region[0]
    for line in reversed(lines[max(0, start - _MAX_LINES) : start]):
        if not _holds_labels(line, below, region, columns) or shows_title(line.text, titles):
            break
        found.insert(0, line)
        below = line
    return found


def _holds_labels(line: Line, below: Line, region: Sequence[Line], columns: Columns) -> bool:
    size = below.size
    if abs(line.size - size) > 0.2 * size or line.low - below.base > _MAX_GAP * size or is_data(line):
        return False
    right = max(each.x1 for each in region)
    if line.x1 > right + _BESIDE * size or any(len(group.text) > _MAX_LABEL for group in line.groups):
        return False
    start = columns.figures[0][0]
    later = [group for group in line.groups if group.x1 > start]
    if any(group.x0 < columns.borders[0] - 0.5 * size for group in later):
        return False
    return bool(later) or (line.text.startswith("(") and line.text.endswith(")"))


def join_labels(lines: Sequence[Line], columns: Columns, rules: Sequence[Rule]) -> list[Cell]:
    """Return the header row."""
    header: list[Cell] = [[] for _ in range(columns.number)]
    for number, line in enumerate(lines):
        groups = _label_groups(line, columns)
        taken = {column for group in groups for column in _touched(group, columns)}
        for group in groups:
            is_last = number == len(lines) - 1
            for column in _columns_of(group, taken, columns, rules, may_span=not is_last or len(lines) == 1):
                header[column].append(group)
    return header


def _label_groups(line: Line, columns: Columns) -> list[Segment]:
    """Labels of neighboring columns may stand close to each other, but not as close as words do."""
    groups: list[Segment] = []
    for unit in line.units:
        gap = unit.x0 - groups[-1].x1 if groups else 0.0
        parted = any(groups[-1].x1 - 0.5 <= x <= unit.x0 + 0.5 for x in columns.borders) if groups else True
        both = bool(groups) and is_figure(unit.text) and is_figure(groups[-1].text)
        overlaps = bool(groups) and gap < 0
        if groups and not both and (overlaps or gap < (_SPACE if parted else _WIDE) * line.size):
            for word in unit.words:
                groups[-1].add(word)
        else:
            groups.append(copy_segment(unit))
    return groups


def _touched(group: Segment, columns: Columns) -> range:
    slack = 0.3 * group.size
    return range(columns.of(group.x0 + slack), columns.of(group.x1 - slack) + 1)


def _columns_of(
    group: Segment, taken: Collection[int], columns: Columns, rules: Iterable[Rule], *, may_span: bool
) -> Sequence[int]:
    own = _touched(group, columns)
    ruled = _columns_of_rule(group, columns, rules)
    if ruled and (len(ruled) > 1 or ruled == list(own)):
        return ruled
    if own.start == 0 and own.stop > 1 and not columns.has_figures(0):
        own = range(1, own.stop) if group.x0 > columns.borders[0] - 0.5 * group.size else range(1)
    if not may_span or own == range(1):
        return own if len(own) == 1 else [_nearest(group, own, columns)] if not may_span else own
    free = [column for column in range(columns.number) if column in own or column not in taken]
    return max(_centered(group, own, free, columns), [*own], key=len)


def _nearest(group: Segment, own: Sequence[int], columns: Columns) -> int:
    middle = (group.x0 + group.x1) / 2
    return min(own, key=lambda column: abs(middle - _middle([column], columns)))


def _columns_of_rule(group: Segment, columns: Columns, rules: Iterable[Rule]) -> list[int]:
    for rule in rules:
        if 0 < group.base - rule.y0 < 0.8 * group.size and rule.x0 <= group.x0 + 2 and rule.x1 >= group.x1 - 2:
            return [
                column
                for column in range(columns.number)
                if rule.x0 - 1 <= _middle([column], columns) <= rule.x1 + 1 and columns.has_figures(column)
            ]
    return []


def _centered(group: Segment, own: Sequence[int], free: Sequence[int], columns: Columns) -> list[int]:
    """Return the most columns of figures in a row that hold its own and that it is centered above."""
    middle = (group.x0 + group.x1) / 2
    best: list[int] = []
    for first in range(own[0] + 1):
        for last in range(own[-1], columns.number):
            span = list(range(first, last + 1))
            if len(span) <= len(best) or any(column not in free or not columns.has_figures(column) for column in span):
                continue
            if abs(middle - _middle(span, columns)) < _CENTERED * group.size:
                best = span
    return best


def _middle(span: Sequence[int], columns: Columns) -> float:
    edges = [_edges(column, columns) for column in (span[0], span[-1])]
    return (edges[0][0] + edges[1][1]) / 2


def _edges(column: int, columns: Columns) -> Span:
    """Where a column's figures stand; of a column of text, where its borders are."""
    for left, right in columns.figures:
        if columns.of((left + right) / 2) == column:
            return left, right
    left = columns.borders[column - 1] if column else columns.borders[0] - 100
    return left, columns.borders[column] if column < len(columns.borders) else left + 100
