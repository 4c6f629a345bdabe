"""Index: documents in, whole cited sections out.

Joins the rooms: files are walked, read, cut and embedded (ingest), kept (store), found (search) and put together again
(context). What is heavy is imported when it is first needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from crosshead import ids
from crosshead.context.consolidate import consolidate
from crosshead.context.expand import expand, find_chunk, find_parent, find_siblings
from crosshead.context.focus import focus
from crosshead.context.lookup import quote_section, sections_around
from crosshead.embed.base import get_embedder
from crosshead.errors import (
    CrossheadError,
    IndexNotFound,
    Locked,
    ModelNotChosen,
    OptionsError,
    OptionsMismatch,
    StoreError,
)
from crosshead.ingest.local import AddResult, LocalRun, Progress
from crosshead.ingest.pending import EmbedResult, OnPending, PendingRun
from crosshead.ingest.prepare import prepare_text, text_revision
from crosshead.ingest.recipe import EmbedText, Recipe, check_same
from crosshead.ingest.sources import find_sources, lies_in, source_of
from crosshead.ingest.watch import Touched, changes
from crosshead.ingest.write import VectorSource, Writer
from crosshead.model import MIGRATED_REVISION, Chunk, Embedder, Filter, Hit, Passage, Rerank, Reranker, Store
from crosshead.options import (
    ChunkOptions,
    ExtractOptions,
    SearchMode,
    SearchOptions,
    chunk_options,
    extract_options,
    search_options,
)
from crosshead.pipeline import get_format
from crosshead.search.answer import Question
from crosshead.search.retrieve import Retriever
from crosshead.store.copy import OnCopied, copy_documents
from crosshead.store.opening import open_store
from crosshead.store.postgres.connection import is_url
from crosshead.tokens import get_counter
from crosshead.words import stemmer

__all__ = ["AddResult", "EmbedResult", "Index", "Progress", "Status"]

DEFAULT_LOCATION: Final = ".crosshead"
PIECE_TOKENS: Final = 128
"""Of the pieces of a chunk that have a vector each."""
USUAL_SEARCH: Final[Mapping[str, Mapping[str, Any]]] = {
    "static": {"dense_weight": 0.4, "weak_score": 0.26},
    "minilm": {},
    "minilm:fp32": {},
}
"""How an index is searched by default, by its embedder. The static table knows words but not sentences: it may help,
but not overrule what words say."""
OTHER_SEARCH: Final[Mapping[str, Any]] = {"relative_cosines": True, "weak_score": 0.0}
"""The same for models whose cosines nobody has compared with answers."""
RERANKED_SEARCH: Final[Mapping[str, Mapping[str, Any]]] = {
    "maxsim": {"rerank_depth": 12, "rerank_weight": 0.25, "rerank_pieces": True},
}
"""How a reranker is used by default, by its name."""
PASSAGE_HITS: Final = 30
"""Hits that passages are put together from, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Status:
    """What an index holds, and what it was made with."""

    location: str
    root: str
    documents: int
    sections: int
    chunks: int
    pending: int
    """Chunks that wait to be embedded."""
    failed: int
    """Chunks that could not be embedded and wait no longer; `embed_pending` may retry them."""
    size_bytes: int
    embedder: str
    settings: Mapping[str, Any]
    migrated: tuple[str, ...] = ()
    """Documents from an older layout whose files were not indexed, or could not be told by title or path."""


class Index:
    """An index of documents, in a folder or in a PostgreSQL database."""

    def __init__(
        self,
        location: str | Path = DEFAULT_LOCATION,
        *,
        root: str | Path | None = None,
        embedder: str | Embedder | None = None,
        language: str = "auto",
        embed_text: EmbedText | None = None,
        piece_tokens: int | None = None,
        extract: ExtractOptions | None = None,
        create: bool = True,
        **chunking: Any,
    ) -> None:
        """Open an index, or make one; `chunking` are options of chunking by name.

        An index keeps what it was made with. What is asked for here must be the same; what is left out, or `auto`, is
        taken from there. `location` is a folder or a URL: postgresql://USER:PASSWORD@HOST:PORT/DATABASE. `root` is what
        sources are relative to: by default the folder that holds the index, for a database the working folder.
        Without an `embedder` the best that is installed is taken. A chunk of more than `piece_tokens` has several
        vectors, of pieces of that size, which find more but take more room; 0 makes one vector of each chunk. Documents
        that were migrated from an older layout get their model here: with `create`, or if an `embedder` is given.
        """
        asked = _asked(
            chunking,
            root=os.path.abspath(root) if root is not None else None,
            language=None if language == "auto" else language,
            embed_text=embed_text,
            piece_tokens=piece_tokens,
            extract=asdict(extract) if extract is not None else None,
        )
        may_choose = create or embedder is not None
        embedder = "auto" if embedder is None else embedder
        self._embedder = None if isinstance(embedder, str) else embedder
        name = embedder if isinstance(embedder, str) else embedder.name
        self._store = self._open(location, name, asked, create=create, may_choose=may_choose)
        self.location = self._store.location
        try:
            self._recipe = self._read_recipe(name, asked)
        except CrossheadError:
            self.close()
            raise
        self.root = Path(self._store.settings.get("root") or _usual_root(self.location))

    def _open(
        self, location: str | Path, embedder: str, asked: Mapping[str, Any], *, create: bool, may_choose: bool
    ) -> Store:
        try:
            return open_store(location)
        except ModelNotChosen:
            if not may_choose:
                raise
        except IndexNotFound:
            if not create:
                raise
        return open_store(location, create=self._new_settings(embedder, asked))

    def _read_recipe(self, embedder: str, asked: Mapping[str, Any]) -> Recipe:
        """Return how documents are made; what is asked for must be what the index was made with."""
        settings = self._store.settings
        recipe = Recipe.from_settings(settings, self.location)
        check_same({**settings, **settings["chunk"]}, asked, self.location)
        if embedder != "auto" and embedder != settings["embedder"]:
            check_same(settings, {"embedder": get_embedder(embedder).name}, self.location)
        return recipe

    def _new_settings(self, embedder: str, asked: Mapping[str, Any]) -> dict[str, Any]:
        stemmer(asked.get("language", "auto"))  # raises an error that says what is known
        self._embedder = self._embedder or get_embedder(embedder)
        chunk_names = ChunkOptions.__dataclass_fields__
        recipe = Recipe(
            chunk=chunk_options(**{name: value for name, value in asked.items() if name in chunk_names}),
            extract=extract_options(**asked.get("extract", {})),
            embed_text=asked.get("embed_text", "breadcrumb+content"),
            piece_tokens=asked.get("piece_tokens", PIECE_TOKENS),
            language=asked.get("language", "auto"),
            embedder_revision=self._embedder.revision,
        )
        return {
            "root": asked.get("root"),
            "embedder": self._embedder.name,
            "dimension": self._embedder.dimension,
            **recipe.to_settings(),
        }

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder that the index was made with."""
        embedder = self._embedder or get_embedder(self._store.settings["embedder"])
        if embedder.revision != self._recipe.embedder_revision:
            raise OptionsMismatch(
                f"{self.location}: made with another version of the model {embedder.name}: "
                "install that version, or make a new index"
            )
        return embedder

    # ------------------------------------------------------------------ writing

    def add(
        self,
        *paths: str | Path,
        prune: bool = True,
        embed: bool = True,
        on_progress: Callable[[Progress], None] | None = None,
        jobs: int | None = None,
    ) -> AddResult:
        """Index files and folders; what has not changed is left alone.

        With `prune`, documents whose files are gone from a given folder are removed. Without `embed`, new texts wait
        for `embed_pending`, and are found by their words until then. `jobs` are the processes to use.
        """
        return self._add(paths, None, prune=prune, embed=embed, on_progress=on_progress, jobs=jobs)

    def _add(
        self,
        paths: tuple[str | Path, ...],
        touched: Container[str] | None,
        *,
        prune: bool,
        embed: bool,
        on_progress: Callable[[Progress], None] | None = None,
        jobs: int | None,
    ) -> AddResult:
        with self._store.lock():
            embedder = self.embedder if embed else None
            run = LocalRun(self._store, embedder, self._recipe, on_progress, jobs)
            return run.add(find_sources(paths, self.root, run.known_sources), prune=prune, touched=touched)

    def watch(
        self, *paths: str | Path, prune: bool = True, embed: bool = True, jobs: int | None = None
    ) -> Iterator[AddResult]:
        """Index files and folders now and whenever they change; tell each time what happened. Never ends by itself.

        While another process writes, changes are kept until it is done.
        """
        touched, is_told = Touched(everything=True), False
        for changed in changes(paths, Path(self.location)):
            touched = touched.and_also(changed)
            if not touched:
                continue
            try:
                result = self._add(paths, touched, prune=prune, embed=embed, jobs=jobs)
            except Locked:
                if not is_told:
                    yield AddResult(notes=(f"{self.location}: another process is writing; waiting until it is done",))
                is_told = True
                continue
            touched, is_told = Touched(), False
            if result.anything:
                yield result

    def embed_pending(self, *, retry_failed: bool = False, on_progress: OnPending | None = None) -> EmbedResult:
        """Embed the chunks that wait for it, with `retry_failed` also those that could not be embedded before.

        In a database several processes may do this at once; each takes other chunks.
        """
        with self._store.lock():
            if retry_failed:
                self._store.retry_failed()
            return PendingRun(self._store, self.embedder, self._recipe, on_progress).run()

    def copy_to(self, location: str | Path, *, on_progress: OnCopied | None = None) -> int:
        """Copy everything, vectors included, into a new index; return the number of documents."""
        settings = {name: value for name, value in self._store.settings.items() if name != "schema_version"}
        settings["root"] = str(self.root.absolute())
        self._store.counts()  # a damaged index says so before anything is made
        target = open_store(location, create=settings)
        try:
            if target.counts().documents:
                raise StoreError(
                    f"{target.location}: there are documents already; copy into a new place, or remove it first"
                )
            check_same(target.settings, settings, target.location)
            with self._store.lock(), target.lock():
                return copy_documents(self._store, target, self._recipe.text_hash, on_progress)
        finally:
            target.close()

    def add_text(
        self, text: str, *, source: str, format: str = "markdown", metadata: Mapping[str, Any] | None = None
    ) -> AddResult:
        """Index a text that is in no file; one with the same source is replaced."""
        if not source.strip():
            raise OptionsError("the source of a text is empty: name it, as in source='wiki/Keys'")
        source, metadata = ids.encodable(source), metadata or {}
        with self._store.lock():
            known = self._store.document_revisions().get(source)
            if known == text_revision(self._recipe, text, format, metadata):
                return AddResult(unchanged=1)
            vectors = VectorSource(self._store, self.embedder, self._recipe)
            writer = Writer(self._store, vectors)
            writer.put(prepare_text(self._recipe, text, source, format, metadata))
            writer.flush()
        for error in writer.failed.values():
            raise error
        return AddResult(
            added=int(known is None),
            updated=int(known is not None),
            notes=tuple(writer.notes),
            embedded=vectors.embedded,
        )

    def remove(self, source: str | Path) -> int:
        """Remove a document, or all below a folder, by source or by path; return how many there were."""
        if not str(source).strip():
            raise OptionsError("no document is named: give a source, or the path of a file or folder")
        literal = {str(source).rstrip("/") or "/"} - {"."}  # that is a path, and the root only where it is one
        names = literal | {source_of(source, self.root)}
        with self._store.lock():
            gone = [each for each in self._store.document_revisions() if lies_in(each, names)]
            self._store.delete_documents([ids.document_id(each) for each in gone])
        return len(gone)

    def optimize(self) -> None:
        """Refresh what makes searching quick, and drop what is no longer needed."""
        with self._store.lock():
            self._store.maintain()

    # ------------------------------------------------------------------ searching

    def search(
        self,
        query: str,
        limit: int = 10,
        mode: SearchMode = "hybrid",
        *,
        section_filter: str | None = None,
        source: str | None = None,
        format: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
        per_document: int | None = None,
        expand_context: bool = False,
        rerank: str | Reranker | Rerank | None = None,
        **options: Any,
    ) -> list[Hit]:
        """Return the best chunks for a query; `options` are further `SearchOptions` by name.

        `rerank` judges the first hits anew: the name of a reranker, or a function that takes the query and texts and
        returns a score for every text, a probability or its logit.
        """
        _, _, hits = self._ask(
            query,
            limit,
            mode,
            section_filter=section_filter,
            source=source,
            format=format,
            metadata=metadata,
            since=since,
            until=until,
            per_document=per_document,
            rerank=rerank,
            **options,
        )
        return expand(self._store, hits) if expand_context else hits

    def passages(
        self, query: str, budget_tokens: int = 2000, *, limit: int = PASSAGE_HITS, **search: Any
    ) -> list[Passage]:
        """Return text to give to a reader or a language model: whole hits first, then pieces, within a budget.

        `limit` are the hits that passages are put together from; `search` is what `search` takes.
        """
        if not isinstance(budget_tokens, int) or budget_tokens < 1:
            raise OptionsError(f"budget_tokens={budget_tokens!r} must be a whole number of at least 1")
        retriever, question, hits = self._ask(query, limit, **search)
        documents = self._store.documents([*dict.fromkeys(hit.chunk.document_id for hit in hits)])
        sections = sections_around(self._store, hits)
        return consolidate(
            focus(hits, sections, question.is_title),
            {document.id: document for document in documents},
            sections,
            budget_tokens,
            self._count_tokens,
            retriever.rate_pieces(hits, question),
        )

    def _ask(
        self,
        query: str,
        limit: int,
        mode: SearchMode = "hybrid",
        *,
        section_filter: str | None = None,
        source: str | None = None,
        format: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
        per_document: int | None = None,
        rerank: str | Reranker | Rerank | None = None,
        **options: Any,
    ) -> tuple[Retriever, Question, list[Hit]]:
        filter = Filter(
            section=section_filter or "",
            source=source or "",
            format=get_format(format).name if format else "",
            metadata=metadata or {},
            since=str(since or ""),
            until=str(until or ""),
        )
        usual = RERANKED_SEARCH.get(rerank, {}) if isinstance(rerank, str) else {}
        options = {**usual, **options}
        chosen = self._search_options(limit=limit, mode=mode, per_document=per_document or 0, **options)
        embedder = None if chosen.mode == "lexical" else self.embedder
        retriever = Retriever(self._store, embedder, _scoring(rerank), self._recipe)
        question = retriever.read(query, chosen)
        return retriever, question, retriever.answer(question, filter, chosen)

    def _search_options(self, **given: Any) -> SearchOptions:
        usual = USUAL_SEARCH.get(self._store.settings["embedder"], OTHER_SEARCH)
        return search_options(**{**usual, **given})

    def _count_tokens(self, text: str) -> int:
        return get_counter(self._recipe.chunk.tokenizer)(text)

    # ------------------------------------------------------------------ looking up

    def chunk(self, chunk_id: str) -> Chunk | None:
        """Return a chunk by its id."""
        return find_chunk(self._store, chunk_id)

    def parent(self, chunk_id: str) -> Chunk | None:
        """Return the chunk that opens the section around a chunk; None where there is none."""
        return find_parent(self._store, chunk_id)

    def siblings(self, id: str) -> list[Chunk]:
        """Return what is beside a chunk, or a section: other parts of its section, or openings of those beside it."""
        return find_siblings(self._store, id)

    def section(self, section_id: str) -> Passage | None:
        """Return a whole section, with its subsections."""
        return quote_section(self._store, section_id, self._count_tokens)

    def status(self) -> Status:
        """Return what the index holds."""
        known = self._store.document_revisions()
        return Status(
            location=self.location,
            root=str(self.root),
            **self._store.counts()._asdict(),
            size_bytes=self._store.size_bytes(),
            embedder=self._store.settings["embedder"],
            settings=dict(self._store.settings),
            migrated=tuple(source for source, revision in sorted(known.items()) if revision == MIGRATED_REVISION),
        )

    def sources(self) -> list[str]:
        """Return the sources of all documents."""
        return sorted(self._store.document_revisions())


def _asked(chunking: Mapping[str, Any], **others: Any) -> dict[str, Any]:
    """Return what was asked for explicitly, by the names of the settings."""
    chunk_options(**chunking)  # raises an error that says what is wrong
    return {**{name: value for name, value in others.items() if value is not None}, **chunking}


def _scoring(rerank: str | Reranker | Rerank | None) -> Rerank | None:
    if isinstance(rerank, str):
        from crosshead.embed.rerank import get_reranker

        return get_reranker(rerank).score
    return rerank if rerank is None or callable(rerank) else rerank.score


def _usual_root(location: str) -> Path:
    """A database lies in no folder: there it is the one that the work is done in."""
    return Path.cwd() if is_url(location) else Path(location).absolute().parent
