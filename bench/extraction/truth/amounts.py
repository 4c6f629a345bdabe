"""Amounts: in the row of their label, below their column label, alone in their cell.

labels      amounts in a table whose header row shows the amount's column label in the same column; where the lowest
            label is not unique in the table, the labels above it must be there as well
below       the same, but any row above the amount may show the label
alone       amounts that have a cell for themselves, their signs included; a footnote mark may follow after a space
one piece   tables whose amounts are all in one table, with no amount of another
rows        amounts whose row begins with their row label, and group rows that are rows of their table
wordless    written tables none of whose cells below the header row has a letter; the second number counts the tables

Amounts that the document shows twice do not count: a reader cannot tell which one is which.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from . import markdown as found
from .share import Score, Share

Tables = Sequence[Sequence[Sequence[str]]]
_BLANK = ("", "—")
_SIGNS = "()$%-−€ "


class _Place(NamedTuple):
    table: int
    row: int
    column: int
    text: str


class _Amount(NamedTuple):
    label: str
    text: str
    mark: str
    column: int
    place: _Place | None


def score_amounts(truths: Sequence[Mapping[str, Any]], text: str, tables: Tables) -> Score:
    """Compare the true tables with the written ones; `text` is the text of the whole true document."""
    cells = [
        _Place(table, row, column, found.single_spaced(cell))
        for table, rows in enumerate(tables)
        for row, texts in enumerate(rows)
        for column, cell in enumerate(texts)
        if any(character.isdigit() for character in cell)
    ]
    scored: Counter[str] = Counter()
    holders: list[set[int]] = []
    for truth in truths:
        amounts = list(_amounts(truth, found.single_spaced(text), cells))
        holders.append({amount.place.table for amount in amounts if amount.place})
        scored += _count(truth, amounts, tables)
        groups = [row["label"] for row in truth["rows"] if not row["cells"]]
        scored["groups"] += len(groups)
        scored["rows"] += sum(_has_group(tables, holders[-1], label) for label in groups)
    amounts_and_groups = scored["amounts"] + scored["groups"]
    return {
        **{key: Share(scored[key], scored["amounts"]) for key in ("labels", "below", "alone")},
        "one piece": Share(max(0, scored["one piece"] - _shared(holders)), len(truths)),
        "rows": Share(scored["rows"], amounts_and_groups),
        "wordless": Share(sum(is_wordless(rows) for rows in tables), len(tables)),
    }


def is_wordless(rows: Sequence[Sequence[str]]) -> bool:
    """Does no cell below the header row have a letter?"""
    return not any(character.isalpha() for row in rows[1:] for cell in row for character in cell)


def _count(truth: Mapping[str, Any], amounts: Sequence[_Amount], tables: Tables) -> Counter[str]:
    scored: Counter[str] = Counter({"amounts": len(amounts)})
    labels = _labels_wanted(truth["columns"])
    placed = [amount for amount in amounts if amount.place]
    for amount in placed:
        place = amount.place
        assert place
        rows = tables[place.table]
        above = " ".join([row[place.column] for row in rows[: place.row] if place.column < len(row)])
        head = rows[0][place.column] if place.row and place.column < len(rows[0]) else ""
        scored["labels"] += _shows(head, labels[amount.column])
        scored["below"] += _shows(above, labels[amount.column])
        scored["alone"] += _is_alone(amount, place.text)
        scored["rows"] += _shows(" ".join(rows[place.row][: place.column + 1]), [amount.label])
    holders = {amount.place.table for amount in placed if amount.place}
    scored["one piece"] += len(holders) == 1 and len(placed) >= 0.95 * len(amounts)
    return scored


def _amounts(truth: Mapping[str, Any], text: str, cells: Sequence[_Place]) -> Iterator[_Amount]:
    for row in truth["rows"]:
        marks = row.get("marks", ())
        for column, cell in enumerate(row["cells"]):
            core = found.single_spaced(cell).strip(_SIGNS)
            if cell in _BLANK or not core[:1].isdigit() or len(_pattern(core).findall(text)) > 1:
                continue
            mark = marks[column] if column < len(marks) else ""
            yield _Amount(row["label"], cell, mark, column, _find(core, cells))


def _find(core: str, cells: Sequence[_Place]) -> _Place | None:
    """Return the shortest cell that shows the number, the first of several."""
    pattern = _pattern(core)
    holders = [cell for cell in cells if pattern.search(cell.text)]
    return min(holders, key=lambda cell: len(cell.text), default=None)


@cache
def _pattern(core: str) -> re.Pattern[str]:
    """Match the number; narrow spaces between its digits may be lost, since fonts without them only move on."""
    digits = " ?".join([re.escape(part) for part in core.split(" ")])
    return re.compile(rf"(?<![\d.,]){digits}(?![\d]|[.,]\d)")


def _is_alone(amount: _Amount, text: str) -> bool:
    wanted = _tight(amount.text)
    if amount.mark and text.endswith(amount.mark) and text != amount.mark:
        front = text.removesuffix(amount.mark)
        # A mark without a parenthesis reads like a digit of the amount, unless something parts them.
        is_apart = not amount.mark[0].isdigit() or not front[-1].isalnum()
        return _tight(text) == wanted or (is_apart and _tight(front.rstrip(" ^[")) == wanted)
    return _tight(text) == wanted


def _labels_wanted(chains: Sequence[Sequence[str]]) -> list[list[str]]:
    lowest = Counter(chain[-1] if chain else "" for chain in chains)
    return [list(chain[-1:]) if chain and lowest[chain[-1]] == 1 else list(chain) for chain in chains]


def _shows(text: str, labels: Iterable[str]) -> bool:
    wanted = Counter(word for label in labels for word in _label_words(label))
    return bool(wanted) and not wanted - Counter(_label_words(text))


def _label_words(text: str) -> list[str]:
    """Return the words; a label may be no more than a percent sign."""
    return [*found.words(text), *["%"] * (text.count("%"))]


def _has_group(tables: Tables, holder: Iterable[int], label: str) -> bool:
    wanted = found.words(label)
    return any(
        found.words(" ".join(row)) == wanted * max(1, _repeats(row)) for number in holder for row in tables[number]
    )


def _repeats(row: Sequence[str]) -> int:
    """A cell that spans the table may be repeated in every column."""
    filled = [cell for cell in row if cell]
    return len(filled) if len(set(filled)) == 1 else 1


def _shared(holders: Sequence[set[int]]) -> int:
    """Return how many true tables are in a written table that holds another as well."""
    counts = Counter(number for holder in holders for number in holder)
    return sum(len(holder) == 1 and counts[next(iter(holder))] > 1 for holder in holders)


def _tight(text: str) -> str:
    return "".join(text.split())
