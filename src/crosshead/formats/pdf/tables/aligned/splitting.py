"""A line -> the cells of its columns."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from crosshead.formats.pdf.layout.lines import TableLine
from crosshead.formats.pdf.page.shapes import Segment, Word
from crosshead.formats.pdf.tables.aligned.columns import Columns
from crosshead.formats.pdf.tables.cells import Cell

_SPACE: Final = 0.45
"""The widest space between the words of a cell, in ems."""
_INSIDE: Final = 0.3
"""How far from its right edge a figure is certainly in its column, in ems: a mark may reach beyond the border."""


def split_line(line: TableLine, columns: Columns, *, is_head: bool = False) -> list[Cell]:
    """Return the cells of a line; if it heads a group of rows, all of its text is in the first."""
    row: list[Cell] = [[] for _ in range(columns.number)]
    if is_head:
        row[0] += line.groups
        return row
    for number, group in enumerate(line.groups):
        if line.is_figure(group):
            row[columns.of(group.x1 - _INSIDE * group.size)].append(group)
            continue
        for index, part in enumerate(_parts(group, columns, is_label=not number)):
            is_first = not number and not index
            crosses = any(part.x0 < x < part.x1 for x in columns.borders)
            own = columns.of((part.x0 + part.x1) / 2 if crosses and not is_first else part.x0 + 1)
            row[own].append(part)
    return row


def _parts(group: Segment, columns: Columns, *, is_label: bool) -> list[Segment]:
    """Split a group at the borders that it crosses, unless it is a label that reaches into a column of figures."""
    parts = [Segment(group.words[0], group.base)]
    for before, word in pairwise(group.words):
        last, own = (columns.of((each.x0 + each.x1) / 2) for each in (before, word))
        if last != own and not (is_label and columns.has_figures(own)) and _are_apart(before, word, group, columns):
            parts.append(Segment(word, group.base))
        else:
            parts[-1].add(word)
    return parts


def _are_apart(before: Word, word: Word, group: Segment, columns: Columns) -> bool:
    """Return whether two words are drawn separately, or a border or more than a space is between them."""
    if before.last_piece != word.piece or word.x0 - before.x1 > _SPACE * group.size:
        return True
    return any(before.x1 <= x <= word.x0 for x in columns.borders)
