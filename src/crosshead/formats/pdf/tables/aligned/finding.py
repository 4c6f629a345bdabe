"""Find the regions of a page that are tables without borders, and read them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from crosshead.formats.pdf.layout.lines import TableLine, find_lines
from crosshead.formats.pdf.page.shapes import PdfTable, Rule, Segment
from crosshead.formats.pdf.tables.aligned.columns import Columns, find_columns
from crosshead.formats.pdf.tables.aligned.labels import count_labels, find_labels_above
from crosshead.formats.pdf.tables.aligned.plausible import AlignedRegion, broken_rule
from crosshead.formats.pdf.tables.aligned.regions import find_regions, is_data
from crosshead.formats.pdf.tables.aligned.rows import merge_lines
from crosshead.formats.pdf.tables.aligned.side_by_side import band_around, find_gutter, split_lines
from crosshead.formats.pdf.tables.aligned.spanning import join_labels
from crosshead.formats.pdf.tables.aligned.splitting import split_line
from crosshead.formats.pdf.tables.cells import Cell, cell_text, has_words
from crosshead.formats.pdf.tables.grids.frames import join_rules

_MAX_LINES: Final = 600
"""A flow with more lines has no tables that are worth the time."""
_MAX_LABELS: Final = 6
"""The most lines of labels above the only row that a page has of a table."""
_RULE_NEAR: Final = 1.6
"""How far above or below a table its own rule may be, in ems; above there may be a line of labels in between."""
_CROSSES: Final = 0.5
"""The least share of a table's width that a rule inside it must cross."""
_MOSTLY_MONO: Final = 0.7
"""The share of lines in a fixed-width font above which a region is code."""
_MOSTLY_DATA: Final = 0.5
"""The least share of lines with figures in a table that was typed."""
_TYPED: Final = re.compile(r"[-=_─═]{4,}")
_AMOUNT: Final = re.compile(r"\d,\d{3}(?!\d)|\d(?:[.'’]\d{3}){2}")
_AMOUNTS: Final = 0.3
"""The share of figures with separators of thousands in a typed table: printed tables of programs have fewer."""


class _Page(NamedTuple):
    """What is the same for all tables of a page."""

    segments: Sequence[Segment]
    rules: Sequence[Rule]
    """Horizontal ones."""
    shades: Sequence[Rule]
    """Horizontal edges of shading."""
    typed: Sequence[TableLine]
    """Rules that are typed, such as `-----`."""
    number: int
    titles: Collection[str]


def find_aligned(
    segments: Sequence[Segment], taken: set[int], rules: Sequence[Rule], page: int, titles: Collection[str]
) -> tuple[list[PdfTable], set[int]]:
    """Return the tables without borders, and the numbers of the segments in them.

    `taken` are segments to ignore; `titles` are those of the outline for this page, which are never rows.
    """
    lines = find_lines(segments, taken)
    typed = [line for line in lines if _is_typed_rule(line)]
    lines = [line for line in lines if line not in typed] if typed else lines
    if len(lines) > _MAX_LINES:
        return [], set()
    across, shades = (
        join_rules([rule for rule in rules if rule.y0 == rule.y1 and rule.is_shade == is_shade])
        for is_shade in (False, True)
    )
    across += [Rule(line.x0, line.mid_y, line.x1, line.mid_y) for line in typed]
    return _find_tables(lines, _Page(segments, across, shades, typed, page, titles))


def _find_tables(lines: Sequence[TableLine], page: _Page) -> tuple[list[PdfTable], set[int]]:
    tables: list[PdfTable] = []
    used: set[int] = set()
    done: list[TableLine] = []
    for region in find_regions(lines, page.titles):
        if any(line is region[0] for line in done):
            continue
        body = _body(region)
        columns = find_columns(body, region[: len(region) - len(body)])
        gutter = find_gutter(region, columns)
        if gutter is None:
            found = [_read_region(region, columns, lines, page)]
        else:
            done = band_around(lines, region, gutter)
            found = [_find_on_side(side, page) for side in split_lines(done, gutter)]
        for more, numbers in found:
            tables += more
            used |= numbers
    return tables, used


def _find_on_side(side: set[int], page: _Page) -> tuple[list[PdfTable], set[int]]:
    """Read one of two tables that are side by side."""
    return _find_tables(find_lines(page.segments, {*range(len(page.segments))} - side), page)


def _read_region(
    region: Sequence[TableLine], columns: Columns, lines: Sequence[TableLine], page: _Page
) -> tuple[list[PdfTable], set[int]]:
    read = _read_table(region, columns, lines, page)
    if read is None:
        return [], set()
    table, own = read
    own += [line for line in page.typed if _touches(line, table)]
    numbers = {number for line in own for number in line.numbers}
    table.order = min(numbers)
    return [table], numbers


def _read_table(
    region: Sequence[TableLine], columns: Columns, lines: Sequence[TableLine], page: _Page
) -> tuple[PdfTable, list[TableLine]] | None:
    """Return the table and its lines; None if the region is not a table."""
    if not columns.borders:
        return None
    starts = {round(group.x0) for line in region for group in line.groups[1:]}
    cells = [split_line(line, columns, is_head=_is_head(line, columns, starts)) for line in region]
    inside = _heights_inside(region, page.rules)
    if _is_code(region) and not _is_typed_table(region, columns):
        return None
    if broken_rule(AlignedRegion(cells, region, columns, len(inside) + _has_rule_near(region, page.rules))):
        return None
    labels = count_labels(region, columns, inside)
    above = find_labels_above(lines, region, columns, page.titles) if columns.figures else []
    own = [*above, *region]
    borders = [*inside, *_heights_inside(region, page.shades)]
    if columns.figures:
        rows = merge_lines(cells[labels:], region[labels:], columns, borders)
        rows.insert(0, join_labels([*above, *region[:labels]], columns, page.rules))
    else:
        rows = merge_lines(cells, region, columns, borders)
    texts, spans = _texts(rows, columns)
    if len(texts) < 2 or len(texts[0]) < 2 or not has_words(texts):
        return None
    top, bottom = own[0].base + own[0].size, own[-1].low
    left, right = min(line.x0 for line in own), max(line.x1 for line in own)
    return PdfTable(texts, page.number, left, right, top, bottom, spans=spans), own


def _body(region: Sequence[TableLine]) -> Sequence[TableLine]:
    """Return the lines that show the columns: in a table of figures not its labels, which may be wider."""
    first = next((number for number, line in enumerate(region) if is_data(line)), 0)
    count = sum(map(is_data, region))
    is_only_row = count == 1 and first == len(region) - 1 <= _MAX_LABELS and len(region[first].figures) > 1
    return region[first:] if count > 1 or is_only_row else region


def _is_head(line: TableLine, columns: Columns, starts: Collection[int]) -> bool:
    """Return whether a line heads a group of rows: it has one cell, and no word of it begins where cells do."""
    if len(line.groups) > 1 or columns.of(line.x0 + 1) > 0:
        return False
    words = line.groups[0].words
    return not any(round(word.x0) in starts for before, word in pairwise(words) if before.last_piece != word.piece)


def _texts(rows: Sequence[Sequence[Cell]], columns: Columns) -> tuple[list[list[str]], list[tuple[float, float]]]:
    """Return the cells without empty rows and columns, and where the columns begin and end."""
    header, *body = [[cell_text(cell) for cell in row] for row in rows]
    texts = [header, *[row for row in body if any(row)]]
    filled = [column for column in range(columns.number) if any(row[column] for row in texts)]
    spans = [_extent(rows, column) for column in filled]
    return [[row[column] for column in filled] for row in texts], spans


def _extent(rows: Sequence[Sequence[Cell]], column: int) -> tuple[float, float]:
    parts = [part for row in rows[1:] for part in row[column]] or [part for row in rows for part in row[column]]
    return min(part.x0 for part in parts), max(part.x1 for part in parts)


def _is_typed_rule(line: TableLine) -> bool:
    """Return whether a line is a rule of characters, as typewriters draw them above and below tables and sums."""
    return all(_TYPED.fullmatch(word.runs[0].text) for segment in line.segments for word in segment.words)


def _touches(line: TableLine, table: PdfTable) -> bool:
    reach = _RULE_NEAR * line.size
    return table.bottom - reach < line.base < table.top + reach and line.x0 < table.x1 and line.x1 > table.x0


def _is_code(region: Sequence[TableLine]) -> bool:
    mono = [
        all(run.style.mono for segment in line.segments for word in segment.words for run in word.runs)
        for line in region
    ]
    return mono[0] and sum(mono) > _MOSTLY_MONO * len(mono)


def _is_typed_table(region: Sequence[TableLine], columns: Columns) -> bool:
    """Return whether columns in a fixed-width font hold amounts."""
    if not columns.figures or sum(map(is_data, region)) < _MOSTLY_DATA * len(region):
        return False
    figures = [unit.text for line in region for unit in line.figures]
    amounts = sum(bool(_AMOUNT.search(text)) for text in figures)
    return amounts >= _AMOUNTS * len(figures)


def _heights_inside(region: Sequence[TableLine], rules: Sequence[Rule]) -> list[float]:
    """Return the heights of the rules that cross a region between its lines."""
    left, right = min(line.x0 for line in region), max(line.x1 for line in region)
    least = _CROSSES * (right - left)
    return [
        rule.y0
        for rule in rules
        if region[-1].low < rule.y0 < region[0].base and min(right, rule.x1) - max(left, rule.x0) > least
    ]


def _has_rule_near(region: Sequence[TableLine], rules: Sequence[Rule]) -> bool:
    reach = _RULE_NEAR * region[0].size
    return any(0 < rule.y0 - region[0].base < 2 * reach or 0 < region[-1].low - rule.y0 < reach for rule in rules)
