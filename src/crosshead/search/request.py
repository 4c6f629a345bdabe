"""Keywords of a caller -> one `SearchRequest`, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import Field, fields
from datetime import date, datetime
from typing import Any, Final, TypeVar, get_origin, get_type_hints

from crosshead.options import check_names, check_types
from crosshead.types import Filter, SearchRequest, metadata_conditions, parse_metadata

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
    "expand": "expand_context",
}
"""Names that other libraries use."""
NOT_KEYWORDS: Final = ("query", "source_part", "titles", "given")


def make_request(kind: type[Request], query: str, given: Mapping[str, Any]) -> Request:
    """Check keywords and return them as a request; None stands for the default."""
    check_names(given, [each.name for each in fields(kind) if each.init and each.name not in NOT_KEYWORDS], TRIED_FIRST)
    check_types(str, query=query)
    values: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    values |= {each.name: _filter_value(each, values[each.name]) for each in FILTERS if each.name in values}
    return kind(query=query, given=frozenset(values), **values)


def read_metadata(conditions: Sequence[str] | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return conditions on metadata that are typed as texts, or already a mapping, as `search` takes them."""
    return conditions if isinstance(conditions, Mapping) else parse_metadata(conditions)


def _filter_value(filter: Field[Any], value: Any) -> Any:
    """Check the type of a filter; return a date as a day, and a mapping as a copy that no caller changes later."""
    if filter.metadata["metavar"] == "DAY":
        check_types(str | date, **{filter.name: value})
        return str(value.date() if isinstance(value, datetime) else value)
    hint = get_type_hints(Filter)[filter.name]
    kind = get_origin(hint) or hint
    check_types(kind, **{filter.name: value})
    if kind is not Mapping:
        return value
    metadata_conditions(value)  # raises an error for a shape that is not understood
    return dict(value)
