"""Adding documents to an open index: once, whenever they change, or from a text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypedDict

from crosshead import ids
from crosshead.errors import IndexChanged, IngestError, Locked, OptionsError
from crosshead.formats import get_format
from crosshead.indexing.engines.base import Engine, EngineName, check_engine
from crosshead.indexing.engines.local import LocalEngine
from crosshead.indexing.files.hashes import FileHashes, hashes_path
from crosshead.indexing.files.metadata import Metadata, MetadataFinder, check_metadata
from crosshead.indexing.files.root import check_root
from crosshead.indexing.files.sources import Sources, excluded, find_sources
from crosshead.indexing.files.walk import no_documents
from crosshead.indexing.opened import IndexSettings, OpenedIndex, default_root
from crosshead.indexing.recipe import check_same
from crosshead.indexing.steps.prepare import prepare_text, text_revision
from crosshead.indexing.steps.run import AddResult, AddRun, Progress
from crosshead.indexing.steps.source_file import SourceFile
from crosshead.indexing.steps.vectors import VectorSource
from crosshead.indexing.steps.write import DocumentWriter
from crosshead.indexing.watch import Touched, changes
from crosshead.options import ExtractOptions, check_names, check_types
from crosshead.pipeline import sendable
from crosshead.runtime.workers import Limits, run
from crosshead.store import UNFINISHED_COPY, OnCopied, check_target, copy_documents, is_folder, open_store
from crosshead.types import given_metadata

OF_ONE_INDEX: Final = ("schema_version", UNFINISHED_COPY)
"""Settings that are not copied."""

OnProgress = Callable[[Progress], None]


class WatchKeywords(TypedDict, total=False):
    """The keywords of `Index.watch`."""

    format: str | None
    include: Collection[str]
    hidden: bool
    metadata: Metadata | None
    prune: bool
    allow_removal: bool
    embed: bool
    jobs: int | None


class AddKeywords(WatchKeywords, total=False):
    """The keywords of `Index.add`."""

    engine: EngineName
    ray_address: str | None
    verify: bool


@dataclass(frozen=True, kw_only=True)
class AddRequest:
    """What to index, and how."""

    paths: tuple[str | Path, ...]
    format: str | None = None
    """The format of the files; by default content and name decide."""
    include: Collection[str] = ()
    """What to index in folders besides documents: `code`, `data`, or a format by name, as in `python`."""
    hidden: bool = False
    """Also index hidden files and folders in folders; `.git` and `node_modules` are never indexed."""
    metadata: Metadata | None = None
    """Metadata of the documents: a mapping, or a function that returns one for a path; documents keep it in later runs
    that give None."""
    prune: bool = True
    """Remove documents whose files are missing."""
    allow_removal: bool = False
    """Remove them even if they are all documents below a path, or more than half of a larger index: a disk may not
    be mounted."""
    embed: bool = True
    """If False, new chunks are found by their words until `embed_pending` gives them vectors."""
    jobs: int | None = None
    """Worker processes to use."""
    engine: EngineName = "local"
    """`ray` reads, chunks and embeds on a cluster, with the same rows."""
    ray_address: str | None = None
    """The cluster; by default the one this process is connected to, the one in RAY_ADDRESS, or a temporary one."""
    verify: bool = False
    """Read every file, even if its size and times are those of the last run."""

    def __post_init__(self) -> None:
        for path in self.paths:
            check_types(str | Path, path=path)
        check_types(str | None, format=self.format, ray_address=self.ray_address)
        check_types(int | None, jobs=self.jobs)
        check_types(bool, verify=self.verify, hidden=self.hidden)
        check_engine(self.engine)
        if self.engine == "local" and self.ray_address:
            raise OptionsError(f"ray_address={self.ray_address!r} is for engine='ray'")
        object.__setattr__(self, "metadata", check_metadata(self.metadata))
        object.__setattr__(self, "format", get_format(self.format).name if self.format else None)

    @classmethod
    def make(cls, paths: tuple[str | Path, ...], given: Mapping[str, Any], *, to_watch: bool = False) -> AddRequest:
        """Return the request of a caller; an unknown keyword is an error that suggests the right one."""
        check_names(given, [*(WatchKeywords if to_watch else AddKeywords).__annotations__])
        return cls(paths=paths, **given)


def open_to_add(
    location: str | Path,
    settings: IndexSettings,
    request: AddRequest,
    *,
    may_be_empty: bool,
    wait_seconds: float,
    offer_model: Callable[[str], None] | None = None,
) -> tuple[OpenedIndex, Sources | None]:
    """Open an index; if there is none, create it once documents to add are found, and return these as well."""
    found: Sources | None = None

    def find() -> list[str]:
        nonlocal found
        root = Path(settings.root or default_root(str(location)))
        found = find_files(request, root, settings.extract, known=())
        if not (found.files or found.problems or may_be_empty):
            ignored = "; ".join(map(excluded, found.ignored))
            raise IngestError(ignored or no_documents(", ".join(map(str, request.paths))))
        MetadataFinder(request.metadata, root).check(found.files)
        return [file.path for file in found.files]

    index = OpenedIndex(
        location,
        settings,
        create=True,
        may_differ=True,
        find_documents=find,
        wait_seconds=wait_seconds,
        offer_model=offer_model,
    )
    return index, found


def find_files(request: AddRequest, root: Path, extract: ExtractOptions | None, known: Collection[str]) -> Sources:
    """Return the files of a request; `known` are the sources that the index has."""
    include = (*request.include, "image") if extract and extract.takes_images else request.include
    return find_sources(request.paths, root, known, format=request.format, include=include, hidden=request.hidden)


def add_documents(
    index: OpenedIndex,
    request: AddRequest,
    *,
    sources: Sources | None = None,
    on_progress: OnProgress | None = None,
    touched: Container[str] | None = None,
) -> AddResult:
    """Index the files of a request, or the `sources` that were found for it; with `touched`, look only at these."""
    with _opened_run(index, request, on_progress) as (work, hashes):
        if sources is None or work.known_sources:  # another process may have added documents meanwhile
            sources = find_files(request, index.root, index.recipe.extract, work.known_sources)
        check_root(sources, work.known_files, index.root, index.location, pruned=request.prune)
        is_first = not work.known_sources
        try:
            result = work.add(sources, prune=request.prune, allow_removal=request.allow_removal, touched=touched)
        finally:
            hashes.save({file.source for file in sources.files}.union(work.known_sources))
    return replace(result, notes=(*advice_of_new(index, is_first=is_first and result.added > 0), *result.notes))


def add_files(
    index: OpenedIndex,
    request: AddRequest,
    files: Sequence[SourceFile],
    removed: Sequence[str],
    on_progress: OnProgress | None = None,
) -> AddResult:
    """Index some files, and remove the documents with some sources, as a caller has decided."""
    with _opened_run(index, request, on_progress) as (work, hashes):
        try:
            result = work.add(Sources(tuple(files), {}, ()), prune=False)
            index.store.delete_documents([ids.document_id(source) for source in removed])
        finally:
            hashes.save({file.source for file in files}.union(work.known_sources))
    return replace(result, removed=len(removed))


@contextmanager
def _opened_run(
    index: OpenedIndex, request: AddRequest, on_progress: OnProgress | None
) -> Iterator[tuple[AddRun, FileHashes]]:
    """Yield a run with the hashes of the files, and hold the lock of the index meanwhile."""
    engine = _engine(index, request)
    with index.lock(index_vectors=engine.index_vectors), closing(engine):
        embedder = index.embedder_for(request.jobs) if request.embed else None
        hashes = FileHashes(hashes_path(index.location), trusted=not request.verify)
        metadata = MetadataFinder(request.metadata, index.root)
        yield AddRun(index.store, embedder, index.recipe, engine, hashes, metadata, on_progress), hashes


def advice_of_new(index: OpenedIndex, *, is_first: bool) -> tuple[str, ...]:
    """Return advice about the embedder with the first documents."""
    return (index.advice,) if index.advice and is_first else ()


def watch_documents(index: OpenedIndex, request: AddRequest) -> Iterator[AddResult]:
    """Index files and folders now and whenever they change; yield each result. Runs until the caller stops.

    While another process writes, changes wait until it is done.
    """
    return _follow(index, request, changes(request.paths, Path(index.location), hidden=request.hidden))


def _follow(index: OpenedIndex, request: AddRequest, changes: Iterator[frozenset[str]]) -> Iterator[AddResult]:
    touched, is_reported = Touched(everything=True), False
    for changed in changes:
        touched = touched.and_also(changed)
        if not touched:
            continue
        try:
            result = add_documents(index, request, touched=touched)
        except IndexChanged:
            index = index.reopened()  # the next look at the folders is half a second away
            continue
        except Locked:
            if not is_reported:
                yield AddResult(notes=(f"{index.location}: another process is writing; waiting until it is done",))
            is_reported = True
            continue
        touched, is_reported = Touched(), False
        if result.anything:
            yield result


def add_text(index: OpenedIndex, text: str, *, source: str, format: str, metadata: Mapping[str, Any]) -> AddResult:
    """Index a text that is not in a file; it replaces one with the same source."""
    check_types(str, text=text, source=source, format=format)
    if not source.strip():
        raise OptionsError("the source of a text is empty: name it, as in source='wiki/Keys'")
    source, metadata = ids.encodable(source), given_metadata(metadata)
    with index.lock():
        revisions = index.store.document_revisions()
        known = revisions.get(source)
        if known == text_revision(index.recipe, text, format, metadata):
            return AddResult(unchanged=1)
        vectors = VectorSource(index.store, index.embedder_for(None), index.recipe)
        writer = DocumentWriter(index.store, vectors)
        rows, warnings = run(
            partial(sendable(prepare_text), index.recipe, text, source, format, metadata),
            Limits.of(index.recipe.extract, len(text)),
        )
        writer.put(rows)
        writer.flush()
    for error in writer.failed.values():
        raise error
    failed = (f"{each}: {failure.reason}" for each, failure in writer.unembedded.failed.items())
    noted = (f"{source}: {warning}" for warning in warnings)
    advice = advice_of_new(index, is_first=not revisions)
    return AddResult(
        added=int(known is None),
        updated=int(known is not None),
        notes=(*advice, *noted, *writer.notes, *writer.unembedded.notes, *failed),
        embedded=vectors.embedded,
    )


def copy_index(index: OpenedIndex, location: str | Path, on_progress: OnCopied | None) -> int:
    """Copy everything, vectors included, into a new index, or finish an interrupted copy; return the documents."""
    source = str(Path(index.location).absolute()) if is_folder(index.location) else index.location
    settings = {name: value for name, value in index.store.settings.items() if name not in OF_ONE_INDEX}
    settings["root"] = str(index.root.absolute())
    index.store.contents()  # raises an error for a damaged index before anything is created
    target = open_store(location, create={**settings, UNFINISHED_COPY: source})
    try:
        check_target(target, source)
        check_same(target.settings, settings, target.location)
        with index.lock(), target.lock():
            return copy_documents(index.store, target, source, index.piece_cutter.text_hash, on_progress)
    finally:
        target.close()


def _engine(index: OpenedIndex, request: AddRequest) -> Engine:
    if request.engine == "local":
        return LocalEngine(index.recipe, request.jobs)
    from crosshead.indexing.engines.ray import RayEngine

    return RayEngine(
        index.recipe,
        index.store,
        index.embedder if request.embed else None,
        has_name=index.is_embedder_named,
        address=request.ray_address,
        jobs=request.jobs,
    )
