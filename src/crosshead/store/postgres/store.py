"""The store in PostgreSQL; the docstring of `crosshead.store.postgres` describes its tables."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial
from typing import Any, Final

from crosshead.errors import IndexChanged, StoreError
from crosshead.store.bm25 import weight_of
from crosshead.store.postgres import change, indexes, legacy, pending, settings
from crosshead.store.postgres.candidates import dense, lexical
from crosshead.store.postgres.candidates.filters import to_condition
from crosshead.store.postgres.database.pool import Connection, Database
from crosshead.store.postgres.inspection import inspect_rows
from crosshead.store.postgres.rows import reading, terms
from crosshead.store.postgres.rows import writing as write
from crosshead.store.postgres.rows.encoding import decode, encode
from crosshead.store.postgres.settings import CHANGE_ID
from crosshead.store.postgres.sizes import sizes_of
from crosshead.store.ranking import ranked
from crosshead.store.settings import changed
from crosshead.types import (
    HAS_TOKEN_VECTORS,
    Candidate,
    Chunk,
    DocumentLinks,
    DocumentProperty,
    DocumentRows,
    EmbedChunks,
    EmbeddingResult,
    EncodedRows,
    EncodeRows,
    Filter,
    Finding,
    IndexVectors,
    ListedDocument,
    Store,
    StoreContents,
    StoredDocument,
    StoredSection,
    StoredSizes,
    Vectors,
    WordStatistics,
)

DOCUMENTS_AT_ONCE: Final = 64
"""Documents per transaction; the lock table of the server has limited room."""
STATISTICS_SECONDS: Final = 60.0
"""How long statistics are cached."""
LANGUAGES_SECONDS: Final = 5.0
"""How long the counts of languages are cached, although other processes write."""


class PostgresStore:
    """An index in a database."""

    def __init__(self, url: str, *, create: Mapping[str, Any] | None = None) -> None:
        """Open an index; `create` are the settings of a new one, used if there is none."""
        if create is not None:
            settings.create(url, create)
        stored = settings.read_settings(url)
        self._change_id = stored.pop(CHANGE_ID, None)
        self.settings: Mapping[str, Any] = stored
        self._opened = ExitStack()
        self._database = Database(url)
        self._statistics: indexes.Statistics | None = None
        self._statistics_until = 0.0
        self._languages: Counter[str] = Counter()
        self._languages_until = 0.0
        self._adopted = legacy.AdoptedDocuments(self._database)

    @property
    def location(self) -> str:
        """The server and the database, without credentials."""
        return self._database.name

    def close(self) -> None:
        """Close all connections."""
        self._opened.close()
        self._database.close()

    # ------------------------------------------------------------------ writing

    def lock(
        self, wait_seconds: float = 0, *, index_vectors: IndexVectors | None = None
    ) -> AbstractContextManager[None]:
        """Return at once: any number may write, because every transaction locks the documents that it changes."""
        return nullcontext()

    def change_setting(self, name: str, value: Any) -> None:
        """Store a setting; None removes it."""
        self._database.run(partial(settings.change, name=name, value=value))
        self.settings = changed(self.settings, name, value)

    # ------------------------------------------------------------------ changing the settings

    def check_current(self) -> None:
        """Raise `IndexChanged` if other rows took the place of those that this store reads."""
        self._database.run(self._check_current)

    def reopened(self) -> PostgresStore:
        """Return the store as it is after a change of its settings; statements are prepared again for its tables."""
        return PostgresStore(self._database.url)

    def unfinished_change(self) -> Mapping[str, Any] | None:
        """Return the settings that an unfinished change would give the index, or None."""
        return self._database.run(change.unfinished_settings)

    def begin_change(self, settings: Mapping[str, Any]) -> PostgresStore:
        """Return a store for the rows that will replace these; it holds what an interrupted change has made."""
        with ExitStack() as opened:
            connection = opened.enter_context(change.changing(self._database.url))
            begun = PostgresStore(change.make_tables(connection, self._database.url, settings))
            begun._opened = opened.pop_all()  # the lock is released when it is closed
            return begun

    def finish_change(self, changed: Store, settings: Mapping[str, Any]) -> bool:
        """Put the rows and settings of a change in the place of these, in one commit."""
        return self._database.run(partial(change.take_over, url=self._database.url, settings=settings))

    def discard_change(self) -> None:
        """Remove what an unfinished change has made."""
        if self.unfinished_change() is not None:
            with change.changing(self._database.url) as connection:
                change.discard(connection)

    def _check_current(self, connection: Connection) -> None:
        if settings.change_id(connection) != self._change_id:
            raise IndexChanged(f"{self.location}: its settings were changed since it was opened; open it again")

    # ------------------------------------------------------------------ writing documents

    def encoder(self) -> EncodeRows:
        """Return what leaves rows as they are, because the form that they are stored in depends on other rows."""
        return encode

    def replace_documents(self, documents: Sequence[DocumentRows | EncodedRows]) -> Sequence[str]:
        """Write documents, replacing all rows of those that exist; of one that is given twice, the last counts."""
        latest = {each.id: decode(each) if isinstance(each, EncodedRows) else each for each in documents}
        self._check_dimension(stored.vectors for each in latest.values() for stored in each.chunks)
        language = self.settings["language"]
        notes: list[str] = []
        for batch in _batches(list(latest)):
            group = [latest[each] for each in batch]
            replaced = self._adopted.replaced_by(group)
            work = partial(write.replace_documents, documents=group, language=language, replaced=[*replaced])
            self._write([*batch, *replaced], work)
            notes += replaced.values()
        return notes

    def set_languages(self, languages: Mapping[str, str]) -> None:
        """Set the language of documents by id, and rebuild their words."""
        for batch in _batches(list(languages)):
            self._write(batch, partial(terms.set_languages, languages={id: languages[id] for id in batch}))

    def delete_documents(self, ids: Sequence[str]) -> None:
        """Remove documents with all their rows."""
        for batch in _batches(reading.known_ids(self._database, ids)):
            self._write(batch, partial(write.delete_documents, ids=batch))

    def embed_pending(self, limit: int, embed: EmbedChunks, *, skip: Collection[str] = ()) -> int:
        """Embed up to `limit` pending chunks, which no other process takes meanwhile."""

        def embed_checked(chunks: Sequence[Chunk]) -> Mapping[str, EmbeddingResult]:
            results = embed(chunks)
            self._check_dimension(each.vectors for each in results.values())
            return results

        def transact(connection: Connection) -> int:
            with connection.transaction():
                write.join_writers(connection, self.location)
                self._check_current(connection)
                return pending.embed_some(connection, limit, embed_checked, skip)

        return self._database.run(transact)

    def reset_failed(self) -> None:
        """Make failed chunks pending again."""
        self._database.run(pending.reset_failed)

    def maintain(self, *, thoroughly: bool = False) -> None:
        """Build vector indexes and refresh statistics; the server does the rest."""
        self._database.run(partial(indexes.maintain, dimension=self.settings["dimension"]))
        self._statistics_until = 0.0

    def inspect(self) -> Iterator[Finding]:
        """Look for orphaned rows; damaged files are found by the checksums of the server."""
        yield from self._database.run(partial(inspect_rows, dimension=self.settings["dimension"]))

    def _write(self, ids: Sequence[str], work: Callable[[Connection], None]) -> None:
        """Change documents in one transaction."""

        def transact(connection: Connection) -> None:
            with connection.transaction():
                write.lock_documents(connection, ids, self.location)
                self._check_current(connection)
                work(connection)

        self._database.run(transact)
        self._languages_until = 0.0

    def _check_dimension(self, vectors: Iterable[Vectors | None]) -> None:
        dimension = self.settings["dimension"]
        for each in vectors:
            if each is not None and each.shape[-1] != dimension:
                raise StoreError(f"{self.location}: vectors here have {dimension} numbers, not {each.shape[-1]}")

    # ------------------------------------------------------------------ looking up

    def document_revisions(self) -> dict[str, str]:
        """Return the revision of every document by source."""
        return reading.revisions(self._database)

    def documents(self, ids: Sequence[str]) -> list[StoredDocument]:
        """Return documents with their texts, in the order of `ids`."""
        return reading.documents(self._database, ids)

    def list_documents(self, ids: Sequence[str]) -> list[ListedDocument]:
        """Return the sizes and counts of documents, sorted by source, without reading their texts."""
        return reading.list_documents(self._database, ids)

    def known_documents(self, ids: Sequence[str]) -> Collection[str]:
        """Return those of some ids that documents have."""
        return reading.known_ids(self._database, ids)

    def sections(self, ids: Sequence[str]) -> list[StoredSection]:
        """Return sections in the order of `ids`."""
        return reading.sections(self._database, ids)

    def subsections(self, parent_ids: Sequence[str]) -> list[StoredSection]:
        """Return the direct subsections of some sections, in document order."""
        return reading.subsections(self._database, parent_ids)

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """Return chunks in the order of `ids`."""
        return reading.chunks(self._database, ids)

    def section_chunks(self, section_ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks that begin in some sections, in document order."""
        return reading.section_chunks(self._database, section_ids)

    def document_links(self, ids: Sequence[str]) -> list[DocumentLinks]:
        """Return the links and anchors of documents, in the order of `ids`."""
        return reading.document_links(self._database, ids)

    def linked_documents(self, keys: Sequence[str], limit: int) -> list[DocumentLinks]:
        """Return up to `limit` documents that have one of some `DocumentLinks.keys`, by source."""
        return reading.linked_documents(self._database, keys, limit)

    def ids_starting_with(self, beginning: str, limit: int) -> list[str]:
        """Return up to `limit` ids of chunks and sections that start with some characters, sorted."""
        return reading.ids_starting_with(self._database, beginning, limit)

    def complete_titles(self, beginning: str, limit: int) -> list[str]:
        """Return up to `limit` section titles that contain a word starting with `beginning`, ignoring case."""
        return reading.complete_titles(self._database, beginning, limit)

    def count_languages(self) -> Mapping[str, int]:
        """Return the number of documents by language code."""
        if time.monotonic() > self._languages_until:
            self._languages = reading.count_languages(self._database)
            self._languages_until = time.monotonic() + LANGUAGES_SECONDS
        return self._languages

    def distinct_values(self, name: DocumentProperty) -> list[str]:
        """Return the distinct values of a property of documents, sorted."""
        return reading.distinct_values(self._database, name)

    def count_pending(self) -> int:
        """Return the number of pending chunks."""
        return self._database.run(pending.count)

    def contents(self) -> StoreContents:
        """Return how much the store holds."""
        return reading.contents(self._database)._replace(migrated=self._adopted.sources())

    def size_bytes(self) -> int:
        """Return the space that the tables take."""
        return reading.size_bytes(self._database)

    def sizes(self) -> StoredSizes:
        """Return what this space is taken by."""
        return self._database.run(sizes_of)

    # ------------------------------------------------------------------ reusing vectors

    def known_vectors(self, text_hashes: Sequence[str]) -> dict[str, Vectors]:
        """Return stored vectors by the hash of their text."""
        return reading.vectors_by_hash(self._database, text_hashes)

    def known_token_vectors(self, text_hashes: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
        """Return stored token vectors, one entry per piece, by the hash of their text."""
        if not (self.settings.get(HAS_TOKEN_VECTORS) and text_hashes):
            return {}
        return reading.token_vectors_by_hash(self._database, text_hashes)

    def known_text_hashes(self) -> list[str]:
        """Return the hashes of all texts that have vectors."""
        return reading.embedded_text_hashes(self._database)

    # ------------------------------------------------------------------ searching

    def matches_any(self, filter: Filter) -> bool:
        """Return whether a filter leaves anything to search."""
        condition = to_condition(filter)
        query = f"SELECT FROM chunks WHERE terms IS NOT NULL{condition.sql} LIMIT 1"
        return bool(self._database.fetch(query, *condition.values))

    def search_dense(self, vector: Vectors, limit: int, filter: Filter) -> list[Candidate]:
        """Return the chunks nearest to a vector, best first, with their cosines."""
        self._check_dimension([vector])
        query: dict[str, Any] = {"vector": vector.reshape(-1), "limit": limit, "condition": to_condition(filter)}
        best = self._database.run(partial(dense.find_nearest, **query))
        if len(best) < limit and self._known_statistics().has_graph:
            best = self._database.run(partial(dense.find_nearest_exactly, **query))
        return ranked(best, limit)

    def search_lexical(
        self,
        words: Sequence[str],
        limit: int,
        filter: Filter,
        *,
        heading_weight: float,
        statistics: WordStatistics | None = None,
    ) -> list[Candidate]:
        """Return the best chunks by BM25 over text and headings, best first, with scores as a share of the maximum."""
        find = partial(
            lexical.find_words,
            words=words,
            limit=limit,
            condition=to_condition(filter),
            statistics=statistics,
            heading_weight=heading_weight,
        )
        own = self._known_statistics()
        found = self._database.run(lambda connection: find(connection, own=own))
        return [Candidate(chunk_id, score) for chunk_id, score in found]

    def word_statistics(self, words: Sequence[str]) -> WordStatistics:
        """Return how frequent words are; of frequent words and lengths, as the database estimates them."""
        return self._database.run(partial(lexical.word_statistics, words=words, own=self._known_statistics()))

    def rarities(self, words: Sequence[str]) -> list[float]:
        """Return how rare words are in the index: the weight (IDF) of each in BM25."""
        statistics = self.word_statistics(words)
        return [weight_of(word, statistics) for word in words]

    def index_of(self, id: str) -> str:
        """Return nothing: there is only one index."""
        return ""

    def _known_statistics(self) -> indexes.Statistics:
        """Return the statistics of the tables, read again after a while."""
        if self._statistics is None or time.monotonic() > self._statistics_until:
            self._statistics = self._database.run(indexes.read_statistics)
            self._statistics_until = time.monotonic() + STATISTICS_SECONDS
        return self._statistics


def _batches(ids: Sequence[str]) -> Iterable[Sequence[str]]:
    for at in range(0, len(ids), DOCUMENTS_AT_ONCE):
        yield ids[at : at + DOCUMENTS_AT_ONCE]
