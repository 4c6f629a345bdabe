"""Figures: by hand, and against a naive count of lines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosshead.evaluation.measure import RankedChunk, mean_figures, measure
from crosshead.evaluation.questions import Evidence, Question

ELSEWHERE = RankedChunk("b.md", 1, 100, 10)


def question(*required: Sequence[tuple[str, int, int]]) -> Question:
    return Question("q", "Why?", tuple(tuple(Evidence(*item) for item in group) for group in required))


TEN_LINES = question([("a.md", 11, 20)])


@pytest.mark.parametrize(
    ("place", "is_hit"),
    [
        (RankedChunk("a.md", 11, 20, 10), True),
        (RankedChunk("a.md", 1, 100, 10), True),
        (RankedChunk("a.md", 1, 15, 10), True),  # half of the lines
        (RankedChunk("a.md", 1, 14, 10), False),
        (RankedChunk("a.md", 16, 30, 10), True),
        (RankedChunk("a.md", 17, 30, 10), False),
        (RankedChunk("a.md", 1, 10, 10), False),
        (RankedChunk("a.md", 21, 30, 10), False),
        (RankedChunk("b.md", 11, 20, 10), False),
    ],
)
def test_hit_covers_half_of_the_lines(place: RankedChunk, is_hit: bool) -> None:
    assert measure(TEN_LINES, [place])["hit@1"] == is_hit


def test_rank_decides_hits_and_reciprocal_rank() -> None:
    places = [ELSEWHERE] * 3 + [RankedChunk("a.md", 11, 20, 10)]
    figures = measure(TEN_LINES, places)
    assert [figures[name] for name in ("hit@1", "hit@3", "hit@5", "hit@10", "mrr@10")] == [0, 0, 1, 1, 0.25]


@pytest.mark.parametrize(("before", "found"), [(9, 0.1), (10, 0.0)])
def test_nobody_looks_beyond_ten(before: int, found: float) -> None:
    figures = measure(TEN_LINES, [ELSEWHERE] * before + [RankedChunk("a.md", 11, 20, 10)])
    assert figures["mrr@10"] == found
    assert figures["hit@10"] == bool(found)


def test_one_item_of_several_is_a_hit_and_so_is_an_alternative() -> None:
    several = question([("a.md", 1, 10)], [("b.md", 1, 4), ("c.md", 1, 4)])
    assert measure(several, [RankedChunk("c.md", 1, 2, 10)])["hit@1"] == 1


def test_recall_reads_in_order_what_fits_the_budget() -> None:
    places = [RankedChunk("a.md", 11, 13, 60), RankedChunk("a.md", 14, 18, 50), RankedChunk("a.md", 19, 20, 40)]
    figures = measure(TEN_LINES, places, budgets=(40, 60, 100, 109, 110, 150))
    assert [figures[f"recall@{budget}"] for budget in (40, 60, 100, 109, 110, 150)] == [0.2, 0.3, 0.5, 0.5, 0.8, 1.0]


def test_line_that_two_chunks_share_counts_once() -> None:
    places = [RankedChunk("a.md", 11, 13, 1), RankedChunk("a.md", 13, 14, 1), RankedChunk("a.md", 12, 12, 1)]
    assert measure(TEN_LINES, places)["recall@500"] == 0.4


def test_items_count_alike_and_the_best_alternative_counts() -> None:
    wanted = question([("a.md", 1, 10)], [("b.md", 1, 4), ("c.md", 1, 2)])
    places = [RankedChunk("a.md", 6, 10, 1), RankedChunk("b.md", 1, 1, 1), RankedChunk("c.md", 2, 2, 1)]
    assert measure(wanted, places)["recall@500"] == (0.5 + 0.5) / 2


def test_nothing_found_gives_nothing() -> None:
    assert set(measure(TEN_LINES, []).values()) == {0.0}


def test_evidence_without_end_costs_nothing() -> None:
    assert measure(question([("a.md", 1, 10**15)]), [ELSEWHERE, RankedChunk("a.md", 1, 9, 1)])["recall@500"] < 1e-12


def test_means_are_taken_figure_by_figure() -> None:
    assert mean_figures([{"hit@1": 1.0, "mrr@10": 1.0}, {"hit@1": 0.0, "mrr@10": 0.5}]) == {
        "hit@1": 0.5,
        "mrr@10": 0.75,
    }


FILES = st.sampled_from(["a.md", "b.md"])
LINES = st.tuples(st.integers(1, 12), st.integers(0, 6)).map(lambda pair: (pair[0], pair[0] + pair[1]))
ITEMS = st.builds(lambda file, lines: Evidence(file, *lines), FILES, LINES)
QUESTIONS = st.lists(st.lists(ITEMS, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3).map(
    lambda groups: Question("q", "Why?", tuple(groups))
)
PLACES = st.lists(
    st.builds(lambda file, lines, size: RankedChunk(file, *lines, size), FILES, LINES, st.integers(1, 90))
)


@given(QUESTIONS, PLACES, st.integers(1, 300))
def test_figures_equal_a_naive_count(asked: Question, places: list[RankedChunk], budget: int) -> None:
    figures = measure(asked, places, budgets=[budget])
    rank = naive_rank(asked, places)
    for depth in (1, 3, 5, 10):
        assert figures[f"hit@{depth}"] == (rank <= depth)
    assert figures["mrr@10"] == (1 / rank if rank <= 10 else 0)
    assert figures[f"recall@{budget}"] == pytest.approx(naive_recall(asked, places, budget))


@given(QUESTIONS, PLACES)
def test_larger_depths_never_find_less(asked: Question, places: list[RankedChunk]) -> None:
    figures = measure(asked, places)
    hits = [figures[f"hit@{depth}"] for depth in (1, 3, 5, 10)]
    assert hits == sorted(hits)
    assert hits[0] <= figures["mrr@10"] <= hits[-1]
    assert all(0 <= figure <= 1 for figure in figures.values())


def naive_rank(asked: Question, places: list[RankedChunk]) -> float:
    for rank, place in enumerate(places, 1):
        for group in asked.required:
            for item in group:
                wanted = [(item.file, line) for line in range(100) if item.start_line <= line <= item.end_line]
                found = [each for each in wanted if holds(place, *each)]
                if len(found) / len(wanted) >= 0.5:
                    return rank
    return float("inf")


def naive_recall(asked: Question, places: list[RankedChunk], budget: int) -> float:
    read: list[RankedChunk] = []
    for place in places:
        if sum(each.token_count for each in read) + place.token_count <= budget:
            read.append(place)
    total = 0.0
    for group in asked.required:
        shares = []
        for item in group:
            wanted = [(item.file, line) for line in range(100) if item.start_line <= line <= item.end_line]
            shares.append(sum(any(holds(place, *each) for place in read) for each in wanted) / len(wanted))
        total += max(shares)
    return total / len(asked.required)


def holds(place: RankedChunk, file: str, line: int) -> bool:
    return place.source == file and place.start_line <= line <= place.end_line
