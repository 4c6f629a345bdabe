"""Documents, sections and chunks <-> rows of one table.

One table holds all kinds of rows, so that one commit replaces a document. A long chunk has one row for its first
vector and a `window` row for each further one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from crosshead.ids import canonical_json
from crosshead.model import Chunk, DocumentRows, StoredChunk, StoredDocument, StoredSection, Vectors
from crosshead.store.filters import metadata_tags, titles_column
from crosshead.words import words

if TYPE_CHECKING:
    import pyarrow as pa

DOCUMENT: Final = "document"
SECTION: Final = "section"
CHUNK: Final = "chunk"
WINDOW: Final = "window"

Row = dict[str, Any]


def schema(dimension: int) -> pa.Schema:
    """Return the columns of the table."""
    import pyarrow as pa

    text = pa.string()
    return pa.schema(
        [
            pa.field("key", text, nullable=False),
            pa.field("kind", text, nullable=False),
            pa.field("document_id", text, nullable=False),
            ("section_id", text),  # of a chunk; of a section the one that encloses it
            ("seq", pa.int32()),
            ("source", text),
            ("format", text),
            ("date", text),
            ("titles", text),
            ("tags", pa.list_(text)),
            ("record", text),  # JSON of everything else
            ("content", pa.large_string()),
            ("terms", text),
            ("heading_terms", text),
            ("text_hash", text),
            ("vector", pa.list_(pa.float32(), dimension)),
        ]
    )


def to_table(documents: Sequence[DocumentRows], language: str, dimension: int) -> pa.Table:
    """Return the rows of some documents."""
    import pyarrow as pa

    rows = [row for document in documents for row in _document_rows(document, language)]
    return pa.Table.from_pylist(rows, schema=schema(dimension))


def _document_rows(rows: DocumentRows, language: str) -> Iterator[Row]:
    document = rows.document
    shared: Row = {
        "document_id": document.id, "source": document.source, "format": document.format, "date": document.date,
    }  # fmt: skip
    record = document._asdict()
    yield {**shared, "key": document.id, "kind": DOCUMENT, "content": record.pop("text"), "record": _dump(record)}
    for seq, section in enumerate(rows.sections):
        yield {
            **shared, "key": section.id, "kind": SECTION, "section_id": section.parent_id, "seq": seq,
            "record": _dump(section._asdict()),
        }  # fmt: skip
    tags = metadata_tags(document.metadata.items())
    for stored in rows.chunks:
        yield from _chunk_rows(stored, {**shared, "tags": tags}, language)


def _chunk_rows(stored: StoredChunk, shared: Row, language: str) -> Iterator[Row]:
    chunk, vectors = stored.chunk, stored.vectors
    record = chunk.to_json()
    row = {
        **shared,
        "key": chunk.id,
        "kind": CHUNK,
        "section_id": chunk.section_id,
        "seq": chunk.index,
        "titles": titles_column((*chunk.section_path, *chunk.inner_headings, chunk.breadcrumb or "")),
        "content": record.pop("content"),
        "record": _dump(record),
        "terms": " ".join(words(chunk.content, language)) if chunk.indexable else None,
        "heading_terms": " ".join(words(" ".join(chunk.full_path), language)) if chunk.indexable else None,
        "text_hash": stored.text_hash,
        "vector": vectors[0] if vectors is not None and chunk.indexable else None,
    }
    yield row
    if vectors is None or not chunk.indexable:
        return
    copied = {name: row[name] for name in (*shared, "titles", "section_id", "text_hash")}
    for number, vector in enumerate(vectors[1:], 1):
        yield {**copied, "key": window_key(chunk.id, number), "kind": WINDOW, "seq": number, "vector": vector}


def window_key(chunk_id: str, number: int) -> str:
    """Return the key of a further vector of a chunk."""
    return f"{chunk_id}#{number}"


def chunk_id_of(key: str) -> str:
    """Return the chunk that a row with a vector belongs to."""
    return key.partition("#")[0]


def to_document(row: Mapping[str, Any]) -> StoredDocument:
    """Read a document's row."""
    return StoredDocument(**json.loads(row["record"]), text=row["content"])


def to_section(row: Mapping[str, Any]) -> StoredSection:
    """Read a section's row."""
    record = json.loads(row["record"])
    return StoredSection(**{**record, "path": tuple(record["path"])})


def to_chunk(row: Mapping[str, Any]) -> Chunk:
    """Read a chunk's row."""
    return Chunk.from_json({**json.loads(row["record"]), "content": row["content"]})


def to_vectors(rows: Sequence[Mapping[str, Any]]) -> Vectors:
    """Return the vectors of one text, whose rows are in order."""
    import numpy as np

    return np.array([row["vector"] for row in rows], dtype=np.float32)


def _dump(record: Mapping[str, Any]) -> str:
    return canonical_json(record)
