"""What was found for a question -> figures between 0 and 1.

hit@k       1 if one of the first k places covers at least half of the lines of an item of the evidence
mrr@10      1 / rank of the first such place within ten, else 0
recall@B    share of the required lines that a reader sees who spends B tokens: places are taken in order, one that
            does not fit any more is left out; items count alike, however many lines they have
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from crosshead.evaluation.questions import Evidence, Question

DEPTHS: Final = (1, 3, 5, 10)
DEEPEST: Final = DEPTHS[-1]
BUDGETS: Final = (500, 1000, 2000, 4000)

Figures = Mapping[str, float]


class RankedChunk(NamedTuple):
    """A chunk that was found."""

    source: str
    start_line: int
    end_line: int
    token_count: int


def measure(question: Question, places: Sequence[RankedChunk], budgets: Sequence[int] = BUDGETS) -> dict[str, float]:
    """Return the figures of one question; the best place comes first."""
    rank = find_rank(question, places)
    return {
        f"mrr@{DEEPEST}": 1 / rank if rank else 0.0,
        **{f"hit@{depth}": float(rank is not None and rank <= depth) for depth in DEPTHS},
        **{f"recall@{budget}": recall(question, _affordable(places, budget)) for budget in budgets},
    }


def find_rank(question: Question, places: Sequence[RankedChunk]) -> int | None:
    """Return the rank of the first place that answers the question, None if it is not within ten."""
    for rank, place in enumerate(places[:DEEPEST], 1):
        if any(2 * len(_shared_lines(place, item)) >= item.line_count for item in question.evidence):
            return rank
    return None


def recall(question: Question, places: Sequence[RankedChunk]) -> float:
    """Return the share of the required lines that lie in any of the places."""
    return fmean(max(_seen_share(item, places) for item in alternatives) for alternatives in question.required)


def mean_figures(figures: Sequence[Figures]) -> dict[str, float]:
    """Return the mean of every figure."""
    return {name: fmean(each[name] for each in figures) for name in figures[0]}


def _affordable(places: Sequence[RankedChunk], budget: int) -> list[RankedChunk]:
    taken = []
    for place in places:
        if place.token_count <= budget:
            taken.append(place)
            budget -= place.token_count
    return taken


def _seen_share(item: Evidence, places: Sequence[RankedChunk]) -> float:
    """Two chunks may share a line, which counts once."""
    seen = {line for place in places for line in _shared_lines(place, item)}
    return len(seen) / item.line_count


def _shared_lines(place: RankedChunk, item: Evidence) -> range:
    if place.source != item.file:
        return range(0)
    return range(max(place.start_line, item.start_line), min(place.end_line, item.end_line) + 1)
