"""Tables whose cells are bordered.

1. The rules of a frame part its fields; fields without a rule between them are one merged cell.
2. Text belongs to the cell in which it stands. Cells whose lines stand side by side, each with room for more, are rows
   without rules between them.
3. The first rows are labels as far as merged cells or the figures below show it. They are joined into one, and a merged
   cell is repeated above each of its columns; below, a merged label is repeated beside each of its rows.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from crosshead.formats.pdf.page.shapes import PdfTable, Rule, Segment
from crosshead.formats.pdf.tables.cells import Cell, cell_lines, cell_text, has_words, split_segment
from crosshead.formats.pdf.tables.grids.frames import TOUCH, Frame
from crosshead.formats.pdf.tables.grids.shading import find_tiled
from crosshead.formats.pdf.text.amounts import close_up, find_free, is_figure, is_year, split_figures

_MIN_FILLED: Final = 0.34
_MAX_SHARED: Final = 0.2
"""Where more of the lines with figures hold several, the rules do not part the columns."""

_BELOW: Final = 6.0
"""How far below a frame around labels its first rows are, in sizes."""
_APART: Final = 2.0
"""The least gap between a label and its figure, in sizes."""
_WORD: Final = re.compile(r"[^\W\d_]{2}")

Box = tuple[int, int, int, int]
"""The fields of a cell: first row and column, last row and column."""


def find_grids(segments: Sequence[Segment], rules: Sequence[Rule], page: int) -> tuple[list[PdfTable], set[int]]:
    """Return tables, and the numbers of the segments in them."""
    tables: list[PdfTable] = []
    taken: set[int] = set()
    for frame in find_tiled(rules, segments):
        xs, ys = frame.places()
        inside = [n for n, each in enumerate(segments) if n not in taken and _is_inside(each, xs, ys)]
        held = [segments[n] for n in inside]
        if _lacks_names(held, segments, xs) or _holds_only_labels(held, segments, xs, ys):
            continue
        grid = _Grid(frame, xs, ys[::-1])
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
        and ys[0] - TOUCH <= segment.base + 0.3 * segment.size <= ys[-1] + TOUCH
    )


def _lacks_names(inside: Sequence[Segment], segments: Sequence[Segment], xs: Sequence[float]) -> bool:
    """Do rows with figures have their names outside, at the left?"""
    heights = {round(segment.base) for segment in inside if is_figure(segment.text) and not is_year(segment.text)}
    names = [segment for segment in segments if segment.x0 < xs[1] - TOUCH and _WORD.search(segment.text)]
    inner, outer = (
        sum(
            any(abs(each.base - height) < TOUCH and (each.x1 < xs[0] + TOUCH) == is_outer for each in names)
            for height in heights
        )
        for is_outer in (False, True)
    )
    return not inner and outer > 0.5 * len(heights)


def _holds_only_labels(
    inside: Sequence[Segment], segments: Sequence[Segment], xs: Sequence[float], ys: Sequence[float]
) -> bool:
    """Is the frame around the labels alone, and are the figures below it?"""
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
    return filled >= 3 and filled >= _MIN_FILLED * len(cells) * len(cells[0])


class _Grid:
    """The fields of a frame; rows are counted from the top."""

    def __init__(self, frame: Frame, xs: Sequence[float], ys: Sequence[float]) -> None:
        self._frame, self._xs, self._ys = frame, xs, ys
        self._rows, self._columns = len(ys) - 1, len(xs) - 1
        self._box = self._boxes()
        self._cells: dict[Box, Cell] = {}
        self.spans: list[tuple[float, float]] = []
        """Where the columns that `read` returned begin and end."""

    def _boxes(self) -> dict[tuple[int, int], Box]:
        """Return the cell of every field."""
        boxes = {
            (row, column): (row, column, row, column) for row in range(self._rows) for column in range(self._columns)
        }
        for row in range(self._rows):
            height = (self._ys[row] + self._ys[row + 1]) / 2
            start = 0
            for column in range(1, self._columns + 1):
                if column == self._columns or self._frame.is_parted_at(self._xs[column], height):
                    for each in range(start, column):
                        boxes[row, each] = (row, start, row, column - 1)
                    start = column
        for row in range(1, self._rows):
            for column in range(self._columns):
                above, own = boxes[row - 1, column], boxes[row, column]
                if column == own[1] and (above[1], above[3]) == (own[1], own[3]) and not self._is_parted(row, own):
                    whole = (above[0], own[1], row, own[3])
                    boxes.update({(y, x): whole for y in range(above[0], row + 1) for x in range(own[1], own[3] + 1)})
        return boxes

    def _is_parted(self, row: int, box: Box) -> bool:
        middles = [(self._xs[column] + self._xs[column + 1]) / 2 for column in range(box[1], box[3] + 1)]
        return any(self._frame.is_parted_below(x, self._ys[row]) for x in middles)

    def fill(self, segments: Sequence[Segment]) -> list[Segment]:
        """Put text into the cells, and return that of a title which takes all of the first row: it is left out."""
        title: list[Segment] = []
        whole = self._box[0, 0] == (0, 0, 0, self._columns - 1) and self._rows > 2
        for segment in segments:
            height = segment.base + 0.3 * segment.size
            row = self._row(height)
            if whole and row == 0:
                title.append(segment)
                continue
            borders = [
                x
                for x in self._xs[1:-1]
                if segment.x0 < x < segment.x1 and self._frame.is_parted_at(x, height)
            ]  # fmt: skip
            for part in split_segment(segment, borders):
                crosses = any(part.x0 < x < part.x1 for x in self._xs[1:-1])
                column = self._column(part.x0 + 1 if crosses else (part.x0 + part.x1) / 2)
                self._cells.setdefault(self._box[row, column], []).append(part)
        return title

    def _row(self, y: float) -> int:
        below = sum(y < place for place in self._ys[1:])
        return min(below, self._rows - 1)

    def _column(self, x: float) -> int:
        return max(0, min(bisect_right(self._xs, x) - 1, self._columns - 1))

    def read(self) -> list[list[str]]:
        """Return the texts of the cells, labels first; nothing where rules do not part the columns."""
        if self._shares_fields():
            return []
        labels = self._count_labels()
        header = [self._label(column, labels) for column in range(self._columns)]
        rows = [row for number in range(labels, self._rows) for row in self._texts_of_row(number)]
        rows = [header, *[row for row in rows if any(row)]] if any(header) else [row for row in rows if any(row)]
        keep = [column for column in range(self._columns) if any(row[column] for row in rows)]
        self.spans = [(self._xs[column], self._xs[column + 1]) for column in keep]
        return [[row[column] for column in keep] for row in rows]

    def _shares_fields(self) -> bool:
        """Do many fields of a column hold several figures, side by side, below each other or beside a label?"""
        lines: dict[int, list[int]] = {}
        stacks: list[int] = []
        for box, cell in self._cells.items():
            counts = [count for line in cell_lines(cell) if (count := _count_columns(line))]
            lines.setdefault(box[1], []).extend(counts)
            stacks += [len(counts)] if counts else []
        return _are_several(stacks) or any(_are_several(own) and len(own) > 1 for own in lines.values())

    def _count_labels(self) -> int:
        """Return how many rows hold labels."""
        if self._rows < 2 or len(self._texts_of_row(0)) > 1:
            return 0
        count = 1 + max([box[2] for (row, _), box in self._box.items() if row == 0])
        while count < self._rows - 1 and (self._spans_columns(count - 1) or self._names_columns(count)):
            count += 1
        return min(count, self._rows - 1)

    def _spans_columns(self, row: int) -> bool:
        """Has it merged cells with text above several columns?"""
        boxes = {self._box[row, column] for column in range(self._columns)}
        return (
            any(0 < box[3] - box[1] < self._columns - 1 and box in self._cells for box in boxes) and self._has_figures()
        )

    def _names_columns(self, row: int) -> bool:
        """Has it no label of its own, and no figures but years?"""
        own = [self._text(self._box[row, column]) for column in range(self._columns)]
        return self._has_figures() and not own[0] and any(own) and not any(is_figure(t) and not is_year(t) for t in own)

    def _has_figures(self) -> bool:
        texts = [self._text(box) for box in self._cells]
        return sum(is_figure(text) and not is_year(text) for text in texts) > 0.2 * len(texts)

    def _text(self, box: Box) -> str:
        return cell_text(self._cells.get(box, []))

    def _label(self, column: int, labels: int) -> str:
        boxes = dict.fromkeys(self._box[row, column] for row in range(labels))
        return " ".join([text for box in boxes if (text := self._text(box))])

    def _texts_of_row(self, row: int) -> list[list[str]]:
        """Return the rows that a row of fields holds."""
        boxes = [self._box[row, column] for column in range(self._columns)]
        parts = [self._parts(box, row, column) for column, box in enumerate(boxes)]
        heights = self._heights(
            [part for part in parts if part],
            [self._xs[box[3] + 1] for box, part in zip(boxes, parts, strict=True) if part],
        )
        if not heights:
            return [
                [
                    self._repeated(box, row) if not part else cell_text(part)
                    for box, part in zip(boxes, parts, strict=True)
                ]
            ]
        return [[_text_at(part, height) for part in parts] for height in heights]

    def _parts(self, box: Box, row: int, column: int) -> Cell:
        """Return the text that a cell shows in this field."""
        cell = self._cells.get(box, [])
        if column != box[1]:
            return []
        if box[0] == box[2]:
            return cell
        rows = {self._row(part.base + 0.3 * part.size) for part in cell}
        if len(rows) == box[2] - box[0] + 1:  # lines beside those of the other columns: only rules are missing
            return [part for part in cell if self._row(part.base + 0.3 * part.size) == row]
        return cell if row == box[0] else []

    def _repeated(self, box: Box, row: int) -> str:
        """Return the label that stands beside several rows."""
        text = self._text(box)
        rows = {self._row(part.base + 0.3 * part.size) for part in self._cells.get(box, [])}
        is_split = len(rows) == box[2] - box[0] + 1
        return text if box[0] < row and not is_split and box[1] == box[3] and not is_figure(text) else ""

    def _heights(self, cells: Sequence[Cell], rights: Sequence[float]) -> list[float]:
        """Return the baselines of the lines that stand side by side in cells without rules between them."""
        lines = [cell_lines(cell) for cell in cells]
        several = [(own, right) for own, right in zip(lines, rights, strict=True) if len(own) > 1]
        if len(several) < 2 or len(several) < len(cells):
            return []
        heights = [line[0].base for line in several[0][0]]
        for own, right in several:
            if len(own) != len(heights) or any(
                abs(line[0].base - y) > 0.3 * line[0].size for line, y in zip(own, heights, strict=True)
            ):
                return []
            if not (all(_is_figure_line(line) for line in own) or _break_early(own, right)):
                return []
        return heights


def _are_several(counts: Sequence[int]) -> bool:
    return sum(count > 1 for count in counts) > _MAX_SHARED * len(counts)


def _count_columns(line: Sequence[Segment]) -> int:
    """Return how many columns a line of a field shows: its figures, and a label with a wide gap before them."""
    units = split_figures(line)
    free = find_free(units)
    if not any(character.isalpha() for unit in units for character in unit.text):
        return sum(free)
    first = free.index(True) if any(free) else 0
    is_row = first and all(free[first:]) and units[first].x0 - units[first - 1].x1 >= _APART * units[first].size
    return 1 + sum(free) if is_row else 0


def _is_figure_line(line: Sequence[Segment]) -> bool:
    return is_figure(close_up(" ".join([part.text for part in line])))


def _break_early(lines: Sequence[Sequence[Segment]], right: float) -> bool:
    """Has every line room for the first word of the next one?"""
    for line, after in pairwise(lines):
        word = after[0].words[0]
        if line[-1].x1 + word.x1 - word.x0 + 0.8 * line[-1].size > right:
            return False
    return True


def _text_at(cell: Collection[Segment], height: float) -> str:
    return cell_text([part for part in cell if abs(part.base - height) < 0.4 * part.size])
