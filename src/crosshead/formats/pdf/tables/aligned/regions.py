"""Which lines of a page may be the rows of one table.

1. A line with several groups may be a row, but not an item of a list, an entry of contents or a title of the outline.
2. Two such lines belong together if they are near each other and their columns overlap, and if the lines between them
   may be part of the table: they head a group of rows, or continue a cell.
3. Lines below the last row that continue one of its cells belong to that row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

from crosshead.formats.pdf.layout.lines import TableLine
from crosshead.formats.pdf.page.outline import shows_title
from crosshead.formats.pdf.page.shapes import Segment
from crosshead.formats.pdf.text.amounts import is_year
from crosshead.formats.pdf.text.contents import find_entries
from crosshead.formats.pdf.text.markers import contents_page, is_marker

_MAX_GAP: Final = 2.6
"""The largest distance of two lines of a table, in ems."""
_MAX_ROW_GAP: Final = 5.0
"""The same for rows whose columns begin or end at the same positions."""
_PITCH: Final = 1.2
"""Rows may be as far apart as the next two are, times this."""
_CELL_GAP: Final = _MAX_GAP / 1.6
"""The largest distance of two lines of a cell, in ems."""
_MAX_HEADS: Final = 4
"""The most lines between two rows that do not continue a cell."""
_MAX_LABEL: Final = 8
"""The same if all of them end before the columns of figures, as labels of several lines do."""
_MAX_CELL: Final = 12
"""The most lines that continue a cell."""
_MAX_GROUPS: Final = 60
_ROWS_ABOVE: Final = 6
"""How many rows above a line show where columns are."""
_EDGE: Final = 1.5
"""How far the edges of aligned groups may be apart, in points."""
_SAME_SIZE: Final = 0.15
"""By how much font sizes within a table may differ, as a share of the larger one."""
LABEL_SIZE: Final = 0.35
"""The same for labels and the rows below them: labels of 6 points above figures of 7.8 are common."""
_HEAD_SIZE: Final = 0.1
"""The same for a line at the edge of a page that heads rows."""
_HEAD_GAP: Final = 1.3
"""How far such a line may be from the rows, as a multiple of the distance of rows."""
_HEAD_INDENT: Final = 2
"""How far its left edge may be from that of the rows, in ems."""
_FALLING: Final = 0.2
"""The largest share of page numbers in a table of contents that are smaller than the one above."""
_WIDE: Final = 0.75
"""The share of a table's width from which a line is a line of text, not a cell; a table may contain one."""
_CLOSE: Final = 1.15
"""A line is as close to the next row as rows are if its distance is at most this multiple of theirs."""
_NUMBERED_END: Final = re.compile(r"^\(\d+(?:\.\d+)*\)$")
_SENTENCE: Final = re.compile(r"[a-z]{2,}[.;]$")


def is_data(line: TableLine) -> bool:
    """Return whether a line has figures other than years."""
    return any(not is_year(unit.text) for unit in line.figures)


def find_regions(lines: Sequence[TableLine], titles: Collection[str]) -> Iterator[list[TableLine]]:
    """Yield the lines of each possible table from top to bottom; at least two of them may be rows."""
    contents = _contents(lines)
    is_row = [number not in contents and _may_be_row(line, titles) for number, line in enumerate(lines)]
    rows = [number for number, may in enumerate(is_row) if may]
    region: list[int] = []
    for row in rows:
        if region and (contents & {*range(region[-1], row)} or not _is_next_row(lines, region, row, titles)):
            yield from _complete(lines, region)
            region = []
        region.append(row)
    yield from _complete(lines, region)


def _complete(lines: Sequence[TableLine], rows: Sequence[int]) -> Iterator[list[TableLine]]:
    """Yield the lines from the first to the last row, with those around them that belong to the table."""
    if len(rows) < 2:
        return
    first, last = rows[0], rows[-1] + 1
    starts = [group.x0 for row in rows for group in lines[row].groups[1:]]
    while last < len(lines) and last - rows[-1] < _MAX_CELL and _continues_cell(lines[last - 1], lines[last], starts):
        last += 1
    own = [lines[row] for row in rows]
    if last == len(lines) - 1 and _heads_rows(lines[last], lines[last - 1], own):
        last += 1
    if first == 1 and _heads_rows(lines[0], lines[1], own):
        first -= 1
    yield list(lines[first:last])


def _continues_cell(above: TableLine, line: TableLine, starts: Sequence[float]) -> bool:
    """Return whether a line continues a cell of the row above, other than its first one."""
    is_near = above.low - line.base <= _CELL_GAP * line.size
    is_alike = abs(above.size - line.size) < _SAME_SIZE * line.size
    return is_near and is_alike and len(line.groups) == 1 and any(abs(line.x0 - start) < _EDGE for start in starts)


def _heads_rows(line: TableLine, near: TableLine, rows: Sequence[TableLine]) -> bool:
    """Return whether the first or last line of a page looks as if it heads rows on this page or the next."""
    gaps = [above.low - below.base for above, below in pairwise(rows)]
    left = min(row.x0 for row in rows)
    return (
        len(line.groups) == 1
        and any(row.figures for row in rows)
        and abs(line.size - near.size) < _HEAD_SIZE * near.size
        and abs(line.base - near.base) <= _HEAD_GAP * median(gaps)
        and abs(line.x0 - left) < _HEAD_INDENT * line.size
        and not _SENTENCE.search(line.text)
    )


def _contents(lines: Sequence[TableLine]) -> set[int]:
    """Return the numbers of lines that are entries of contents: their page numbers rise, with or without dots."""
    found = [(number, page) for number, line in enumerate(lines) if (page := contents_page(line.text)) is not None]
    falls = sum(after < before for (_, before), (_, after) in pairwise(found))
    led = set() if falls > _FALLING * len(found) else {number for number, _ in found}
    return led | find_entries([line.groups for line in lines])


def _may_be_row(line: TableLine, titles: Collection[str]) -> bool:
    groups = line.groups
    if not line.is_spread or len(groups) > _MAX_GROUPS or shows_title(line.text, titles):
        return False
    if len(groups) == 2:
        return not is_marker(groups[0].text) and not _is_formula(groups)
    return True


def _is_formula(groups: Sequence[Segment]) -> bool:
    """Return whether the line is a formula with its number in parentheses at the end."""
    return bool(_NUMBERED_END.match(groups[1].text)) and any(sign in groups[0].text for sign in "=<>≤≥≈→∈+")


def _is_next_row(lines: Sequence[TableLine], region: Sequence[int], row: int, titles: Collection[str]) -> bool:
    """Return whether a line may be the next row of a region."""
    last = region[-1]
    if not _columns_overlap(lines, region, row) and not _may_be_labels(lines, region, row):
        return False
    shared = _shared_edges(lines[last], lines[row])
    allowed = _MAX_ROW_GAP if shared > 1 or (shared and lines[row].figures) else _MAX_GAP
    pitch = lines[row].low - lines[row + 1].base if row + 1 < len(lines) and lines[row + 1].is_spread else 0.0
    differ = _SAME_SIZE if any(is_data(lines[each]) for each in region) else LABEL_SIZE
    for above, below in pairwise(lines[last : row + 1]):
        size = max(above.size, below.size, 1.0)
        gap = above.low - below.base
        is_near = gap <= allowed * size or gap <= min(_PITCH * pitch, _MAX_ROW_GAP * size)
        if abs(above.size - below.size) > differ * size or not is_near:
            return False
    return _may_be_between(lines[last + 1 : row], [lines[each] for each in region], lines[row], titles)


def _may_be_labels(lines: Sequence[TableLine], region: Sequence[int], row: int) -> bool:
    """Return whether the region may be one line of labels, which are centered and so need not overlap the first row."""
    above, below = lines[region[0]], lines[row]
    return len(region) == 1 and row == region[0] + 1 and len(above.groups) == len(below.groups) and not above.figures


def _columns_overlap(lines: Sequence[TableLine], region: Sequence[int], row: int) -> bool:
    """Return whether a group of the row, other than the first, is below a group of the rows above."""
    own = lines[row].groups[1:]
    return any(
        min(group.x1, other.x1) - max(group.x0, other.x0) > 0 or abs(group.x0 - other.x0) < _EDGE
        for above in region[-_ROWS_ABOVE:]
        for other in lines[above].groups[1:]
        for group in own
    )


def _shared_edges(above: TableLine, below: TableLine) -> int:
    """Return how many groups begin or end at the same positions."""
    return sum(
        any(abs(group.x0 - other.x0) < _EDGE or abs(group.x1 - other.x1) < _EDGE for other in above.groups)
        for group in below.groups
    )


class _Between(NamedTuple):
    """The lines between two rows."""

    lines: Sequence[TableLine]
    heads: list[TableLine]
    """Those that do not continue a cell."""
    rows: Sequence[TableLine]
    """The rows above, and the one below."""
    after: TableLine
    titles: Collection[str]
    left: float
    right: float


def _may_be_between(
    between: Sequence[TableLine], rows: Sequence[TableLine], after: TableLine, titles: Collection[str]
) -> bool:
    """Return whether lines may be inside a table, after these rows and before another one."""
    if not between:
        return True
    starts = [group.x0 for row in rows[-_ROWS_ABOVE:] for group in row.groups[1:]]
    heads = [line for line in between if not any(abs(line.x0 - start) < _EDGE for start in starts)]
    around = [*rows, after]
    left, right = min(row.x0 for row in around), max(row.x1 for row in around)
    own = _Between(between, heads, around, after, titles, left, right)
    return all(holds(own) for _, holds in _RULES_BETWEEN)


def _are_few(own: _Between) -> bool:
    after = own.after
    before_figures = [line for line in own.heads if after.figures and line.x1 < after.figures[0].x0 - line.size]
    most = _MAX_LABEL if len(before_figures) == len(own.heads) else _MAX_HEADS
    return len(own.heads) <= most and len(own.lines) - len(own.heads) <= _MAX_CELL


def _is_one_wide(own: _Between) -> bool:
    width = own.right - own.left
    return sum(line.x1 - line.x0 > _WIDE * width for line in own.heads) <= 1


def _are_no_sentences(own: _Between) -> bool:
    return not any(_SENTENCE.search(line.text) for line in own.heads)


def _have_one_cell(own: _Between) -> bool:
    return not any(line.is_spread for line in own.heads)


def _are_not_at_right(own: _Between) -> bool:
    return not any(line.x0 > own.right for line in own.heads)


def _are_no_titles(own: _Between) -> bool:
    return not any(shows_title(line.text, own.titles) for line in own.heads)


def _begin_with_rows(own: _Between) -> bool:
    """A line that begins further left than the table is as close to the next row as rows are."""
    if not own.heads or own.left - _HEAD_INDENT * own.after.size <= own.heads[0].x0:
        return True
    pitch = median([above.low - below.base for above, below in pairwise(own.rows)])
    return own.lines[-1].low - own.after.base <= _CLOSE * pitch


_RULES_BETWEEN: Final[Sequence[tuple[str, Callable[[_Between], bool]]]] = (
    ("few lines", _are_few),
    ("at most one wide line", _is_one_wide),
    ("no sentences", _are_no_sentences),
    ("one cell each", _have_one_cell),
    ("not at the right of the table", _are_not_at_right),
    ("no titles of the outline", _are_no_titles),
    ("in line with the rows, or close to them", _begin_with_rows),
)
