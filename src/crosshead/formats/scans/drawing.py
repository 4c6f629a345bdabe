"""Scanned pages in the shapes of a PDF page, so that headings, tables and columns are found as in native text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Final

from crosshead.formats.pdf.layout.rows import build_segments
from crosshead.formats.pdf.page.shapes import Drawn, Rule, TextRun, TextStyle, Word
from crosshead.formats.scans.pages import ScannedLine, ScannedPage, usual_size

USUAL_POINTS: Final = 10.0
"""The size of most text in a picture that does not say how large it is."""
_SAME_SIZE: Final = 0.12
"""Sizes that differ by less are the same: the measure depends on the letters of a line."""
_BOLD: Final = 1.25
"""How much thicker the strokes of bold letters are."""
_SAME_LINE: Final = 0.35
_MIN_COLUMN: Final = 5
_LONG: Final = 18
"""A column of prose has this many lines at least, and lines of this many characters."""
_CROSSING: Final = 0.3
"""Most of the lines that may cross a gutter."""


def points_per_pixel(pages: Iterable[ScannedPage]) -> float:
    """Return a scale that brings most text to the size of print."""
    return USUAL_POINTS / usual_size([line for page in pages for line in page.lines])


def draw_pages(pages: Mapping[int, ScannedPage]) -> dict[int, Drawn]:
    """Return what is drawn on the pages of a document, by their numbers; their unit is points."""
    lines = [line for page in pages.values() for line in page.lines if not line.turned]
    sizes = _snap_sizes([(line.size, line.length) for line in lines])
    weight = median([line.stroke / line.size for line in lines for _ in range(1 + line.length // 10)] or [1.0])
    return {number: _draw_page(number, page, sizes, weight) for number, page in pages.items()}


def _snap_sizes(measured: Sequence[tuple[float, int]]) -> dict[float, float]:
    """Return for every measured size the most frequent one close to it, each size counted by its characters."""
    counts: Counter[float] = Counter()
    for size, length in measured:
        counts[_rounded(size)] += length
    snapped: dict[float, float] = {}
    while counts:
        usual = max(counts, key=partial(_count_near, counts))
        near = [size for size in counts if abs(size - usual) <= _SAME_SIZE * usual]
        snapped.update(dict.fromkeys(near, usual))
        for size in near:
            del counts[size]
    return snapped


def _count_near(counts: Mapping[float, int], size: float) -> int:
    return sum([count for other, count in counts.items() if abs(other - size) <= _SAME_SIZE / 2 * size])


def _rounded(size: float) -> float:
    return max(0.25, round(size * 4) / 4)


def _draw_page(number: int, page: ScannedPage, sizes: Mapping[float, float], weight: float) -> Drawn:
    words: list[Word] = []
    for piece, line in enumerate(_in_order(page.lines), 1):
        size = sizes.get(_rounded(line.size), line.size)
        bold = line.stroke > _BOLD * weight * line.size
        base = page.height - line.base
        for word in line.words:
            runs = (TextRun(word.text, TextStyle(size, bold)),)
            words.append(Word(word.x0, word.x1, base, runs, "", piece, piece, line.turned))
    rules = [_rule(bar, page.height) for bar in page.bars]
    shape = round(page.width), round(page.height)
    return Drawn(number, shape, build_segments(words), rules, has_images=True)


def _rule(bar: tuple[float, float, float, float], height: float) -> Rule:
    x0, y0, x1, y1 = bar
    if x1 - x0 > y1 - y0:
        middle = height - (y0 + y1) / 2
        return Rule(x0, middle, x1, middle)
    middle = (x0 + x1) / 2
    return Rule(middle, height - y1, middle, height - y0)


def _in_order(lines: Sequence[ScannedLine]) -> list[ScannedLine]:
    """Sort lines as a program would draw them: columns of prose one after the other, all else from top to bottom."""
    gutter = _gutter(lines)
    if gutter is None:
        return _in_rows(lines)
    ordered: list[ScannedLine] = []
    left: list[ScannedLine] = []
    right: list[ScannedLine] = []
    for line in sorted(lines, key=lambda each: each.base):
        if line.x1 <= gutter:
            left.append(line)
        elif line.x0 >= gutter:
            right.append(line)
        else:
            ordered += [*_in_order(left), *_in_order(right), line]
            left, right = [], []
    return [*ordered, *_in_order(left), *_in_order(right)]


def _gutter(lines: Sequence[ScannedLine]) -> float | None:
    """Return where two columns of prose are parted: few lines cross it, and both sides have long ones."""
    best, fewest = None, _CROSSING * len(lines)
    for x in sorted({line.x0 for line in lines})[1:]:
        left, right = [each for each in lines if each.x1 <= x], [each for each in lines if each.x0 >= x]
        crossing = len(lines) - len(left) - len(right)
        if crossing < fewest and _is_prose(left) and _is_prose(right):
            best, fewest = x, crossing
    return best


def _is_prose(lines: Sequence[ScannedLine]) -> bool:
    return len(lines) >= _MIN_COLUMN and median([line.length for line in lines]) >= _LONG


def _in_rows(lines: Iterable[ScannedLine]) -> list[ScannedLine]:
    """Sort lines from top to bottom, and those on one baseline from left to right."""
    rows: list[list[ScannedLine]] = []
    for line in sorted(lines, key=lambda each: each.base):
        last = rows[-1][-1] if rows else None
        if last and line.base - last.base < _SAME_LINE * min(line.size, last.size):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda each: each.x0)]
