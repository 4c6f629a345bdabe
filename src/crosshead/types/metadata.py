"""Metadata of documents: what a caller gives, and the conditions of a filter, as values and as text.

    team=infra          equal, or a member of a list         {"team": "infra"}
    team=infra,web      any of them                          {"team": ["infra", "web"]}
    team!=web           not                                  {"team": {"not": "web"}}
    year>=2024          a range of numbers or days           {"year": {">=": 2024}}
    team=*  team!=*     has the key, or lacks it             {"team": {"exists": True}}

Several conditions must all hold. A document is given `team=infra`, or `team=infra,web` for a list.
"""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, Literal, NamedTuple, cast

from crosshead.errors import OptionsError
from crosshead.ids import canonical_json, encodable

Bound = Literal[">=", ">", "<=", "<"]
BOUNDS: Final = (">=", ">", "<=", "<")
ANY_VALUE: Final = "*"
_OPERATORS: Final = (*BOUNDS, "not", "all", "exists")
_CONDITION: Final = re.compile(r"\s*([^=!<>\s][^=!<>]*?)\s*(!=|>=|<=|=|>|<)(.*)", re.DOTALL)
_ALTERNATIVE: Final = re.compile(r'"[^"]*"(?=,|$)|\'[^\']*\'(?=,|$)|(?:[^,]|,\s)+')
"""A comma separates alternatives unless a blank follows."""
_KEY: Final = re.compile(r"[^=!<>\s](?:[^=!<>]*[^=!<>\s])?")
"""A name that can be typed in a condition."""
_TAKEN: Final = ("front_matter",)
"""Names that chunks use."""
_SHAPES: Final = "KEY=VALUE, as in team=infra; also KEY=A,B, KEY!=VALUE, KEY>=VALUE, KEY=* and KEY!=*"


class MetadataCondition(NamedTuple):
    """One condition on the metadata of a document."""

    key: str
    operator: Literal["=", "!=", ">=", ">", "<=", "<"]
    values: tuple[Any, ...] = ()
    """Of `=` and `!=`: alternatives, or none for any value at all; else the number or day to compare with."""

    def __str__(self) -> str:
        """Return the condition as it is typed."""
        return f"{self.key}{self.operator}{','.join(map(metadata_text, self.values)) or ANY_VALUE}"


def metadata_conditions(filter: Mapping[str, Any]) -> list[MetadataCondition]:
    """Return the conditions of a filter; raise `OptionsError` for a shape that is none of those above."""
    return [condition for key, wanted in filter.items() for condition in _conditions(str(key), wanted)]


def _conditions(key: str, wanted: Any) -> Iterator[MetadataCondition]:
    if not isinstance(wanted, Mapping):
        yield MetadataCondition(key, "=", _alternatives(key, wanted))
        return
    if not wanted:
        raise OptionsError(f"metadata: {key} has no condition: give a value, a list of values, or {{'>=': 2024}}")
    for operator, operand in wanted.items():
        if operator == "not":
            yield MetadataCondition(key, "!=", _alternatives(key, operand))
        elif operator == "all":
            yield from (MetadataCondition(key, "=", _alternatives(key, each)) for each in _listed(operand))
        elif operator == "exists" and isinstance(operand, bool):
            yield MetadataCondition(key, "=" if operand else "!=")
        elif operator in BOUNDS:
            yield MetadataCondition(key, cast(Bound, operator), (_bound(key, operator, operand),))
        else:
            known = ", ".join(_OPERATORS)
            raise OptionsError(
                f"metadata: {key}: {reprlib.repr({operator: operand})} is not understood: known are {known}"
            )


def _alternatives(key: str, wanted: Any) -> tuple[Any, ...]:
    values = tuple(_listed(wanted))
    if not values or not all(isinstance(each, str | int | float | date | None) for each in values):
        raise OptionsError(f"metadata: {key}={reprlib.repr(wanted)} is not a text, a number, a date, or a list of them")
    return values


def _listed(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list | tuple | set | frozenset) else (value,)


def _bound(key: str, operator: str, value: Any) -> float | str:
    """Return the number or the day of a range."""
    if isinstance(value, int | float) and not isinstance(value, bool) and value - value == 0:  # neither inf nor nan
        return value
    try:
        day = value.date() if isinstance(value, datetime) else value
        return (day if isinstance(day, date) else date.fromisoformat(day)).isoformat()
    except (TypeError, ValueError):
        raise OptionsError(
            f"metadata: {key}{operator}{reprlib.repr(value)}: a range needs a number, or a day such as 2026-01-31"
        ) from None


def parse_metadata(texts: Sequence[str]) -> dict[str, Any]:
    """Read conditions as they are typed. A value is read like front matter, so `draft=true` finds `draft: true`."""
    found: dict[str, dict[str, Any]] = {}
    for text in texts:
        match = _CONDITION.fullmatch(text)
        if not match or match[3].startswith(("=", "<", ">")):
            raise OptionsError(f"{reprlib.repr(text)} is not a metadata filter: write {_SHAPES}")
        key, operator, value = match[1], match[2], match[3].strip()
        wanted = found.setdefault(key, {})
        if operator in BOUNDS:
            wanted[operator] = _read_value(value)
        elif value == ANY_VALUE:
            wanted["exists"] = operator == "="
        elif operator == "!=":
            wanted.setdefault("not", []).extend(_read_alternatives(value))
        else:
            wanted.setdefault("all", []).append(_read_alternatives(value))
    return {key: _plain(wanted) for key, wanted in found.items()}


def _plain(wanted: Mapping[str, Any]) -> Any:
    """Return conditions on one key in the shortest form."""
    short = {operator: [*map(_single, each)] if operator == "all" else each for operator, each in wanted.items()}
    return short["all"][0] if [*short] == ["all"] and len(short["all"]) == 1 else short


def _single(alternatives: list[Any]) -> Any:
    return alternatives[0] if len(alternatives) == 1 else alternatives


def _read_alternatives(text: str) -> list[Any]:
    return [_read_value(each[0].strip()) for each in _ALTERNATIVE.finditer(text)] or [text]


def _read_value(text: str) -> Any:
    read = _read_yaml(text)
    return read if isinstance(read, bool | int | float | str) else text


def _read_yaml(text: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        return text


def metadata_text(value: Any) -> str:
    """Return a value as it is typed in a condition, in quotes if it would be read as another one."""
    if not isinstance(value, str):
        return canonical_json(value)
    is_plain = value.strip() and value != ANY_VALUE and _read_alternatives(value) == [value]
    return value if is_plain else f'"{value}"'


def given_metadata(metadata: object, where: str = "metadata") -> dict[str, Any]:
    """Return metadata for a document as JSON would give it back: dates as text, tuples as lists; None gives nothing.

    Raises `OptionsError` if it is not a mapping of names to values that filters can compare.
    """
    if not isinstance(metadata, Mapping):
        raise OptionsError(f"{where}={reprlib.repr(metadata)} must be a mapping, as in {{'team': 'infra'}}")
    for key in metadata:
        if not isinstance(key, str) or not _KEY.fullmatch(key) or key in _TAKEN:
            raise OptionsError(f"{where}: {reprlib.repr(key)} cannot be a name: use one such as team")
    return {key: _given_value(f"{where}: {key}", value) for key, value in metadata.items() if value is not None}


def _given_value(where: str, value: Any) -> Any:
    values = value if isinstance(value, list | tuple) else [value]
    for each in values:
        if not isinstance(each, str | int | float | date) or each != each or each in (math.inf, -math.inf):
            raise OptionsError(
                f"{where}={reprlib.repr(value)} is not a text, a number, true, false, a date, or a list of them"
            )
    plain = [encodable(str(each)) if isinstance(each, str | date) else each for each in values]
    return plain if isinstance(value, list | tuple) else plain[0]


def parse_given(pairs: Sequence[str]) -> dict[str, Any]:
    """Read metadata for a document as it is typed: `KEY=VALUE`, read as in a filter, so that it finds the document.

    `tags=a,b` is a list, as are `tags=[a, b]` and two values of one key; `KEY=` gives nothing.
    """
    given: dict[str, list[Any]] = {}
    for pair in pairs:
        match = _CONDITION.fullmatch(pair)
        if not match or match[2] != "=":
            raise OptionsError(f"{reprlib.repr(pair)} is not metadata: write KEY=VALUE, as in team=infra or tags=a,b")
        given.setdefault(match[1], []).append(_read_given(match[3].strip()))
    return given_metadata({key: _single(_flat(values)) for key, values in given.items()})


def _read_given(text: str) -> Any:
    listed = _read_yaml(text) if text.startswith("[") else None
    if isinstance(listed, list):
        return listed or None
    return _single(_read_alternatives(text)) if text else None


def _flat(values: list[Any]) -> list[Any]:
    """Return the values of one key that was given several times, as one list."""
    return values if len(values) == 1 else [each for value in values if value is not None for each in _listed(value)]
