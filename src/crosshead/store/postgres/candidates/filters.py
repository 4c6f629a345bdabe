"""Filter -> a condition in SQL with its values, which are never part of the SQL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from crosshead.store.filters import has_wildcard, iso_day, part_pattern
from crosshead.store.headings import as_document
from crosshead.store.postgres.rows.texts import TITLE_KEY, storable
from crosshead.store.tags import DAY, DAY_SPAN, NOTHING, NUMBER, equal_tags
from crosshead.types import Filter, MetadataCondition, metadata_conditions

_KEYS: Final = "COALESCE(title_keys, titles)"
"""The expression that titles are indexed by."""
_SPECIAL: Final = re.compile(r"[\\%_]")


class Condition(NamedTuple):
    """SQL about a row, and the values for its placeholders."""

    sql: str
    values: list[Any]


def to_condition(filter: Filter) -> Condition:
    """Return a filter as SQL about a row of `chunks`, to append to other conditions; empty if it limits nothing."""
    conditions = [*_section(filter.section_filter), *_titles(filter.titles)]
    if of_work := _of_work(filter):
        sql, values = _joined(of_work)
        conditions.append(Condition(f"work_id IN (SELECT id FROM works WHERE {sql})", values))
    sql, values = _joined(conditions)
    return Condition(f" AND {sql}" if sql else "", values)


def _joined(conditions: Sequence[Condition]) -> Condition:
    sql = " AND ".join(each.sql for each in conditions)
    return Condition(sql, [value for each in conditions for value in each.values])


def _section(pattern: str) -> list[Condition]:
    pattern = storable(pattern.casefold())
    if not pattern:
        return []
    if not has_wildcard(pattern, "section_filter"):
        return _has_any([pattern, as_document(pattern)])
    return [Condition("EXISTS (SELECT FROM unnest(titles) AS title WHERE title LIKE %s)", [_like(pattern)])]


def _titles(titles: Sequence[str]) -> list[Condition]:
    return _has_any([storable(title.casefold()) for title in titles]) if titles else []


def _has_any(titles: list[str]) -> list[Condition]:
    """Compare titles by the index, and also whole if they are too long for it: it holds only their beginnings."""
    keys = Condition(f"{_KEYS} && %s", [[title[:TITLE_KEY] for title in titles]])
    is_long = max(map(len, titles)) >= TITLE_KEY
    return [keys, Condition("titles && %s", [titles])] if is_long else [keys]


def _of_work(filter: Filter) -> list[Condition]:
    found = [*map(_metadata, metadata_conditions(filter.metadata))]
    source = storable(filter.source)
    if source and has_wildcard(source, "source"):
        found.append(Condition("source LIKE %s", [_like(source)]))
    elif source:
        found.append(Condition("source = %s", [source]))
    if filter.source_part:
        found.append(Condition("source ~ %s", [part_pattern(storable(filter.source_part), "source")]))
    if filter.format:
        found.append(Condition("format = %s", [storable(filter.format)]))
    if filter.since:
        found.append(Condition("date >= %s", [iso_day(filter.since, "since")]))
    if filter.until:
        found.append(Condition("date <> '' AND date <= %s", [iso_day(filter.until, "until")]))
    return found


def _metadata(condition: MetadataCondition) -> Condition:
    tags = [storable(tag) for tag in equal_tags(condition)]
    has_any = Condition("tags && %s", [tags]) if tags else _has_value(condition)
    return has_any._replace(sql=f"NOT {has_any.sql}") if condition.operator == "!=" else has_any


def _has_value(condition: MetadataCondition) -> Condition:
    """Return the condition that the key has any value, or one in a range."""
    lead = f"{storable(condition.key)}="
    first, end = DAY_SPAN
    values: list[Any]
    if not condition.values:
        test, values = "value <> ALL (%s)", [list(NOTHING)]
    elif isinstance(condition.values[0], str):
        day = f'substr(value, {first + 1}, {end - first}) COLLATE "C"'
        test, values = f"value ~ '{DAY}' AND {day} {condition.operator} %s", [*condition.values]
    else:
        number = f"value::numeric {condition.operator} %s::numeric"
        test, values = f"CASE WHEN value ~ '{NUMBER}' THEN {number} END", [repr(condition.values[0])]
    of_key = "SELECT substr(tag, %s) AS value FROM unnest(tags) AS tag WHERE starts_with(tag, %s)"
    return Condition(f"EXISTS (SELECT FROM ({of_key}) AS of_key WHERE {test})", [len(lead) + 1, lead, *values])


def _like(glob: str) -> str:
    """Return a glob as a LIKE pattern."""
    escaped = _SPECIAL.sub(r"\\\g<0>", re.sub(r"\*+", "*", glob))
    return escaped.replace("*", "%").replace("?", "_")
