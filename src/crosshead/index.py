"""Index: documents in, whole cited sections out.

Joins the rooms: files are walked, read, cut and embedded (ingest), kept (store), found (search) and put together again
(context). What is heavy is imported when it is first needed.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

from crosshead import ids
from crosshead.context.consolidate import consolidate
from crosshead.context.expand import expand, find_chunk, find_parent, find_siblings
from crosshead.context.focus import focus
from crosshead.context.lookup import quote_section, sections_around
from crosshead.embed.base import AUTO, get_embedder
from crosshead.errors import (
    CrossheadError,
    EmbedError,
    IndexNotFound,
    Locked,
    MissingExtra,
    ModelNotChosen,
    OptionsError,
    OptionsMismatch,
    StoreError,
)
from crosshead.ingest.diagnosis import diagnose
from crosshead.ingest.embedding import in_workers
from crosshead.ingest.engine import Engine, EngineName, check_engine
from crosshead.ingest.languages import add_languages
from crosshead.ingest.local import LocalEngine
from crosshead.ingest.pending import EmbedResult, OnPending, PendingRun
from crosshead.ingest.prepare import prepare_text, text_revision
from crosshead.ingest.recipe import EmbedText, Recipe, check_same
from crosshead.ingest.root import check_root, take_root
from crosshead.ingest.run import AddResult, AddRun, Progress
from crosshead.ingest.sample import main_language
from crosshead.ingest.sources import find_sources, lies_in, source_of
from crosshead.ingest.watch import Touched, changes
from crosshead.ingest.write import VectorSource, Writer
from crosshead.model import (
    KEEPS_TOKENS,
    MIGRATED_REVISION,
    Chunk,
    Embedder,
    Filter,
    Finding,
    Hit,
    ListedDocument,
    ParallelEmbedder,
    Passage,
    Rerank,
    Reranker,
    Store,
    StoredDocument,
    TokenEmbedder,
)
from crosshead.options import (
    ExtractOptions,
    SearchMode,
    check_types,
    chunk_options,
)
from crosshead.pipeline import get_format, sendable
from crosshead.search.answer import Question
from crosshead.search.retrieve import Retriever
from crosshead.search.usual import NO_RERANKER, compares_kept_tokens, usual_options
from crosshead.store.copy import UNFINISHED_COPY, OnCopied, check_target, copy_documents
from crosshead.store.opening import is_folder, open_store
from crosshead.tokens import get_counter
from crosshead.words import stemmer
from crosshead.workers import Limits, run

__all__ = ["AddResult", "EmbedResult", "Index", "Progress", "Status"]

logger = logging.getLogger("crosshead")

DEFAULT_LOCATION: Final = ".crosshead"
LISTED_AT_ONCE: Final = 500
OF_ONE_INDEX: Final = ("schema_version", UNFINISHED_COPY)
"""Settings that a copy does not take over."""
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
    languages: Mapping[str, int]
    """How many documents are in each language, by its ISO 639 code: `und` if nothing tells it, empty for documents that
    were indexed before languages were known."""
    migrated: tuple[str, ...] = ()
    """Documents from an older layout whose files were not indexed, or could not be told by title or path."""
    unfinished_copy_of: str = ""
    """The index whose copy to this place was interrupted; documents are missing."""


class Index:
    """An index of documents, in a folder, in a PostgreSQL database or on object storage."""

    def __init__(
        self,
        location: str | Path = DEFAULT_LOCATION,
        *,
        root: str | Path | None = None,
        embedder: str | Embedder | None = None,
        language: str = "auto",
        embed_text: EmbedText | None = None,
        piece_tokens: int | None = None,
        token_signs: bool | None = None,
        extract: ExtractOptions | None = None,
        create: bool = True,
        wait_seconds: float = 0,
        documents: Sequence[str | Path] = (),
        **chunking: Any,
    ) -> None:
        """Open an index, or make one; `chunking` are options of chunking by name.

        An index keeps what it was made with. What is asked for here must be the same; what is left out, or `auto`, is
        taken from there. `location` is a folder or a URL: postgresql://USER:PASSWORD@HOST:PORT/DATABASE, or
        s3://BUCKET/PREFIX. `root` is what sources are relative to: by default the folder that holds the index, for a
        URL the working folder.
        Without an `embedder` the best that is installed is taken, for the language of most `documents`, which are
        going to be added, or of those below a `root` that is given; without either, for English.
        A chunk of more than `piece_tokens` has several vectors, of pieces of that size, which find more but take more
        room; 0 makes one vector of each chunk. With `token_signs`, the default where the embedder can do it, tokens
        are kept and compared as well. Documents that were migrated from an older layout get their model here: with
        `create`, or if an `embedder` is given.
        Whatever writes waits for another process that does for `wait_seconds`, and raises `Locked` then.
        """
        check_types(str | Path, location=location)
        check_types(str | Path | None, root=root)
        check_types(str, language=language)
        if not isinstance(embedder, str | None) and not hasattr(embedder, "embed"):
            raise OptionsError(f"embedder={embedder!r} must be a name, or an embedder")
        check_types(ExtractOptions | None, extract=extract)
        if not isinstance(wait_seconds, int | float) or wait_seconds < 0:
            raise OptionsError(f"wait_seconds={wait_seconds!r} must be a number of at least 0")
        whole_root = os.path.abspath(root) if root is not None else None
        asked = _asked(
            chunking,
            root=whole_root,
            language=None if language == "auto" else language,
            embed_text=embed_text,
            piece_tokens=piece_tokens,
            token_signs=token_signs,
            extract=_asked_of_text(extract),
        )
        self._wait_seconds = wait_seconds
        self._expected = [*documents] or ([whole_root] if whole_root else [])
        may_choose = create or embedder is not None
        embedder = "auto" if embedder is None else embedder
        self._own_embedder = self._embedder = None if isinstance(embedder, str) else embedder
        name = embedder if isinstance(embedder, str) else embedder.name
        self._store = self._open(location, name, asked, create=create, may_choose=may_choose)
        self.location = self._store.location
        try:
            self._recipe = self._read_recipe(name, asked).reading_with(extract or ExtractOptions())
            known_root = Path(self._store.settings.get("root") or _usual_root(self.location))
            self.root = take_root(self._store, known_root, whole_root)
        except CrossheadError:
            self.close()
            raise
        if self.unfinished_copy_of:
            logger.warning("%s; until then documents are missing", self._unfinished())

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
        others = {option: value for option, value in asked.items() if option != "root"}
        check_same({**settings, **settings["chunk"]}, others, self.location)
        if embedder != "auto" and embedder != settings["embedder"]:
            check_same(settings, {"embedder": get_embedder(embedder).name}, self.location)
        return recipe

    def _new_settings(self, embedder: str, asked: Mapping[str, Any]) -> dict[str, Any]:
        stemmer(asked.get("language", "auto"))  # raises an error that says what is known
        language = main_language(self._expected) if embedder == AUTO and not self._embedder else ""
        self._embedder = self._embedder or get_embedder(embedder, language)
        recipe = Recipe.from_asked(asked, self._embedder.revision)
        return {
            "root": asked.get("root"),
            "embedder": self._embedder.name,
            "dimension": self._embedder.dimension,
            KEEPS_TOKENS: isinstance(self._embedder, TokenEmbedder) and asked.get(KEEPS_TOKENS, True),
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

    def _embedder_for(self, jobs: int | None) -> Embedder:
        """Return what embeds documents: in workers, unless the user gave an embedder, which only this process has."""
        if self._own_embedder is None:
            return in_workers(self.embedder, partial(get_embedder, self.embedder.name), jobs)
        if isinstance(self._own_embedder, ParallelEmbedder):
            self._own_embedder.jobs = jobs
        return self.embedder

    def _lock(self) -> AbstractContextManager[None]:
        if self.unfinished_copy_of:
            raise StoreError(f"{self._unfinished()} before you change or copy it")
        return self._store.lock(self._wait_seconds)

    @property
    def unfinished_copy_of(self) -> str:
        """The index whose copy to this place was interrupted; empty for an index that is whole."""
        return self._store.settings.get(UNFINISHED_COPY) or ""

    def _unfinished(self) -> str:
        source = self.unfinished_copy_of
        return f"{self.location}: the copy of {source} is unfinished: run crosshead copy {source} {self.location}"

    def add(
        self,
        *paths: str | Path,
        format: str | None = None,
        include: Collection[str] = (),
        prune: bool = True,
        allow_removal: bool = False,
        embed: bool = True,
        on_progress: Callable[[Progress], None] | None = None,
        jobs: int | None = None,
        engine: EngineName = "local",
        ray_address: str | None = None,
    ) -> AddResult:
        """Index files and folders; what has not changed is left alone.

        Content and name of a file decide about its format, unless one is given. Folders are searched for documents,
        and for the formats to `include`: `code`, `data`, or one by its name, as in `python`. With `prune`,
        documents whose files are gone from a given folder are removed; if these are all below a path, or more than half
        of a larger index, only with `allow_removal`: a disk may be missing. Without `embed`, new texts wait for
        `embed_pending`, and are found by their words until then. `jobs` are the processes to use, or the threads while
        vectors are made. The engine `ray` reads, cuts and embeds on a cluster: the one that this process is connected
        to, one at `ray_address` (or in RAY_ADDRESS), or one that lives on this machine meanwhile; the rows are the
        same.
        """
        pruning = {"prune": prune, "allow_removal": allow_removal}
        return self._add(
            paths,
            None,
            pruning,
            format=format,
            include=include,
            embed=embed,
            on_progress=on_progress,
            engine=self._engine(engine, ray_address, jobs, embed=embed),
            jobs=jobs,
        )

    def _engine(self, name: EngineName, ray_address: str | None, jobs: int | None, *, embed: bool) -> Engine:
        check_types(int | None, jobs=jobs)
        check_types(str | None, ray_address=ray_address)
        check_engine(name)
        if name == "local":
            if ray_address:
                raise OptionsError(f"ray_address={ray_address!r} is for engine='ray'")
            return LocalEngine(self._recipe, jobs)
        from crosshead.ingest.ray import RayEngine

        return RayEngine(
            self._recipe,
            self._store,
            self.embedder if embed else None,
            has_name=self._own_embedder is None,
            address=ray_address,
            jobs=jobs,
        )

    def _add(
        self,
        paths: tuple[str | Path, ...],
        touched: Container[str] | None,
        pruning: Mapping[str, bool],
        *,
        format: str | None,
        include: Collection[str],
        embed: bool,
        on_progress: Callable[[Progress], None] | None = None,
        engine: Engine,
        jobs: int | None,
    ) -> AddResult:
        for path in paths:
            check_types(str | Path, path=path)
        check_types(str | None, format=format)
        format = get_format(format).name if format else None
        with self._lock(), self._indexing_with(engine):
            embedder = self._embedder_for(jobs) if embed else None
            run = AddRun(self._store, embedder, self._recipe, engine, on_progress)
            sources = find_sources(
                paths, self.root, run.known_sources, format=format, include=self._with_images(include)
            )
            check_root(sources, run.known_files, self.root, self.location, pruned=pruning["prune"])
            return run.add(sources, **pruning, touched=touched)

    @contextmanager
    def _indexing_with(self, engine: Engine) -> Iterator[None]:
        self._store.index_with(engine.index_vectors)
        try:
            yield
        finally:
            self._store.index_with(None)
            engine.close()

    def _with_images(self, include: Collection[str]) -> Collection[str]:
        return (*include, "image") if self._recipe.extract.takes_images else include

    def watch(
        self,
        *paths: str | Path,
        format: str | None = None,
        include: Collection[str] = (),
        prune: bool = True,
        allow_removal: bool = False,
        embed: bool = True,
        jobs: int | None = None,
    ) -> Iterator[AddResult]:
        """Index files and folders now and whenever they change; tell each time what happened. Never ends by itself.

        While another process writes, changes are kept until it is done.
        """
        pruning = {"prune": prune, "allow_removal": allow_removal}
        engine = self._engine("local", None, jobs, embed=embed)
        add = partial(
            self._add, paths, pruning=pruning, format=format, include=include, embed=embed, engine=engine, jobs=jobs
        )
        return self._follow(changes(paths, Path(self.location)), add)

    def _follow(self, changes: Iterator[frozenset[str]], add: Callable[[Touched], AddResult]) -> Iterator[AddResult]:
        touched, is_told = Touched(everything=True), False
        for changed in changes:
            touched = touched.and_also(changed)
            if not touched:
                continue
            try:
                result = add(touched)
            except Locked:
                if not is_told:
                    yield AddResult(notes=(f"{self.location}: another process is writing; waiting until it is done",))
                is_told = True
                continue
            touched, is_told = Touched(), False
            if result.anything:
                yield result

    def embed_pending(
        self, *, retry_failed: bool = False, on_progress: OnPending | None = None, jobs: int | None = None
    ) -> EmbedResult:
        """Embed the chunks that wait for it, with `retry_failed` also those that could not be embedded before.

        In a database several processes may do this at once; each takes other chunks. `jobs` are the threads to use.
        """
        check_types(int | None, jobs=jobs)
        with self._lock():
            if retry_failed:
                self._store.retry_failed()
            return PendingRun(self._store, self._embedder_for(jobs), self._recipe, on_progress).run()

    def copy_to(self, location: str | Path, *, on_progress: OnCopied | None = None) -> int:
        """Copy everything, vectors included, into a new index; return the number of documents.

        A copy that was interrupted goes on where it stopped.
        """
        source = os.path.abspath(self.location) if is_folder(self.location) else self.location
        settings = {name: value for name, value in self._store.settings.items() if name not in OF_ONE_INDEX}
        settings["root"] = str(self.root.absolute())
        self._store.counts()  # a damaged index says so before anything is made
        target = open_store(location, create={**settings, UNFINISHED_COPY: source})
        try:
            check_target(target, source)
            check_same(target.settings, settings, target.location)
            with self._lock(), target.lock():
                return copy_documents(self._store, target, source, self._recipe.text_hash, on_progress)
        finally:
            target.close()

    def add_text(
        self, text: str, *, source: str, format: str = "markdown", metadata: Mapping[str, Any] | None = None
    ) -> AddResult:
        """Index a text that is in no file; one with the same source is replaced."""
        check_types(str, text=text, source=source, format=format)
        check_types(Mapping | None, metadata=metadata)
        if not source.strip():
            raise OptionsError("the source of a text is empty: name it, as in source='wiki/Keys'")
        source, metadata = ids.encodable(source), metadata or {}
        with self._lock():
            known = self._store.document_revisions().get(source)
            if known == text_revision(self._recipe, text, format, metadata):
                return AddResult(unchanged=1)
            vectors = VectorSource(self._store, self._embedder_for(None), self._recipe)
            writer = Writer(self._store, vectors)
            rows, warnings = run(
                partial(sendable(prepare_text), self._recipe, text, source, format, metadata),
                Limits.of(self._recipe.extract, len(text)),
            )
            for warning in warnings:
                logger.warning("%s", warning)
            writer.put(rows)
            writer.flush()
        for error in writer.failed.values():
            raise error
        failed = (f"{each}: {failure.reason}" for each, failure in writer.unembedded.failed.items())
        return AddResult(
            added=int(known is None),
            updated=int(known is not None),
            notes=(*writer.unembedded.notes, *failed),
            embedded=vectors.embedded,
        )

    def remove(self, source: str | Path) -> int:
        """Remove a document, or all below a folder, by source or by path; return how many there were."""
        check_types(str | Path, source=source)
        if not str(source).strip():
            raise OptionsError("no document is named: give a source, or the path of a file or folder")
        literal = {str(source).rstrip("/") or "/"} - {"."}  # that is a path, and the root only where it is one
        names = literal | {source_of(source, self.root)}
        with self._lock():
            gone = [each for each in self._store.document_revisions() if lies_in(each, names)]
            self._store.delete_documents([ids.document_id(each) for each in gone])
        return len(gone)

    def remove_documents(self, ids: Sequence[str]) -> None:
        """Remove these documents and no others, by their ids."""
        with self._lock():
            self._store.delete_documents(ids)

    def optimize(self) -> None:
        """Detect the language of documents that have none yet, refresh the search indexes, and drop old versions."""
        with self._lock():
            add_languages(self._store, self._recipe)
            self._store.maintain(thoroughly=True)

    def doctor(self) -> list[Finding]:
        """Verify everything that the index holds, and say what to do; nobody may write meanwhile."""
        return [*diagnose(self._store, self._recipe, lambda: self.embedder)]

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

        `rerank` judges the first hits anew: the name of a reranker, `none`, or a function that takes the query and
        texts and returns a score for every text, a probability or its logit. By default an index that keeps the tokens
        of its chunks compares them.
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
        check_types(str, query=query)
        check_types(str | None, section_filter=section_filter, source=source, format=format)
        check_types(Mapping | None, metadata=metadata)
        check_types(str | date | None, since=since, until=until)
        filter = Filter(
            section=section_filter or "",
            source=source or "",
            format=get_format(format).name if format else "",
            metadata=metadata or {},
            since=_day(since),
            until=_day(until),
        )
        settings = self._store.settings
        chosen = usual_options(settings, rerank, limit=limit, mode=mode, per_document=per_document or 0, **options)
        by_tokens = compares_kept_tokens(settings, rerank, chosen.mode)
        scoring = None if by_tokens or rerank == NO_RERANKER else _scoring(rerank)
        with _words_still_work(chosen.mode):
            embedder = None if chosen.mode == "lexical" else self.embedder
            retriever = Retriever(self._store, embedder, scoring, self._recipe, compares_tokens=by_tokens)
            question = retriever.read(query, chosen)
        if question.vector is None and chosen.mode == "hybrid":  # the model cannot read the question
            chosen = usual_options(
                settings, rerank, limit=limit, mode="lexical", per_document=per_document or 0, **options
            )
        return retriever, question, retriever.answer(question, filter, chosen)

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

    def titles(self, beginning: str, limit: int = 20) -> list[str]:
        """Return titles of sections that have a word with this beginning, as `section_filter` may name them."""
        check_types(str, beginning=beginning)
        return self._store.titles(beginning.strip(), limit) if beginning.strip() else []

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
            languages=dict(self._store.languages()),
            migrated=tuple(source for source, revision in sorted(known.items()) if revision == MIGRATED_REVISION),
            unfinished_copy_of=self.unfinished_copy_of,
        )

    def documents(self) -> Iterator[ListedDocument]:
        """Go through all documents by source; tell how large they are, and what of them waits to be embedded."""
        sources = self.sources()
        for at in range(0, len(sources), LISTED_AT_ONCE):
            yield from self.listed([ids.document_id(each) for each in sources[at : at + LISTED_AT_ONCE]])

    def listed(self, document_ids: Sequence[str]) -> list[ListedDocument]:
        """Return the same of some documents, by source."""
        return self._store.listed(document_ids)

    def whole_documents(self, document_ids: Sequence[str]) -> list[StoredDocument]:
        """Return those documents that exist with their texts, in the order asked for."""
        return self._store.documents(document_ids)

    def sources(self) -> list[str]:
        """Return the sources of all documents."""
        return sorted(self._store.document_revisions())


def _asked(chunking: Mapping[str, Any], **others: Any) -> dict[str, Any]:
    """Return what was asked for explicitly, by the names of the settings."""
    chunk_options(**chunking)  # raises an error that says what is wrong
    return {**{name: value for name, value in others.items() if value is not None}, **chunking}


def _asked_of_text(extract: ExtractOptions | None) -> dict[str, Any] | None:
    """Options of one run alone ask for nothing that an index would keep."""
    if extract is None or (extract.of_text() == ExtractOptions().of_text() and extract != ExtractOptions()):
        return None
    return extract.of_text()


def _day(given: str | date | None) -> str:
    return str(given.date() if isinstance(given, datetime) else given or "")


@contextmanager
def _words_still_work(mode: str) -> Iterator[None]:
    """Whoever has no model, or no server of one, can still search."""
    try:
        yield
    except (EmbedError, MissingExtra) as error:
        if mode == "dense":
            raise
        error.args = (f"{error}; words are found without it: --mode lexical (mode='lexical')",)
        raise


def _scoring(rerank: str | Reranker | Rerank | None) -> Rerank | None:
    if isinstance(rerank, str):
        from crosshead.embed.rerank import get_reranker

        return get_reranker(rerank).score
    return rerank if rerank is None or callable(rerank) else rerank.score


def _usual_root(location: str) -> Path:
    """What is behind a URL lies in no folder: there it is the one that the work is done in."""
    return Path(location).absolute().parent if is_folder(location) else Path.cwd()
