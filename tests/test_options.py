"""Defaults, what follows max_tokens, and errors that say what to change."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from crosshead import ChunkOptions
from crosshead.errors import OptionsError
from crosshead.options import chunk_options


def sizes(**given: Any) -> tuple[int, int, int, int]:
    options = ChunkOptions(**given)
    return options.max_tokens, options.target_tokens, options.min_tokens, options.overlap_tokens


def test_defaults() -> None:
    assert sizes() == (400, 400, 100, 80)
    assert ChunkOptions().heading_depth == 6


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"max_tokens": 1000}, (1000, 1000, 250, 80)),
        ({"max_tokens": 200}, (200, 200, 50, 32)),
        ({"max_tokens": 1}, (1, 1, 0, 0)),
        ({"max_tokens": 400, "target_tokens": 60}, (400, 60, 60, 64)),
        ({"max_tokens": 512, "overlap_tokens": 0}, (512, 512, 128, 0)),
    ],
)
def test_sizes_that_are_not_given_follow_the_maximum(given: dict[str, int], expected: tuple[int, ...]) -> None:
    assert sizes(**given) == expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"min_tokens": 500}, "min_tokens=500 is above target_tokens=400: lower min_tokens or raise target_tokens"),
        ({"target_tokens": 500}, "target_tokens=500 is above max_tokens=400"),
        ({"max_tokens": 50, "overlap_tokens": 50}, "overlap_tokens=50 must be below max_tokens=50"),
        ({"max_tokens": 0}, "max_tokens=0 must be a whole number of at least 1"),
        ({"max_tokens": True}, "max_tokens=True must be a whole number"),
        ({"max_tokens": "many"}, "max_tokens='many' must be a whole number"),
        ({"heading_depth": 7}, "heading_depth=7 must be a whole number from 1 to 6"),
        ({"strategy": "semantic"}, "strategy='semantic' is not one of auto, section, fixed"),
        ({"oversize": "drop"}, "oversize='drop' is not one of keep, split"),
        ({"front_matter": "eat"}, "front_matter='eat' is not one of"),
        ({"tokenizer": "p50k"}, "tokenizer='p50k' is not one of cl100k_base"),
        ({"mdx": "yes"}, "mdx='yes' is not one of"),
    ],
)
def test_impossible_options_say_what_to_change(given: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionsError) as caught:
        chunk_options(**given)
    assert message in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_unknown_name_suggests_the_right_one() -> None:
    with pytest.raises(OptionsError, match="unknown option 'max_token': did you mean max_tokens"):
        chunk_options(max_token=5)


def test_there_are_at_most_twelve_options() -> None:
    assert len(fields(ChunkOptions)) <= 12
