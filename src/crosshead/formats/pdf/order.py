"""The reading order of a page.

1. Tables take their text out of the page; a table without borders is within a column of text.
2. The rest becomes rows. A list marker that is drawn separately is put in front of its item.
3. Rows stay in the order in which they are drawn, because programs draw one column after the other. Only if that order
   jumps back up within a column, rows are sorted by position.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Sequence
from statistics import median
from typing import Final

from crosshead.formats.pdf.layout.drop_caps import attach_initials
from crosshead.formats.pdf.layout.flows import find_flows
from crosshead.formats.pdf.layout.formulas import join_formulas
from crosshead.formats.pdf.layout.rows import build_rows, make_row
from crosshead.formats.pdf.layout.short_columns import columns_of, is_running
from crosshead.formats.pdf.layout.underlines import mark_underlined
from crosshead.formats.pdf.page.shapes import Drawn, PdfTable, Row, Segment
from crosshead.formats.pdf.tables.aligned import find_aligned
from crosshead.formats.pdf.tables.drawing_order import split_drawn
from crosshead.formats.pdf.tables.grids import find_grids
from crosshead.formats.pdf.tables.over_pages import mark_continued_columns
from crosshead.formats.pdf.text.markers import is_marker

_MARK_REACH: Final = 4.0
"""How far a list marker may be from its item, in ems."""
_MARK_SHIFT: Final = 0.4
"""How far their baselines may be apart, in ems."""
_MARK_STEP: Final = 4
"""Rows are looked up by their height in steps of this many points."""
_MIN_COLUMN: Final = 5
_PAIRED: Final = 0.4
"""The least rows with text of two columns, and the least share of all rows."""
_PROSE: Final = 15
"""The least characters of a line of prose."""
_MOSTLY_PROSE: Final = 0.8
"""The share of rows with text of two columns that must be prose on both sides."""
_MIN_REGION: Final = 6
"""The least rows and tables of a region with two columns."""
_MIN_SIDE: Final = 0.25
"""The least share of them on each side of a gutter."""
_CROSSING: Final = 0.3
"""The largest share of them that may cross it."""
_MAX_SORTED: Final = 3000
"""A page with more rows is not sorted: it would take long."""


def lay_out(page: Drawn, titles: Collection[str] = ()) -> list[Row | PdfTable]:
    """Return rows and tables in reading order; `titles` are those of the outline for this page."""
    segments = page.segments
    tables, taken = find_grids(segments, page.rules, page.number)
    columns: list[Row] = []
    flows = [part for flow in find_flows(segments, taken) for part in split_drawn(flow, segments)]
    for flow in flows:
        others = {*range(len(segments))}.difference(flow)
        more, used = find_aligned(segments, others, page.rules, page.number, titles)
        columns += _split_texts(more, segments)
        tables += more
        taken |= used
    rows = build_rows([(number, each) for number, each in enumerate(segments) if number not in taken], page.number)
    turned = [row for row in rows if row.segments[0].words[0].turned]
    upright = join_formulas([row for row in rows if not row.segments[0].words[0].turned])
    upright = attach_initials(_attach_marks(upright))
    split = _split_columns(upright)
    mark_underlined(split, page.rules)
    items: list[Row | PdfTable] = sorted([*split, *columns, *tables], key=lambda each: each.order)
    if (len(split) > len(upright) or _jumps_back(items)) and len(items) <= _MAX_SORTED:
        items = _sort_by_position(items)
    items += turned
    _mark_columns(items)
    mark_continued_columns(items)
    return items


def _split_texts(tables: list[PdfTable], segments: Sequence[Segment]) -> list[Row]:
    """Remove tables that are short texts side by side, and return their lines column by column."""
    rows: list[Row] = []
    for table in [each for each in tables if is_running(each)]:
        if found := columns_of(table, segments):
            tables.remove(table)
            rows += found
    return rows


def _split_columns(rows: list[Row]) -> list[Row]:
    """Split rows that hold the lines of two columns, because these are drawn line by line."""
    pairs = [row for row in rows if len(row.segments) > 1 and not is_marker(row.segments[0].text)]
    if len(pairs) < max(_MIN_COLUMN, _PAIRED * len(rows)):
        return rows
    gutter = median([row.segments[1].x0 for row in pairs]) - 1
    both = [row for row in pairs if _is_prose_beside(row, gutter)]
    if len(both) < _MOSTLY_PROSE * len(pairs):
        return rows
    split: list[Row] = []
    for row in rows:
        left = [each for each in row.segments if each.x1 <= gutter]
        right = [each for each in row.segments if each.x0 >= gutter]
        if left and right and len(left) + len(right) == len(row.segments):
            split += [make_row(left, row.page, row.order), make_row(right, row.page, row.order)]
        else:
            split.append(row)
    return split


def _is_prose_beside(row: Row, gutter: float) -> bool:
    left = sum(len(each.text) for each in row.segments if each.x1 <= gutter)
    right = sum(len(each.text) for each in row.segments if each.x0 >= gutter)
    return left >= _PROSE and right >= _PROSE


def _attach_marks(rows: list[Row]) -> list[Row]:
    """Put list markers in front of their items."""
    marks = [row for row in rows if len(row.segments) == 1 and is_marker(row.text)]
    if not marks:
        return rows
    by_base: dict[int, list[int]] = {}
    for number, row in enumerate(rows):
        by_base.setdefault(round(row.base / _MARK_STEP), []).append(number)
    attached: set[int] = set()
    for mark in marks:
        step = round(mark.base / _MARK_STEP)
        near = [n for key in (step - 1, step, step + 1) for n in by_base.get(key, ()) if n not in attached]
        found = min([n for n in near if _is_item_of(mark, rows[n])], key=lambda n: _distance(mark, rows[n]), default=-1)
        if found >= 0:
            item = rows[found]
            rows[found] = make_row([mark.segments[0], *item.segments], item.page, item.order)
            attached.update(n for n in near if rows[n] is mark)
    return [row for number, row in enumerate(rows) if number not in attached]


def _is_item_of(mark: Row, item: Row) -> bool:
    size = max(mark.style.size, item.style.size)
    return (
        mark is not item
        and abs(mark.base - item.base) < _MARK_SHIFT * size
        and _distance(mark, item) < _MARK_REACH * size
    )


def _distance(mark: Row, item: Row) -> float:
    gap = max(item.x0 - mark.x1, mark.x0 - item.x1)
    return gap if gap > -1 else math.inf


def _top(item: Row | PdfTable) -> float:
    return item.top if isinstance(item, PdfTable) else item.base + item.style.size


def _bottom(item: Row | PdfTable) -> float:
    return item.bottom if isinstance(item, PdfTable) else item.base


def _overlap(first: Row | PdfTable, second: Row | PdfTable) -> bool:
    return min(first.x1, second.x1) - max(first.x0, second.x0) > 0


def _jumps_back(items: Sequence[Row | PdfTable]) -> bool:
    return any(_bottom(after) > _top(before) and _overlap(before, after) for before, after in itertools.pairwise(items))


def _sort_by_position(items: Sequence[Row | PdfTable]) -> list[Row | PdfTable]:
    """Sort from top to bottom; rows that cross the gutter of a region split its columns into bands."""
    ordered: list[Row | PdfTable] = []
    open_regions = [sorted(items, key=lambda each: (-_top(each), each.x0))]
    while open_regions:
        region = open_regions.pop()
        gutter = _gutter(region)
        if gutter is None:
            ordered += region
            continue
        bands: list[list[Row | PdfTable]] = []
        left: list[Row | PdfTable] = []
        right: list[Row | PdfTable] = []
        for item in region:
            if item.x1 <= gutter:
                left.append(item)
            elif item.x0 >= gutter:
                right.append(item)
            else:
                bands += [left, right, [item]]
                left, right = [], []
        bands += [left, right]
        open_regions += [band for band in reversed(bands) if band]
    return ordered


def _gutter(region: Sequence[Row | PdfTable]) -> float | None:
    """Return the position between two columns: few rows cross it, and many are on each side."""
    if len(region) < _MIN_REGION:
        return None
    edges = sorted({round(item.x0 - 1) for item in region})
    best, fewest = None, len(region)
    for x in edges[1:]:
        left = sum(item.x1 <= x for item in region)
        right = sum(item.x0 >= x for item in region)
        crossing = len(region) - left - right
        if min(left, right) >= _MIN_SIDE * len(region) and crossing < fewest:
            best, fewest = float(x), crossing
    return best if fewest <= _CROSSING * len(region) else None


def _mark_columns(items: Sequence[Row | PdfTable]) -> None:
    for before, after in zip([None, *items], items, strict=False):
        if isinstance(after, Row) and (before is None or _bottom(after) > _bottom(before) + 1):
            after.starts_column = True
