"""How much of the truth is in the Markdown of an extractor.

Figures about tables are described in amounts.py and table_trees.py, those about headings in headings.py. The others:

fields      fields of a form whose value follows its label, in the same cell or as the next text, or stands below or
            beside it
words       words, numbers: with `$`, `%`, sign and parentheses as in the source
paragraphs  paragraphs in one piece
order       paragraphs in one piece that come after those before them
furniture   lines that show no more than a running head, a foot or a page number; the second number counts all lines
nid         similarity of the whole text: characters that need not be inserted or deleted (normalized indel
            similarity), spaces as one and without the signs of Markdown; averaged over documents
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from . import markdown as found
from .amounts import score_amounts
from .edits import indel_similarity
from .headings import score_headings
from .share import Score, Share, total
from .table_trees import score_trees

FIGURES = (
    "rows", "labels", "below", "alone", "wordless", "one piece", "teds", "teds shape", "true", "neighbors",
    "mhs", "mhs shape", "f1", "level", "headings", "false", "furniture", "nid", "words", "numbers", "paragraphs",
    "order", "fields",
)  # fmt: skip
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


def score(truth: Mapping[str, Any], text: str) -> Score:
    """Compare the Markdown with the truth."""
    plain = found.plain(text)
    tables = found.tables(text)
    return {
        **score_amounts(truth["tables"], truth["text"], tables),
        **score_trees(truth["tables"], tables),
        "fields": _score_fields(truth["fields"], plain, tables),
        **score_headings(truth, text),
        "words": _recall(found.words(truth["text"]), found.words(plain)),
        "numbers": _recall(found.numbers(truth["text"]), found.numbers(plain)),
        **_score_paragraphs(truth["paragraphs"], found.words(plain)),
        "furniture": _score_furniture(truth, plain),
        "nid": Share(indel_similarity(found.single_spaced(truth["text"]), found.running(text)), 1),
    }


def missed(scores: Iterable[Score]) -> list[str]:
    """Return the goals that are missed over all documents."""
    summed = total(scores)
    return [
        f"{key}: {summed[key].value:.2%} is below {goal:.1%}"
        for key, goal in GOALS.items()
        if summed[key].kept < goal * summed[key].total
    ]


def _recall(wanted: Sequence[str], got: Sequence[str]) -> Share:
    missing = Counter(wanted) - Counter(got)
    return Share(len(wanted) - missing.total(), len(wanted))


def _score_furniture(truth: Mapping[str, Any], plain: str) -> Share:
    known = {" ".join(found.words(text)) for text in truth.get("furniture", ())}
    headings = [found.words(heading["text"]) for heading in truth["headings"]]
    lines = [words for line in plain.splitlines() if (words := found.words(line))]
    leaks = [words for words in lines if words not in headings and (_rest(words) in known or _is_number(words))]
    return Share(len(leaks), len(lines))


def _is_number(words: Sequence[str]) -> bool:
    return len(words) == 1 and words[0].isdigit()


def _rest(words: Sequence[str]) -> str:
    """Return a line without the page number that a foot may have at its end."""
    return " ".join(words[:-1] if words[-1].isdigit() else words)


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
