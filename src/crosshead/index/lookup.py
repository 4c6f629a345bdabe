"""What an index holds, found by ids, citations and beginnings of words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from crosshead import search
from crosshead.citation import Citation, parse_citation
from crosshead.ids import document_id
from crosshead.index.links import LinkLookup
from crosshead.index.reading import IndexReader, ReadableIndex
from crosshead.options import check_types
from crosshead.types import (
    Answer,
    Chunk,
    Hit,
    Passage,
    Proof,
    ReadableStore,
    RelatedSection,
    StoredDocument,
)


class Lookup(LinkLookup):
    """The part of `Index` that looks things up, without a query."""

    _current: IndexReader

    def chunk(self, chunk_id: str) -> Chunk | None:
        """Return a chunk by its id, or None."""
        return self._current.read(lambda index: search.find_chunk(index.store, chunk_id))

    def parent(self, chunk_id: str) -> Chunk | None:
        """Return the chunk that opens the section around a chunk, or None."""
        return next(iter(self.parents(chunk_id, 1)), None)

    def parents(self, chunk_id: str, levels: int = 2) -> list[Chunk]:
        """Return the parent of a chunk, the parent of that one, and so on, up to some levels."""
        check_types(int, levels=levels)
        return self._current.read(lambda index: search.find_parents(index.store, chunk_id, levels))

    def siblings(self, id: str) -> list[Chunk]:
        """Return the chunks beside a chunk or a section: other parts of its section, or openings of those beside it."""
        return self._current.read(lambda index: search.find_siblings(index.store, id))

    def section(self, section_id: str) -> Passage | None:
        """Return a whole section, with its subsections, or None."""
        return self._current.read(lambda index: search.quote_section(index.store, section_id, index.count_tokens))

    def passage(self, citation: str | Citation) -> Passage | None:
        """Return the text that a citation leads to, such as `guide.md:8-16` or `report.pdf p. 39`, or None.

        A source alone gives the whole document.
        """
        check_types(str | Citation, citation=citation)
        readings = [*parse_citation(citation)] if isinstance(citation, str) else [citation]

        def quote(index: ReadableIndex) -> Passage | None:
            quotes = (search.quote_citation(index.store, reading, index.count_tokens) for reading in readings)
            return next(filter(None, quotes), None)

        return self._current.read(quote)

    def certify(
        self, text: str, passages: Sequence[Passage], *, question: str = "", model: str = "", complete: bool = True
    ) -> Answer:
        """Return the text of an answer with its certificate: which spans of which documents its `[n]` stand for.

        `passages`: those of the prompt that it answers, by number from 1: `prompt.passages`.
        `complete`: False if the model stopped in the middle.
        """
        from crosshead.proof import certify  # a search does without

        check_types(str, text=text, question=question, model=model)
        check_types(bool, complete=complete)

        def read(index: ReadableIndex) -> Answer:
            documents = {each.id: each for each in index.store.documents([*{each.document_id for each in passages}])}
            return certify(text, passages, documents, question=question, model=model, complete=complete)

        return self._current.read(read)

    def verify(self, answer: Answer | Mapping[str, Any]) -> Proof:
        """Check an answer, also one of another program as JSON: are its sentences in the spans that they cite?

        Compares numbers, dates, identifiers, names and quotations, offline and without a model; it does not judge what
        a sentence means.
        """
        from crosshead.proof import verify  # as above

        check_types(Answer | Mapping, answer=answer)
        wanted = answer if isinstance(answer, Answer) else Answer.from_json(answer)

        def check(index: ReadableIndex) -> Proof:
            found = self._documents_cited(index.store, wanted)
            return verify(wanted, {each.source: each for each in found}, partial(_locate, index.store))

        return self._current.read(check)

    def related(self, text: str | Citation | Passage | Chunk | Hit, limit: int = 10) -> list[RelatedSection] | None:
        """Return the sections of other documents that are nearest to a text by the vectors that the index has of both.

        `text`: a citation, a source, the id of a section or chunk, or what a search found. None if it leads nowhere.
        A text without vectors is compared by its words. No text is embedded.
        """
        check_types(str | Citation | Passage | Chunk | Hit, text=text)
        check_types(int, limit=limit)
        chunk_ids = self._chunks_at(text)

        def find(index: ReadableIndex) -> list[RelatedSection]:
            chunks = index.store.chunks(chunk_ids or ())
            return search.find_related(index.store, chunks, limit, index.piece_cutter.text_hash)

        return None if chunk_ids is None else self._current.read(find)

    def _chunks_at(self, text: str | Citation | Passage | Chunk | Hit) -> Sequence[str] | None:
        """Return the ids of the chunks that hold a text; None if it leads nowhere."""
        if isinstance(text, Hit | Chunk):
            return [text.chunk.id if isinstance(text, Hit) else text.id]
        if isinstance(text, str) and self.chunk(text):
            return [text]
        found = (
            text if isinstance(text, Passage) else (isinstance(text, str) and self.section(text)) or self.passage(text)
        )
        return found.chunk_ids if found else None

    def _documents_cited(self, store: ReadableStore, answer: Answer) -> Iterable[StoredDocument]:
        """Return the documents that an answer cites, one for each source."""
        return store.documents([*map(document_id, {each.source for each in answer.citations})])

    def ids(self, beginning: str, limit: int = 10) -> list[str]:
        """Return ids of chunks and sections that start with some characters."""
        check_types(str, beginning=beginning)
        check_types(int, limit=limit)
        return self._current.read(lambda index: index.store.ids_starting_with(beginning, limit))

    def titles(self, beginning: str, limit: int = 20) -> list[str]:
        """Return titles of sections that have a word with this beginning; `section_filter` accepts them."""
        check_types(str, beginning=beginning)
        check_types(int, limit=limit)
        word = beginning.strip()
        return self._current.read(lambda index: index.store.complete_titles(word, limit)) if word else []

    def document(self, document_id: str) -> StoredDocument | None:
        """Return a document with its text by its id, or None."""
        check_types(str, document_id=document_id)
        return self._current.read(lambda index: next(iter(index.store.documents([document_id])), None))

    def sources(self) -> list[str]:
        """Return the sources of all documents."""
        return self._current.read(lambda index: sorted(index.store.document_revisions()))


def _locate(store: ReadableStore, citation: str) -> tuple[StoredDocument, tuple[int, int]] | None:
    """Return the document and the offsets that a citation leads to."""
    found = next(filter(None, (search.find_cited(store, reading) for reading in parse_citation(citation))), None)
    return (found[0], found[2]) if found else None
