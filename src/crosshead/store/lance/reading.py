"""Rows of one version of the table, by keys, sections or hashes, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Any, Final

from crosshead.store.lance import rows
from crosshead.store.lance.candidates.filters import one_of, quote
from crosshead.store.lance.table_version import TableVersion
from crosshead.types import Chunk, DocumentLinks, StoredDocument, StoredSection, Vectors

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


def chunks(version: TableVersion, keys: Sequence[str]) -> list[Chunk]:
    """Return chunks in the order of the keys; those that a search just found need no lookup."""
    found = version.known_chunks(keys)
    others = by_key(version, rows.CHUNK, [key for key in keys if key not in found])
    found |= {row["key"]: rows.to_chunk(row) for row in others}
    return [found[key] for key in keys if key in found]


def documents(version: TableVersion, keys: Sequence[str]) -> list[StoredDocument]:
    """Return documents in the order of the keys."""
    found = version.documents.read(keys, partial(_read_documents, version))
    return [found[key] for key in keys if key in found]


def _read_documents(version: TableVersion, keys: Sequence[str]) -> dict[str, StoredDocument]:
    return {row["key"]: rows.to_document(row) for row in by_key(version, rows.DOCUMENT, keys)}


LINK_COLUMNS: Final = ("key", "document_id", "source", "format", "tags", "record")


def document_links(version: TableVersion, document_ids: Sequence[str]) -> list[DocumentLinks]:
    """Return the links of documents in the order of their ids."""
    keys = [rows.links_key(each) for each in document_ids]
    found = {row["key"]: row for batch in batches(keys) for row in version.rows(one_of("key", batch), LINK_COLUMNS)}
    return [rows.to_links(found[key]) for key in keys if key in found]


def linked_documents(version: TableVersion, keys: Sequence[str], limit: int) -> list[DocumentLinks]:
    """Return the links of documents that have one of some keys, by source."""
    found: dict[str, Row] = {}
    for batch in batches(keys):
        condition = f"array_has_any(tags, [{', '.join(map(quote, batch))}]) AND kind = {quote(rows.LINKS)}"
        found |= {row["key"]: row for row in version.rows(condition, LINK_COLUMNS, limit)}
    return [rows.to_links(row) for row in sorted(found.values(), key=lambda row: row["source"])[:limit]]


def keys_starting_with(version: TableVersion, kinds: Sequence[str], beginning: str, limit: int) -> list[str]:
    """Return keys of rows of some kinds that start with some characters, sorted."""
    condition = f"starts_with(key, {quote(beginning)}) AND {one_of('kind', kinds)}"
    return sorted(row["key"] for row in version.rows(condition, ["key"], limit))


def below(version: TableVersion, kind: str, section_ids: Sequence[str]) -> list[Row]:
    """Return the rows of one kind directly below sections, in document order."""
    found: list[Row] = []
    for batch in batches(list(dict.fromkeys(section_ids))):
        columns = ["document_id", "seq", "record", "content"]
        found += version.rows_with("section_id", batch, f"kind = {quote(kind)}", columns)
    return sorted(found, key=lambda row: (row["document_id"], row["seq"]))


def subsections(version: TableVersion, parent_ids: Sequence[str]) -> list[StoredSection]:
    """Return the direct subsections of some sections, in document order."""
    found = version.subsections.read(parent_ids, partial(_read_subsections, version))
    parents = [found[each] for each in dict.fromkeys(parent_ids)]
    return sorted(chain.from_iterable(parents), key=attrgetter("document_id", "start", "level"))


def _read_subsections(version: TableVersion, parent_ids: Sequence[str]) -> dict[str, list[StoredSection]]:
    found: dict[str, list[StoredSection]] = {each: [] for each in parent_ids}
    for section in map(rows.to_section, below(version, rows.SECTION, parent_ids)):
        found[section.parent_id or ""].append(section)
    return found


def vectors_by_hash(version: TableVersion, text_hashes: Sequence[str]) -> dict[str, Vectors]:
    """Return stored vectors by the hash of their text."""
    known: dict[str, Vectors] = {}
    for hashes in batches(sorted(set(text_hashes))):
        condition = f"{one_of('text_hash', hashes)} AND {rows.EMBEDDED}"
        found = version.scan(columns=["key", "text_hash", "kind", "seq", "vector"], filter=condition)
        vectors = rows.to_vectors(found.column("vector"))
        named = list(enumerate(found.drop_columns("vector").to_pylist()))
        by_chunk: dict[tuple[str, str], list[int]] = {}
        for number, row in sorted(named, key=lambda each: (each[1]["kind"] == rows.WINDOW, each[1]["seq"])):
            by_chunk.setdefault((row["text_hash"], rows.chunk_id_of(row["key"])), []).append(number)
        known.update({text_hash: vectors[numbers] for (text_hash, _), numbers in by_chunk.items()})
    return known


def token_vectors_by_hash(version: TableVersion, text_hashes: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
    """Return stored token vectors by the hash of their text."""
    found = version.token_vectors.read(sorted(set(text_hashes)), partial(_read_token_vectors, version))
    return {text_hash: tokens for text_hash, tokens in found.items() if tokens}


def _read_token_vectors(version: TableVersion, text_hashes: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
    known: dict[str, tuple[bytes, ...]] = dict.fromkeys(text_hashes, ()) | version.token_vectors_at(text_hashes)
    for hashes in batches([text_hash for text_hash, parts in known.items() if not parts]):
        found = version.rows_with("text_hash", hashes, "tokens IS NOT NULL", ["text_hash", "tokens"])
        known.update({row["text_hash"]: tuple(row["tokens"]) for row in found})
    return known


def batches(values: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield values in batches that a condition can hold."""
    for at in range(0, len(values), BATCH):
        yield values[at : at + BATCH]
