"""Tables without borders, by the alignment of their text.

1. Neighboring lines that mostly have several segments make a window.
2. Where no text of the window crosses, columns are parted. They must be clean, filled and aligned, and be drawn as
   tables are: columns of prose are drawn one after the other.
3. Lines become rows by the distances between them; a line that only continues a cell belongs to the row above.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from statistics import mean, median
from typing import Final

from crosshead.extract.readers.pdf.cells import Cell, cell_text, trim
from crosshead.extract.readers.pdf.grids import split_segment
from crosshead.extract.readers.pdf.lines import MARKER, Line, find_lines, find_windows
from crosshead.extract.readers.pdf.shapes import Rule, Segment, Table, Word
from crosshead.extract.readers.pdf.table_rows import merge_lines

_MAX_LINES: Final = 600
_NARROW: Final = 0.15
_CLEAR: Final = 0.7
"""A gap that is no space between words, in sizes."""
_PROSE: Final = 32
"""Columns whose cells have that many characters on average are columns of a page, not of a table."""


def find_aligned(
    segments: Sequence[Segment], taken: set[int], rules: Sequence[Rule], page: int, titles: Collection[str]
) -> tuple[list[Table], set[int]]:
    """Return tables, and the numbers of the segments in them."""
    lines = find_lines(segments, taken)
    tables: list[Table] = []
    used: set[int] = set()
    if len(lines) > _MAX_LINES:
        return tables, used
    across = [rule for rule in rules if rule.y0 == rule.y1]
    for window in find_windows(lines, segments, titles):
        found = _read_window(window, segments, across, page)
        if found:
            numbers = [number for line in window for number in line.numbers]
            found.order = min(numbers)
            tables.append(found)
            used.update(numbers)
    return tables, used


def _read_window(
    window: Sequence[Line], segments: Sequence[Segment], across: Sequence[Rule], page: int
) -> Table | None:
    borders = _borders(window, segments)
    if not borders or _is_code(window, segments):
        return None
    cells = _place(window, segments, borders)
    if not _is_plausible(cells, window, segments, borders, across):
        return None
    inner = _rules_inside(window, segments, across)
    rows = trim([[cell_text(cell) for cell in row] for row in merge_lines(cells, window, inner)])
    if len(rows) < 2 or len(rows[0]) < 2:
        return None
    every = [segments[number] for line in window for number in line.numbers]
    top, bottom = window[0].base + window[0].size, window[-1].low
    return Table(rows, page, min(each.x0 for each in every), max(each.x1 for each in every), top, bottom)


def _is_code(window: Sequence[Line], segments: Sequence[Segment]) -> bool:
    mono = [
        all(run.style.mono for number in line.numbers for word in segments[number].words for run in word.runs)
        for line in window
    ]
    return mono[0] and sum(mono) > 0.7 * len(mono)


def _borders(window: Sequence[Line], segments: Sequence[Segment]) -> list[float]:
    """Where columns are parted: places that almost no word crosses.

    A narrow gap counts only where words begin at its right side in most of the lines that have text there.
    """
    words = [word for line in window if not line.heads for number in line.numbers for word in segments[number].words]
    several = sum(len(line.numbers) > 1 for line in window)
    allowed = 0 if several < 5 else max(1, several // 10)
    size = median([segments[line.numbers[0]].size for line in window])
    gaps = _gaps([(word.x0, word.x1) for word in words], allowed, _NARROW * size)
    chosen = [gap for gap in gaps if gap[1] - gap[0] >= _CLEAR * size or _begins_column(gap, window, segments, size)]
    places = [(left + right) / 2 if right - left >= _CLEAR * size else right - 0.5 for left, right in chosen]
    return _without_strays(places, window, segments, allowed)


def _without_strays(
    places: Sequence[float], window: Sequence[Line], segments: Sequence[Segment], allowed: int
) -> list[float]:
    """Leave out what parts no columns.

    Where a few words may cross a border, as few words do not make a column either. Neither do lines that stand alone
    above others, even if they begin further left.
    """
    lines = [
        {bisect_right(places, word.x0) for number in line.numbers for word in segments[number].words} for line in window
    ]
    filled = Counter(column for line in lines for column in line)
    shared = {column for line in lines if len(line) > 1 for column in line}
    return [
        place
        for column, place in enumerate(places, 1)
        if filled[column] > allowed and (column > 1 or column - 1 in shared)
    ]


def _gaps(spans: Sequence[tuple[float, float]], allowed: int, least: float) -> list[tuple[float, float]]:
    """Return the places between the first and the last span that at most `allowed` of them cover."""
    events = sorted([(x0, 1) for x0, _ in spans] + [(x1, -1) for _, x1 in spans])
    gaps: list[tuple[float, float]] = []
    count, opened = 0, None
    for x, step in events:
        if opened is not None and count <= allowed < count + step:
            if x - opened >= least:
                gaps.append((opened, x))
            opened = None
        if count > allowed >= count + step:
            opened = x
        count += step
    return gaps


def _begins_column(gap: tuple[float, float], window: Sequence[Line], segments: Sequence[Segment], size: float) -> bool:
    """In most lines the right side begins at the gap, and is parted from the left by more than a space.

    Narrower gaps part columns only if both sides are drawn apart and vary.
    """
    both, wide, starts, apart = 0, 0, 0, 0
    lefts: set[str] = set()
    rights: set[str] = set()
    for line in window:
        words = [word for number in line.numbers for word in segments[number].words]
        left = max([word for word in words if word.x1 < gap[1]], key=lambda word: word.x1, default=None)
        right = min([word for word in words if word.x0 > gap[0]], key=lambda word: word.x0, default=None)
        if left is not None and right is not None:
            both += 1
            wide += right.x0 - left.x1 >= _CLEAR * size
            starts += right.x0 < gap[1] + 1.5
            lefts.add(_piece_text(left, words))
            rights.add(_piece_text(right, words))
            apart += not any(_runs_through(segments[number], gap) for number in line.numbers)
    if wide >= max(2, 0.5 * both):
        return starts >= max(3, 0.6 * both)
    return starts >= max(3, 0.8 * both) and apart >= 0.8 * both and min(len(lefts), len(rights)) > 0.25 * both


def _piece_text(word: Word, words: Iterable[Word]) -> str:
    return " ".join([each.runs[0].text for each in words if each.piece == word.piece])


def _runs_through(segment: Segment, gap: tuple[float, float]) -> bool:
    """Is text on both sides of the gap drawn in one go?"""
    if segment.x0 > gap[0] or segment.x1 < gap[1]:
        return False
    left = max([word for word in segment.words if word.x1 < gap[1]], key=lambda word: word.x1, default=None)
    right = min([word for word in segment.words if word.x0 > gap[0]], key=lambda word: word.x0, default=None)
    return left is not None and right is not None and left.piece == right.piece


def _place(window: Sequence[Line], segments: Sequence[Segment], borders: Sequence[float]) -> list[list[Cell]]:
    grid: list[list[Cell]] = []
    for line in window:
        row: list[Cell] = [[] for _ in range(len(borders) + 1)]
        if line.heads:
            row[0] += [segments[number] for number in line.numbers]
            grid.append(row)
            continue
        for number in line.numbers:
            for part in _parts(segments[number], borders):
                crosses = any(part.x0 < x < part.x1 for x in borders)
                row[bisect_right(borders, (part.x0 + part.x1) / 2 if crosses else part.x0 + 1)].append(part)
        grid.append(row)
    return grid


def _parts(segment: Segment, borders: Sequence[float]) -> list[Segment]:
    """Cut a segment that crosses borders: at those that no word stands on, and at gaps wider than a space."""
    if not any(segment.x0 < x < segment.x1 for x in borders):
        return [segment]
    gaps = [(first.x1, second.x0) for first, second in pairwise(segment.words)]
    places = [x for left, right in gaps for x in borders if left <= x <= right]
    places += [(left + right) / 2 for left, right in gaps if right - left > 0.45 * segment.size]
    return split_segment(segment, sorted(places))


def _is_plausible(
    cells: Sequence[Sequence[Cell]],
    window: Sequence[Line],
    segments: Sequence[Segment],
    borders: Sequence[float],
    across: Sequence[Rule],
) -> bool:
    several = [row for row in cells if sum(map(bool, row)) > 1]
    ruled = len(_rules_inside(window, segments, across)) + _has_rule_near(window, across)
    if len(several) < (2 if ruled or len(borders) > 1 else 3):
        return False
    columns = [[row[index] for row in several if row[index]] for index in range(len(borders) + 1)]
    if sum(len(column) >= 0.4 * len(several) for column in columns) < 2:
        return False
    outer = [column for column in (columns[0], columns[-1]) if column]
    if any(all(MARKER.match(each.text) for cell in column for each in cell) for column in outer):
        return False
    lengths = [mean([_length(cell) for cell in column]) for column in columns if column]
    if sum(length > _PROSE for length in lengths) >= 2 and not ruled:
        return False
    if len(lengths) == 2 and not ruled and _is_label_list(cells, lengths):
        return False
    if _transitions(window, segments, borders) < min(4, max(2, 0.3 * len(several))) and max(lengths) > 15:
        return False
    return ruled > 0 or _are_aligned(columns)


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


def _transitions(window: Sequence[Line], segments: Sequence[Segment], borders: Sequence[float]) -> int:
    """How often drawing changes the column."""
    numbers = sorted([number for line in window for number in line.numbers])
    columns = [bisect_right(borders, segments[number].x0 + 1) for number in numbers]
    return sum(first != second for first, second in itertools.pairwise(columns))


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


def _share(values: Sequence[float]) -> float:
    middle = median(values)
    return sum(abs(value - middle) <= 2.5 for value in values) / len(values)


def _rules_inside(window: Sequence[Line], segments: Sequence[Segment], across: Sequence[Rule]) -> list[float]:
    every = [segments[number] for line in window for number in line.numbers]
    left, right = min(each.x0 for each in every), max(each.x1 for each in every)
    return [
        rule.y0
        for rule in across
        if window[-1].low < rule.y0 < window[0].base and min(right, rule.x1) - max(left, rule.x0) > 0.5 * (right - left)
    ]


def _has_rule_near(window: Sequence[Line], across: Sequence[Rule]) -> bool:
    reach = 1.6 * window[0].size
    return any(0 < rule.y0 - window[0].base < 2 * reach or 0 < window[-1].low - rule.y0 < reach for rule in across)
