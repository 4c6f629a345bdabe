"""The labels above the columns of a table.

Lines of labels may be several, and a label may span columns. Markdown has one header row: the labels above a column are
joined from top to bottom, and one that spans is repeated for each of its columns.

1. Labels stand above the first row of data, in the table or right above it.
2. A rule right below a label shows which columns it spans; else it is centered above them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from crosshead.formats.pdf.layout.lines import TableLine, copy_segment
from crosshead.formats.pdf.page.outline import shows_title
from crosshead.formats.pdf.page.shapes import Rule, Segment, Word
from crosshead.formats.pdf.tables.aligned.columns import Columns, Span
from crosshead.formats.pdf.tables.aligned.regions import SMALLER, is_data
from crosshead.formats.pdf.tables.cells import Cell
from crosshead.formats.pdf.text.amounts import is_figure

_MAX_LINES: Final = 6
_MAX_GAP: Final = 2.2
_MAX_LABEL: Final = 60
_MAX_SPANNED: Final = 30
"""In a table with more columns, labels span none."""
_CENTERED: Final = 1.5
"""How far the middle of a label may be from that of its columns, in sizes."""
_BESIDE: Final = 5.0
"""How far a label may reach beyond the figures below it, in sizes."""
_LEADING: Final = 1.5
_SPACE: Final = 0.45
_NARROW: Final = 0.33
"""A space between words that are drawn one by one, in sizes; only labels that end with their columns are so close."""
_EDGE: Final = 1.5
_WIDE: Final = 0.8


def count_labels(region: Sequence[TableLine], columns: Columns, across: Sequence[float]) -> int:
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
    lines: Sequence[TableLine], region: Sequence[TableLine], columns: Columns, titles: Collection[str]
) -> list[TableLine]:
    """Return the lines right above a table of figures that hold labels of its columns."""
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
    if abs(line.size - size) > SMALLER * size or line.low - below.base > _MAX_GAP * size or is_data(line):
        return False
    right = max(each.x1 for each in region)
    groups = line.groups
    if any(len(group.text) > _MAX_LABEL for group in groups):
        groups = _label_groups(line, columns)
    if line.x1 > right + _BESIDE * size or any(len(group.text) > _MAX_LABEL for group in groups):
        return False
    start = columns.figures[0][0]
    later = [group for group in groups if group.x1 > start]
    if any(group.x0 < columns.borders[0] - 0.5 * size for group in later):
        return False
    return bool(later) or (line.text.startswith("(") and line.text.endswith(")"))


def join_labels(lines: Sequence[TableLine], columns: Columns, rules: Sequence[Rule]) -> list[Cell]:
    """Return the header row."""
    header: list[Cell] = [[] for _ in range(columns.number)]
    drawn = _drawn_below(lines)
    named = _columns_named(lines, columns)
    for number, line in enumerate(lines):
        groups = _label_groups(line, columns)
        may_span = number < len(lines) - 1 or len(lines) == 1
        single = [
            not may_span or (group.words[-1] in drawn and not _has_labels_below(group, named[number + 2 :], columns))
            for group in groups
        ]
        for group, own in zip(groups, _distribute(groups, single, columns, rules), strict=True):
            for column in own:
                header[column].append(group)
    return header


def _columns_named(lines: Sequence[TableLine], columns: Columns) -> list[set[int]]:
    """Return the columns that have labels, line by line."""
    return [{columns.of((unit.x0 + unit.x1) / 2) for unit in line.units} for line in lines]


def _has_labels_below(group: Segment, named: Sequence[Collection[int]], columns: Columns) -> bool:
    """Is it above several columns of which each has a label further below?"""
    own = _touched(group, columns)
    return len(own) > 1 and any(all(column in line for column in own) for line in named)


def _drawn_below(lines: Sequence[TableLine]) -> set[Word]:
    """Return the last words of the segments after which the next line of the same cell is drawn."""
    every = {number: each for line in lines for number, each in zip(line.numbers, line.segments, strict=True)}
    return {
        segment.words[-1]
        for number, segment in every.items()
        if (after := every.get(number + 1)) is not None
        and 0 < segment.base - after.base < _LEADING * segment.size
        and _is_aligned(segment, after)
    }


def _is_aligned(above: Segment, below: Segment) -> bool:
    """Do both end at the same place or have the same middle, as lines of a label above figures do?"""
    right, left = above.x1 - below.x1, above.x0 - below.x0
    return min(abs(right), abs(left + right) / 2) < _EDGE


def _label_groups(line: TableLine, columns: Columns) -> list[Segment]:
    """Labels of neighboring columns may stand close to each other, but they are drawn one by one."""
    if line.is_whole:
        return line.segments
    groups: list[Segment] = []
    for unit in line.units:
        if groups and _is_same_label(groups[-1], unit, line, columns):
            for word in unit.words:
                groups[-1].add(word)
        else:
            groups.append(copy_segment(unit))
    return groups


def _is_same_label(group: Segment, unit: Segment, line: TableLine, columns: Columns) -> bool:
    gap = unit.x0 - group.x1
    if gap < 0:
        return True
    if is_figure(unit.text) and is_figure(group.text):
        return False
    last = group.words[-1]
    if columns.of((last.x0 + last.x1) / 2) == columns.of((unit.x0 + unit.x1) / 2):
        return gap < _WIDE * line.size
    if last.last_piece == unit.words[0].piece:
        return gap < _SPACE * line.size
    return gap < _NARROW * line.size and not _ends_with_column(group, columns)


def _ends_with_column(group: Segment, columns: Columns) -> bool:
    """Does it stand above one column, and end where that does?"""
    return columns.of(group.x0 + 1) == columns.of(group.x1 - 1) and any(
        abs(group.x1 - right) < _EDGE for _, right in columns.figures
    )


def _distribute(
    groups: Sequence[Segment], single: Sequence[bool], columns: Columns, rules: Sequence[Rule]
) -> list[Sequence[int]]:
    """Return the columns of each label of a line: those that span take as many as they can be centered above."""
    if one_by_one := _one_by_one(groups, columns):
        return one_by_one
    choices = [
        _choices(group, columns, _rules_of(group, groups, rules), is_single=is_single)
        for group, is_single in zip(groups, single, strict=True)
    ]
    best: dict[int, tuple[int, float, list[Sequence[int]]]] = {0: (0, 0.0, [])}
    """By the first column that is free: how many are covered, how far from their middles, and by which labels."""
    for own in choices:
        longer: dict[int, tuple[int, float, list[Sequence[int]]]] = {}
        for start, (covered, away, before) in best.items():
            for span, distance in own:
                if span[0] < start and before:
                    continue
                found = (covered - len(span), away + distance, [*before, span])
                if span[-1] + 1 not in longer or found[:2] < longer[span[-1] + 1][:2]:
                    longer[span[-1] + 1] = found
        best = longer
    if not best:  # labels of several lines, in no order
        return [own[0][0] for own in choices]
    return min(best.values(), key=lambda found: found[:2])[2]


def _one_by_one(groups: Sequence[Segment], columns: Columns) -> list[Sequence[int]]:
    """Return the columns of labels of which each stands above one column of figures, maybe wider than that."""
    figures = [column for column in range(columns.number) if columns.has_figures(column)]
    rest = len(groups) - len(figures)
    if not figures or rest not in (0, 1) or (rest and groups[0].x1 > columns.figures[0][0]):
        return []
    for group, column in zip(groups[rest:], figures, strict=True):
        left, right = _edges(column, columns)
        if group.x0 > right + group.size or group.x1 < left - group.size:
            return []
    return [*[range(1)] * rest, *[range(column, column + 1) for column in figures]]


def _choices(
    group: Segment, columns: Columns, rules: Sequence[Rule], *, is_single: bool
) -> list[tuple[Sequence[int], float]]:
    """Return the columns that a label may belong to, and how far it is from their middle."""
    own = _touched(group, columns)
    if own.start == 0 and not columns.has_figures(0):
        return [(range(1), 0.0)]
    ruled = _columns_of_rule(columns, rules)
    if len(ruled) > 1:
        return [(ruled, 0.0)]
    if is_single or columns.number > _MAX_SPANNED:
        return [([_nearest(group, own, columns)], 0.0)]
    return [(own, 0.0), *_centered(group, own, columns)]


def _touched(group: Segment, columns: Columns) -> range:
    slack = min(0.3 * group.size, (group.x1 - group.x0) / 2)
    first = columns.of(group.x0 + slack)
    return range(first, max(first, columns.of(group.x1 - slack)) + 1)


def _nearest(group: Segment, own: Sequence[int], columns: Columns) -> int:
    middle = (group.x0 + group.x1) / 2
    return min(own, key=lambda column: abs(middle - _middle([column], columns)))


def _rules_of(group: Segment, groups: Iterable[Segment], rules: Iterable[Rule]) -> list[Rule]:
    """Return the rules right below a label; one that is below others as well shows nothing."""
    own = [rule for rule in rules if 0 < group.base - rule.y0 < 0.8 * group.size and _is_above(group, rule)]
    return [rule for rule in own if not any(each is not group and _is_above(each, rule) for each in groups)]


def _is_above(group: Segment, rule: Rule) -> bool:
    return rule.x0 <= group.x0 + 2 and rule.x1 >= group.x1 - 2


def _columns_of_rule(columns: Columns, rules: Sequence[Rule]) -> list[int]:
    return [
        column
        for rule in rules[:1]
        for column in range(columns.number)
        if rule.x0 - 1 <= _middle([column], columns) <= rule.x1 + 1 and columns.has_figures(column)
    ]


def _centered(group: Segment, own: range, columns: Columns) -> list[tuple[range, float]]:
    """Return runs of columns of figures that hold its own and that it is centered above."""
    middle = (group.x0 + group.x1) / 2
    found: list[tuple[range, float]] = []
    for first in range(own.start + 1):
        for last in range(own.stop, columns.number + 1):
            span = range(first, last)
            if len(span) > len(own) and all(columns.has_figures(column) for column in span):
                away = min(abs(middle - each) for each in _middles(span, columns))
                if away < _CENTERED * group.size:
                    found.append((span, away))
    return found


def _middles(span: Sequence[int], columns: Columns) -> list[float]:
    """Return the middle of figures, and that of cells whose figures stand at the right or at the left."""
    edges = [_edges(column, columns) for column in span]
    left, right = edges[0][0], edges[-1][1]
    rights = [each[1] for each in columns.figures]
    pitch = median([after - before for before, after in pairwise(rights)] or [0.0])
    return [(left + right) / 2, (edges[0][1] - pitch + right) / 2, (left + edges[-1][0] + pitch) / 2]


def _middle(span: Sequence[int], columns: Columns) -> float:
    return _middles(span, columns)[0]


def _edges(column: int, columns: Columns) -> Span:
    """Where a column's figures stand; of a column of text, where its borders are."""
    for left, right in columns.figures:
        if columns.of((left + right) / 2) == column:
            return left, right
    left = columns.borders[column - 1] if column else columns.borders[0] - 100
    return left, columns.borders[column] if column < len(columns.borders) else left + 100
