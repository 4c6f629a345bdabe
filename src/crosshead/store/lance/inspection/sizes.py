"""Sizes and counts of documents, without reading their texts; what the bytes of a table are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from crosshead.store.lance import rows
from crosshead.store.lance.candidates.filters import one_of, quote
from crosshead.store.sizes import sum_parts
from crosshead.store.tags import tagged_language
from crosshead.types import ListedDocument, StoredSizes


def sizes_of(table: Any, total: int) -> StoredSizes:
    """Return what the bytes of an index are, of which there are `total`."""
    return sum_parts((*_columns(table), *_indexes(table)), total)


def _columns(table: Any) -> Iterator[tuple[str, float]]:
    sizes = {each.id: each.bytes_on_disk for each in table.stats.data_stats().fields}
    for field in table.lance_schema.fields():
        yield field.name(), sum(sizes.get(each.id(), 0) for each in (field, *field.children()))


def _indexes(table: Any) -> Iterator[tuple[str, float]]:
    for index in table.describe_indices():
        yield index.field_names[0], index.total_size_bytes or 0  # older ones do not know theirs


def list_documents(table: Any, ids: Sequence[str]) -> list[ListedDocument]:
    """Return the list entries of documents; Lance measures the texts."""
    named = one_of("document_id", ids)
    columns = {each: each for each in ("document_id", "source", "format", "date", "tags", "record")}
    columns["characters"] = "character_length(content)"
    found = table.scanner(columns=columns, filter=f"{named} AND kind = {quote(rows.DOCUMENT)}").to_table().to_pylist()
    chunks = _counts(table, f"{named} AND kind = {quote(rows.CHUNK)}")
    pending = _counts(table, f"{named} AND {rows.PENDING}")
    listed = [
        ListedDocument(
            **row,
            chunks=chunks.get(document_id, 0),
            pending=pending.get(document_id, 0),
            language=tagged_language(tags),
            **{name: record[name] for name in ("title", "content_hash", "metadata")},
        )
        for row in found
        for document_id, tags, record in [(row.pop("document_id"), row.pop("tags"), json.loads(row.pop("record")))]
    ]
    return sorted(listed)


def _counts(table: Any, condition: str) -> dict[str, int]:
    """Return the number of rows per document that meet a condition."""
    column = table.scanner(columns=["document_id"], filter=condition).to_table().column("document_id")
    return {each["values"]: each["counts"] for each in column.value_counts().to_pylist()}
