"""Filter -> a condition in SQL with its values, which are never part of the SQL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from crosshead.store.filters import has_wildcard, iso_day
from crosshead.store.postgres.rows.texts import TITLE_KEY, storable
from crosshead.store.tags import metadata_tags
from crosshead.types import Filter

_KEYS: Final = "COALESCE(title_keys, titles)"
"""The expression that titles are indexed by."""
_SPECIAL: Final = re.compile(r"[\\%_]")


class Condition(NamedTuple):
    """SQL about a row of `chunks`, to append to other conditions, and the values for its placeholders."""

    sql: str
    values: list[Any]


def to_condition(filter: Filter) -> Condition:
    """Return the condition of a filter; empty if it limits nothing."""
    of_chunk, of_work = _section(filter.section_filter) | _titles(filter.titles), _of_work(filter)
    works = f" AND work_id IN (SELECT id FROM works WHERE {' AND '.join(of_work)})" if of_work else ""
    return Condition("".join(f" AND {sql}" for sql in of_chunk) + works, [*of_chunk.values(), *of_work.values()])


def _section(pattern: str) -> dict[str, Any]:
    pattern = storable(pattern.casefold())
    if not pattern:
        return {}
    if not has_wildcard(pattern, "section_filter"):
        return _compare("@>", [pattern])
    return {"EXISTS (SELECT FROM unnest(titles) AS title WHERE title LIKE %s)": _like(pattern)}


def _titles(titles: Sequence[str]) -> dict[str, Any]:
    return _compare("&&", [storable(title.casefold()) for title in titles]) if titles else {}


def _compare(operator: str, titles: list[str]) -> dict[str, Any]:
    """Compare titles by the index, and also whole if they are too long for it: it holds only their beginnings."""
    keys = [title[:TITLE_KEY] for title in titles]
    whole = {f"titles {operator} %s": titles} if max(map(len, titles)) >= TITLE_KEY else {}
    return {f"{_KEYS} {operator} %s": keys} | whole


def _of_work(filter: Filter) -> dict[str, Any]:
    found: dict[str, Any] = {}
    source = storable(filter.source)
    if source and has_wildcard(source, "source"):
        found["source LIKE %s"] = _like(source)
    elif source:
        found["source = %s"] = source
    if filter.format:
        found["format = %s"] = storable(filter.format)
    if filter.metadata:
        found["tags @> %s"] = [storable(tag) for tag in metadata_tags(filter.metadata)]
    if filter.since:
        found["date >= %s"] = iso_day(filter.since, "since")
    if filter.until:
        found["date <> '' AND date <= %s"] = iso_day(filter.until, "until")
    return found


def _like(glob: str) -> str:
    """Return a glob as a LIKE pattern."""
    escaped = _SPECIAL.sub(r"\\\g<0>", re.sub(r"\*+", "*", glob))
    return escaped.replace("*", "%").replace("?", "_")
