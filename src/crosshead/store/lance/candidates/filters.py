"""Filter -> a condition in the SQL of Lance.

1. a value reaches SQL only through `quote`
2. a glob is matched with the distinct values of its column; the index of the column finds the rows of those that match
3. values that are adjacent in an ordered index become a range
4. a list that would be very long becomes a regular expression of escaped characters, which is tried row by row
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from crosshead.ids import encodable
from crosshead.store.filters import has_wildcard, iso_day, part_pattern
from crosshead.store.headings import SEPARATOR, as_document
from crosshead.store.tags import equal_tags, meets
from crosshead.types import Filter, MetadataCondition, metadata_conditions

if TYPE_CHECKING:
    import pyarrow as pa

MOST_VALUES: Final = 1_000
"""Longest list; parsing a longer one takes as long as trying every row."""
SHORTEST_RANGE: Final = 20
"""Fewer adjacent values are faster to look up one by one."""
NOTHING: Final = "false"
_ANY: Final = "(?s:.)"
_ANY_OF_TITLE: Final = f"[^{SEPARATOR}]"


def to_sql(filter: Filter, values_of: Callable[[str], pa.Array]) -> str:
    """Return the condition of a filter, empty if it limits nothing; `values_of` returns the values of a column."""
    conditions = []
    if filter.section_filter:
        conditions.append(_section(encodable(filter.section_filter).casefold(), values_of))
    if filter.titles:
        conditions.append(_has_any([encodable(title).casefold() for title in filter.titles]))
    if filter.source:
        conditions.append(_source(encodable(filter.source), values_of))
    if filter.source_part:
        pattern = part_pattern(encodable(filter.source_part), "source")
        conditions.append(_sources_like(pattern, values_of))
    if filter.format:
        conditions.append(f"format = {quote(filter.format)}")
    conditions += [_metadata(each, values_of) for each in metadata_conditions(filter.metadata)]
    if filter.since:
        conditions.append(f"date >= {quote(iso_day(filter.since, 'since'))}")
    if filter.until:
        conditions.append(f"date != '' AND date <= {quote(iso_day(filter.until, 'until'))}")
    return " AND ".join(conditions)


def quote(value: str) -> str:
    """Return a string as an SQL literal, in which only the quote is special."""
    return "'" + encodable(value).replace("'", "''") + "'"


def one_of(column: str, values: Sequence[str]) -> str:
    """Return the condition that a column has one of some values."""
    return f"{column} IN ({', '.join(map(quote, values))})"


def distinct(column: pa.ChunkedArray) -> pa.Array:
    """Return the distinct values of a column, or of the lists in it, in order."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = pc.list_flatten(column) if pa.types.is_list(column.type) else column
    found = pc.unique(pc.drop_null(values))
    return found.take(pc.sort_indices(found))


def _section(pattern: str, values_of: Callable[[str], pa.Array]) -> str:
    if not has_wildcard(pattern, "section_filter"):
        return _has_any([pattern, as_document(pattern)])
    found = [title for run in _matching_runs(values_of("titles"), f"^{_glob(pattern, _ANY)}$") for title in run]
    if len(found) <= MOST_VALUES:
        return _has_any(found) if found else NOTHING
    titles = f"array_to_string(titles, {quote(SEPARATOR)})"
    return _matches(titles, f"(?:^|{SEPARATOR}){_glob(pattern, _ANY_OF_TITLE)}(?:{SEPARATOR}|$)")


def _has_any(titles: Sequence[str]) -> str:
    return f"array_has_any(titles, [{', '.join(map(quote, titles))}])"


def _metadata(condition: MetadataCondition, values_of: Callable[[str], pa.Array]) -> str:
    tags = equal_tags(condition) or _tags_that_meet(condition, values_of("tags"))
    has_any = f"array_has_any(tags, [{', '.join(map(quote, tags))}])" if tags else NOTHING
    return f"NOT {has_any}" if condition.operator == "!=" else has_any


def _tags_that_meet(condition: MetadataCondition, tags: pa.Array) -> list[str]:
    import pyarrow.compute as pc

    lead = f"{encodable(condition.key)}="
    of_key: list[str] = tags.filter(pc.starts_with(tags, lead)).to_pylist()
    return [tag for tag in of_key if meets(condition, tag[len(lead) :])]


def _source(pattern: str, values_of: Callable[[str], pa.Array]) -> str:
    if not has_wildcard(pattern, "source"):
        return f"source = {quote(pattern)}"
    return _sources_like(f"^{_glob(pattern, _ANY)}$", values_of)


def _sources_like(expression: str, values_of: Callable[[str], pa.Array]) -> str:
    runs = _matching_runs(values_of("source"), expression)
    if sum(min(len(run), SHORTEST_RANGE) for run in runs) > MOST_VALUES:
        return _matches("source", expression)
    short = [value for run in runs if len(run) < SHORTEST_RANGE for value in run]
    ranges = (run for run in runs if len(run) >= SHORTEST_RANGE)
    conditions = [f"source BETWEEN {quote(run[0])} AND {quote(run[-1])}" for run in ranges]
    conditions += [one_of("source", short)] if short else []
    return f"({' OR '.join(conditions)})" if conditions else NOTHING


def _matching_runs(values: pa.Array, expression: str) -> list[list[str]]:
    """Return the values that match a regular expression, in runs of adjacent ones."""
    import numpy as np
    import pyarrow.compute as pc

    found = np.flatnonzero(pc.match_substring_regex(values, expression))
    runs = np.split(found, np.flatnonzero(np.diff(found) > 1) + 1) if len(found) else []
    return [values[int(run[0]) : int(run[-1]) + 1].to_pylist() for run in runs]


def _glob(pattern: str, any_character: str) -> str:
    wildcards = {"*": f"{any_character}*", "?": any_character}
    return "".join(wildcards.get(char) or re.escape(char) for char in re.sub(r"\*+", "*", pattern))


def _matches(column: str, pattern: str) -> str:
    return f"regexp_like({column}, {quote(pattern)})"
