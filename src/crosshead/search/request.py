"""Keywords of a caller -> one `SearchRequest`, checked."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import date, datetime
from typing import Any, Final, TypeVar

from crosshead.errors import OptionsError
from crosshead.options import check_names, check_types
from crosshead.types import SearchRequest

Request = TypeVar("Request", bound=SearchRequest)

TRIED_FIRST: Final = {
    "k": "limit",
    "n": "limit",
    "top_k": "limit",
    "filter": "section_filter, source, format, metadata, since or until",
    "filters": "section_filter, source, format, metadata, since or until",
    "section": "section_filter",
    "where": "metadata",
    "reranker": "rerank",
    "budget": "budget_tokens",
}
"""Names that other libraries use."""
NOT_KEYWORDS: Final = ("query", "titles", "given")


def make_request(kind: type[Request], query: str, given: Mapping[str, Any]) -> Request:
    """Check keywords and return them as a request; None stands for the default."""
    check_names(given, [each.name for each in fields(kind) if each.init and each.name not in NOT_KEYWORDS], TRIED_FIRST)
    check_types(str, query=query)
    values: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    for name in ("section_filter", "source", "format"):
        check_types(str, **{name: values.get(name, "")})
    check_types(Mapping | None, metadata=values.get("metadata"))
    days: dict[str, str] = {name: _day(name, values[name]) for name in ("since", "until") if name in values}
    values.update(days)
    return kind(query=query, given=frozenset(values), **values)


def parse_metadata(pairs: Sequence[str]) -> dict[str, Any]:
    """Read `KEY=VALUE` pairs. A value is read like front matter, so `draft=true` finds `draft: true`."""
    import yaml

    found = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise OptionsError(f"{reprlib.repr(pair)} is not a metadata filter: write KEY=VALUE, as in team=infra")
        try:
            read = yaml.safe_load(value)
        except (yaml.YAMLError, ValueError, RecursionError):
            read = value
        found[key.strip()] = read if isinstance(read, bool | int | float | str) else value
    return found


def _day(name: str, value: object) -> str:
    check_types(str | date, **{name: value})
    return str(value.date() if isinstance(value, datetime) else value)
