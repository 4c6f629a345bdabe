"""Keywords of a caller -> one `SearchRequest`, checked."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import Field, fields
from datetime import date, datetime
from typing import Any, Final, TypeVar, get_origin, get_type_hints

from crosshead.errors import OptionsError
from crosshead.options import check_names, check_types
from crosshead.types import Filter, SearchRequest

Request = TypeVar("Request", bound=SearchRequest)

FILTERS: Final = tuple(each for each in fields(Filter) if each.metadata)
"""Those that a caller sets."""
_ANY_FILTER: Final = " or ".join(", ".join(each.name for each in FILTERS).rsplit(", ", 1))
TRIED_FIRST: Final = {
    "k": "limit",
    "n": "limit",
    "top_k": "limit",
    "filter": _ANY_FILTER,
    "filters": _ANY_FILTER,
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
    values |= {each.name: _filter_value(each, values[each.name]) for each in FILTERS if each.name in values}
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


def _filter_value(filter: Field[Any], value: Any) -> Any:
    """Check the type of a filter; return a date as a day, and a mapping as a copy that no caller changes later."""
    if filter.metadata["metavar"] == "DAY":
        check_types(str | date, **{filter.name: value})
        return str(value.date() if isinstance(value, datetime) else value)
    hint = get_type_hints(Filter)[filter.name]
    kind = get_origin(hint) or hint
    check_types(kind, **{filter.name: value})
    return dict(value) if kind is Mapping else value
