"""How much of the truth is in the Markdown of an extractor.

Every figure is a count of what was kept and of what there was:

labels      amounts in a table whose header row shows the amount's column label in the same column; where the lowest
            label is not unique in the table, the labels above it must be there as well
alone       amounts that have a cell for themselves, their signs included
one piece   tables whose amounts are all in one table, with no amount of another
rows        amounts whose row begins with their row label, and group rows that are rows of their table
fields      fields of a form whose value follows its label, in the same cell or as the next text, or stands below or
            beside it
level       headings at the right level, a constant shift of the document allowed; a title is right at the top
headings    headings at any level
false       headings that are none; the second number counts the headings found
words       words, numbers: with `$`, `%`, sign and parentheses as in the source
paragraphs  paragraphs in one piece
order       paragraphs in one piece that come after those before them
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from . import markdown as found

FIGURES = (
    "labels",
    "alone",
    "one piece",
    "rows",
    "fields",
    "level",
    "headings",
    "false",
    "words",
    "numbers",
    "paragraphs",
    "order",
)
GOALS = {
    "labels": 0.95,
    "alone": 0.98,
    "one piece": 0.90,
    "level": 0.85,
    "headings": 0.98,
    "words": 0.995,
    "numbers": 1.0,
}
_MIN_WORDS = 12
"""A shorter paragraph may be a part of something else."""
_BLANK = ("", "—")


class Share(NamedTuple):
    kept: int = 0
    total: int = 0

    def __add__(self, other: Any) -> Share:
        return Share(self.kept + other.kept, self.total + other.total)


Score = dict[str, Share]


def score(truth: Mapping[str, Any], text: str) -> Score:
    """Compare the Markdown with the truth."""
    plain = found.plain(text)
    return {
        **_score_tables(truth["tables"], found.tables(text)),
        "fields": _score_fields(truth["fields"], plain, found.tables(text)),
        **_score_headings(truth["headings"], found.headings(text)),
        "words": _recall(found.words(truth["text"]), found.words(plain)),
        "numbers": _recall(found.numbers(truth["text"]), found.numbers(plain)),
        **_score_paragraphs(truth["paragraphs"], found.words(plain)),
    }


def total(scores: Iterable[Score]) -> Score:
    summed: Score = {}
    for each in scores:
        for figure, share in each.items():
            summed[figure] = summed.get(figure, Share()) + share
    return summed


def missed(scores: Iterable[Score]) -> list[str]:
    """Return the goals that are missed over all documents."""
    summed = total(scores)
    return [
        f"{key}: {summed[key].kept / summed[key].total:.2%} is below {goal:.1%}"
        for key, goal in GOALS.items()
        if summed[key].kept < goal * summed[key].total
    ]


def _recall(wanted: Sequence[str], got: Sequence[str]) -> Share:
    missing = Counter(wanted) - Counter(got)
    return Share(len(wanted) - missing.total(), len(wanted))


class _Cell(NamedTuple):
    table: int
    row: int
    column: int
    text: str


def _score_tables(wanted: Sequence[Mapping[str, Any]], tables: Sequence[list[list[str]]]) -> Score:
    places = _places(tables)
    scored: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    holders: list[set[int]] = []
    for table in wanted:
        hits = list(_cells_of(table, places))
        totals.update({"labels": len(hits), "alone": len(hits), "rows": len(hits), "one piece": 1})
        holders.append({cell.table for _, _, cell in hits if cell})
        labels = _labels_wanted(table["columns"])
        for (row_label, amount), column, cell in hits:
            if cell is None:
                continue
            rows = tables[cell.table]
            scored["labels"] += _is_below(labels[column], rows[0], cell)
            scored["alone"] += _tight(cell.text) == _tight(amount)
            scored["rows"] += _shows(" ".join(rows[cell.row][: cell.column + 1]), [row_label])
        groups = [row["label"] for row in table["rows"] if not row["cells"]]
        totals["rows"] += len(groups)
        scored["rows"] += sum(_has_group(tables, holders[-1], label) for label in groups)
        scored["one piece"] += len(holders[-1]) == 1 and sum(cell is not None for _, _, cell in hits) >= 0.95 * len(
            hits
        )
    shared = Counter(number for holder in holders for number in holder)
    scored["one piece"] -= sum(len(holder) == 1 and shared[next(iter(holder))] > 1 for holder in holders)
    return {key: Share(max(0, scored[key]), totals[key]) for key in ("labels", "alone", "one piece", "rows")}


def _places(tables: Sequence[list[list[str]]]) -> dict[str, _Cell]:
    """Return where each number stands; a cell of its own goes before one that it shares."""
    places: dict[str, _Cell] = {}
    for table, rows in enumerate(tables):
        for row, cells in enumerate(rows):
            for column, text in enumerate(cells):
                for number in found.numbers(text):
                    key = _digits(number)
                    if key not in places or len(text) < len(places[key].text):
                        places[key] = _Cell(table, row, column, text)
    return places


def _cells_of(
    table: Mapping[str, Any], places: Mapping[str, _Cell]
) -> Iterator[tuple[tuple[str, str], int, _Cell | None]]:
    for row in table["rows"]:
        for column, cell in enumerate(row["cells"]):
            if cell not in _BLANK and any(character.isdigit() for character in cell):
                yield (row["label"], cell), column, places.get(_digits(cell))


def _labels_wanted(chains: Sequence[Sequence[str]]) -> list[list[str]]:
    lowest = Counter(chain[-1] if chain else "" for chain in chains)
    return [list(chain[-1:]) if chain and lowest[chain[-1]] == 1 else list(chain) for chain in chains]


def _is_below(labels: Sequence[str], header: Sequence[str], cell: _Cell) -> bool:
    return cell.row > 0 and cell.column < len(header) and _shows(header[cell.column], labels)


def _shows(text: str, labels: Iterable[str]) -> bool:
    wanted = Counter(word for label in labels for word in found.words(label))
    return bool(wanted) and not wanted - Counter(found.words(text))


def _has_group(tables: Sequence[list[list[str]]], holder: Iterable[int], label: str) -> bool:
    wanted = found.words(label)
    return any(
        found.words(" ".join(row)) == wanted * max(1, _repeats(row)) for number in holder for row in tables[number]
    )


def _repeats(row: Sequence[str]) -> int:
    """A cell that spans the table may be repeated in every column."""
    filled = [cell for cell in row if cell]
    return len(filled) if len(set(filled)) == 1 else 1


def _score_fields(wanted: Sequence[Sequence[str]], text: str, tables: Sequence[list[list[str]]]) -> Share:
    lines = [
        f" {' '.join(found.words(line))} "
        for line in [text, *[cell for rows in tables for row in rows for cell in row]]
    ]
    pairs = {pair for rows in tables for above, below in pairwise(rows) for pair in zip(above, below, strict=False)}
    pairs |= {pair for rows in tables for row in rows for pair in pairwise(row)}
    kept = 0
    for label, value in wanted:
        needle = f" {' '.join(found.words(f'{label} {value}'))} "
        kept += (label, value) in pairs or any(needle in line for line in lines)
    return Share(kept, len(wanted))


def _digits(text: str) -> str:
    return text.strip("()$%-− ").replace(",", "")


def _tight(text: str) -> str:
    return "".join(text.split())


def _score_headings(wanted: Sequence[Mapping[str, Any]], got: Sequence[found.Heading]) -> Score:
    pairs = _pair(wanted, got)
    shifts = Counter(heading.level - truth["level"] for truth, heading in pairs if not truth["is_title"])
    shift = shifts.most_common(1)[0][0] if shifts else 0
    top = min([heading.level for heading in got], default=1)
    right = sum(
        heading.level == top if truth["is_title"] else heading.level == min(truth["level"] + shift, 6)
        for truth, heading in pairs
    )
    return {
        "level": Share(right, len(wanted)),
        "headings": Share(len(pairs), len(wanted)),
        "false": Share(len(got) - len(pairs), len(got)),
    }


def _pair(
    wanted: Sequence[Mapping[str, Any]], got: Sequence[found.Heading]
) -> list[tuple[Mapping[str, Any], found.Heading]]:
    """Pair headings by their words, in order; one that is out of order stays alone."""
    keys = [found.words(heading.text) for heading in got]
    pairs: list[tuple[Mapping[str, Any], found.Heading]] = []
    start = 0
    for truth in wanted:
        key = found.words(truth["text"])
        if key in keys[start:]:
            start = keys.index(key, start)
            pairs.append((truth, got[start]))
            start += 1
    return pairs


def _score_paragraphs(wanted: Sequence[str], got: Sequence[str]) -> Score:
    text = f" {' '.join(got)} "
    long = [key for paragraph in wanted if len(key := found.words(paragraph)) >= _MIN_WORDS]
    places: list[int] = []
    last: dict[str, int] = {}
    for key in long:
        needle = f" {' '.join(key)} "
        place = text.find(needle, last.get(needle, -1) + 1)
        if place >= 0:
            last[needle] = place
            places.append(place)
    return {"paragraphs": Share(len(places), len(long)), "order": Share(_rising(places), len(long))}


def _rising(places: Iterable[int]) -> int:
    """Return the length of the longest rising run of places, others in between left out."""
    tails: list[int] = []
    for place in places:
        at = bisect_left(tails, place)
        tails[at : at + 1] = [place]
    return len(tails)
