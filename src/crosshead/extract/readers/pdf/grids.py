"""Tables whose cells are bordered.

1. Rules that touch each other make a frame.
2. The places of its rules make a grid; text belongs to the field in which it stands, and text that crosses a place
   without a rule belongs to the field in which it begins (a merged cell).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from crosshead.extract.readers.pdf.cells import Cell, cell_text, trim
from crosshead.extract.readers.pdf.shapes import Rule, Segment, Table

_TOUCH: Final = 3.0
_MAX_FRAME: Final = 600
_MIN_FILLED: Final = 0.34


class Frame(NamedTuple):
    """Rules that touch each other."""

    across: list[Rule]
    down: list[Rule]


def find_grids(segments: Sequence[Segment], rules: Sequence[Rule], page: int) -> tuple[list[Table], set[int]]:
    """Return tables, and the numbers of the segments in them."""
    tables: list[Table] = []
    taken: set[int] = set()
    for frame in _frames(rules):
        xs, ys = _places(frame)
        if len(xs) < 3 or len(ys) < 3:
            continue
        inside = [
            number
            for number, each in enumerate(segments)
            if number not in taken
            and not each.words[0].turned
            and xs[0] - _TOUCH <= (each.x0 + each.x1) / 2 <= xs[-1] + _TOUCH
            and ys[0] - _TOUCH <= each.base + 0.3 * each.size <= ys[-1] + _TOUCH
        ]
        cells = _fill([segments[number] for number in inside], frame, xs, ys)
        if _is_table(cells):
            tables.append(Table(cells, page, xs[0], xs[-1], ys[-1], ys[0], inside[0]))
            taken.update(inside)
    return tables, taken


def _frames(rules: Sequence[Rule]) -> list[Frame]:
    across = [each for each in rules if each.y0 == each.y1]
    down = [each for each in rules if each.x0 == each.x1]
    if not across or not down or len(rules) > _MAX_FRAME:
        return []
    owner = list(range(len(across) + len(down)))

    def root(index: int) -> int:
        while owner[index] != index:
            owner[index] = owner[owner[index]]
            index = owner[index]
        return index

    for column, vertical in enumerate(down, len(across)):
        for row, horizontal in enumerate(across):
            if _touch(horizontal, vertical):
                owner[root(column)] = root(row)
    frames: dict[int, Frame] = {}
    for index, rule in enumerate([*across, *down]):
        frame = frames.setdefault(root(index), Frame([], []))
        (frame.across if index < len(across) else frame.down).append(rule)
    return [frame for frame in frames.values() if frame.across and frame.down]


def _touch(horizontal: Rule, vertical: Rule) -> bool:
    return (
        horizontal.x0 - _TOUCH <= vertical.x0 <= horizontal.x1 + _TOUCH
        and vertical.y0 - _TOUCH <= horizontal.y0 <= vertical.y1 + _TOUCH
    )


def _places(frame: Frame) -> tuple[list[float], list[float]]:
    """Where columns and rows are parted; a frame that is open at a side ends where its rules end."""
    xs = [*(rule.x0 for rule in frame.down), min(r.x0 for r in frame.across), max(r.x1 for r in frame.across)]
    ys = [*(rule.y0 for rule in frame.across), min(r.y0 for r in frame.down), max(r.y1 for r in frame.down)]
    return _distinct(xs), _distinct(ys)


def _distinct(values: Iterable[float]) -> list[float]:
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > _TOUCH:
            found.append(value)
    return found


def _fill(segments: Iterable[Segment], frame: Frame, xs: list[float], ys: list[float]) -> list[list[str]]:
    grid: list[list[Cell]] = [[[] for _ in xs[1:]] for _ in ys[1:]]
    for segment in segments:
        height = segment.base + 0.3 * segment.size
        row = len(ys) - 1 - _field(ys, height)
        borders = [x for x in xs[1:-1] if segment.x0 < x < segment.x1 and _is_ruled(frame, x, height)]
        for part in split_segment(segment, borders):
            column = _field(xs, (part.x0 + part.x1) / 2 if not _crosses(part, xs) else part.x0 + 1)
            grid[row - 1][column].append(part)
    return trim([[cell_text(cell) for cell in line] for line in grid])


def _field(places: Sequence[float], value: float) -> int:
    return max(0, min(bisect_right(places, value) - 1, len(places) - 2))


def _crosses(part: Segment, xs: Sequence[float]) -> bool:
    return any(part.x0 < x < part.x1 for x in xs[1:-1])


def _is_ruled(frame: Frame, x: float, y: float) -> bool:
    return any(abs(rule.x0 - x) <= _TOUCH and rule.y0 <= y <= rule.y1 for rule in frame.down)


def split_segment(segment: Segment, places: Sequence[float]) -> list[Segment]:
    """Cut a segment between its words at the given places."""
    parts: list[Segment] = []
    field = -1
    for word in segment.words:
        own = bisect_right(places, (word.x0 + word.x1) / 2)
        if parts and own == field:
            parts[-1].add(word)
        else:
            parts.append(Segment(word, segment.base))
            field = own
    return parts


def _is_table(cells: list[list[str]]) -> bool:
    if len(cells) < 2 or len(cells[0]) < 2:
        return False
    filled = sum(bool(cell) for row in cells for cell in row)
    return filled >= 3 and filled >= _MIN_FILLED * len(cells) * len(cells[0])
