"""The hits for a question -> figures between 0 and 1.

hit@k       1 if one of the first k chunks covers at least half of the lines of an item of the evidence
mrr@10      1 / rank of the first such chunk within ten, else 0
recall@B    share of the required lines that a reader sees within B tokens: chunks are taken in order, and one that does
            not fit is left out; all items count alike, however many lines they have
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
    """A chunk among the hits."""

    source: str
    start_line: int
    end_line: int
    token_count: int


def measure(question: Question, chunks: Sequence[RankedChunk], budgets: Sequence[int] = BUDGETS) -> dict[str, float]:
    """Return the figures of one question; the best chunk comes first."""
    rank = find_rank(question, chunks)
    return {
        f"mrr@{DEEPEST}": 1 / rank if rank else 0.0,
        **{f"hit@{depth}": float(rank is not None and rank <= depth) for depth in DEPTHS},
        **{f"recall@{budget}": recall(question, _affordable(chunks, budget)) for budget in budgets},
    }


def find_rank(question: Question, chunks: Sequence[RankedChunk]) -> int | None:
    """Return the rank of the first chunk that answers the question, or None if it is not within ten."""
    for rank, chunk in enumerate(chunks[:DEEPEST], 1):
        if any(2 * len(_shared_lines(chunk, item)) >= item.line_count for item in question.evidence):
            return rank
    return None


def recall(question: Question, chunks: Sequence[RankedChunk]) -> float:
    """Return the share of the required lines that are in any of the chunks."""
    return fmean(max(_seen_share(item, chunks) for item in alternatives) for alternatives in question.required)


def mean_figures(figures: Sequence[Figures]) -> dict[str, float]:
    """Return the mean of each figure."""
    return {name: fmean(each[name] for each in figures) for name in figures[0]}


def _affordable(chunks: Sequence[RankedChunk], budget: int) -> list[RankedChunk]:
    taken = []
    for chunk in chunks:
        if chunk.token_count <= budget:
            taken.append(chunk)
            budget -= chunk.token_count
    return taken


def _seen_share(item: Evidence, chunks: Sequence[RankedChunk]) -> float:
    """Two chunks may share a line, which counts once."""
    seen = {line for chunk in chunks for line in _shared_lines(chunk, item)}
    return len(seen) / item.line_count


def _shared_lines(chunk: RankedChunk, item: Evidence) -> range:
    if chunk.source != item.file:
        return range(0)
    return range(max(chunk.start_line, item.start_line), min(chunk.end_line, item.end_line) + 1)
