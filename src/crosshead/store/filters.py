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
LONGEST_GLOB: Final = 1_000
"""Characters; the expression that is made of a glob has to fit into the memory of a query."""
_ANY: Final = "(?s:.)"
_ANY_OF_TITLE: Final = f"[^{SEPARATOR}]"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def to_sql(filter: Filter) -> str:
    """Return the condition of a filter; empty if it limits nothing."""
    conditions = []
    if filter.section:
        conditions.append(_section(filter.section.casefold()))
    if filter.source:
        conditions.append(_source(filter.source))
    if filter.format:
        conditions.append(f"format = {quote(filter.format)}")
    conditions += [f"array_has(tags, {quote(tag)})" for tag in metadata_tags(filter.metadata.items())]
    if filter.since:
        conditions.append(f"date >= {quote(day(filter.since, 'since'))}")
    if filter.until:
        conditions.append(f"date != '' AND date <= {quote(day(filter.until, 'until'))}")
    return " AND ".join(conditions)


def quote(value: str) -> str:
    """Return a string as a literal of SQL, in which nothing but the quote has a meaning."""
    return "'" + encodable(value).replace("'", "''") + "'"


def encodable(text: str) -> str:
    """Return a text that can be stored: half a surrogate pair, which UTF-8 does not know, is replaced."""
    return _SURROGATE.sub("\ufffd", text)


def one_of(column: str, values: Sequence[str]) -> str:
    """Return the condition that a column has one of some values."""
    return f"{column} IN ({', '.join(map(quote, values))})"


def titles_column(titles: Iterable[str]) -> list[str]:
    """Return the titles of a chunk, each once, as `section` is matched against them."""
    return list(dict.fromkeys(title.replace(SEPARATOR, " ").casefold() for title in titles if title))


def metadata_tags(items: Iterable[tuple[str, Any]]) -> list[str]:
    """Return metadata as strings that are equal if and only if key and value are."""
    return [f"{key}={canonical_json(value)}" for key, value in items]


def has_wildcard(pattern: str, name: str) -> bool:
    """Return whether a pattern is more than the text itself; one that is too long is an error."""
    if len(pattern) > LONGEST_GLOB:
        raise OptionsError(f"{name}: a pattern has at most {LONGEST_GLOB} characters, not {len(pattern)}")
    return "*" in pattern or "?" in pattern


def day(value: str, name: str) -> str:
    """Return a day as it is compared; what is none is an error."""
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError as error:
        raise OptionsError(f"{name}={value!r} is no day: write it as 2026-01-31") from error


def _section(pattern: str) -> str:
    """A title without wildcards is looked up in an index."""
    if not has_wildcard(pattern, "section"):
        return f"array_has(titles, {quote(pattern)})"
    titles = f"array_to_string(titles, {quote(SEPARATOR)})"
    return _matches(titles, f"(?:^|{SEPARATOR}){_glob(pattern, _ANY_OF_TITLE)}(?:{SEPARATOR}|$)")


def _source(pattern: str) -> str:
    if not has_wildcard(pattern, "source"):
        return f"source = {quote(pattern)}"
    return _matches("source", f"^{_glob(pattern, _ANY)}$")


def _glob(pattern: str, any_character: str) -> str:
    wildcards = {"*": f"{any_character}*", "?": any_character}
    return "".join(wildcards.get(char) or re.escape(char) for char in re.sub(r"\*+", "*", pattern))


def _matches(column: str, pattern: str) -> str:
    return f"regexp_like({column}, {quote(pattern)})"
