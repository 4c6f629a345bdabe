"""The tags of a document, which filters are compared with: its language, and its metadata as `key=value`.

A list has a tag for each of its members as well. A language has no `=`, and every tag of metadata has one, so that a
filter cannot mistake one for the other. The value is JSON, so that text cannot be mistaken for a number.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from crosshead.ids import canonical_json
from crosshead.types import MetadataCondition, StoredDocument

NUMBER: Final = r"^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$"
"""A number in JSON; the exponent is limited to what a database can compare."""
DAY: Final = r'^"[0-9]{4}-[0-9]{2}-[0-9]{2}["T ]'
"""A day in JSON, perhaps with a time, which comparisons ignore."""
DAY_SPAN: Final = (1, 11)
"""Where the day is in it."""
NOTHING: Final = ("null", "[]")
"""Values that are as good as none."""

_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    ">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt,
}  # fmt: skip


def metadata_tags(metadata: Mapping[str, Any]) -> list[str]:
    """Return the tags of metadata, each once."""
    tagged = ((key, each) for key, value in metadata.items() for each in _tagged(value))
    return list(dict.fromkeys(f"{key}={canonical_json(value)}" for key, value in tagged))


def _tagged(value: Any) -> Iterable[Any]:
    return [value, *value] if isinstance(value, list | tuple) else [value]


def document_tags(document: StoredDocument) -> list[str]:
    """Return the tags of a document, its language first if it has one."""
    return [*filter(None, [document.language]), *metadata_tags(document.metadata)]


def tagged_language(tags: Sequence[str] | None) -> str:
    """Return the language among the tags of a document; empty if there is none."""
    return tags[0] if tags and "=" not in tags[0] else ""


def equal_tags(condition: MetadataCondition) -> list[str]:
    """Return the tags that a condition names; none if it is a range, or about any value."""
    return [f"{condition.key}={canonical_json(each)}" for each in condition.values if condition.operator in ("=", "!=")]


def meets(condition: MetadataCondition, value: str) -> bool:
    """Return whether the value of a tag, as JSON, meets a range, or is a value at all."""
    if condition.operator not in _COMPARE:
        return value not in NOTHING
    (bound,) = condition.values
    compare = _COMPARE[condition.operator]
    if isinstance(bound, str):
        return bool(re.match(DAY, value)) and compare(value[slice(*DAY_SPAN)], bound)
    return bool(re.match(NUMBER, value)) and compare(Decimal(value), Decimal(repr(bound)))
