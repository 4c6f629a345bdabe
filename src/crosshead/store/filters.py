"""Filter -> a condition in the SQL of Lance.

A value reaches SQL only through `quote`, and a glob only as a regular expression made of escaped characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Final

from crosshead.errors import OptionsError
from crosshead.ids import canonical_json
from crosshead.model import Filter

SEPARATOR: Final = "\x1f"
"""Between the titles of a chunk; it is in no heading."""
_WILDCARDS: Final = {"*": ".*", "?": "."}


def to_sql(filter: Filter) -> str:
    """Return the condition of a filter; empty if it limits nothing."""
    conditions = []
    if filter.section:
        conditions.append(_matches("titles", f"{SEPARATOR}{_glob(filter.section.lower())}{SEPARATOR}"))
    if filter.source:
        conditions.append(_matches("source", f"^{_glob(filter.source)}$"))
    if filter.format:
        conditions.append(f"format = {quote(filter.format)}")
    conditions += [f"array_has(tags, {quote(tag)})" for tag in metadata_tags(filter.metadata.items())]
    if filter.since:
        conditions.append(f"date >= {quote(_day(filter.since, 'since'))}")
    if filter.until:
        conditions.append(f"date != '' AND date <= {quote(_day(filter.until, 'until'))}")
    return " AND ".join(conditions)


def quote(value: str) -> str:
    """Return a string as a literal of SQL."""
    return "'" + value.replace("\0", "").replace("'", "''") + "'"


def one_of(column: str, values: Sequence[str]) -> str:
    """Return the condition that a column has one of some values."""
    return f"{column} IN ({', '.join(map(quote, values))})"


def titles_column(titles: Iterable[str]) -> str:
    """Return the titles of a chunk as `section` is matched against them."""
    return SEPARATOR + SEPARATOR.join(title.replace(SEPARATOR, " ").lower() for title in titles) + SEPARATOR


def metadata_tags(items: Iterable[tuple[str, Any]]) -> list[str]:
    """Return metadata as strings that are equal if and only if key and value are."""
    return [f"{key}={canonical_json(value)}" for key, value in items]


def _glob(pattern: str) -> str:
    return "".join(
        _WILDCARDS[char].replace(".", f"[^{SEPARATOR}]") if char in _WILDCARDS else re.escape(char) for char in pattern
    )


def _matches(column: str, pattern: str) -> str:
    return f"regexp_like({column}, {quote(pattern)})"


def _day(value: str, name: str) -> str:
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError as error:
        raise OptionsError(f"{name}={value!r} is no day: write it as 2026-01-31") from error
