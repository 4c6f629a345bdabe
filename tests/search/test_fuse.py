from __future__ import annotations

import pytest

from crosshead.search.ranking.fuse import UNSEEN_DENSE, UNSEEN_LEXICAL, FusedCandidate, Weights, fuse
from crosshead.types import Candidate, relative


def found(**scores: float) -> list[Candidate]:
    return [Candidate(chunk_id, score) for chunk_id, score in scores.items()]


def order(fused: list[FusedCandidate]) -> str:
    return "".join(each.chunk_id for each in fused)


def test_scores_are_weighted_sums_as_a_share_of_the_most_there_can_be() -> None:
    [best, other] = fuse(found(a=0.8, b=0.2), found(a=0.5, b=0.4), Weights(lexical=1.0, dense=0.5, entities=0.5))
    assert best == FusedCandidate("a", pytest.approx((0.8 + 0.25) / 2), 1, 1, 0.8, 0.5, 0.8, 0.5)
    assert other.score == pytest.approx((0.2 + 0.2) / 2)


def test_what_one_side_did_not_find_has_less_than_the_last_that_it_found() -> None:
    by_id = {each.chunk_id: each for each in fuse(found(a=0.8, b=0.4), found(c=0.9, d=0.5), Weights(1.0, 1.0, 0.0))}
    assert by_id["b"].score == pytest.approx((0.4 + UNSEEN_DENSE * 0.5) / 2)
    assert by_id["c"].score == pytest.approx((0.9 + UNSEEN_LEXICAL * 0.4) / 2)
    assert (by_id["b"].dense_rank, by_id["b"].dense_score) == (None, None)
    assert (by_id["c"].lexical_rank, by_id["c"].lexical_score) == (None, None)


def test_vectors_decide_where_words_are_hardly_found() -> None:
    lexical, dense = {"a": 1.0, "b": 0.5}, {"b": 0.6, "a": 0.3}
    assert order(fuse(found(**lexical), found(**dense), Weights(1.0, 1.0, 0.0))) == "ab"
    weak = {chunk_id: score / 10 for chunk_id, score in lexical.items()}
    assert order(fuse(found(**weak), found(**dense), Weights(1.0, 1.0, 0.0))) == "ba"


def test_negative_cosines_take_nothing_away() -> None:
    [_, other] = fuse(found(a=0.5, b=0.1), found(a=1.0, b=-0.5), Weights(1.0, 1.0, 0.0))
    assert other.score == pytest.approx(0.05)


def test_equal_scores_are_ordered_by_id() -> None:
    fused = fuse(found(b=0.5, a=0.5), found(a=0.5, b=0.5), Weights(1.0, 1.0, 0.0))
    assert order(fused) == "ab"
    assert fused[0].score == fused[1].score


def test_a_side_without_weight_only_adds_at_the_end() -> None:
    assert order(fuse(found(a=0.5, b=0.4), found(c=0.9, a=0.1), Weights(1.0, 0.0, 0.0))) == "abc"


def test_no_weights_are_no_fault() -> None:
    assert [each.score for each in fuse(found(a=0.5), [], Weights(0.0, 0.0, 0.0))] == [0.0]


def test_nothing_found() -> None:
    assert fuse([], [], Weights(1.0, 0.5, 0.1)) == []


def test_relative_scores_begin_with_the_last_candidate() -> None:
    assert relative(found(a=0.9, b=0.85, c=0.8)) == [("a", pytest.approx(0.5)), ("b", pytest.approx(0.25)), ("c", 0.0)]
    assert relative(found(a=1.0, b=1.0)) == found(a=1.0, b=1.0)
    assert relative([]) == []
