"""The columns of a table without borders.

1. Figures below each other make a column: their places are sure, because figures never cross into the next column.
2. Elsewhere, columns are parted where almost no word of the rows stands. A label that is so long that it runs into a
   column of figures does not count there.
3. A narrow gap parts columns only where words begin at its right side in most of the lines that have text there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

from crosshead.formats.pdf.layout.lines import TableLine
from crosshead.formats.pdf.page.shapes import Segment, Word
from crosshead.formats.pdf.tables.cells import Cell

_NARROW: Final = 0.15
_CLEAR: Final = 0.7
"""A gap that is no space between words, in sizes."""
_SPACE: Final = 0.45
_EDGE: Final = 1.5
_MAX_STRAYS: Final = 6
"""The most figures that may stand between two columns."""

Span = tuple[float, float]


class Columns(NamedTuple):
    """Where the columns of a table are parted, and which are columns of figures."""

    borders: list[float]
    figures: list[Span]
    """From the left to the right edge of each column of figures."""

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self.borders) + 1

    def of(self, x: float) -> int:
        """Return the column of a place."""
        return bisect_right(self.borders, x)

    def has_figures(self, column: int) -> bool:
        """Is it a column of figures?"""
        return any(self.of((left + right) / 2) == column for left, right in self.figures)


def find_columns(lines: Sequence[TableLine], labels: Sequence[TableLine] = ()) -> Columns:
    """Find the columns of these rows; lines that stand alone above others have no part in it.

    Labels above the rows only show where a column begins that is hard to tell from a space.
    """
    size = median([line.size for line in lines])
    figures = _figure_columns(lines, size)
    starts = {round(group.x0) for line in lines for group in line.groups[1:]}
    rows = [line for line in lines if len(line.groups) > 1 or not starts.isdisjoint(_near(line.x0))]
    several = sum(len(line.groups) > 1 for line in lines)
    allowed = 0 if several < 5 else max(1, several // 10)
    gaps = _gaps(_weighed_spans(rows, figures, size, allowed), allowed, _NARROW * size)
    places = [
        _border(gap, rows, figures)
        for gap in gaps
        if gap[1] - gap[0] >= _CLEAR * size or _begins_column(gap, [*labels, *rows], size)
    ]  # fmt: skip
    places = _without_strays(places, rows, allowed)
    return Columns(_with_figures(places, gaps, figures, min(line.x0 for line in rows), size), figures)


def _border(gap: Span, lines: Iterable[TableLine], figures: Iterable[Span]) -> float:
    """Return the side of a gap to which more words are aligned: those of the other side may reach into it.

    Beside figures it is the middle, because labels above them are centered.
    """
    if any(abs(gap[0] - right) < _EDGE or abs(gap[1] - left) < _EDGE for left, right in figures):
        return (gap[0] + gap[1]) / 2
    words = [word for line in lines for segment in line.segments for word in segment.words]
    ends = sum(abs(word.x1 - gap[0]) < _EDGE for word in words)
    starts = sum(abs(word.x0 - gap[1]) < _EDGE for word in words)
    return gap[1] - 0.5 if starts > ends else gap[0] + 0.5 if ends > starts else (gap[0] + gap[1]) / 2


def _near(x: float) -> range:
    return range(round(x) - 2, round(x) + 3)


def _figure_columns(lines: Sequence[TableLine], size: float) -> list[Span]:
    """Return where figures stand below each other and more often than text; those that begin rows are their names."""
    figures = [[(unit.x0, unit.x1) for unit in line.figures] for line in lines]
    every = [span for own in figures for span in own]
    if len(every) < 2:
        return []
    clusters: list[Span] = []
    for allowed in range(1 + min(_MAX_STRAYS, len(lines) // 5)):
        clusters = _clusters(every, allowed, size)
        if not any(_clash(own, clusters) for own in figures):
            break
    left = min(line.x0 for line in lines)
    return [each for each in clusters if each[0] > left + 0.5 * size and _is_filled(each, lines, size)]


def _clusters(spans: Sequence[Span], allowed: int, size: float) -> list[Span]:
    gaps = _gaps([(x0, x1, 1) for x0, x1 in spans], allowed, 0.1 * size)
    edges = [min(x0 for x0, _ in spans), *[x for gap in gaps for x in gap], max(x1 for _, x1 in spans)]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _clash(spans: Iterable[Span], clusters: Sequence[Span]) -> bool:
    """Do two figures of a line fall into one column?"""
    starts = [left for left, _ in clusters]
    found = [bisect_right(starts, (x0 + x1) / 2) for x0, x1 in spans]
    return len(set(found)) < len(found)


def _is_filled(cluster: Span, lines: Sequence[TableLine], size: float) -> bool:
    left, right = cluster
    inside = sum(left <= (unit.x0 + unit.x1) / 2 <= right for line in lines for unit in line.figures)
    others = 0
    for line in lines:
        for number, group in enumerate(line.groups):
            is_label = not number and group.x0 < left - size
            if group.x0 < right and group.x1 > left and not line.is_figure(group) and not is_label:
                others += 1
    return inside > others


def _weighed_spans(
    lines: Iterable[TableLine], figures: Sequence[Span], size: float, allowed: int
) -> Iterator[tuple[float, float, int]]:
    """Yield where words stand; a border never crosses a figure, so that it counts as more than is allowed."""
    for line in lines:
        for number, group in enumerate(line.groups):
            if line.is_figure(group):
                yield group.x0, group.x1, allowed + 1
                continue
            end = min([left for left, _ in figures if not number and group.x0 < left - size], default=group.x1 + 1)
            yield from ((word.x0, word.x1, 1) for word in group.words if word.x1 <= end)


def _with_figures(
    places: Iterable[float], gaps: Sequence[Span], figures: Sequence[Span], start: float, size: float
) -> list[float]:
    """Make sure that columns of figures are parted from others."""
    borders = sorted(places)
    for before, (left, _) in zip([None, *figures], figures, strict=False):
        lowest = before[1] if before else start + 0.5 * size
        if left > lowest and not any(lowest - 0.1 <= place <= left + 0.1 for place in borders):
            if before is None and left - start < 0.5 * size:
                continue
            gap = next((gap for gap in gaps if abs(gap[1] - left) < 0.1), (left - 1, left))
            borders = sorted([*borders, (max(gap[0], lowest) + left) / 2 if gap[1] - gap[0] > 1 else left - 0.5])
    return borders


def _without_strays(places: Sequence[float], lines: Sequence[TableLine], allowed: int) -> list[float]:
    """Leave out what parts no columns.

    Where a few words may cross a border, as few words do not make a column either. Neither do lines that stand alone
    above others, even if they begin further left.
    """
    columns = [{bisect_right(places, unit.x0) for unit in line.units} for line in lines]
    filled = Counter(column for line in columns for column in line)
    shared = {column for line in columns if len(line) > 1 for column in line}
    return [
        place
        for column, place in enumerate(places, 1)
        if filled[column] > allowed and (column > 1 or column - 1 in shared)
    ]


def _gaps(spans: Iterable[tuple[float, float, int]], allowed: int, least: float) -> list[Span]:
    """Return the places between the first and the last span that at most `allowed` of them cover, by their weights."""
    events = sorted([event for x0, x1, weight in spans for event in ((x0, weight), (x1, -weight))])
    gaps: list[Span] = []
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


def _begins_column(gap: Span, lines: Sequence[TableLine], size: float) -> bool:
    """In most lines the right side begins at the gap, and is parted from the left by more than a space.

    Narrower gaps part columns only if both sides are drawn apart and vary.
    """
    both, wide, starts, apart = 0, 0, 0, 0
    lefts: set[str] = set()
    rights: set[str] = set()
    for line in lines:
        words = [word for segment in line.segments for word in segment.words]
        left = max([word for word in words if word.x1 < gap[1]], key=lambda word: word.x1, default=None)
        right = min([word for word in words if word.x0 > gap[0]], key=lambda word: word.x0, default=None)
        if left is not None and right is not None:
            both += 1
            wide += right.x0 - left.x1 >= _CLEAR * size
            starts += right.x0 < gap[1] + 1.5
            lefts.add(_piece_text(left, words))
            rights.add(_piece_text(right, words))
            apart += not any(_runs_through(segment, gap) for segment in line.segments)
    if wide >= max(2, 0.5 * both):
        return starts >= max(3, 0.6 * both)
    return starts >= max(3, 0.8 * both) and apart >= 0.8 * both and min(len(lefts), len(rights)) > 0.25 * both


def _piece_text(word: Word, words: Iterable[Word]) -> str:
    return " ".join([each.runs[0].text for each in words if each.piece == word.piece])


def _runs_through(segment: Segment, gap: Span) -> bool:
    """Is text on both sides of the gap drawn in one go?"""
    if segment.x0 > gap[0] or segment.x1 < gap[1]:
        return False
    left = max([word for word in segment.words if word.x1 < gap[1]], key=lambda word: word.x1, default=None)
    right = min([word for word in segment.words if word.x0 > gap[0]], key=lambda word: word.x0, default=None)
    return left is not None and right is not None and left.last_piece == right.piece


def place_line(line: TableLine, columns: Columns, *, is_head: bool = False) -> list[Cell]:
    """Return the cells of a line; one that heads a group of rows has its text in the first."""
    row: list[Cell] = [[] for _ in range(columns.number)]
    if is_head:
        row[0] += line.groups
        return row
    for number, group in enumerate(line.groups):
        if line.is_figure(group):
            row[columns.of(group.x1 - 0.3 * group.size)].append(group)
            continue
        for part, is_first in zip(
            _parts(group, columns, is_label=not number), [not number, *[False] * 99], strict=False
        ):
            crosses = any(part.x0 < x < part.x1 for x in columns.borders)
            own = columns.of((part.x0 + part.x1) / 2 if crosses and not is_first else part.x0 + 1)
            row[own].append(part)
    return row


def _parts(group: Segment, columns: Columns, *, is_label: bool) -> list[Segment]:
    """Cut a group that crosses borders, but a label that runs into figures."""
    parts = [Segment(group.words[0], group.base)]
    for before, word in pairwise(group.words):
        last, own = (columns.of((each.x0 + each.x1) / 2) for each in (before, word))
        if last != own and not (is_label and columns.has_figures(own)) and _are_apart(before, word, group, columns):
            parts.append(Segment(word, group.base))
        else:
            parts[-1].add(word)
    return parts


def _are_apart(before: Word, word: Word, group: Segment, columns: Columns) -> bool:
    """Are the words drawn in two goes, or parted by a border or more than a space?"""
    if before.last_piece != word.piece or word.x0 - before.x1 > _SPACE * group.size:
        return True
    return any(before.x1 <= x <= word.x0 for x in columns.borders)
