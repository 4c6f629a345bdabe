"""Documents, sections and chunks <-> rows of `works` and `chunks`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from crosshead.ids import canonical_json
from crosshead.language.words import words
from crosshead.store.headings import Paths, headings_of, titles_column, with_paths
from crosshead.store.postgres.rows.texts import heading_lexemes, lexemes, storable, title_keys
from crosshead.store.records import to_record
from crosshead.store.tags import document_tags, tagged_language
from crosshead.types import Chunk, DocumentRows, StoredChunk, StoredDocument, StoredSection, Vectors

NO_VECTOR: Final = "no_vec"
TO_EMBED: Final = "to_vec"
EMBEDDED: Final = "vec"
FAILED: Final = "vec_err"


class MovableColumns(NamedTuple):
    """The columns that may change while the text of a row stays, in the order in which they are written."""

    id: int
    parent_id: int | None
    level: str
    seq: int
    start_line: int
    end_line: int
    start_offset: int
    end_offset: int
    record: str | None
    heading_terms: str | None


class TextColumns(NamedTuple):
    """The other columns of a row of `chunks`."""

    chunk_id: str
    work_id: int
    content: str
    heading_breadcrumbs: str | None
    section_path: list[str]
    titles: list[str] | None
    title_keys: list[str] | None
    terms: str | None
    text_hash: str | None
    embedding: Any
    tokens: list[bytes] | None
    vector_status: str


COLUMNS: Final = MovableColumns._fields + TextColumns._fields
"""All columns of `chunks`, in the order in which they are copied."""
MOVABLE_TYPES: Final = ("int4", "int4", "varchar", "int4", "int4", "int4", "int4", "int4", "text", "text")
TYPES: Final = (
    *MOVABLE_TYPES, "text", "int4", "text", "text", "text[]", "text[]", "text[]", "text", "text", "vector", "bytea[]",
    "varchar",
)  # fmt: skip
"""The types of `COLUMNS`; JSON is copied as text."""

WORK_COLUMNS: Final = (
    "document_id", "source", "format", "title", "text", "revision", "content_hash", "date", "metadata", "pages",
    "lines", "tags", "root_section_id", "end_offset", "end_line", "links", "link_keys",
)  # fmt: skip
DOCUMENT_COLUMNS: Final = WORK_COLUMNS[:12]
"""The columns of a document, in the order of `StoredDocument`; its language is among the tags."""


class Signature(NamedTuple):
    """What a row is found by; while it is the same, the row need not be written again."""

    text_hash: str | None
    vector_status: str
    titles: list[str] | None


def work_row(rows: DocumentRows) -> list[Any]:
    """Return the values of `WORK_COLUMNS`."""
    document, root = rows.document, rows.sections[0]
    texts = (document.id, document.source, document.format, document.title, document.text, document.revision,
             document.content_hash, document.date)  # fmt: skip
    structured = (document.metadata, document.pages, document.lines)
    return [
        *map(storable, texts),
        *(storable(canonical_json(each)) for each in structured),
        [storable(tag) for tag in document_tags(document)],
        root.id,
        root.end,
        root.end_line,
        storable(canonical_json(rows.links.to_record())) if rows.links else None,
        list(rows.links.keys) if rows.links else None,
    ]


def signatures(rows: DocumentRows) -> dict[str, Signature]:
    """Return the signatures of all rows of a document by their `chunk_id`."""
    sections = {section.id: Signature(None, NO_VECTOR, None) for section in rows.sections[1:]}
    return sections | {
        stored.chunk.id: Signature(stored.text_hash, _status(stored), _titles(paths, stored.chunk.document_title))
        for stored, paths in with_paths(rows)
    }


class NumberedRows:
    """The rows of a document with their integer ids."""

    def __init__(self, rows: DocumentRows, work_id: int, numbers: Mapping[str, int], language: str) -> None:
        self._rows = rows
        self._work_id = work_id
        self._numbers = numbers
        self._language = language

    def new_rows(self, keys: Collection[str]) -> Iterator[tuple[Any, ...]]:
        """Yield the values of `COLUMNS` for rows to insert, a section before what it contains."""
        for seq, section in enumerate(self._rows.sections[1:]):
            if section.id in keys:
                yield self._section_columns(seq, section) + self._section_text(section)
        for stored, paths in with_paths(self._rows):
            if stored.chunk.id in keys:
                yield self._chunk_columns(stored.chunk) + self._chunk_text(stored, paths)

    def movable_columns(self, keys: Collection[str]) -> Iterator[MovableColumns]:
        """Yield the movable columns of rows whose text stays."""
        for seq, section in enumerate(self._rows.sections[1:]):
            if section.id in keys:
                yield self._section_columns(seq, section)
        for stored in self._rows.chunks:
            if stored.chunk.id in keys:
                yield self._chunk_columns(stored.chunk)

    def terms(self, keys: Collection[str]) -> Iterator[tuple[str | None, int]]:
        """Yield words and ids of chunks whose other columns stay."""
        for stored in self._rows.chunks:
            if stored.chunk.id in keys:
                yield self._terms(stored.chunk), self._numbers[stored.chunk.id]

    def _terms(self, chunk: Chunk) -> str | None:
        return lexemes(words(chunk.content, self._language)) if chunk.indexable else None

    def windows(self, keys: Collection[str]) -> Iterator[tuple[int, int, Any]]:
        """Yield the rows of `windows` for long chunks."""
        for stored in self._rows.chunks:
            if stored.chunk.id in keys and _status(stored) == EMBEDDED and stored.vectors is not None:
                yield from window_rows(self._numbers[stored.chunk.id], stored.vectors)

    def _section_text(self, section: StoredSection) -> TextColumns:
        return TextColumns(
            chunk_id=section.id,
            work_id=self._work_id,
            content=storable(section.title),
            heading_breadcrumbs=None,
            section_path=_storable_path(section.path),
            titles=None,
            title_keys=None,
            terms=None,
            text_hash=None,
            embedding=None,
            tokens=None,
            vector_status=NO_VECTOR,
        )

    def _chunk_text(self, stored: StoredChunk, paths: Paths) -> TextColumns:
        chunk, status = stored.chunk, _status(stored)
        breadcrumb, titles = chunk.breadcrumb, _titles(paths, chunk.document_title)
        return TextColumns(
            chunk_id=chunk.id,
            work_id=self._work_id,
            content=storable(chunk.content),
            heading_breadcrumbs=storable(breadcrumb) if breadcrumb else None,
            section_path=_storable_path(chunk.section_path),
            titles=titles,
            title_keys=title_keys(titles),
            terms=self._terms(chunk),
            text_hash=stored.text_hash,
            embedding=stored.vectors[0] if status == EMBEDDED and stored.vectors is not None else None,
            tokens=list(stored.token_vectors) or None,
            vector_status=status,
        )

    def _section_columns(self, seq: int, section: StoredSection) -> MovableColumns:
        return MovableColumns(
            self._numbers[section.id], self._numbers.get(section.parent_id or ""), f"H{section.level}", seq,
            section.start_line, section.end_line, section.start, section.end, None, None,
        )  # fmt: skip

    def _chunk_columns(self, chunk: Chunk) -> MovableColumns:
        heading_terms = _heading_terms(headings_of(chunk), self._language) if chunk.indexable else None
        return MovableColumns(
            self._numbers[chunk.id], self._numbers.get(chunk.section_id), f"H{chunk.section_level}-chunk", chunk.index,
            chunk.start_line, chunk.end_line, chunk.start, chunk.end, storable(to_record(chunk)), heading_terms,
        )  # fmt: skip


# The chunks of a section follow each other and share these.
@lru_cache(maxsize=1_000)
def _heading_terms(titles: tuple[str, ...], language: str) -> str:
    return heading_lexemes(words(" ".join(titles), language))


@lru_cache(maxsize=1_000)
def _storable_path(path: tuple[str, ...]) -> list[str]:
    return [storable(title) for title in path]


@lru_cache(maxsize=1_000)
def _titles(paths: Paths, document_title: str) -> list[str]:
    return [storable(title) for title in titles_column(paths, document_title)]


def window_rows(number: int, vectors: Vectors) -> Iterator[tuple[int, int, Any]]:
    """Yield the rows of `windows`: all vectors of a chunk but the first."""
    for at, vector in enumerate(vectors[1:], 1):
        yield number, at, vector


def to_document(row: Sequence[Any]) -> StoredDocument:
    """Read the values of `DOCUMENT_COLUMNS`."""
    fields = dict(zip(StoredDocument._fields, row, strict=True))
    spans = {name: tuple(map(tuple, fields[name])) for name in ("pages", "lines")}
    return StoredDocument(**{**fields, **spans, "language": tagged_language(fields["language"])})


def to_section(row: Sequence[Any]) -> StoredSection:
    """Read a section: id, parent, document, title, level as in the table, path, offsets and lines."""
    section_id, parent_id, document_id, title, level, path, *span = row
    return StoredSection(section_id, parent_id, document_id, title, int(level[1:]), tuple(path), *span)


def _status(stored: StoredChunk) -> str:
    if not stored.chunk.indexable:
        return NO_VECTOR
    return TO_EMBED if stored.vectors is None else EMBEDDED
