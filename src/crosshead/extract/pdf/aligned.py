"""Tables without borders, by the alignment of their text.

1. Segments on one baseline make a line, whatever the order in which they are drawn.
2. Neighboring lines that mostly have several segments make a window.
3. Where no text of the window crosses, columns are parted. They must be clean, filled and aligned, and be drawn as
   tables are: columns of prose are drawn one after the other.
4. Lines become rows by the distances between them; a line that only continues a cell belongs to the row above.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from itertools import pairwise
from statistics import mean, median
from typing import Final

from crosshead.extract.pdf.cells import Cell, cell_text, trim
from crosshead.extract.pdf.grids import split_segment
from crosshead.extract.pdf.markers import is_contents_line
from crosshead.extract.pdf.outline import shows_title
from crosshead.extract.pdf.shapes import Rule, Segment, Table

_MARKER: Final = re.compile(r"(?:[•◦▪▫‣⁃∙·●○■□–—*➢➤✓-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]|\[\d+\])$")
_NUMBERED_END: Final = re.compile(r"^\(\d+(?:\.\d+)*\)$")

_MAX_GAP: Final = 2.6
"""The largest distance of two lines of a table, in sizes."""
_MAX_ROW_GAP: Final = 5.0
"""The same for lines whose columns begin at the same places."""
_MAX_LINES: Final = 600
_NARROW: Final = 0.15
_CLEAR: Final = 0.7
"""A gap that is no space between words, in sizes."""
_PROSE: Final = 32
"""Columns whose cells have that many characters on average are columns of a page, not of a table."""


class Line:
    """Segments on one baseline; each is known by its number in drawing order."""

    __slots__ = ("base", "numbers", "size")

    def __init__(self, number: int, segment: Segment) -> None:
        self.numbers = [number]
        self.base = segment.base
        self.size = segment.size


def find_aligned(
    segments: Sequence[Segment], taken: set[int], rules: Sequence[Rule], page: int, titles: Collection[str]
) -> tuple[list[Table], set[int]]:
    """Return tables, and the numbers of the segments in them."""
    lines = _lines(segments, taken)
    tables: list[Table] = []
    used: set[int] = set()
    if len(lines) > _MAX_LINES:
        return tables, used
    across = [rule for rule in rules if rule.y0 == rule.y1]
    for window in _windows(lines, segments, titles):
        found = _read_window(window, segments, across, page)
        if found:
            numbers = [number for line in window for number in line.numbers]
            found.order = min(numbers)
            tables.append(found)
            used.update(numbers)
    return tables, used


def _lines(segments: Sequence[Segment], taken: set[int]) -> list[Line]:
    lines: list[Line] = []
    free = [n for n, each in enumerate(segments) if n not in taken and not each.words[0].turned]
    for number in sorted(free, key=lambda n: -segments[n].base):
        segment = segments[number]
        if lines and abs(lines[-1].base - segment.base) < 0.25 * max(lines[-1].size, segment.size):
            lines[-1].numbers.append(number)
            lines[-1].size = max(lines[-1].size, segment.size)
        else:
            lines.append(Line(number, segment))
    for line in lines:
        line.numbers.sort(key=lambda n: segments[n].x0)
    return lines


def _windows(lines: Sequence[Line], segments: Sequence[Segment], titles: Collection[str]) -> list[list[Line]]:
    """Return runs of lines that might be tables; a run begins with a line of several segments, and has no titles."""
    windows: list[list[Line]] = []
    current: list[Line] = []
    for line in lines:
        parts = [segments[number] for number in line.numbers]
        near = bool(current) and _is_near(current[-1], line, segments)
        if current and not near:
            windows += _end_window(current, segments)
            current = []
        if _may_be_cells(parts, titles) and (len(parts) > 1 or (near and _continues(line, current, segments))):
            current.append(line)
        elif current:
            windows += _end_window(current, segments)
            current = []
    return windows + _end_window(current, segments)


def _is_near(above: Line, line: Line, segments: Sequence[Segment]) -> bool:
    if abs(above.size - line.size) > 0.15 * max(above.size, line.size):
        return False
    gap = (above.base - line.base) / max(line.size, above.size, 1.0)
    if gap <= _MAX_GAP:
        return True
    starts = [segments[number].x0 for number in above.numbers]
    shared = [n for n in line.numbers if any(abs(segments[n].x0 - x) < 1.5 for x in starts)]
    return gap <= _MAX_ROW_GAP and len(shared) > 1


def _end_window(lines: list[Line], segments: Sequence[Segment]) -> list[list[Line]]:
    """Leave out last lines that do not go on with a cell of a later column."""
    starts = {round(segments[number].x0) for line in lines for number in line.numbers[1:]}
    while lines and len(lines[-1].numbers) < 2 and round(segments[lines[-1].numbers[0]].x0) not in starts:
        lines = lines[:-1]
    return [lines] if sum(len(line.numbers) > 1 for line in lines) >= 2 else []


def _may_be_cells(parts: Sequence[Segment], titles: Collection[str]) -> bool:
    text = " ".join([each.text for each in parts])
    if is_contents_line(text) or shows_title(text, titles) or (len(parts) == 2 and _NUMBERED_END.match(parts[-1].text)):
        return False
    return not (len(parts) == 2 and any(_MARKER.match(part.text) for part in parts))


def _continues(line: Line, window: Sequence[Line], segments: Sequence[Segment]) -> bool:
    """A line with a single segment goes on with a cell if it stays within a column, or spans as a heading inside."""
    own = segments[line.numbers[0]]
    above = next(each for each in reversed(window) if len(each.numbers) > 1)
    singles = sum(1 for each in window[-3:] if len(each.numbers) == 1)
    if singles >= 3:
        return False
    parts = [segments[number] for number in above.numbers]
    ends = [*[part.x0 for part in parts[1:]], max(parts[-1].x1, own.x1)]
    if abs(own.x0 - parts[0].x0) < 2 and any(abs(word.x0 - x) < 1.5 for word in own.words[1:] for x in ends[:-1]):
        return True
    return any(part.x0 - 3 <= own.x0 and own.x1 <= end + 1 for part, end in zip(parts, ends, strict=True))


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
    rows = trim([[cell_text(cell) for cell in row] for row in _merge(cells, window, inner)])
    if len(rows) < 2 or len(rows[0]) < 2:
        return None
    every = [segments[number] for line in window for number in line.numbers]
    top, bottom = window[0].base + window[0].size, window[-1].base
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
    words = [word for line in window for number in line.numbers for word in segments[number].words]
    several = sum(len(line.numbers) > 1 for line in window)
    allowed = 0 if several < 5 else max(1, several // 10)
    size = median([segments[line.numbers[0]].size for line in window])
    gaps = _gaps([(word.x0, word.x1) for word in words], allowed, _NARROW * size)
    chosen = [gap for gap in gaps if gap[1] - gap[0] >= _CLEAR * size or _begins_column(gap, window, segments, size)]
    return [(left + right) / 2 if right - left >= _CLEAR * size else right - 0.5 for left, right in chosen]


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
    """In most lines the right side begins at the gap, and is parted from the left by more than a space or varies."""
    both, wide, starts = 0, 0, 0
    different: set[str] = set()
    for line in window:
        words = [word for number in line.numbers for word in segments[number].words]
        left = max([word.x1 for word in words if word.x1 < gap[1]], default=None)
        right = min([word for word in words if word.x0 > gap[0]], default=None)
        if left is not None and right is not None:
            both += 1
            wide += right.x0 - left >= _CLEAR * size
            starts += right.x0 < gap[1] + 1.5
            different.add(right.runs[0].text)
    if wide >= max(2, 0.5 * both):
        return starts >= max(3, 0.6 * both)
    return starts >= max(4, 0.8 * both) and len(different) > 0.5 * both


def _place(window: Sequence[Line], segments: Sequence[Segment], borders: Sequence[float]) -> list[list[Cell]]:
    grid: list[list[Cell]] = []
    for line in window:
        row: list[Cell] = [[] for _ in range(len(borders) + 1)]
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
    if any(all(_MARKER.match(each.text) for cell in column for each in cell) for column in (columns[0], columns[-1])):
        return False
    lengths = [mean([sum(len(each.text) for each in cell) for cell in column]) for column in columns if column]
    if sum(length > _PROSE for length in lengths) >= 2 and not ruled:
        return False
    if len(lengths) == 2 and not ruled and _is_label_list(cells, lengths):
        return False
    if _transitions(window, segments, borders) < min(4, max(2, 0.3 * len(several))) and max(lengths) > 15:
        return False
    return ruled > 0 or _are_aligned(columns)


def _is_label_list(cells: Sequence[Sequence[Cell]], lengths: Sequence[float]) -> bool:
    """Labels with paragraphs beside them are a list of definitions."""
    alone = sum(not row[0] for row in cells)
    return lengths[1] > 40 and alone > 1.2 * (len(cells) - alone)


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
        if window[-1].base < rule.y0 < window[0].base
        and min(right, rule.x1) - max(left, rule.x0) > 0.5 * (right - left)
    ]


def _has_rule_near(window: Sequence[Line], across: Sequence[Rule]) -> bool:
    reach = 1.6 * window[0].size
    return any(0 < rule.y0 - window[0].base < 2 * reach or 0 < window[-1].base - rule.y0 < reach for rule in across)


def _merge(cells: Sequence[Sequence[Cell]], window: Sequence[Line], rules: Sequence[float]) -> list[list[Cell]]:
    """Lines -> rows of the table."""
    bases = [line.base for line in window]
    for opens in (_opened_by_rules(bases, rules), _opened_by_distance(cells, bases), _opened_by_text(cells)):
        if opens and not _joins_rows(cells, opens):
            break
    rows: list[list[Cell]] = []
    for row, is_first in zip(cells, opens, strict=True):
        if is_first or not rows:
            rows.append([list(cell) for cell in row])
        else:
            for index, cell in enumerate(row):
                rows[-1][index] += cell
    return rows


def _joins_rows(cells: Sequence[Sequence[Cell]], opens: Sequence[bool]) -> bool:
    """Lines that go on with cells seldom have a first cell and others, as rows have."""
    further = [row for row, is_first in zip(cells, opens, strict=True) if not is_first]
    whole = [row for row in further if row[0] and sum(map(bool, row)) > 1]
    return len(whole) > 0.5 * len(further)


def _opened_by_rules(bases: Sequence[float], rules: Sequence[float]) -> list[bool]:
    if len(rules) < 3:
        return []
    return [True, *[any(below < y < above for y in rules) for above, below in pairwise(bases)]]


def _opened_by_distance(cells: Sequence[Sequence[Cell]], bases: Sequence[float]) -> list[bool]:
    """Rows stand further apart than the lines of a cell."""
    pitch = _pitch(cells)
    if pitch is None:
        return []
    opens: list[bool] = []
    above: list[float | None] = []
    for row, base in zip(cells, bases, strict=True):
        own = [last - base for last, cell in zip(above, row, strict=False) if cell and last is not None]
        lowest = min([last for last in above if last is not None], default=base)
        is_first = not opens or (min(own) > 1.1 * pitch if own else lowest - base > 1.1 * pitch)
        if is_first:
            above = [None] * len(row)
        above = [base if cell else last for cell, last in zip(row, above, strict=True)]
        opens.append(is_first)
    return opens


def _pitch(cells: Sequence[Sequence[Cell]]) -> float | None:
    """The distance of lines within a cell, if it differs from that of rows."""
    gaps: list[float] = []
    for column in zip(*cells, strict=True):
        bases = [cell[0].base for cell in column if cell]
        gaps += [upper - lower for upper, lower in pairwise(bases)]
    if not gaps or max(gaps) < 1.1 * min(gaps):
        return None
    return min(gaps)


def _opened_by_text(cells: Sequence[Sequence[Cell]]) -> list[bool]:
    return [bool(row[0]) or sum(map(bool, row)) > 1 for row in cells]
