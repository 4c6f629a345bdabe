"""Chunks <-> records: JSON of the fields that a store does not search by.

Fields with their default value are left out: most fields of most chunks are empty, and a search reads many records.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any, Final

from crosshead.ids import canonical_json
from crosshead.types import Chunk

_DEFAULTS: Final[Mapping[str, Any]] = {
    "inner_headings": (),
    "page_start": None,
    "page_end": None,
    "parent_chunk_id": None,
    "prev_id": None,
    "next_id": None,
    "sibling_chunk_ids": (),
    "overlap": "",
    "prefix": "",
    "suffix": "",
    "oversize_reason": None,
    "indexable": True,
    "heading_prefix": "",
    "metadata": {},
    "notes": (),
    "source_start_line": None,
    "source_end_line": None,
    "source_file": None,
}
_NAMES: Final = sorted(each.name for each in fields(Chunk) if each.name != "content")
"""In the order of canonical JSON, which then need not sort."""
_NO_DEFAULT: Final = object()
_DEFAULT_VALUES: Final = [_DEFAULTS.get(name, _NO_DEFAULT) for name in _NAMES]
_values = attrgetter(*_NAMES)


def to_record(chunk: Chunk) -> str:
    """Return all fields of a chunk but its content."""
    named = zip(_NAMES, _values(chunk), _DEFAULT_VALUES, strict=True)
    return canonical_json({name: value for name, value, default in named if value != default})


def from_record(record: str | Mapping[str, Any], content: str) -> Chunk:
    """Return the chunk of a record, which may be parsed already."""
    read = json.loads(record) if isinstance(record, str) else record
    return Chunk.from_json({**_DEFAULTS, **read, "content": content})
