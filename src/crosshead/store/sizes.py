"""The parts of an index that its bytes are counted in, by the columns that both stores have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from crosshead.types import StoredSizes

LOOKUP: Final = "lookup"
_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "texts": ("content", "text", "record", "metadata", "pages", "lines"),
    "words": ("terms", "heading_terms", "content_tsvector"),
    "vectors": ("vector", "embedding"),
    "token_vectors": ("tokens",),
}
_PART_OF: Final = {column: part for part, columns in _PARTS.items() for column in columns}


def part_of(column: str) -> str:
    """Return the part that a column belongs to."""
    return _PART_OF.get(column, LOOKUP)


def sum_parts(columns: Iterable[tuple[str, float]], total: int) -> StoredSizes:
    """Return the sizes of parts, given those of columns and of their indexes; `total` is that of the whole index."""
    parts: Counter[str] = Counter(dict.fromkeys((*_PARTS, LOOKUP), 0))
    for column, size in columns:
        parts[part_of(column)] += round(size)
    return StoredSizes(**parts, other=max(total - parts.total(), 0))
