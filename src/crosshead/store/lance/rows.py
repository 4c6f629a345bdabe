"""Documents, sections and chunks <-> rows of one table.

One table holds all kinds of rows, so that one commit replaces a document. A long chunk has one row for its first
vector and a `window` row for each further one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, TypeVar

from crosshead.ids import canonical_json, encodable
from crosshead.language.words import words
from crosshead.store.headings import Paths, headings_of, titles_column, with_paths
from crosshead.store.lance.candidates.filters import one_of, quote
from crosshead.store.records import from_record, to_record
from crosshead.store.tags import metadata_tags
from crosshead.types import (
    HAS_TOKEN_VECTORS,
    Chunk,
    DocumentLinks,
    DocumentRows,
    StoredChunk,
    StoredDocument,
    StoredSection,
    Vectors,
)

if TYPE_CHECKING:
    import pyarrow as pa

DOCUMENT: Final = "document"
SECTION: Final = "section"
CHUNK: Final = "chunk"
WINDOW: Final = "window"
LINKS: Final = "links"
"""The links and anchors of a document, with their keys as tags."""

PENDING: Final = f"kind = {quote(CHUNK)} AND vector IS NULL AND terms IS NOT NULL"
"""The condition for pending chunks."""
EMBEDDED: Final = "vector IS NOT NULL"
"""The condition for rows with a vector: of a chunk, or of a further piece."""

WINDOW_MARK: Final = "#"
"""Separates the id of a chunk from the number of a further vector."""

_COMPRESSED: Final = {"lance-encoding:compression": "zstd"}
_COMPRESSED_TOGETHER: Final = {**_COMPRESSED, "lance-encoding:structural-encoding": "miniblock"}
"""For values that are short and like those of other rows."""

Row = dict[str, Any]
Parsed = TypeVar("Parsed")


def schema(settings: Mapping[str, Any]) -> pa.Schema:
    """Return the columns of a new table; older ones have vectors of 32 bits a number, or compress their texts less."""
    import pyarrow as pa

    text = pa.string()
    tokens = [("tokens", pa.list_(pa.binary()))] if settings.get(HAS_TOKEN_VECTORS) else []
    return pa.schema(
        [
            pa.field("key", text, nullable=False),
            pa.field("kind", text, nullable=False),
            pa.field("document_id", text, nullable=False),
            ("section_id", text),  # section of a chunk, parent of a section
            ("seq", pa.int32()),
            ("source", text),
            ("format", text),
            ("date", text),
            ("titles", pa.list_(text)),
            ("tags", pa.list_(text)),
            pa.field("record", text, metadata=_COMPRESSED_TOGETHER),  # everything else as JSON
            pa.field("content", pa.large_string(), metadata=_COMPRESSED),
            pa.field("terms", text, metadata=_COMPRESSED_TOGETHER),
            pa.field("heading_terms", text, metadata=_COMPRESSED_TOGETHER),
            ("text_hash", text),
            ("vector", pa.list_(pa.float16(), settings["dimension"])),
            *tokens,
        ]
    )


def table_of(rows: Sequence[Row], columns: pa.Schema) -> pa.Table:
    """Return rows as a table; replace characters that cannot be stored, which are rare."""
    import pyarrow as pa

    try:
        return pa.Table.from_pylist(rows, schema=columns)
    except UnicodeEncodeError:
        clean = [{name: _encodable(value) for name, value in row.items()} for row in rows]
        return pa.Table.from_pylist(clean, schema=columns)


def _encodable(value: Any) -> Any:
    if isinstance(value, list):
        return [_encodable(each) for each in value]
    return encodable(value) if isinstance(value, str) else value


def document_rows(rows: DocumentRows, language: str) -> Iterator[Row]:
    """Yield the rows of a document, without vectors, in order."""
    document = rows.document
    shared: Row = {
        "document_id": document.id, "source": document.source, "format": document.format, "date": document.date,
    }  # fmt: skip
    record = document._asdict()
    yield {
        **shared,
        "key": document.id,
        "kind": DOCUMENT,
        "tags": [document.language] if document.language else None,
        "content": record.pop("text"),
        "record": canonical_json(record),
    }
    for seq, section in enumerate(rows.sections):
        yield {
            **shared, "key": section.id, "kind": SECTION, "section_id": section.parent_id, "seq": seq,
            "record": canonical_json(section._asdict()),
        }  # fmt: skip
    if rows.links:
        yield {
            **shared, "key": links_key(document.id), "kind": LINKS, "tags": list(rows.links.keys),
            "record": canonical_json(rows.links.to_record()),
        }  # fmt: skip
    tags = metadata_tags(document.metadata)
    for stored, paths in with_paths(rows):
        yield _chunk_row(stored, paths, {**shared, "tags": tags}, language)


def links_key(document_id: str) -> str:
    """Return the key of the row with the links of a document."""
    return f"{document_id}~{LINKS}"


def _chunk_row(stored: StoredChunk, paths: Paths, shared: Row, language: str) -> Row:
    chunk = stored.chunk
    return {
        **shared,
        "key": chunk.id,
        "kind": CHUNK,
        "section_id": chunk.section_id,
        "seq": chunk.index,
        "titles": titles_column(paths, chunk.document_title),
        "content": chunk.content,
        "record": to_record(chunk),
        **(_terms(chunk, language) if chunk.indexable else {}),
        "text_hash": stored.text_hash,
    }


def _terms(chunk: Chunk, language: str) -> Row:
    return {
        "terms": " ".join(words(chunk.content, language)),
        "heading_terms": " ".join(words(" ".join(headings_of(chunk)), language)),
    }


def in_languages(rows: Sequence[Row], languages: Mapping[str, str]) -> list[Row]:
    """Return rows of documents and chunks with their words in other languages, given by document id."""
    return [_in_language(row, languages[row["document_id"]]) for row in rows]


def _in_language(row: Row, language: str) -> Row:
    if row["kind"] == DOCUMENT:
        record = {**json.loads(row["record"]), "language": language}
        return {**row, "tags": [language], "record": canonical_json(record)}
    return row if row["terms"] is None else {**row, **_terms(to_chunk(row), language)}


def windows_of(chunk_ids: Sequence[str]) -> str:
    """Return the condition for the windows of some chunks."""
    return f"kind = {quote(WINDOW)} AND {one_of(f'split_part(key, {quote(WINDOW_MARK)}, 1)', chunk_ids)}"


def chunk_id_of(key: str) -> str:
    """Return the chunk that a row with a vector belongs to."""
    return key.partition(WINDOW_MARK)[0]


def _parses_record(parse: Callable[[Mapping[str, Any]], Parsed]) -> Callable[[Mapping[str, Any]], Parsed]:
    """Raise an error that Lance could raise as well if a record does not have the fields that were written."""

    @wraps(parse)
    def parsing(row: Mapping[str, Any]) -> Parsed:
        try:
            return parse(row)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise ValueError(f"corrupt record: {error}") from error

    return parsing


@_parses_record
def to_document(row: Mapping[str, Any]) -> StoredDocument:
    """Read a document's row."""
    record = json.loads(row["record"])
    spans = {name: tuple(map(tuple, record.get(name, ()))) for name in ("pages", "lines")}
    return StoredDocument(**{**record, **spans}, text=row["content"])


@_parses_record
def to_links(row: Mapping[str, Any]) -> DocumentLinks:
    """Read a row of links."""
    record = json.loads(row["record"])
    return DocumentLinks.from_record(row["document_id"], row["source"], row["format"], row["tags"] or (), record)


@_parses_record
def to_section(row: Mapping[str, Any]) -> StoredSection:
    """Read a section's row."""
    record = json.loads(row["record"])
    return StoredSection(**{**record, "path": tuple(record["path"])})


@_parses_record
def to_chunk(row: Mapping[str, Any]) -> Chunk:
    """Read a chunk's row."""
    return from_record(row["record"], row["content"])


def to_vectors(column: pa.ChunkedArray) -> Vectors:
    """Return the vectors of a column without nulls."""
    import numpy as np

    numbers: Vectors = column.combine_chunks().flatten().to_numpy(zero_copy_only=False).astype(np.float32)
    return numbers.reshape(-1, column.type.list_size)
