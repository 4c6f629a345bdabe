"""Files -> rows with vectors, on a Ray cluster.

1. files are gathered into batches of some seconds of work each
2. Ray Data hands them to actors, which load the model once; each reads, cuts and embeds a batch after the other, but
   for texts that the index has vectors for
3. what comes back is taken as it comes; Ray does those batches again whose worker or node was lost
4. a batch that has ended its worker again and again is done file by file, so that only that file fails which did it

Ray runs in a separate process (`driver`), unless this one is connected to a cluster already.

Every node sees the same files at the same paths, and has Crosshead with the same models installed.
"""

from __future__ import annotations

import pickle
import signal
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crosshead.embedding import get_embedder
from crosshead.errors import CrossheadError, EmbedError, IngestError, OptionsError
from crosshead.formats import own_formats
from crosshead.indexing.engines.base import FileResult, is_instant, prepare_guarded, size_of
from crosshead.indexing.engines.cluster import CONNECTED, cluster_address, import_ray, mapped
from crosshead.indexing.engines.driver import Driver, Work
from crosshead.indexing.prepare import SourceFile
from crosshead.indexing.recipe import PIPELINE_VERSION, Recipe
from crosshead.indexing.write import VectorMaker, texts_without_vectors, with_vectors
from crosshead.runtime.processes import failed
from crosshead.runtime.workers import crash
from crosshead.types import HAS_TOKEN_VECTORS, Embedder, ParallelEmbedder, Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH_BYTES: Final = 2_000_000
"""Reading and cutting them takes about a second."""
BATCH_BYTES_EMBEDDED: Final = 100_000
"""A small model takes some seconds for them."""
MOST_FILES: Final = 256
MOST_TRIES: Final = 3
"""For a batch: each lost worker or node takes one."""
MOST_INDEX_PARTS: Final = 16
"""Every search looks into all of them."""
HASH_DIGITS: Final = 16
"""Of the hash of a text that are compared: 64 bits."""


class ActorJob(NamedTuple):
    """All that an actor has to know."""

    recipe: Recipe
    embedder: str | Embedder | None
    """A name where that will do: a model that is loaded already cannot be sent."""
    keeps_tokens: bool
    known: NDArray[np.uint64]
    """Texts that the index has vectors for, in order."""
    pipeline_version: int = PIPELINE_VERSION
    """Of whoever gives the job."""


class RayEngine:
    """Reads, cuts and embeds files wherever a cluster has room for it."""

    def __init__(
        self,
        recipe: Recipe,
        store: Store,
        embedder: Embedder | None,
        *,
        has_name: bool = True,
        address: str | None = None,
        jobs: int | None = None,
    ) -> None:
        """An embedder that `has_name` is made anew by every actor, others are sent to them.

        `jobs` are the processes to use, by default one for each core.
        """
        if own_formats() or callable(recipe.extract.ocr):
            raise OptionsError(
                "formats and functions of your own are known to this process only, and not to Ray: use engine='local'"
            )
        self._recipe = recipe
        self._store = store
        self._embedder = embedder
        self._has_name = has_name
        self._address = address
        self._jobs = jobs
        self._driver: Driver | None = None
        self.notes: list[str] = []

    def make(self, files: Sequence[SourceFile]) -> Iterator[FileResult]:
        """Return what became of every file, as it is done."""
        if not files:
            return
        is_slow = self._embedder and not is_instant(self._embedder)
        batches = [*gather(files, BATCH_BYTES_EMBEDDED if is_slow else BATCH_BYTES)]
        job = self._job()
        left = {file.source: file for file in files}
        for packed in self._run(_in_batches, job, batches, self._jobs):
            for made in _unpacked(packed):
                left.pop(made.file.source)
                yield made
        if left:
            for packed in self._run(_one_by_one, job, [*left.values()]):
                yield from _unpacked(packed)

    def index_vectors(self, table: str, how: Mapping[str, Any]) -> bool:
        """Index the vectors of a table on the cluster, if its nodes can reach it.

        No cores are claimed for it: the actors may have them all.
        """
        try:
            for _ in self._run(_index_vectors, table, how):
                pass
        except IngestError as error:
            self.notes.append(f"the vectors are indexed on this machine, because Ray could not: {error}")
            return False
        return True

    def close(self) -> None:
        """Leave the cluster, if it was joined for this."""
        if self._driver:
            self._driver.close()
            self._driver = None

    def _run(self, work: Work, *args: Any) -> Iterator[bytes]:
        ray = import_ray()
        if ray.is_initialized():
            with mapped(CONNECTED):
                yield from work(ray, *args)
            return
        self._driver = self._driver or Driver(cluster_address(self._address), self._jobs)
        yield from self._driver.run(work, *args)

    def _job(self) -> ActorJob:
        embedder = self._embedder
        return ActorJob(
            self._recipe,
            embedder.name if embedder and self._has_name else embedder,
            bool(self._store.settings.get(HAS_TOKEN_VECTORS)),
            hash_numbers(self._store.known_text_hashes() if embedder else ()),
        )


class Tries:
    """Counts how often a batch was begun, in an actor of its own: Ray begins it anew for ever."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    def begin(self, batch: int) -> int:
        """Return how often it was begun by now."""
        self._counts[batch] += 1
        return self._counts[batch]


class BatchMaker:
    """An actor: keeps its model from batch to batch."""

    def __init__(self, job: Any, tries: Any) -> None:
        self._files = FileMaker(import_ray().get(job))
        self._tries = tries

    def __call__(self, table: Mapping[str, Any]) -> Mapping[str, list[bytes]]:
        """Do batches of files; all is packed, because Ray Data knows only tables."""
        return {"made": [self._make(*pickle.loads(packed)) for packed in table["batch"]]}

    def _make(self, number: int, files: Sequence[SourceFile]) -> bytes:
        is_given_up = import_ray().get(self._tries.begin.remote(number)) > MOST_TRIES
        return self._files.make_packed(() if is_given_up else files)


class FileMaker:
    """Makes the rows of files, with vectors, in a process of the cluster."""

    def __init__(self, job: ActorJob) -> None:
        self._job = job

    def make_packed(self, files: Sequence[SourceFile]) -> bytes:
        """Return what became of files, or the error that concerns them all, as bytes."""
        try:
            if self._job.pipeline_version != PIPELINE_VERSION:
                raise IngestError("another version of Crosshead is installed here: install the same everywhere")
            return pickle.dumps([self._pack(file) for file in files])
        except CrossheadError as error:
            return pickle.dumps(IngestError(f"node {import_ray().util.get_node_ip_address()}: {error}"))

    def _pack(self, file: SourceFile) -> bytes:
        made = self._make(file)
        try:
            return pickle.dumps(made)
        except Exception as error:
            return pickle.dumps(FileResult(file, failed(file.source, error)))

    def _make(self, file: SourceFile) -> FileResult:
        vectors = self._vectors
        outcome = prepare_guarded(self._job.recipe, file)
        if not outcome.value or not vectors:
            return FileResult(file, outcome)
        prepared = outcome.value
        unknown = {each: chunk for each, chunk in texts_without_vectors(prepared.rows).items() if not self._knows(each)}
        # What a model refuses waits: it is tried once more where it can be noted.
        found = {each.text_hash: each for each in vectors.make(unknown) if each.vectors is not None}
        embedded = prepared._replace(rows=with_vectors(prepared.rows, found))
        return FileResult(file, replace(outcome, value=embedded), len(found))

    def _knows(self, text_hash: str) -> bool:
        known = self._job.known
        (number,) = hash_numbers([text_hash])
        at = known.searchsorted(number)
        return at < len(known) and bool(known[at] == number)

    @cached_property
    def _vectors(self) -> VectorMaker | None:
        recipe, embedder = self._job.recipe, self._job.embedder
        if embedder is None:
            return None
        loaded = get_embedder(embedder) if isinstance(embedder, str) else embedder
        if loaded.revision != recipe.embedder_revision:
            raise EmbedError(
                f"another version of the model {loaded.name} is installed here: install the same everywhere"
            )
        if isinstance(loaded, ParallelEmbedder):
            loaded.jobs = 1  # there is an actor for every core
        return VectorMaker(loaded, recipe, keeps_tokens=self._job.keeps_tokens)


def gather(files: Sequence[SourceFile], batch_bytes: int) -> Iterator[list[SourceFile]]:
    """Divide files, in order, into batches of about so many bytes."""
    batch: list[SourceFile] = []
    size = 0
    for file in files:
        batch.append(file)
        size += size_of(file)
        if size >= batch_bytes or len(batch) == MOST_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def hash_numbers(text_hashes: Sequence[str]) -> NDArray[np.uint64]:
    """Return the beginnings of hashes as numbers, in order: nothing smaller tells what millions of texts are known."""
    import numpy as np

    return np.sort(np.array([int(each[:HASH_DIGITS], 16) for each in text_hashes], np.uint64))


def _in_batches(
    ray: Any, job: ActorJob, batches: Sequence[Sequence[SourceFile]], most_actors: int | None
) -> Iterator[bytes]:
    """Return what became of files, but for those that their workers did not survive."""
    cores = int(ray.cluster_resources().get("CPU", 1))
    actors = max(1, min(most_actors or cores, cores, len(batches)))
    items = [{"batch": pickle.dumps(batch)} for batch in enumerate(batches)]
    tries = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(Tries).remote()
    done = ray.data.from_items(items, override_num_blocks=len(items)).map_batches(
        BatchMaker,
        batch_size=None,
        fn_constructor_args=(ray.put(job), tries),
        num_cpus=1,
        concurrency=(1, actors, actors),  # where a node is gone, fewer will do
    )
    done.context.enable_progress_bars = False
    for batch in done.iter_batches(batch_size=None, prefetch_batches=1):
        yield from batch["made"]


def _one_by_one(ray: Any, job: ActorJob, files: Sequence[SourceFile]) -> Iterator[bytes]:
    """Do files each in a task of its own; one that ends its process again is given up."""
    alone = ray.remote(num_cpus=1, max_retries=1)(_make_alone)
    job = ray.put(job)
    for file, made in [(file, alone.remote(job, file)) for file in files]:
        try:
            yield ray.get(made)
        except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError):
            yield pickle.dumps([pickle.dumps(FileResult(file, failed(file.source, crash(-signal.SIGKILL))))])


def _index_vectors(ray: Any, table: str, how: Mapping[str, Any]) -> Iterator[bytes]:
    import lance_ray

    workers = min(int(ray.cluster_resources().get("CPU", 1)), MOST_INDEX_PARTS)
    lance_ray.create_index(table, num_workers=workers, ray_remote_args={"num_cpus": 0}, **how)
    yield from ()


def _make_alone(job: ActorJob, file: SourceFile) -> bytes:
    return FileMaker(job).make_packed([file])


def _unpacked(packed: bytes) -> list[FileResult]:
    found: list[bytes] | CrossheadError = pickle.loads(packed)
    if isinstance(found, CrossheadError):
        raise found
    return [pickle.loads(each) for each in found]
