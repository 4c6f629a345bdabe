from __future__ import annotations

from dataclasses import fields
from datetime import date, datetime
from typing import Any

import pytest

from crosshead.errors import OptionsError
from crosshead.search import make_request
from crosshead.search.defaults import with_defaults
from crosshead.types import Filter, PassageRequest, SearchKeywords, SearchRequest, parse_metadata


def test_type_checkers_know_every_keyword() -> None:
    made_elsewhere = {"query", "limit", "mode", "source_part", "titles", "given"}
    assert {each.name for each in fields(SearchRequest)} - made_elsewhere == set(SearchKeywords.__annotations__)


@pytest.mark.parametrize("name", [each.name for each in fields(Filter) if each.metadata])
def test_every_filter_refuses_a_value_of_another_type(name: str) -> None:
    with pytest.raises(OptionsError, match=f"{name}=.* must be a"):
        make_request(SearchRequest, "keys", {name: object()})


def test_a_request_does_not_change_with_the_metadata_that_it_was_made_of() -> None:
    metadata = {"team": "infra"}
    request = make_request(SearchRequest, "keys", {"metadata": metadata})
    metadata["team"] = "web"
    assert request.metadata == {"team": "infra"}


@pytest.mark.parametrize("name", ["relative_cosines", "rerank_pieces"])
def test_a_switch_is_true_or_false(name: str) -> None:
    with pytest.raises(OptionsError, match=f"{name}='no' is not one of True, False"):
        make_request(SearchRequest, "keys", {name: "no"})


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("limt", "limit"),
        ("k", "limit"),
        ("top_k", "limit"),
        ("filter", "section_filter, source"),
        ("section", "section_filter"),
        ("where", "metadata"),
        ("reranker", "rerank"),
    ],
)
def test_a_wrong_name_is_an_error_that_suggests_the_right_one(name: str, hint: str) -> None:
    with pytest.raises(OptionsError, match=f"did you mean {hint}"):
        make_request(SearchRequest, "keys", {name: 3})


@pytest.mark.parametrize("kind", [SearchRequest, PassageRequest])
@pytest.mark.parametrize("expansion", ["2", "link", -1, 1.5])
def test_an_expansion_is_a_switch_or_a_whole_number_or_links(kind: type[SearchRequest], expansion: Any) -> None:
    with pytest.raises(OptionsError, match=r"expand_context=.*(a whole number of at least 0|nor 'links')"):
        make_request(kind, "keys", {"expand_context": expansion})
    requests = [make_request(kind, "keys", {"expand_context": each}) for each in (True, 3, "links")]
    assert [each.expand_context for each in requests] == [1, 3, "links"]


def test_none_stands_for_the_default() -> None:
    request = make_request(SearchRequest, "keys", {"source": None, "per_document": None})
    assert request == SearchRequest(query="keys")


@pytest.mark.parametrize("day", ["2026-01-31", date(2026, 1, 31), datetime(2026, 1, 31, 12, 0)])
def test_days_are_dates_or_text(day: Any) -> None:
    assert make_request(SearchRequest, "keys", {"since": day}).since == "2026-01-31"


def test_values_that_the_caller_set_win_over_the_defaults_of_the_index() -> None:
    settings = {"embedder": "static"}
    assert with_defaults(make_request(SearchRequest, "keys", {}), settings).dense_weight == 0.4
    assert with_defaults(make_request(SearchRequest, "keys", {"dense_weight": 0.8}), settings).dense_weight == 0.8


def test_metadata_is_read_like_front_matter() -> None:
    pairs = ["draft=true", "version=2", "team=infra", "since=2026-01-31", "formula=a=b"]
    expected = {"draft": True, "version": 2, "team": "infra", "since": "2026-01-31", "formula": "a=b"}
    assert parse_metadata(pairs) == expected


@pytest.mark.parametrize("pair", ["team", "=infra", ""])
def test_what_is_not_a_pair_is_an_error(pair: str) -> None:
    with pytest.raises(OptionsError, match="KEY=VALUE"):
        parse_metadata([pair])
