from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pytest

from crosshead import ChunkOptions, CrossheadError, chunk
from crosshead.errors import OptionsError
from crosshead.options import chunk_options, extract_options


def sizes(**given: Any) -> tuple[int, int, int, int]:
    options = ChunkOptions(**given)
    return options.max_tokens, options.target_tokens, options.min_tokens, options.overlap_tokens


def test_defaults() -> None:
    assert {field.name: getattr(ChunkOptions(), field.name) for field in fields(ChunkOptions)} == {
        "strategy": "auto",
        "max_tokens": 400,
        "target_tokens": 400,
        "min_tokens": 100,
        "overlap_tokens": 80,
        "heading_depth": 6,
        "oversize": "keep",
        "front_matter": "metadata",
        "mdx": "auto",
        "tokenizer": "cl100k_base",
        "explain": False,
    }


def test_there_are_twelve_options_at_most() -> None:
    assert len(fields(ChunkOptions)) <= 12


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"max_tokens": 1000}, (1000, 1000, 250, 80)),
        ({"max_tokens": 500}, (500, 500, 125, 80)),
        ({"max_tokens": 100}, (100, 100, 25, 16)),
        ({"max_tokens": 7}, (7, 7, 1, 1)),
        ({"max_tokens": 1}, (1, 1, 0, 0)),
        ({"max_tokens": 1000, "target_tokens": 750}, (1000, 750, 250, 80)),
        ({"target_tokens": 60}, (400, 60, 30, 80)),
        ({"max_tokens": 1000, "min_tokens": 200, "overlap_tokens": 0}, (1000, 1000, 200, 0)),
        ({"overlap_tokens": 399}, (400, 400, 100, 399)),
        ({"min_tokens": 0}, (400, 400, 0, 80)),
    ],
)
def test_sizes_that_are_not_given_follow_the_maximum(given: dict[str, int], expected: tuple[int, ...]) -> None:
    assert sizes(**given) == expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_tokens": 0}, "max_tokens=0 must be a whole number of at least 1"),
        ({"max_tokens": -5}, "max_tokens=-5 must be a whole number of at least 1"),
        ({"max_tokens": 1.5}, "max_tokens=1.5 must be a whole number of at least 1"),
        ({"max_tokens": "400"}, "max_tokens='400' must be a whole number of at least 1"),
        ({"max_tokens": True}, "max_tokens=True must be a whole number of at least 1"),
        ({"target_tokens": 0}, "target_tokens=0 must be a whole number of at least 1"),
        ({"min_tokens": -1}, "min_tokens=-1 must be a whole number of at least 0"),
        ({"overlap_tokens": -1}, "overlap_tokens=-1 must be a whole number of at least 0"),
        ({"heading_depth": 0}, "heading_depth=0 must be a whole number from 1 to 6"),
        ({"heading_depth": 7}, "heading_depth=7 must be a whole number from 1 to 6"),
        ({"target_tokens": 500}, "target_tokens=500 is above max_tokens=400: lower target_tokens or raise max_tokens"),
        (
            {"max_tokens": 100, "target_tokens": 50, "min_tokens": 60},
            "min_tokens=60 is above target_tokens=50: lower min_tokens or raise target_tokens",
        ),
        (
            {"overlap_tokens": 400},
            "overlap_tokens=400 must be below max_tokens=400: lower overlap_tokens or raise max_tokens",
        ),
        ({"strategy": "semantic"}, "strategy='semantic' is not one of auto, section, fixed"),
        ({"oversize": "cut"}, "oversize='cut' is not one of keep, split"),
        ({"front_matter": "drop"}, "front_matter='drop' is not one of metadata, include, strip"),
        ({"mdx": "yes"}, "mdx='yes' is not one of True, False, auto"),
        ({"explain": "yes"}, "explain='yes' is not one of True, False"),
        (
            {"tokenizer": "gpt2"},
            "tokenizer='gpt2' is not one of "
            "cl100k_base, o200k_base, estimate, estimate:prose, estimate:code, characters",
        ),
    ],
)
def test_impossible_options_say_what_to_change(given: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionsError) as caught:
        ChunkOptions(**given)
    assert str(caught.value) == message


def test_min_above_max_is_an_error() -> None:
    with pytest.raises(OptionsError, match="lower min_tokens"):
        ChunkOptions(max_tokens=100, min_tokens=101)


def test_options_error_is_a_value_error_and_ours() -> None:
    assert issubclass(OptionsError, ValueError)
    assert issubclass(OptionsError, CrossheadError)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("max_token", "unknown option 'max_token': did you mean max_tokens?"),
        ("overlap", "unknown option 'overlap': did you mean overlap_tokens?"),
        ("xyz", "unknown option 'xyz': known are strategy, max_tokens, "),
    ],
)
def test_unknown_option_suggests_the_right_one(name: str, message: str) -> None:
    with pytest.raises(OptionsError) as caught:
        chunk_options(**{name: 1})
    assert str(caught.value).startswith(message)


def test_options_are_given_by_name_or_as_one_value_but_not_both() -> None:
    assert chunk("text", max_tokens=50).options == chunk("text", ChunkOptions(max_tokens=50)).options
    with pytest.raises(OptionsError, match="not both"):
        chunk("text", ChunkOptions(), max_tokens=50)


def test_options_never_change() -> None:
    with pytest.raises(FrozenInstanceError):
        ChunkOptions().max_tokens = 5  # type: ignore[misc]
    assert replace(ChunkOptions(), max_tokens=500) != ChunkOptions()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"main_content": "no"}, "main_content='no' is not one of auto, off"),
        ({"base_url": 5}, "base_url=5 must be an address"),
        ({"comments": "yes"}, "comments='yes' is not one of True, False"),
        ({"heading_numbers": "yes"}, "heading_numbers='yes' is not one of True, False"),
        ({"style_map": "HeadA=1"}, "style_map='HeadA=1' must be a table of styles: HeadA=1, Code=code"),
        (
            {"style_map": {"HeadA": 7}},
            "style_map: HeadA=7 means nothing; use one of 1, 2, 3, 4, 5, 6, code, quote, text",
        ),
        ({"comment": True}, "unknown option 'comment': did you mean comments?"),
    ],
)
def test_impossible_options_of_reading_say_what_to_change(given: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionsError) as caught:
        extract_options(**given)
    assert str(caught.value) == message


def test_equal_options_are_checked_once_but_values_of_other_types_are_not_taken_for_equal() -> None:
    assert chunk_options(max_tokens=1) is chunk_options(max_tokens=1)
    with pytest.raises(OptionsError, match="max_tokens=True must be a whole number"):
        chunk_options(max_tokens=True)


def test_a_value_that_cannot_be_hashed_is_an_error_like_any_other() -> None:
    with pytest.raises(OptionsError, match=r"mdx=\[\] is not one of True, False, auto"):
        chunk_options(mdx=[])


@pytest.mark.parametrize(
    ("given", "size"), [("300MB", 300_000_000), ("1.5 g", 1_500_000_000), ("2k", 2_000), (7, 7), ("7", 7)]
)
def test_a_size_may_have_a_unit(given: object, size: int) -> None:
    assert extract_options(max_file_size=given).max_file_size == size


@pytest.mark.parametrize("given", ["", "big", "-1", "3TB", True, None])
def test_what_is_no_size_is_an_error(given: object) -> None:
    with pytest.raises(OptionsError, match="max_file_size"):
        extract_options(max_file_size=given)
