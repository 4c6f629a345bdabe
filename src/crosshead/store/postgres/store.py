"""The store in PostgreSQL; `crosshead.store.postgres` describes its tables."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, Final

from crosshead.errors import StoreError
from crosshead.store.postgres import dense, indexes, lexical, reword, rows, settings, write
from crosshead.store.postgres import pending as waiting
from crosshead.store.postgres.database import Connection, Database
from crosshead.store.postgres.filters import to_condition
from crosshead.store.postgres.inspection import inspect_rows
from crosshead.store.postgres.legacy import migrated
from crosshead.store.postgres.texts import storable
from crosshead.store.records import from_record
from crosshead.store.settings import changed
from crosshead.store.tags import tagged_language
from crosshead.types import (
    KEEPS_TOKENS,
    Candidate,
    Chunk,
    DocumentRows,
    EmbedChunks,
    EmbeddingResult,
    Filter,
    Finding,
    IndexVectors,
    ListedDocument,
    StoreCounts,
    StoredDocument,
    StoredSection,
    Vectors,
)

DOCUMENTS_AT_ONCE: Final = 64
"""Of one transaction; the locks of all transactions share a table of the server."""
STATISTICS_SECONDS: Final = 60.0
"""How long statistics are believed."""
LANGUAGES_SECONDS: Final = 5.0
"""How long the languages that others write are not noticed."""

# A heading of the older layout may lack its text and its lines, or hold more than its title.
_SECTIONS: Final = """
    SELECT section.chunk_id, COALESCE(parent.chunk_id, root_section_id), document_id,
        CASE WHEN section.content IS NULL THEN '' ELSE section.section_path[cardinality(section.section_path)] END,
        section.level, section.section_path, section.start_offset, section.end_offset,
        COALESCE(section.start_line, 1), COALESCE(section.end_line, section.start_line, 1)
    FROM chunks AS section JOIN works ON works.id = section.work_id
        LEFT JOIN chunks AS parent ON parent.id = section.parent_id
    WHERE section.level IN ('H1', 'H2', 'H3', 'H4', 'H5', 'H6') AND {condition}
    ORDER BY document_id, section.seq
"""
_ROOT_SECTIONS: Final = """
    SELECT root_section_id, NULL, document_id, '', 'H0', ARRAY[]::text[], 0, end_offset, 1, end_line
    FROM works WHERE root_section_id = ANY (%s)
"""
# With OR in place of UNION the database would look at every row.
_BELOW: Final = """{row}.id IN (
    SELECT id FROM chunks WHERE parent_id IN (SELECT id FROM chunks WHERE chunk_id = ANY (%s))
    UNION ALL
    SELECT id FROM chunks
    WHERE work_id IN (SELECT id FROM works WHERE root_section_id = ANY (%s)) AND (parent_id IS NULL OR NOT EXISTS (
        SELECT FROM chunks AS parent WHERE parent.id = chunks.parent_id AND parent.work_id = chunks.work_id
    ))
)"""
# Rows of the older layout may have no content.
_CHUNKS: Final = """
    SELECT chunk.record, COALESCE(chunk.content, '') FROM chunks AS chunk WHERE chunk.record IS NOT NULL AND
"""
_TITLES: Final = """
    SELECT title FROM (
        SELECT DISTINCT ON (lower(title)) title
        FROM chunks CROSS JOIN LATERAL (VALUES (section_path[cardinality(section_path)])) AS own (title)
        WHERE level IN ('H1', 'H2', 'H3', 'H4', 'H5', 'H6') AND title ~* %s
        ORDER BY lower(title), title
    ) AS found
    ORDER BY title !~* %s, length(title), lower(title) COLLATE "C" LIMIT %s
"""
_COUNTS: Final = """
    SELECT (SELECT count(*) FROM works WHERE document_id IS NOT NULL),
        count(chunk_id) - count(record) + (SELECT count(root_section_id) FROM works),
        count(record),
        count(*) FILTER (WHERE vector_status = 'to_vec' AND terms IS NOT NULL),
        count(*) FILTER (WHERE vector_status = 'vec_err' AND terms IS NOT NULL)
    FROM chunks
"""
_LANGUAGES: Final = "SELECT tags[:1], count(*) FROM works WHERE document_id IS NOT NULL GROUP BY 1"
_SIZE: Final = """
    SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest(ARRAY['works', 'chunks', 'windows']) AS name
"""
_LISTED: Final = """
    SELECT source, format, date, length(text),
        count(chunks.id) FILTER (WHERE level LIKE '%%-chunk'),
        count(chunks.id) FILTER (WHERE vector_status = 'to_vec' AND terms IS NOT NULL),
        count(chunks.id) FILTER (WHERE vector_status = 'vec_err' AND terms IS NOT NULL),
        tags[:1]
    FROM works LEFT JOIN chunks ON work_id = works.id
    WHERE document_id = ANY (%s) GROUP BY works.id
"""
_KNOWN_VECTORS: Final = """
    WITH known AS (
        SELECT DISTINCT ON (text_hash) text_hash, id, embedding FROM chunks
        WHERE text_hash = ANY (%s) AND embedding IS NOT NULL ORDER BY text_hash, id
    )
    SELECT text_hash, 0 AS number, embedding FROM known
    UNION ALL SELECT text_hash, number, windows.embedding FROM known JOIN windows ON chunk = known.id
    ORDER BY text_hash, number
"""
_KNOWN_TOKENS: Final = """
    SELECT DISTINCT ON (text_hash) text_hash, tokens FROM chunks
    WHERE text_hash = ANY (%s) AND tokens IS NOT NULL ORDER BY text_hash, id
"""
_KNOWN_TEXTS: Final = "SELECT DISTINCT text_hash FROM chunks WHERE embedding IS NOT NULL AND text_hash IS NOT NULL"


class PostgresStore:
    """An index in a database."""

    def __init__(self, url: str, *, create: Mapping[str, Any] | None = None) -> None:
        """Open an index; `create` are the settings of a new one, if there is none."""
        if create is not None:
            settings.create(url, create)
        self.settings: Mapping[str, Any] = settings.read_settings(url)
        self._database = Database(url)
        self._statistics: indexes.Statistics | None = None
        self._statistics_until = 0.0
        self._languages: Counter[str] = Counter()
        self._languages_until = 0.0
        self._has_migrated = True

    @property
    def location(self) -> str:
        """The server and the database, without what lets one in."""
        return self._database.name

    def close(self) -> None:
        """Let go of all connections."""
        self._database.close()

    # ------------------------------------------------------------------ writing

    def lock(self, wait_seconds: float = 0) -> AbstractContextManager[None]:
        """Writers do not get in each other's way here: every transaction locks what it changes."""
        return nullcontext()

    def change_setting(self, name: str, value: Any) -> None:
        """Store another value of a setting; None removes it."""
        self._database.run(partial(settings.change, name=name, value=value))
        self.settings = changed(self.settings, name, value)

    def replace_documents(self, documents: Sequence[DocumentRows]) -> Sequence[str]:
        """Write documents in place of what is stored of them; of one that is given twice, the last counts."""
        latest = {each.document.id: each for each in documents}
        self._check_dimension(stored.vectors for each in documents for stored in each.chunks)
        language = self.settings["language"]
        notes: list[str] = []
        for batch in _batches(list(latest)):
            given = [latest[each] for each in batch]
            replaced = self._find_replaced(given)
            work = partial(write.replace_documents, documents=given, language=language, replaced=[*replaced])
            self._write([*batch, *replaced], work)
            notes += replaced.values()
        return notes

    def set_languages(self, languages: Mapping[str, str]) -> None:
        """Read the words of documents again, each in its language."""
        for batch in _batches(list(languages)):
            given = {id: languages[id] for id in batch}
            self._write(batch, partial(reword.set_languages, languages=given))

    def delete_documents(self, ids: Sequence[str]) -> None:
        """Remove documents with all that belongs to them."""
        query = "SELECT document_id FROM works WHERE document_id = ANY (%s)"
        for batch in _batches([known for (known,) in self._database.fetch(query, list(ids))]):
            self._write(batch, partial(write.delete_documents, ids=batch))

    def embed_waiting(self, limit: int, embed: EmbedChunks, *, skip: Collection[str] = ()) -> int:
        """Let some of the chunks that wait be embedded, which no other process takes meanwhile."""

        def embed_checked(chunks: Sequence[Chunk]) -> Mapping[str, EmbeddingResult]:
            given = embed(chunks)
            self._check_dimension(each.vectors for each in given.values())
            return given

        def transact(connection: Connection) -> int:
            with connection.transaction():
                write.join_writers(connection, self.location)
                return waiting.embed_some(connection, limit, embed_checked, skip)

        return self._database.run(transact)

    def retry_failed(self) -> None:
        """Let chunks wait again that could not be embedded."""
        self._database.run(waiting.retry_failed)

    def maintain(self, *, thoroughly: bool = False) -> None:
        """Build and refresh indexes, and what is known about the tables; the server does the rest by itself."""
        self._database.run(partial(indexes.maintain, dimension=self.settings["dimension"]))
        self._statistics_until = 0.0

    def inspect(self) -> Iterator[Finding]:
        """Look for rows that belong to nothing; damage is for the checksums of the server."""
        yield from self._database.run(partial(inspect_rows, dimension=self.settings["dimension"]))

    def _find_replaced(self, documents: Sequence[DocumentRows]) -> dict[str, str]:
        """Return the migrated documents that give way to these; once there are none, nobody makes new ones."""
        self._has_migrated = self._has_migrated and self._database.run(migrated.any_left)
        return self._database.run(partial(migrated.find_replaced, documents=documents)) if self._has_migrated else {}

    def _write(self, ids: Sequence[str], work: Callable[[Connection], None]) -> None:
        """Change documents in one transaction."""

        def transact(connection: Connection) -> None:
            with connection.transaction():
                write.lock_documents(connection, ids, self.location)
                work(connection)

        self._database.run(transact)
        self._languages_until = 0.0

    def _check_dimension(self, vectors: Iterable[Vectors | None]) -> None:
        dimension = self.settings["dimension"]
        for each in vectors:
            if each is not None and each.shape[-1] != dimension:
                raise StoreError(f"{self.location}: vectors here have {dimension} numbers, not {each.shape[-1]}")

    # ------------------------------------------------------------------ reading

    def document_revisions(self) -> dict[str, str]:
        """Return the revision of every document by its source."""
        return dict(self._database.fetch("SELECT source, revision FROM works WHERE revision IS NOT NULL"))

    def languages(self) -> Mapping[str, int]:
        """Return how many documents are in each language."""
        if time.monotonic() > self._languages_until:
            self._languages = Counter()
            for tags, count in self._database.fetch(_LANGUAGES):
                self._languages[tagged_language(tags)] += count
            self._languages_until = time.monotonic() + LANGUAGES_SECONDS
        return self._languages

    def documents(self, ids: Sequence[str]) -> list[StoredDocument]:
        """Return those documents that exist, in the order asked for."""
        columns = ", ".join(rows.DOCUMENT_COLUMNS)
        found = self._database.fetch(f"SELECT {columns} FROM works WHERE document_id = ANY (%s)", list(ids))
        return _in_order(ids, {document.id: document for document in map(rows.to_document, found)})

    def listed(self, ids: Sequence[str]) -> list[ListedDocument]:
        """Return how large documents are, by source, without reading their texts."""
        listed = self._database.fetch(_LISTED, list(ids))
        return sorted(ListedDocument(*row)._replace(language=tagged_language(tags)) for *row, tags in listed)

    def sections(self, ids: Sequence[str]) -> list[StoredSection]:
        """Return those sections that exist, in the order asked for."""
        found = self._database.fetch(_SECTIONS.format(condition="section.chunk_id = ANY (%s)"), list(ids))
        found += self._database.fetch(_ROOT_SECTIONS, list(ids))
        return _in_order(ids, {section.id: section for section in map(rows.to_section, found)})

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """Return those chunks that exist, in the order asked for."""
        found = self._database.fetch(_CHUNKS + "chunk.chunk_id = ANY (%s)", list(ids))
        return _in_order(ids, {chunk.id: chunk for chunk in (from_record(*row) for row in found)})

    def subsections(self, parent_ids: Sequence[str]) -> list[StoredSection]:
        """Return the sections directly below these, in order."""
        query = _SECTIONS.format(condition=_BELOW.format(row="section"))
        return [rows.to_section(row) for row in self._database.fetch(query, list(parent_ids), list(parent_ids))]

    def section_chunks(self, section_ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks whose section is one of these, in order."""
        query = _CHUNKS + _BELOW.format(row="chunk")
        found = [from_record(*row) for row in self._database.fetch(query, list(section_ids), list(section_ids))]
        return sorted(found, key=lambda chunk: (chunk.document_id, chunk.index))

    def titles(self, beginning: str, limit: int) -> list[str]:
        """Return titles of sections that have a word with this beginning."""
        word = re.escape(storable(beginning))
        found = self._database.fetch(_TITLES, f"(^|[^[:alnum:]]){word}", f"^{word}", limit)
        return [title for (title,) in found]

    def counts(self) -> StoreCounts:
        """Return how much there is."""
        return StoreCounts(*self._database.fetch(_COUNTS)[0])

    def count_waiting(self) -> int:
        """Return how many chunks wait to be embedded."""
        return self._database.run(waiting.count)

    def size_bytes(self) -> int:
        """Return the space that the tables take."""
        return int(self._database.fetch(_SIZE)[0][0])

    def known_vectors(self, text_hashes: Sequence[str]) -> dict[str, Vectors]:
        """Return vectors that were made before, by the hash of their text."""
        import numpy as np

        found: dict[str, list[Any]] = {}
        for text_hash, _, vector in self._database.fetch(_KNOWN_VECTORS, list(text_hashes)):
            found.setdefault(text_hash, []).append(vector.to_numpy())
        return {text_hash: np.array(vectors, np.float32) for text_hash, vectors in found.items()}

    def known_tokens(self, text_hashes: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
        """Return the tokens that came with such vectors, piece by piece, where they are kept."""
        is_kept = self.settings.get(KEEPS_TOKENS) and text_hashes
        found = self._database.fetch(_KNOWN_TOKENS, list(text_hashes)) if is_kept else []
        return {text_hash: tuple(tokens) for text_hash, tokens in found}

    def index_with(self, index_vectors: IndexVectors | None) -> None:
        """A database builds its indexes by itself."""

    def known_texts(self) -> list[str]:
        """Return the hashes of all texts that have vectors."""
        return [text_hash for (text_hash,) in self._database.fetch(_KNOWN_TEXTS)]

    # ------------------------------------------------------------------ searching

    def holds(self, filter: Filter) -> bool:
        """Return whether there is anything that a filter allows."""
        condition = to_condition(filter)
        query = f"SELECT FROM chunks WHERE terms IS NOT NULL{condition.sql} LIMIT 1"
        return bool(self._database.fetch(query, *condition.values))

    def search_dense(self, vector: Vectors, limit: int, filter: Filter) -> list[Candidate]:
        """Return the nearest chunks, best first."""
        self._check_dimension([vector])
        asked: dict[str, Any] = {"vector": vector.reshape(-1), "limit": limit, "condition": to_condition(filter)}
        best = self._database.run(partial(dense.find_nearest, **asked))
        if len(best) < limit and self._known_statistics().has_graph:
            best = self._database.run(partial(dense.find_nearest_exactly, **asked))
        ranked = sorted(best.items(), key=lambda each: (-each[1], each[0]))
        return [Candidate(chunk_id, score) for chunk_id, score in ranked[:limit]]

    def search_lexical(
        self, words: Sequence[str], limit: int, filter: Filter, *, heading_weight: float
    ) -> list[Candidate]:
        """Return the chunks in which the words weigh most, best first."""
        find = partial(
            lexical.find_words,
            words=words,
            limit=limit,
            condition=to_condition(filter),
            statistics=self._known_statistics(),
            heading_weight=heading_weight,
        )
        found = self._database.run(find)
        return [Candidate(chunk_id, score) for chunk_id, score in found]

    def _known_statistics(self) -> indexes.Statistics:
        """Return what is known about the tables, which changes slowly."""
        if self._statistics is None or time.monotonic() > self._statistics_until:
            self._statistics = self._database.run(indexes.read_statistics)
            self._statistics_until = time.monotonic() + STATISTICS_SECONDS
        return self._statistics


def _in_order(ids: Sequence[str], found: Mapping[str, Any]) -> list[Any]:
    return [found[each] for each in ids if each in found]


def _batches(ids: Sequence[str]) -> Iterable[Sequence[str]]:
    for at in range(0, len(ids), DOCUMENTS_AT_ONCE):
        yield ids[at : at + DOCUMENTS_AT_ONCE]
