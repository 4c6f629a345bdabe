"""Tables as trees of rows and cells, and as neighbors of cells.

teds        similarity of each true table to the written table that fits it best, averaged over true tables; 0 where
            none is left. TEDS as PubTabNet defines it: 1 minus the edit distance of the trees table > row > cell, over
            the size of the larger tree; unlike cells cost Levenshtein's distance of their texts, unlike spans 1.
            Rows are matched with rows, and cells with cells of matched rows.
teds shape  the same without texts
true        written tables that fit a true table with TEDS above .5; the second number counts the written tables
neighbors   F1 of pairs of neighboring cells (ICDAR 2013): texts of two cells side by side or one above the other,
            blank cells between them left out; over all tables of the document

Markdown has one row of labels and no spans. So a true table with several rows of labels also counts in the form in
which the labels of each column are joined in one row, and the better of both is taken.

A written table is tried with the true table that it shares most words with, each table once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from . import markdown as found
from .edits import align, difference
from .share import Score, Share, f1

Cell = tuple[str, int]
"""Its text, and how many columns it spans."""
Grid = Sequence[Sequence[Cell]]
Relation = tuple[str, str, str]
MIN_TRUE = 0.5


def score_trees(truths: Sequence[Mapping[str, Any]], tables: Sequence[Sequence[Sequence[str]]]) -> Score:
    """Compare the true tables with the written ones."""
    written: list[Grid] = [[[(_normal(text), 1) for text in row] for row in rows] for rows in tables]
    forms = [_forms(truth) for truth in truths]
    pairs = _pair([variants[0] for variants in forms], written)
    teds = {one: max(similarity(grid, written[other]) for grid in forms[one]) for one, other in pairs.items()}
    shapes = [max(similarity(grid, written[other], texts=False) for grid in forms[one]) for one, other in pairs.items()]
    got = Counter(relation for grid in written for relation in relations(grid))
    wanted = sum([_fitting(variants, got) for variants in forms], Counter())
    return {
        "teds": Share(sum(teds.values()), len(truths)),
        "teds shape": Share(sum(shapes), len(truths)),
        "true": Share(sum(value > MIN_TRUE for value in teds.values()), len(written)),
        "neighbors": f1((wanted & got).total(), wanted.total(), got.total()),
    }


def _fitting(variants: Sequence[Grid], got: Counter[Relation]) -> Counter[Relation]:
    """Return the neighbors of the form that has most of them in common with the written tables."""
    return max((Counter(relations(grid)) for grid in variants), key=lambda wanted: (wanted & got).total())


def similarity(one: Grid, other: Grid, *, texts: bool = True) -> float:
    """Return TEDS of two tables."""
    size = max(_size(one), _size(other))
    distance = align(one, other, lambda row: 1 + len(row), partial(_row_distance, texts=texts))
    return 1 - distance / size


def relations(grid: Grid) -> Iterator[Relation]:
    """Return the pairs of neighbors: each cell with the next one in its row and with the next one below it."""
    rows = [[(text, column) for text, column in _placed(row) if text] for row in grid]
    for row in rows:
        for (text, _), (after, _) in pairwise(row):
            yield text, after, "right"
    above: dict[int, str] = {}
    for row in grid:
        seen: set[tuple[str, str]] = set()
        for text, columns in _placed(row):
            if not text:
                continue
            for column in columns:
                if column in above and (above[column], text) not in seen:
                    seen.add((above[column], text))
                    yield above[column], text, "below"
                above[column] = text


def _placed(row: Sequence[Cell]) -> Iterator[tuple[str, range]]:
    start = 0
    for text, span in row:
        yield "".join(text.split()), range(start, start + span)
        start += span


def _forms(truth: Mapping[str, Any]) -> list[Grid]:
    grid = [[(_normal(text), span) for text, span in row] for row in truth["grid"]]
    heads = len(grid) - len(truth["rows"])
    if heads < 2:
        return [grid]
    corner = " ".join([row[0][0] for row in grid[:heads] if row[0][0]])
    joined = [(corner, 1), *[(_normal(" ".join(chain)), 1) for chain in truth["columns"]]]
    return [grid, [joined, *grid[heads:]]]


def _normal(text: str) -> str:
    return found.single_spaced(found.plain(text))


def _size(grid: Grid) -> int:
    return 1 + sum(1 + len(row) for row in grid)


def _row_distance(one: Sequence[Cell], other: Sequence[Cell], *, texts: bool) -> float:
    if one == other:
        return 0.0
    return align(one, other, lambda _: 1.0, partial(_cell_distance, texts=texts))


def _cell_distance(one: Cell, other: Cell, *, texts: bool) -> float:
    if one[1] != other[1]:
        return 1.0
    return difference(one[0], other[0]) if texts else 0.0


def _pair(one: Sequence[Grid], other: Sequence[Grid]) -> dict[int, int]:
    """Pair tables by the words that they share, the most alike first."""
    words, others = ([Counter(w for row in grid for text, _ in row for w in text.split()) for grid in grids]
                     for grids in (one, other))  # fmt: skip
    shared = [
        ((mine & yours).total() / max(mine.total(), yours.total(), 1), -a, -b)
        for a, mine in enumerate(words)
        for b, yours in enumerate(others)
    ]
    pairs: dict[int, int] = {}
    for alike, a, b in sorted(shared, reverse=True):
        if alike and -a not in pairs and -b not in pairs.values():
            pairs[-a] = -b
    return pairs
