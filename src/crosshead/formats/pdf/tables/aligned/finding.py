"""Tables without borders, by the alignment of their text.

1. `regions`: which lines make a table; `table_columns`: where its columns are.
2. Columns must be clean, filled and aligned, and be drawn as tables are: columns of prose are drawn one by one.
3. `table_labels`: the header row; `table_rows`: which lines make a row.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from statistics import mean, median
from typing import Final, NamedTuple

from crosshead.formats.pdf.layout.lines import TableLine, find_lines
from crosshead.formats.pdf.page.shapes import PdfTable, Rule, Segment
from crosshead.formats.pdf.tables.aligned.columns import Columns, find_columns, place_line
from crosshead.formats.pdf.tables.aligned.labels import count_labels, find_labels_above, join_labels
from crosshead.formats.pdf.tables.aligned.regions import find_regions, is_data
from crosshead.formats.pdf.tables.aligned.rows import merge_lines
from crosshead.formats.pdf.tables.aligned.side_by_side import band_around, find_gutter, part_lines
from crosshead.formats.pdf.tables.cells import Cell, cell_text, has_words
from crosshead.formats.pdf.tables.grids.frames import join_rules
from crosshead.formats.pdf.text.markers import is_marker

_MAX_LINES: Final = 600
_PROSE: Final = 32
"""Columns whose cells have that many characters on average are columns of a page, not of a table."""
_MAX_LABELS: Final = 6
"""The most lines of labels above the only row that a page has of a table."""
_TYPED: Final = re.compile(r"[-=_─═]{4,}")
_AMOUNT: Final = re.compile(r"\d,\d{3}(?!\d)|\d(?:[.'’]\d{3}){2}")
_AMOUNTS: Final = 0.3
"""Programs seldom print so many numbers with marks for thousands."""


class _Page(NamedTuple):
    """What is the same for all tables of a page."""

    segments: Sequence[Segment]
    across: Sequence[Rule]
    """Horizontal lines."""
    shades: Sequence[Rule]
    """Horizontal edges of shading."""
    typed: Sequence[TableLine]
    """Rules of signs."""
    number: int
    titles: Collection[str]


def find_aligned(
    segments: Sequence[Segment], taken: set[int], rules: Sequence[Rule], page: int, titles: Collection[str]
) -> tuple[list[PdfTable], set[int]]:
    """Return tables, and the numbers of the segments in them."""
    lines = find_lines(segments, taken)
    typed = [line for line in lines if _is_typed_rule(line)]
    lines = [line for line in lines if line not in typed] if typed else lines
    if len(lines) > _MAX_LINES:
        return [], set()
    across, shades = (
        join_rules([rule for rule in rules if rule.y0 == rule.y1 and rule.is_shade == is_shade])
        for is_shade in (False, True)
    )
    across += [Rule(line.x0, line.base + 0.3 * line.size, line.x1, line.base + 0.3 * line.size) for line in typed]
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
            found = [_find_beside(side, page) for side in part_lines(done, gutter)]
        for more, numbers in found:
            tables += more
            used |= numbers
    return tables, used


def _find_beside(side: set[int], page: _Page) -> tuple[list[PdfTable], set[int]]:
    """Read one of the tables that are side by side."""
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
    if not columns.borders:
        return None
    starts = {round(group.x0) for line in region for group in line.groups[1:]}
    cells = [place_line(line, columns, is_head=_is_head(line, columns, starts)) for line in region]
    ruled = _rules_inside(region, page.across)
    if _is_code(region) and not _is_typed_table(region, columns):
        return None
    if not _is_plausible(cells, region, columns, len(ruled) + _has_rule_near(region, page.across)):
        return None
    labels = count_labels(region, columns, ruled)
    above = find_labels_above(lines, region, columns, page.titles) if columns.figures else []
    own = [*above, *region]
    borders = [*ruled, *_rules_inside(region, page.shades)]
    if columns.figures:
        rows = merge_lines(cells[labels:], region[labels:], columns, borders)
        rows.insert(0, join_labels([*above, *region[:labels]], columns, page.across))
    else:
        rows = merge_lines(cells, region, columns, borders)
    texts, spans = _texts(rows, columns)
    if len(texts) < 2 or len(texts[0]) < 2 or not has_words(texts):
        return None
    top, bottom = own[0].base + own[0].size, own[-1].low
    left, right = min(each.x0 for each in own), max(each.x1 for each in own)
    return PdfTable(texts, page.number, left, right, top, bottom, spans=spans), own


def _body(region: Sequence[TableLine]) -> Sequence[TableLine]:
    """Labels may be wider than their columns: where there are figures, what stands above them shows no columns."""
    first = next((number for number, line in enumerate(region) if is_data(line)), 0)
    count = sum(map(is_data, region))
    is_torn = count == 1 and first == len(region) - 1 <= _MAX_LABELS and len(region[first].figures) > 1
    return region[first:] if count > 1 or is_torn else region


def _is_head(line: TableLine, columns: Columns, starts: Collection[int]) -> bool:
    """Does it stand alone in the first column, or across columns, with no cell that begins where others do?"""
    if len(line.groups) > 1 or columns.of(line.x0 + 1) > 0:
        return False
    words = line.groups[0].words
    return not any(round(word.x0) in starts for before, word in pairwise(words) if before.last_piece != word.piece)


def _texts(rows: Sequence[Sequence[Cell]], columns: Columns) -> tuple[list[list[str]], list[tuple[float, float]]]:
    """Return the cells without empty rows and columns, and where the columns begin and end."""
    header, *body = [[cell_text(cell) for cell in row] for row in rows]
    texts = [header, *[row for row in body if any(row)]]
    keep = [column for column in range(columns.number) if any(row[column] for row in texts)]
    spans = [_extent(rows, column) for column in keep]
    return [[row[column] for column in keep] for row in texts], spans


def _extent(rows: Sequence[Sequence[Cell]], column: int) -> tuple[float, float]:
    parts = [part for row in rows[1:] for part in row[column]] or [part for row in rows for part in row[column]]
    return min(part.x0 for part in parts), max(part.x1 for part in parts)


def _is_typed_rule(line: TableLine) -> bool:
    """Is it a rule of signs, as typewriters draw them above and below tables and sums?"""
    return all(_TYPED.fullmatch(word.runs[0].text) for segment in line.segments for word in segment.words)


def _touches(line: TableLine, table: PdfTable) -> bool:
    reach = 1.6 * line.size
    return table.bottom - reach < line.base < table.top + reach and line.x0 < table.x1 and line.x1 > table.x0


def _is_code(region: Sequence[TableLine]) -> bool:
    mono = [
        all(run.style.mono for segment in line.segments for word in segment.words for run in word.runs)
        for line in region
    ]
    return mono[0] and sum(mono) > 0.7 * len(mono)


def _is_typed_table(region: Sequence[TableLine], columns: Columns) -> bool:
    """Do a typewriter's columns hold amounts?"""
    if not columns.figures or sum(map(is_data, region)) < 0.5 * len(region):
        return False
    figures = [unit.text for line in region for unit in line.figures]
    amounts = sum(bool(_AMOUNT.search(text)) for text in figures)
    return amounts >= _AMOUNTS * len(figures)


def _is_plausible(cells: Sequence[Sequence[Cell]], region: Sequence[TableLine], columns: Columns, ruled: int) -> bool:
    several = [row for row in cells if sum(map(bool, row)) > 1]
    if len(several) < (2 if ruled or len(columns.borders) > 1 else 3):
        return False
    filled = [[row[index] for row in several if row[index]] for index in range(columns.number)]
    if columns.figures and sum(is_data(line) for line in region) > 1:
        return _are_figures_aligned(region, columns)
    if sum(len(column) >= 0.4 * len(several) for column in filled) < 2:
        return False
    outer = [column for column in (filled[0], filled[-1]) if column]
    if any(all(is_marker(each.text) for cell in column for each in cell) for column in outer):
        return False
    if len(columns.borders) == 1 and not ruled and _counts_up(filled[0]):
        return False
    lengths = [mean([_length(cell) for cell in column]) for column in filled if column]
    if sum(length > _PROSE for length in lengths) >= 2 and not ruled:
        return False
    if len(lengths) == 2 and not ruled and _is_label_list(cells, lengths):
        return False
    if _transitions(region, columns) < min(4, max(2, 0.3 * len(several))) and max(lengths) > 15:
        return False
    return ruled > 0 or _are_aligned(filled)


def _counts_up(column: Sequence[Cell]) -> bool:
    """Lines of programs are numbered; tables seldom have only one other column."""
    numbers = [int(cell[0].text) for cell in column if cell[0].text.isdecimal()]
    return len(numbers) > 2 and all(after == before + 1 for before, after in pairwise(numbers))


def _are_figures_aligned(region: Sequence[TableLine], columns: Columns) -> bool:
    """Most figures must share an edge or their center with others of their column, and few lines be prose."""
    found, shared = 0, 0.0
    for left, right in columns.figures:
        own = [unit for line in region for unit in line.figures if left <= (unit.x0 + unit.x1) / 2 <= right]
        edges = [[u.x0 for u in own], [u.x1 for u in own], [u.x0 + u.x1 for u in own]]
        found += len(own)
        shared += max([len(own) * _share(values, 0.6 * own[0].size) for values in edges])
    texts = [group for line in region for group in line.groups if columns.of(group.x0 + 1) > 0]
    prose = sum(len(group.text) > _PROSE for group in texts)
    return shared >= 0.6 * found and (prose <= 0.3 * len(texts) or sum(map(is_data, region)) > 0.6 * len(region))


def _length(cell: Cell) -> float:
    """How many characters a line of the cell has."""
    return sum([len(each.text) for each in cell]) / _count_lines(cell)


def _count_lines(cell: Cell) -> int:
    return len({round(each.base) for each in cell})


def _is_label_list(cells: Sequence[Sequence[Cell]], lengths: Sequence[float]) -> bool:
    """Labels with paragraphs beside them are a list of definitions."""
    alone = sum(not row[0] for row in cells)
    further = sum(max(0, _count_lines(row[1]) - 1) for row in cells)
    return lengths[1] > 40 and alone + further > 1.2 * (len(cells) - alone)


def _transitions(region: Sequence[TableLine], columns: Columns) -> int:
    """How often drawing changes the column."""
    places = sorted(
        (number, columns.of(segment.x0 + 1))
        for line in region
        for number, segment in zip(line.numbers, line.segments, strict=True)
    )
    return sum(first != second for (_, first), (_, second) in pairwise(places))


def _are_aligned(columns: Sequence[Sequence[Cell]]) -> bool:
    """Most columns must share their left edge, right edge or center."""
    aligned = 0
    filled = [column for column in columns if len(column) > 1]
    for column in filled:
        lefts = [cell[0].x0 for cell in column]
        rights = [cell[-1].x1 for cell in column]
        centers = [(left + right) / 2 for left, right in zip(lefts, rights, strict=True)]
        aligned += any(_share(values) >= 0.7 for values in (lefts, rights, centers))
    return bool(filled) and aligned >= 0.7 * len(filled)


def _share(values: Sequence[float], reach: float = 2.5) -> float:
    middle = median(values)
    return sum(abs(value - middle) <= reach for value in values) / len(values)


def _rules_inside(region: Sequence[TableLine], across: Sequence[Rule]) -> list[float]:
    left, right = min(each.x0 for each in region), max(each.x1 for each in region)
    return [
        rule.y0
        for rule in across
        if region[-1].low < rule.y0 < region[0].base and min(right, rule.x1) - max(left, rule.x0) > 0.5 * (right - left)
    ]


def _has_rule_near(region: Sequence[TableLine], across: Sequence[Rule]) -> bool:
    reach = 1.6 * region[0].size
    return any(0 < rule.y0 - region[0].base < 2 * reach or 0 < region[-1].low - rule.y0 < reach for rule in across)
