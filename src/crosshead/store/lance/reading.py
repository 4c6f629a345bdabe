"""Rows of one version of the table, by keys, sections or hashes, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from crosshead.store.lance import rows
from crosshead.store.lance.candidates.filters import one_of, quote
from crosshead.store.lance.table_version import TableVersion
from crosshead.types import Vectors

BATCH: Final = 500
"""Most keys in one condition."""

Row = Mapping[str, Any]


def by_key(version: TableVersion, kind: str, keys: Sequence[str]) -> list[Row]:
    """Return the rows of one kind with these keys, in their order."""
    found: dict[str, Row] = {}
    for batch in batches(list(dict.fromkeys(keys))):
        read = version.rows(one_of("key", batch), ["key", "kind", "record", "content"])
        found.update({row["key"]: row for row in read if row["kind"] == kind})
    return [found[key] for key in keys if key in found]


def chunk_rows(version: TableVersion, keys: Sequence[str]) -> list[Row]:
    """Return the rows of chunks in the order of the keys; those that a search just found need no lookup."""
    found = {row["key"]: row for row in version.read_known(keys, ["key", "record", "content"])}
    found |= {row["key"]: row for row in by_key(version, rows.CHUNK, [key for key in keys if key not in found])}
    return [found[key] for key in keys if key in found]


def keys_starting_with(version: TableVersion, kinds: Sequence[str], beginning: str, limit: int) -> list[str]:
    """Return keys of rows of some kinds that start with some characters, sorted."""
    condition = f"starts_with(key, {quote(beginning)}) AND {one_of('kind', kinds)}"
    return sorted(row["key"] for row in version.rows(condition, ["key"], limit))


def below(version: TableVersion, kind: str, section_ids: Sequence[str]) -> list[Row]:
    """Return the rows of one kind directly below sections, in document order."""
    found: list[Row] = []
    for batch in batches(list(dict.fromkeys(section_ids))):
        condition = f"{one_of('section_id', batch)} AND kind = {quote(kind)}"
        found += version.rows(condition, ["document_id", "seq", "record", "content"])
    return sorted(found, key=lambda row: (row["document_id"], row["seq"]))


def vectors_by_hash(version: TableVersion, text_hashes: Sequence[str]) -> dict[str, Vectors]:
    """Return stored vectors by the hash of their text."""
    known: dict[str, Vectors] = {}
    for hashes in batches(sorted(set(text_hashes))):
        by_chunk: dict[tuple[str, str], list[Row]] = {}
        condition = f"{one_of('text_hash', hashes)} AND {rows.EMBEDDED}"
        found = version.rows(condition, ["key", "text_hash", "vector", "kind", "seq"])
        for row in sorted(found, key=lambda row: (row["kind"] == rows.WINDOW, row["seq"])):
            by_chunk.setdefault((row["text_hash"], rows.chunk_id_of(row["key"])), []).append(row)
        known.update({text_hash: rows.to_vectors(group) for (text_hash, _), group in by_chunk.items()})
    return known


def token_vectors_by_hash(version: TableVersion, text_hashes: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
    """Return stored token vectors by the hash of their text."""
    known: dict[str, tuple[bytes, ...]] = {}
    for hashes in batches(sorted(set(text_hashes))):
        found = version.rows(f"{one_of('text_hash', hashes)} AND tokens IS NOT NULL", ["text_hash", "tokens"])
        known.update({row["text_hash"]: tuple(row["tokens"]) for row in found})
    return known


def batches(values: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield values in batches that a condition can hold."""
    for at in range(0, len(values), BATCH):
        yield values[at : at + BATCH]
