from __future__ import annotations

import pytest

from crosshead.model import Found
from crosshead.search.fuse import Fused, Weights, fuse


def ranked(ids: str) -> list[Found]:
    return [Found(each, 1.0) for each in ids]


def test_scores_are_sums_of_weighted_reciprocal_ranks() -> None:
    fused = fuse(ranked("ab"), ranked("bc"), Weights(lexical=1.0, dense=0.5), 10)
    assert fused == [
        Fused("b", pytest.approx(1 / 12 + 0.5 / 11), 2, 1),
        Fused("a", pytest.approx(1 / 11), 1, None),
        Fused("c", pytest.approx(0.5 / 12), None, 2),
    ]


def test_equal_scores_are_ordered_by_id() -> None:
    fused = fuse(ranked("ba"), ranked("ab"), Weights(1.0, 1.0), 10)
    assert [each.chunk_id for each in fused] == ["a", "b"]
    assert fused[0].score == fused[1].score


def test_a_side_without_weight_only_adds_at_the_end() -> None:
    assert [each.chunk_id for each in fuse(ranked("ab"), ranked("ca"), Weights(1.0, 0.0), 10)] == ["a", "b", "c"]


def test_k_may_be_zero() -> None:
    assert fuse(ranked("a"), [], Weights(1.0, 1.0), 0) == [Fused("a", 1.0, 1, None)]


def test_a_smaller_k_lets_first_places_count_more() -> None:
    lexical, dense = ranked("axyzb"), ranked("uvwb")
    assert fuse(lexical, dense, Weights(1.0, 1.0), 0)[0].chunk_id == "a"
    assert fuse(lexical, dense, Weights(1.0, 1.0), 60)[0].chunk_id == "b"


def test_nothing_found() -> None:
    assert fuse([], [], Weights(1.0, 0.5), 10) == []
