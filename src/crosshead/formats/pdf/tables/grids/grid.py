"""The fields of a frame: merged cells, the text of each cell, and the rows that they hold."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Final

from crosshead.formats.pdf.page.shapes import Segment
from crosshead.formats.pdf.tables.cells import SAME_LINE, Cell, cell_lines, cell_text, split_segment
from crosshead.formats.pdf.tables.grids.frames import Frame
from crosshead.formats.pdf.text.amounts import close_up, find_free, is_figure, is_year, split_figures

_MAX_SHARED: Final = 0.2
"""The largest share of lines with several figures; if there are more, no rules separate the columns."""
_APART: Final = 2.0
"""The least gap between a label and its figure, in ems."""
_WITH_FIGURES: Final = 0.2
"""The share of cells with figures above which a table is one of figures."""
_ALIGNED: Final = 0.3
"""How far the baselines of neighboring cells may be apart, in ems."""
_ROOM: Final = 0.8
"""The room beyond its width that a word needs at the end of a line of a cell, in ems."""

Box = tuple[int, int, int, int]
"""The fields of a cell: first row and column, last row and column."""


class Grid:
    """The cells of a frame; rows are counted from the top."""

    def __init__(self, frame: Frame, xs: Sequence[float], ys: Sequence[float]) -> None:
        self._frame, self._xs, self._ys = frame, xs, ys
        self._rows, self._columns = len(ys) - 1, len(xs) - 1
        self._box = self._boxes()
        self._cells: dict[Box, Cell] = {}
        self.spans: list[tuple[float, float]] = []
        """The left and right border of each column that `read` returned."""

    def _boxes(self) -> dict[tuple[int, int], Box]:
        """Return the cell of every field."""
        boxes: dict[tuple[int, int], Box] = {}
        for row in range(self._rows):
            for start, end in self._merged_in_row(row):
                boxes.update({(row, column): (row, start, row, end) for column in range(start, end + 1)})
        for row in range(1, self._rows):
            for column in range(self._columns):
                above, own = boxes[row - 1, column], boxes[row, column]
                if column == own[1] and (above[1], above[3]) == (own[1], own[3]) and not self._has_border(row, own):
                    whole = (above[0], own[1], row, own[3])
                    boxes.update({(y, x): whole for y in range(above[0], row + 1) for x in range(own[1], own[3] + 1)})
        return boxes

    def _merged_in_row(self, row: int) -> Iterator[tuple[int, int]]:
        """Yield the first and last column of the fields without a rule between them."""
        height = (self._ys[row] + self._ys[row + 1]) / 2
        start = 0
        for column in range(1, self._columns + 1):
            if column == self._columns or self._frame.has_border_at(self._xs[column], height):
                yield start, column - 1
                start = column

    def _has_border(self, row: int, box: Box) -> bool:
        """Return whether a rule is above a row of this box."""
        middles = [(self._xs[column] + self._xs[column + 1]) / 2 for column in range(box[1], box[3] + 1)]
        return any(self._frame.has_border_below(x, self._ys[row]) for x in middles)

    def fill(self, segments: Sequence[Segment]) -> list[Segment]:
        """Put text into the cells; return the text of a title that takes all of the first row, which is not a cell."""
        title: list[Segment] = []
        has_title = self._box[0, 0] == (0, 0, 0, self._columns - 1) and self._rows > 2
        for segment in segments:
            height = segment.mid_y
            row = self._row(height)
            if has_title and row == 0:
                title.append(segment)
                continue
            crossed = [x for x in self._xs[1:-1] if segment.x0 < x < segment.x1]
            borders = [x for x in crossed if self._frame.has_border_at(x, height)]
            for part in split_segment(segment, borders):
                crosses = any(part.x0 < x < part.x1 for x in self._xs[1:-1])
                column = self._column(part.x0 + 1 if crosses else (part.x0 + part.x1) / 2)
                self._cells.setdefault(self._box[row, column], []).append(part)
        return title

    def _row(self, y: float) -> int:
        below = sum(y < border for border in self._ys[1:])
        return min(below, self._rows - 1)

    def _column(self, x: float) -> int:
        return max(0, min(bisect_right(self._xs, x) - 1, self._columns - 1))

    def read(self) -> list[list[str]]:
        """Return the rows with the header row first; nothing if there are no rules between the columns."""
        if self._shares_fields():
            return []
        labels = self._count_labels()
        header = [self._label(column, labels) for column in range(self._columns)]
        rows = [row for number in range(labels, self._rows) for row in self._texts_of_row(number)]
        rows = [row for row in rows if any(row)]
        rows = [header, *rows] if any(header) else rows
        filled = [column for column in range(self._columns) if any(row[column] for row in rows)]
        self.spans = [(self._xs[column], self._xs[column + 1]) for column in filled]
        return [[row[column] for column in filled] for row in rows]

    def _shares_fields(self) -> bool:
        """Return whether many fields of a column hold several figures, or a label and its figures."""
        lines: dict[int, list[int]] = {}
        stacks: list[int] = []
        for box, cell in self._cells.items():
            counts = [count for line in cell_lines(cell) if (count := _count_columns(line))]
            lines.setdefault(box[1], []).extend(counts)
            stacks += [len(counts)] if counts else []
        return _are_several(stacks) or any(_are_several(own) and len(own) > 1 for own in lines.values())

    def _count_labels(self) -> int:
        """Return how many rows are labels: merged cells and rows without figures show it."""
        if self._rows < 2 or len(self._texts_of_row(0)) > 1:
            return 0
        count = 1 + max([box[2] for (row, _), box in self._box.items() if row == 0])
        while count < self._rows - 1 and (self._spans_columns(count - 1) or self._names_columns(count)):
            count += 1
        return min(count, self._rows - 1)

    def _spans_columns(self, row: int) -> bool:
        """Return whether a row of a table of figures has a merged label above several columns."""
        boxes = {self._box[row, column] for column in range(self._columns)}
        return (
            any(0 < box[3] - box[1] < self._columns - 1 and box in self._cells for box in boxes) and self._has_figures()
        )

    def _names_columns(self, row: int) -> bool:
        """Return whether a row of a table of figures has an empty first cell, and no figures but years."""
        own = [self._text(self._box[row, column]) for column in range(self._columns)]
        return self._has_figures() and not own[0] and any(own) and not any(is_figure(t) and not is_year(t) for t in own)

    def _has_figures(self) -> bool:
        texts = [self._text(box) for box in self._cells]
        return sum(is_figure(text) and not is_year(text) for text in texts) > _WITH_FIGURES * len(texts)

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
        """Return the text of a cell that belongs to this field."""
        cell = self._cells.get(box, [])
        if column != box[1]:
            return []
        if box[0] == box[2]:
            return cell
        rows = {self._row(part.mid_y) for part in cell}
        if len(rows) == box[2] - box[0] + 1:  # one line in each row: only the rules are missing
            return [part for part in cell if self._row(part.mid_y) == row]
        return cell if row == box[0] else []

    def _repeated(self, box: Box, row: int) -> str:
        """Return a merged label for each of its rows but the first; other merged cells are not repeated."""
        text = self._text(box)
        rows = {self._row(part.mid_y) for part in self._cells.get(box, [])}
        is_split = len(rows) == box[2] - box[0] + 1
        return text if box[0] < row and not is_split and box[1] == box[3] and not is_figure(text) else ""

    def _heights(self, cells: Sequence[Cell], rights: Sequence[float]) -> list[float]:
        """Return the baselines of rows without rules between them: all cells have lines at the same heights."""
        lines = [cell_lines(cell) for cell in cells]
        several = [(own, right) for own, right in zip(lines, rights, strict=True) if len(own) > 1]
        if len(several) < 2 or len(several) < len(cells):
            return []
        heights = [line[0].base for line in several[0][0]]
        for own, right in several:
            if len(own) != len(heights) or any(
                abs(line[0].base - y) > _ALIGNED * line[0].size for line, y in zip(own, heights, strict=True)
            ):
                return []
            if not (all(_is_figure_line(line) for line in own) or _has_room(own, right)):
                return []
        return heights


def _are_several(counts: Sequence[int]) -> bool:
    return sum(count > 1 for count in counts) > _MAX_SHARED * len(counts)


def _count_columns(line: Sequence[Segment]) -> int:
    """Return how many columns a line of a field has: its figures, and a label with a wide gap after it."""
    units = split_figures(line)
    free = find_free(units)
    if not any(character.isalpha() for unit in units for character in unit.text):
        return sum(free)
    first = free.index(True) if any(free) else 0
    is_row = first and all(free[first:]) and units[first].x0 - units[first - 1].x1 >= _APART * units[first].size
    return 1 + sum(free) if is_row else 0


def _is_figure_line(line: Sequence[Segment]) -> bool:
    return is_figure(close_up(" ".join([part.text for part in line])))


def _has_room(lines: Sequence[Sequence[Segment]], right: float) -> bool:
    """Return whether every line has room for the first word of the next one, so that they are not one text."""
    for line, after in pairwise(lines):
        word = after[0].words[0]
        if line[-1].x1 + word.x1 - word.x0 + _ROOM * line[-1].size > right:
            return False
    return True


def _text_at(cell: Collection[Segment], height: float) -> str:
    return cell_text([part for part in cell if abs(part.base - height) < SAME_LINE * part.size])
