from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from crosshead.errors import OptionsError
from crosshead.types import given_metadata, metadata_conditions, metadata_text, parse_given, parse_metadata


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["team=infra"], {"team": "infra"}),
        ([" team = infra "], {"team": "infra"}),
        (["team=infra,web"], {"team": ["infra", "web"]}),
        (["team=[infra]"], {"team": "[infra]"}),
        (["title=Hello, world"], {"title": "Hello, world"}),
        (['title="a,b",c'], {"title": ["a,b", "c"]}),
        (['year="2024"', "draft=true"], {"year": "2024", "draft": True}),
        (["team!=web", "team!=x,y"], {"team": {"not": ["web", "x", "y"]}}),
        (["year>=2024", "year < 2026.5"], {"year": {">=": 2024, "<": 2026.5}}),
        (["date>2026-01-31"], {"date": {">": "2026-01-31"}}),
        (["tags=a", "tags=b,c"], {"tags": {"all": ["a", ["b", "c"]]}}),
        (["team=*"], {"team": {"exists": True}}),
        (["team!=*"], {"team": {"exists": False}}),
        (["formula=a=b>c"], {"formula": "a=b>c"}),
        (["empty="], {"empty": ""}),
    ],
)
def test_conditions_are_typed_in_one_syntax(typed: list[str], expected: dict[str, Any]) -> None:
    assert parse_metadata(typed) == expected


@pytest.mark.parametrize("typed", ["team", "=infra", "", "year==2024", "year=>2024", "!=x", ">5"])
def test_another_shape_is_an_error_that_shows_the_right_one(typed: str) -> None:
    with pytest.raises(OptionsError, match="is not a metadata filter: write KEY=VALUE, as in team=infra"):
        parse_metadata([typed])


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({}, "team has no condition"),
        ([], "is not a text, a number, a date, or a list of them"),
        (object(), "is not a text, a number"),
        ([["infra"]], "is not a text, a number"),
        ({"gte": 3}, "'gte': 3} is not understood: known are >=, >, <=, <, not, all, exists"),
        ({"exists": "yes"}, "is not understood"),
        ({">=": "abc"}, "team>='abc': a range needs a number, or a day such as 2026-01-31"),
        ({">=": True}, "a range needs"),
        ({">=": float("nan")}, "a range needs"),
        ({"<": None}, "a range needs"),
    ],
)
def test_a_value_that_is_not_understood_is_an_error(wanted: object, message: str) -> None:
    with pytest.raises(OptionsError) as error:
        metadata_conditions({"team": wanted})
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "typed",
    ["team=infra", "team=infra,web", "team!=web", "year>=2024", "year<2026.5", "d<=2026-01-31", "team=*", "team!=*",
     'year="2024"', 'draft="true"', 'star="*"', 'x=""', 'x="a,b"', "x=a, b", "draft=true"],
)  # fmt: skip
def test_a_condition_is_shown_as_it_is_typed(typed: str) -> None:
    (condition,) = metadata_conditions(parse_metadata([typed]))
    assert str(condition) == typed
    assert metadata_conditions(parse_metadata([str(condition)])) == [condition]


def test_dates_are_days() -> None:
    assert [each.values for each in metadata_conditions({"d": {">=": date(2026, 1, 31)}})] == [("2026-01-31",)]


def test_values_are_shown_as_they_are_typed() -> None:
    assert [*map(metadata_text, ["a b", "1", 1, True, "true", ""])] == ["a b", '"1"', "1", "true", '"true"', '""']


def test_given_values_are_read_like_front_matter() -> None:
    pairs = ["team=infra", "tags=[a, b]", "year=2024", "draft=true", "date=2026-01-31", "formula=a=b", "gone="]
    assert parse_given(pairs) == {
        "team": "infra", "tags": ["a", "b"], "year": 2024, "draft": True, "date": "2026-01-31", "formula": "a=b",
    }  # fmt: skip
    with pytest.raises(OptionsError, match="'team' is not metadata: write KEY=VALUE"):
        parse_given(["team"])


def test_given_metadata_is_what_json_gives_back() -> None:
    assert given_metadata({"d": date(2026, 1, 31), "t": ("a", 1)}) == {"d": "2026-01-31", "t": ["a", 1]}
    for wrong in ("team=infra", {1: "x"}, {" ": "x"}, {"x": {1, 2}}, {"x": object()}):
        with pytest.raises(OptionsError, match="metadata"):
            given_metadata(wrong)
