"""Which lines of a page make a table.

1. A line with several groups may be a row. Marks of lists, entries of contents and titles of the outline are none.
2. Two such lines belong together if their columns meet, they are near, and what stands between them may be a part of
   the table: a line that heads a group of rows, or one that goes on with a cell.
3. Lines below the last row that go on with a cell of a later column belong to it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from crosshead.formats.pdf.layout.lines import TableLine
from crosshead.formats.pdf.page.outline import shows_title
from crosshead.formats.pdf.page.shapes import Segment
from crosshead.formats.pdf.text.amounts import is_year
from crosshead.formats.pdf.text.contents import find_entries
from crosshead.formats.pdf.text.markers import contents_page, is_marker

_MAX_GAP: Final = 2.6
"""The largest distance of two lines of a table, in sizes."""
_MAX_ROW_GAP: Final = 5.0
"""The same for rows whose columns begin or end at the same places."""
_MAX_BETWEEN: Final = 4
"""The most lines between two rows that do not go on with a cell."""
_MAX_LABEL: Final = 8
"""The same where all of them stand beside the columns of figures, as labels of several lines do."""
_MAX_CELL: Final = 12
_MAX_GROUPS: Final = 60
_EDGE: Final = 1.5
_SAME_SIZE: Final = 0.15
"""By how much sizes within a table may differ."""
SMALLER: Final = 0.35
"""The same for labels and the rows below them: 6 points above figures of 7.8 are usual."""
_NUMBERED_END: Final = re.compile(r"^\(\d+(?:\.\d+)*\)$")
_SENTENCE: Final = re.compile(r"[a-z]{2,}[.;]$")


def is_data(line: TableLine) -> bool:
    """Does the line show figures that are no years?"""
    return any(not is_year(unit.text) for unit in line.figures)


def find_regions(lines: Sequence[TableLine], titles: Collection[str]) -> Iterator[list[TableLine]]:
    """Yield the lines of each table, from top to bottom; at least two of them may be rows."""
    contents = _contents(lines)
    is_row = [number not in contents and _may_be_row(line, titles) for number, line in enumerate(lines)]
    rows = [number for number, may in enumerate(is_row) if may]
    region: list[int] = []
    for row in rows:
        if region and (contents & {*range(region[-1], row)} or not _belong_together(lines, region, row, titles)):
            yield from _close(lines, region)
            region = []
        region.append(row)
    yield from _close(lines, region)


def _close(lines: Sequence[TableLine], rows: Sequence[int]) -> Iterator[list[TableLine]]:
    if len(rows) < 2:
        return
    first, last = rows[0], rows[-1] + 1
    starts = [group.x0 for row in rows for group in lines[row].groups[1:]]
    while last < len(lines) and last - rows[-1] < _MAX_CELL and _goes_on(lines[last - 1], lines[last], starts):
        last += 1
    own = [lines[row] for row in rows]
    if last == len(lines) - 1 and _heads_rows(lines[last], lines[last - 1], own):
        last += 1
    if first == 1 and _heads_rows(lines[0], lines[1], own):
        first -= 1
    yield list(lines[first:last])


def _goes_on(above: TableLine, line: TableLine, starts: Sequence[float]) -> bool:
    """Is it one more line of a cell that is not the first of its row?"""
    is_near = above.low - line.base <= _MAX_GAP / 1.6 * line.size and abs(above.size - line.size) < 0.15 * line.size
    return is_near and len(line.groups) == 1 and any(abs(line.x0 - start) < _EDGE for start in starts)


def _heads_rows(line: TableLine, near: TableLine, rows: Sequence[TableLine]) -> bool:
    """Is it the first or last line of a page, and looks like one that heads rows on this page or the next?"""
    gaps = [above.low - below.base for above, below in pairwise(rows)]
    left = min(row.x0 for row in rows)
    return (
        len(line.groups) == 1
        and any(row.figures for row in rows)
        and abs(line.size - near.size) < 0.1 * near.size
        and abs(line.base - near.base) <= 1.3 * median(gaps)
        and left - 2 * line.size < line.x0 < left + 2 * line.size
        and not _SENTENCE.search(line.text)
    )


def _contents(lines: Sequence[TableLine]) -> set[int]:
    """Return the entries of contents: they lead to numbers that never fall, as those of pages do, maybe by dots."""
    found = [(number, page) for number, line in enumerate(lines) if (page := contents_page(line.text)) is not None]
    falls = sum(after < before for (_, before), (_, after) in pairwise(found))
    led = set() if falls > 0.2 * len(found) else {number for number, _ in found}
    return led | find_entries([line.groups for line in lines])


def _may_be_row(line: TableLine, titles: Collection[str]) -> bool:
    groups = line.groups
    if not line.is_spread or len(groups) > _MAX_GROUPS or shows_title(line.text, titles):
        return False
    if len(groups) == 2:
        return not is_marker(groups[0].text) and not _is_formula(groups)
    return True


def _is_formula(groups: Sequence[Segment]) -> bool:
    """Numbers of formulas stand in parentheses at the end."""
    return bool(_NUMBERED_END.match(groups[1].text)) and any(sign in groups[0].text for sign in "=<>≤≥≈→∈+")


def _belong_together(lines: Sequence[TableLine], region: Sequence[int], row: int, titles: Collection[str]) -> bool:
    last = region[-1]
    if not _columns_meet(lines, region, row) and not _may_be_labels(lines, region, row):
        return False
    shared = _shared_edges(lines[last], lines[row])
    allowed = _MAX_ROW_GAP if shared > 1 or (shared and lines[row].figures) else _MAX_GAP
    pitch = lines[row].low - lines[row + 1].base if row + 1 < len(lines) and lines[row + 1].is_spread else 0.0
    differ = _SAME_SIZE if any(is_data(lines[each]) for each in region) else SMALLER
    for above, below in pairwise(lines[last : row + 1]):
        size = max(above.size, below.size, 1.0)
        if abs(above.size - below.size) > differ * size or not (
            above.low - below.base <= allowed * size or above.low - below.base <= min(1.2 * pitch, _MAX_ROW_GAP * size)
        ):
            return False
    return _may_stand_between(lines[last + 1 : row], [lines[each] for each in region], lines[row], titles)


def _may_be_labels(lines: Sequence[TableLine], region: Sequence[int], row: int) -> bool:
    """Labels may be centered above a column of which only other rows are as wide as they are."""
    above, below = lines[region[0]], lines[row]
    return len(region) == 1 and row == region[0] + 1 and len(above.groups) == len(below.groups) and not above.figures


def _columns_meet(lines: Sequence[TableLine], region: Sequence[int], row: int) -> bool:
    """Does a later group of the row stand below one of the rows above?"""
    own = lines[row].groups[1:]
    return any(
        min(group.x1, other.x1) - max(group.x0, other.x0) > 0 or abs(group.x0 - other.x0) < _EDGE
        for above in region[-6:]
        for other in lines[above].groups[1:]
        for group in own
    )


def _shared_edges(above: TableLine, below: TableLine) -> int:
    """How many groups begin or end at the same places?"""
    return sum(
        any(abs(group.x0 - other.x0) < _EDGE or abs(group.x1 - other.x1) < _EDGE for other in above.groups)
        for group in below.groups
    )


def _may_stand_between(
    between: Sequence[TableLine], rows: Sequence[TableLine], after: TableLine, titles: Collection[str]
) -> bool:
    if not between:
        return True
    starts = [group.x0 for row in rows[-6:] for group in row.groups[1:]]
    heads = [line for line in between if not any(abs(line.x0 - start) < _EDGE for start in starts)]
    beside = [line for line in heads if after.figures and line.x1 < after.figures[0].x0 - line.size]
    if len(heads) > (_MAX_LABEL if len(beside) == len(heads) else _MAX_BETWEEN):
        return False
    if len(between) - len(heads) > _MAX_CELL:
        return False
    left, right = min(row.x0 for row in [*rows, after]), max(row.x1 for row in [*rows, after])
    wide = [line for line in heads if line.x1 - line.x0 > 0.75 * (right - left)]
    if len(wide) > 1 or any(_SENTENCE.search(line.text) for line in heads) or any(line.is_spread for line in heads):
        return False
    if any(line.x0 > right or shows_title(line.text, titles) for line in heads):
        return False
    return heads == [] or left - 2 * after.size <= heads[0].x0 or _is_close([*rows, after], between[-1], after)


def _is_close(rows: Sequence[TableLine], line: TableLine, after: TableLine) -> bool:
    """Does the line stand as close to the row below as rows do?"""
    pitch = median([above.low - below.base for above, below in pairwise(rows)])
    return line.low - after.base <= 1.15 * pitch
