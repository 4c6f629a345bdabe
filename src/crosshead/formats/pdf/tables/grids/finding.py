"""Find the frames of a page that are tables, and read them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from crosshead.formats.pdf.page.shapes import PdfTable, Rule, Segment
from crosshead.formats.pdf.tables.cells import has_words
from crosshead.formats.pdf.tables.grids.frames import TOUCH
from crosshead.formats.pdf.tables.grids.grid import Grid
from crosshead.formats.pdf.tables.grids.shading import find_tiled
from crosshead.formats.pdf.text.amounts import is_figure, is_year

_MIN_CELLS: Final = 3
_FILLED: Final = 0.34
"""The least cells with text, and the least share of them."""
_NAMED_OUTSIDE: Final = 0.5
"""The share of rows with figures whose names are left of the frame, above which its rules are not the whole table."""
_BELOW: Final = 6.0
"""How far below a frame around labels its first rows are, in ems."""
_WORD: Final = re.compile(r"[^\W\d_]{2}")


def find_grids(segments: Sequence[Segment], rules: Sequence[Rule], page: int) -> tuple[list[PdfTable], set[int]]:
    """Return the tables with borders, and the numbers of the segments in them."""
    tables: list[PdfTable] = []
    taken: set[int] = set()
    for frame in find_tiled(rules, segments):
        xs, ys = frame.borders()
        inside = [n for n, each in enumerate(segments) if n not in taken and _is_inside(each, xs, ys)]
        texts = [segments[n] for n in inside]
        if _lacks_names(texts, segments, xs) or _holds_only_labels(texts, segments, xs, ys):
            continue
        grid = Grid(frame, xs, ys[::-1])
        title = grid.fill([segments[number] for number in inside])
        cells = grid.read()
        if _is_table(cells):
            numbers = [number for number in inside if segments[number] not in title]
            top = ys[-2] if title else ys[-1]
            tables.append(PdfTable(cells, page, xs[0], xs[-1], top, ys[0], numbers[0], spans=grid.spans))
            taken.update(numbers)
    return tables, taken


def _is_inside(segment: Segment, xs: Sequence[float], ys: Sequence[float]) -> bool:
    return (
        not segment.words[0].turned
        and xs[0] - TOUCH <= (segment.x0 + segment.x1) / 2 <= xs[-1] + TOUCH
        and ys[0] - TOUCH <= segment.mid_y <= ys[-1] + TOUCH
    )


def _lacks_names(inside: Sequence[Segment], segments: Sequence[Segment], xs: Sequence[float]) -> bool:
    """Return whether the names of the rows with figures are left of the frame."""
    heights = {round(segment.base) for segment in inside if is_figure(segment.text) and not is_year(segment.text)}
    names = [segment for segment in segments if segment.x0 < xs[1] - TOUCH and _WORD.search(segment.text)]
    inner, outer = (
        sum(
            any(abs(each.base - height) < TOUCH and (each.x1 < xs[0] + TOUCH) == is_outer for each in names)
            for height in heights
        )
        for is_outer in (False, True)
    )
    return not inner and outer > _NAMED_OUTSIDE * len(heights)


def _holds_only_labels(
    inside: Sequence[Segment], segments: Sequence[Segment], xs: Sequence[float], ys: Sequence[float]
) -> bool:
    """Return whether the frame is around the labels only, and the figures are below it."""
    if not inside or any(is_figure(segment.text) and not is_year(segment.text) for segment in inside):
        return False
    lowest = ys[0] - _BELOW * max(segment.size for segment in inside)
    figures = Counter(
        round(segment.base)
        for segment in segments
        if lowest < segment.base < ys[0] and xs[0] < (segment.x0 + segment.x1) / 2 < xs[-1] and is_figure(segment.text)
    )
    return sum(count > 1 for count in figures.values()) > 1


def _is_table(cells: Sequence[Sequence[str]]) -> bool:
    if len(cells) < 2 or len(cells[0]) < 2 or not has_words(cells):
        return False
    filled = sum(bool(cell) for row in cells for cell in row)
    return filled >= _MIN_CELLS and filled >= _FILLED * len(cells) * len(cells[0])
