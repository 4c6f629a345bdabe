"""Files -> rows with vectors, on a Ray cluster.

1. files are gathered into batches that take a few seconds each
2. Ray Data hands the batches to actors, which load the model once; an actor reads, chunks and embeds batch after batch,
   except texts whose vectors the index has
3. results are taken in any order; Ray repeats a batch whose worker or node was lost
4. a batch that ended its worker several times is repeated file by file, so that only the file that caused it fails

Ray runs in a separate process (`driver`), unless this one is connected to a cluster already.

Every node must see the same files at the same paths, and have the same versions of Crosshead and its models.
"""

from __future__ import annotations

import pickle
import signal
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crosshead.embedding import get_embedder
from crosshead.errors import CrossheadError, EmbedError, IngestError, OptionsError
from crosshead.formats import own_formats
from crosshead.indexing.engines.base import FileResult, MadeFile, encoded, is_instant, prepare_guarded, size_of
from crosshead.indexing.engines.cluster import import_ray
from crosshead.indexing.engines.driver import RayCluster
from crosshead.indexing.recipe import PIPELINE_VERSION, Recipe
from crosshead.indexing.steps.source_file import SourceFile
from crosshead.indexing.steps.vectors import VectorMaker, texts_without_vectors, with_vectors
from crosshead.runtime.processes import failed
from crosshead.runtime.workers import crash
from crosshead.types import HAS_TOKEN_VECTORS, Embedder, EncodeRows, ParallelEmbedder, Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH_BYTES: Final = 2_000_000
"""Reading and chunking them takes about a second."""
BATCH_BYTES_EMBEDDED: Final = 100_000
"""A small model takes some seconds for them."""
MOST_FILES: Final = 256
MOST_TRIES: Final = 3
"""Tries of a batch, one for each lost worker or node."""
MOST_INDEX_PARTS: Final = 16
"""Every search reads all of them."""
HASH_DIGITS: Final = 16
"""Digits of a text's hash that are compared: 64 bits."""


class ActorJob(NamedTuple):
    """What an actor needs to know."""

    recipe: Recipe
    embedder: str | Embedder | None
    """Its name if it has one, because a loaded model cannot be sent."""
    keeps_tokens: bool
    encode: EncodeRows
    known: NDArray[np.uint64]
    """Hashes of the texts whose vectors the index has, sorted."""
    pipeline_version: int = PIPELINE_VERSION
    """Of the process that gives the job."""


class RayEngine:
    """Reads, chunks and embeds files on the nodes of a cluster."""

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
        """Each actor loads an embedder that `has_name`; any other is sent to it.

        `jobs`: processes to use; by default one per core.
        """
        if own_formats() or callable(recipe.extract.ocr):
            raise OptionsError(
                "Ray does not know formats and functions that you register in this process: use engine='local'"
            )
        self._recipe = recipe
        self._store = store
        self._embedder = embedder
        self._has_name = has_name
        self._jobs = jobs
        self._cluster = RayCluster(address, jobs)
        self.notes: list[str] = []

    def make(self, files: Sequence[SourceFile]) -> Iterator[FileResult]:
        """Yield the result for every file as soon as it is there."""
        if not files:
            return
        is_slow = self._embedder and not is_instant(self._embedder)
        batches = [*gather(files, BATCH_BYTES_EMBEDDED if is_slow else BATCH_BYTES)]
        job = self._job()
        left = {file.source: file for file in files}
        for packed in self._cluster.run(_in_batches, job, batches, self._jobs):
            for made in _unpacked(packed):
                left.pop(made.file.source)
                yield made
        if left:
            for packed in self._cluster.run(_one_by_one, job, [*left.values()]):
                yield from _unpacked(packed)

    def index_vectors(self, table: str, how: Mapping[str, Any]) -> bool:
        """Build the vector index of a table on the cluster; return False if its nodes cannot reach the table.

        It claims no cores, because the actors may hold them all.
        """
        try:
            for _ in self._cluster.run(_index_vectors, table, how):
                pass
        except IngestError as error:
            self.notes.append(f"the vectors are indexed on this machine, because Ray could not: {error}")
            return False
        return True

    def close(self) -> None:
        """Leave the cluster if this engine joined it."""
        self._cluster.close()

    def _job(self) -> ActorJob:
        embedder = self._embedder
        return ActorJob(
            self._recipe,
            embedder.name if embedder and self._has_name else embedder,
            bool(self._store.settings.get(HAS_TOKEN_VECTORS)),
            self._store.encoder(),
            hash_numbers(self._store.known_text_hashes() if embedder else ()),
        )


class Tries:
    """An actor that counts the tries of each batch, because Ray would repeat one forever."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    def begin(self, batch: int) -> int:
        """Count a try and return how many there were."""
        self._counts[batch] += 1
        return self._counts[batch]


class BatchMaker:
    """An actor that keeps its model from batch to batch."""

    def __init__(self, job: Any, tries: Any) -> None:
        self._files = FileMaker(import_ray().get(job))
        self._tries = tries

    def __call__(self, table: Mapping[str, Any]) -> Mapping[str, list[bytes]]:
        """Process batches of files, pickled because Ray Data only knows tables."""
        return {"made": [self._make(*pickle.loads(packed)) for packed in table["batch"]]}

    def _make(self, number: int, files: Sequence[SourceFile]) -> bytes:
        is_given_up = import_ray().get(self._tries.begin.remote(number)) > MOST_TRIES
        return self._files.make_packed(() if is_given_up else files)


class FileMaker:
    """Makes the rows of files and their vectors in a process of the cluster."""

    def __init__(self, job: ActorJob) -> None:
        self._job = job

    def make_packed(self, files: Sequence[SourceFile]) -> bytes:
        """Return the pickled results for files, or the error that concerns them all."""
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
        if outcome.value is None:
            return FileResult(file, outcome.holding(None))
        rows, digest = outcome.value
        unknown = {each: chunk for each, chunk in texts_without_vectors(rows).items() if not self._knows(each)}
        # A text that the model refuses stays pending: the main process tries it again and reports it.
        made = vectors.make(unknown) if vectors else ()
        found = {each.text_hash: each for each in made if each.vectors is not None}
        value = MadeFile(encoded(with_vectors(rows, found), self._job.encode), digest)
        return FileResult(file, outcome.holding(value), len(found))

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
            loaded.jobs = 1  # there is an actor per core
        return VectorMaker(loaded, recipe, keeps_tokens=self._job.keeps_tokens)


def gather(files: Sequence[SourceFile], batch_bytes: int) -> Iterator[list[SourceFile]]:
    """Divide files, in order, into batches of about `batch_bytes`."""
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
    """Return the first digits of hashes as sorted numbers: the smallest form to send millions of them."""
    import numpy as np

    return np.sort(np.array([int(each[:HASH_DIGITS], 16) for each in text_hashes], np.uint64))


def _in_batches(
    ray: Any, job: ActorJob, batches: Sequence[Sequence[SourceFile]], most_actors: int | None
) -> Iterator[bytes]:
    """Yield the results for files, except those that ended their workers."""
    cores = int(ray.cluster_resources().get("CPU", 1))
    actors = max(1, min(most_actors or cores, cores, len(batches)))
    items = [{"batch": pickle.dumps(batch)} for batch in enumerate(batches)]
    tries = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(Tries).remote()
    done = ray.data.from_items(items, override_num_blocks=len(items)).map_batches(
        BatchMaker,
        batch_size=None,
        fn_constructor_args=(ray.put(job), tries),
        num_cpus=1,
        concurrency=(1, actors, actors),  # fewer will do after a node was lost
    )
    done.context.enable_progress_bars = False
    for batch in done.iter_batches(batch_size=None, prefetch_batches=1):
        yield from batch["made"]


def _one_by_one(ray: Any, job: ActorJob, files: Sequence[SourceFile]) -> Iterator[bytes]:
    """Process each file in a separate task; one that ends its process again fails."""
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
