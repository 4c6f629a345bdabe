"""Filters as people type them.

1. a source without wildcards that no document has is a part of a source: a folder, or a piece of a name
2. a breadcrumb may be copied from the page
3. if no document can meet a filter, the first condition that none meets is named, with the values that are there
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Final, Literal, NamedTuple, TypeVar

from crosshead.types import DocumentProperty, Filter, ReadableStore, SearchRequest, metadata_conditions, metadata_text

Request = TypeVar("Request", bound=SearchRequest)

BREADCRUMB: Final = " > "
ON_PAGE: Final = " › "
"""How the page writes it."""
MOST_SHOWN: Final = 8
"""Values that a message lists."""
TITLE_START: Final = 2
"""Characters that a suggested title begins with; the rest may be misspelled."""
MOST_COMPARED: Final = 100
"""Titles to choose suggestions from."""


def resolve_filters(request: Request, store: ReadableStore) -> Request:
    """Return a request with filters as stores compare them."""
    section = request.section_filter.replace(ON_PAGE, BREADCRUMB)
    request = request if section == request.section_filter else replace(request, section_filter=section)
    source = request.source
    if not source or "*" in source or "?" in source or store.matches_any(Filter(source=source)):
        return request
    return replace(request, source="", source_part=source.replace("\\", "/").removeprefix("./"))


class _Single(NamedTuple):
    """One condition of a request."""

    filter: Filter
    text: str
    """The condition in words, as what no document has or is."""
    property: DocumentProperty | Literal[""]
    """What documents have that is compared with it."""
    typed: str = ""


def explain_unmet(request: SearchRequest, store: ReadableStore) -> str:
    """Return why no document can meet the filters of a request; empty if one can, or if it has no filters."""
    request = resolve_filters(request, store)
    single = [*_single_filters(request)]
    if not single or store.matches_any(request):
        return ""
    if not store.contents().documents:
        return "the index holds no documents"
    unmet = next((each for each in single if not store.matches_any(each.filter)), None)
    if unmet:
        return _explain(unmet, store)
    return f"no document meets all filters: {'; '.join(each.text for each in single)}"


def _single_filters(request: SearchRequest) -> Iterator[_Single]:
    for key, wanted in request.metadata.items():
        text = " and ".join(map(str, metadata_conditions({key: wanted})))
        yield _Single(Filter(metadata={key: wanted}), f"has {text}", "tags", key)
    if request.source_part:
        part = request.source_part
        yield _Single(Filter(source_part=part), f"has {part!r} in its source", "source", part)
    if request.source:
        yield _Single(Filter(source=request.source), f"has a source like {request.source}", "source", request.source)
    if request.format:
        yield _Single(Filter(format=request.format), f"has the format {request.format}", "format")
    if request.since:
        yield _Single(Filter(since=request.since), f"is dated {request.since} or later", "date")
    if request.until:
        yield _Single(Filter(until=request.until), f"is dated {request.until} or earlier", "date")
    if request.section_filter:
        section = request.section_filter
        yield _Single(Filter(section_filter=section), f"has a section {section!r}", "", section)


def _explain(single: _Single, store: ReadableStore) -> str:
    """Return that no document meets a condition, and what documents have instead."""
    reason = f"no document {single.text}"
    if not single.property:
        titles = store.complete_titles(single.typed.strip("*? ")[:TITLE_START], MOST_COMPARED)
        return reason + _known("titles", _nearest(single.typed, titles))
    values = store.distinct_values(single.property)
    if single.property == "date":
        return f"{reason}; dates go from {values[0]} to {values[-1]}" if values else f"{reason}; none has a date"
    if single.property == "tags":
        return _explain_metadata(single.typed, reason, values)
    return reason + _known(f"{single.property}s", _nearest(single.typed, values))


def _explain_metadata(key: str, reason: str, tags: Sequence[str]) -> str:
    values = [tag[len(key) + 1 :] for tag in tags if tag.startswith(f"{key}=")]
    if not values:
        keys = [*dict.fromkeys(tag.partition("=")[0] for tag in tags)]
        return f"no document has the key {key!r}" + _known("keys", _nearest(key, keys))
    plain = (value for value in map(json.loads, values) if isinstance(value, str | int | float))
    return reason + _known(key, [metadata_text(value) for value in sorted(plain, key=_order)])


def _order(value: Any) -> tuple[bool, Any]:
    return isinstance(value, str), value


def _nearest(typed: str, values: Iterable[str]) -> list[str]:
    """Return values, those that are spelled alike first."""
    by_case = {value.casefold(): value for value in values}
    close = [by_case[each] for each in get_close_matches(typed.casefold(), by_case, n=3, cutoff=0.4)]
    return [*close, *(value for value in by_case.values() if value not in close)]


def _known(name: str, values: Sequence[str]) -> str:
    if not values:
        return ""
    rest = len(values) - MOST_SHOWN
    more = f" and {rest:,} more" if rest > 0 else ""
    return f"; known {name}: {', '.join(values[:MOST_SHOWN])}{more}"
