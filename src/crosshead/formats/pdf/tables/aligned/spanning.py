"""The columns of each label, and the header row that they make.

Labels may take several lines, and a label may span columns. Markdown has one header row, so the labels above a column
are joined from top to bottom, and one that spans columns is repeated in each of them. A rule right below a label shows
which columns it spans; otherwise it is centered above them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from crosshead.formats.pdf.layout.lines import TableLine, copy_segment
from crosshead.formats.pdf.page.shapes import Rule, Segment, Word
from crosshead.formats.pdf.tables.aligned.columns import Columns, Span
from crosshead.formats.pdf.tables.cells import Cell
from crosshead.formats.pdf.text.amounts import is_figure

_MAX_SPANNED: Final = 30
"""In a table with more columns, every label has one column: trying all spans would take too long."""
_CENTERED: Final = 1.5
"""How far the middle of a label may be from the middle of its columns, in ems."""
_LEADING: Final = 1.5
"""The largest distance of two lines of one label, in ems."""
_SPACE: Final = 0.45
"""The widest space between words of a label that are drawn in one piece, in ems."""
_NARROW: Final = 0.33
"""The same for words that are drawn one by one: only labels that end with their columns are as close to each other."""
_WIDE: Final = 0.8
"""The widest gap between words of a label above one column, in ems."""
_EDGE: Final = 1.5
"""How far the edges of aligned labels may be apart, in points."""
_OVERHANG: Final = 0.3
"""How far a label may reach into the next column without being above it, in ems."""
_RULE_BELOW: Final = 0.8
"""How far below its baseline a label may have a rule, in ems."""
_RULE_ENDS: Final = 2
"""How far a label may reach beyond the rule below it, in points."""
_OUTER_COLUMN: Final = 100
"""The width of a column of text at the edge of a table, in points: only the first and the last have no borders."""

_Assignment = tuple[int, float, list[Sequence[int]]]
"""Columns covered by the labels so far, as a negative number; how far labels are from their middles; their columns."""


def join_labels(lines: Sequence[TableLine], columns: Columns, rules: Sequence[Rule]) -> list[Cell]:
    """Return the cells of the header row; `rules` are horizontal."""
    header: list[Cell] = [[] for _ in range(columns.number)]
    continued = _continued_below(lines)
    named = _columns_named(lines, columns)
    for number, line in enumerate(lines):
        groups = label_groups(line, columns)
        may_span = number < len(lines) - 1 or len(lines) == 1
        single = [
            not may_span
            or (group.words[-1] in continued and not _has_labels_below(group, named[number + 2 :], columns))
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
    """Return whether a label is above several columns, each of which has a label further down."""
    own = _touched(group, columns)
    return len(own) > 1 and any(all(column in line for column in own) for line in named)


def _continued_below(lines: Sequence[TableLine]) -> set[Word]:
    """Return the last words of segments after which the next line of the same label is drawn."""
    every = {number: each for line in lines for number, each in zip(line.numbers, line.segments, strict=True)}
    return {
        segment.words[-1]
        for number, segment in every.items()
        if (after := every.get(number + 1)) is not None
        and 0 < segment.base - after.base < _LEADING * segment.size
        and _is_aligned(segment, after)
    }


def _is_aligned(above: Segment, below: Segment) -> bool:
    """Return whether both have the same right edge or middle, as the lines of a label above figures do."""
    right, left = above.x1 - below.x1, above.x0 - below.x0
    return min(abs(right), abs(left + right) / 2) < _EDGE


def label_groups(line: TableLine, columns: Columns) -> list[Segment]:
    """Return the labels of a line: those of neighboring columns may be close together, but are drawn one by one."""
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
    """Return whether a label is above one column and ends at its right edge."""
    return columns.of(group.x0 + 1) == columns.of(group.x1 - 1) and any(
        abs(group.x1 - right) < _EDGE for _, right in columns.figures
    )


def _distribute(
    groups: Sequence[Segment], single: Sequence[bool], columns: Columns, rules: Sequence[Rule]
) -> list[Sequence[int]]:
    """Return the columns of each label of a line.

    Labels take as many columns as they can be centered above, each column once. `single` are labels that span none.
    """
    if one_each := _one_label_each(groups, columns):
        return one_each
    choices = [
        _choices(group, columns, _rules_of(group, groups, rules), is_single=is_single)
        for group, is_single in zip(groups, single, strict=True)
    ]
    best: dict[int, _Assignment] = {0: (0, 0.0, [])}
    """The best assignment of the labels so far, by the first column after them."""
    for own in choices:
        longer: dict[int, _Assignment] = {}
        for start, (covered, away, before) in best.items():
            for span, distance in own:
                if span[0] < start and before:
                    continue
                found = (covered - len(span), away + distance, [*before, span])
                if span[-1] + 1 not in longer or found[:2] < longer[span[-1] + 1][:2]:
                    longer[span[-1] + 1] = found
        best = longer
    if not best:  # the labels overlap
        return [own[0][0] for own in choices]
    return min(best.values(), key=lambda found: found[:2])[2]


def _one_label_each(groups: Sequence[Segment], columns: Columns) -> list[Sequence[int]]:
    """Return the columns if each column of figures has one label above it, even a wider one; else nothing."""
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
    """Return the columns that a label may be above, and how far it is from their middle."""
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
    """Return the columns that a label reaches into."""
    slack = min(_OVERHANG * group.size, (group.x1 - group.x0) / 2)
    first = columns.of(group.x0 + slack)
    return range(first, max(first, columns.of(group.x1 - slack)) + 1)


def _nearest(group: Segment, own: Sequence[int], columns: Columns) -> int:
    middle = (group.x0 + group.x1) / 2
    return min(own, key=lambda column: abs(middle - _middle([column], columns)))


def _rules_of(group: Segment, groups: Iterable[Segment], rules: Iterable[Rule]) -> list[Rule]:
    """Return the rules right below a label and below no other."""
    own = [rule for rule in rules if 0 < group.base - rule.y0 < _RULE_BELOW * group.size and _is_above(group, rule)]
    return [rule for rule in own if not any(each is not group and _is_above(each, rule) for each in groups)]


def _is_above(group: Segment, rule: Rule) -> bool:
    return rule.x0 <= group.x0 + _RULE_ENDS and rule.x1 >= group.x1 - _RULE_ENDS


def _columns_of_rule(columns: Columns, rules: Sequence[Rule]) -> list[int]:
    return [
        column
        for rule in rules[:1]
        for column in range(columns.number)
        if rule.x0 - 1 <= _middle([column], columns) <= rule.x1 + 1 and columns.has_figures(column)
    ]


def _centered(group: Segment, own: range, columns: Columns) -> list[tuple[range, float]]:
    """Return the runs of columns of figures that a label is centered above, wider than what it reaches into."""
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
    """Return the middle of the figures of columns, and of their cells if figures are at the right or at the left."""
    edges = [_edges(column, columns) for column in span]
    left, right = edges[0][0], edges[-1][1]
    rights = [each[1] for each in columns.figures]
    pitch = median([after - before for before, after in pairwise(rights)] or [0.0])
    return [(left + right) / 2, (edges[0][1] - pitch + right) / 2, (left + edges[-1][0] + pitch) / 2]


def _middle(span: Sequence[int], columns: Columns) -> float:
    return _middles(span, columns)[0]


def _edges(column: int, columns: Columns) -> Span:
    """Return the edges of a column's figures; of a column of text, its borders."""
    for left, right in columns.figures:
        if columns.of((left + right) / 2) == column:
            return left, right
    left = columns.borders[column - 1] if column else columns.borders[0] - _OUTER_COLUMN
    return left, columns.borders[column] if column < len(columns.borders) else left + _OUTER_COLUMN
