"""Files -> the parts of an index.

1. the files are found once, and those of documents that are gone
2. a document belongs to the part that a hash of its source names
3. every part is an index and is brought up to date alone: here one after the other, or all at once on a cluster
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from crosshead.errors import IngestError
from crosshead.indexing.adding import AddRequest, OnProgress, add_files, advice_of_new, find_files
from crosshead.indexing.files.hashes import FileHashes, hashes_path
from crosshead.indexing.files.root import check_root, files_of
from crosshead.indexing.files.sources import Sources, excluded
from crosshead.indexing.opened import IndexSettings, OpenedIndex
from crosshead.indexing.parts.opened import PartedIndex
from crosshead.indexing.parts.removal import decide_removal
from crosshead.indexing.steps.run import AddResult, Progress
from crosshead.indexing.steps.source_file import SourceFile


@dataclass(frozen=True, eq=False)
class PartWork:
    """What there is to do in one part."""

    index: OpenedIndex
    files: Sequence[SourceFile]
    removed: Sequence[str]
    """Sources of documents to remove."""


def add_to_parts(
    index: PartedIndex,
    request: AddRequest,
    *,
    sources: Sources | None = None,
    on_progress: OnProgress | None = None,
) -> AddResult:
    """Index the files of a request, or the `sources` that were found for it, each in its part."""
    known = {source: revision for each in index.opened for source, revision in each.store.document_revisions().items()}
    recipe, root = index.first.recipe, index.first.root
    if sources is None or known:
        sources = find_files(request, root, recipe.extract, known)
    check_root(sources, files_of(known), root, index.parts.location, pruned=request.prune)
    removal = decide_removal(sources, known, recipe, prune=request.prune, allow_removal=request.allow_removal)
    works = [*_divide(index, sources, removal.removed)]
    results = [*_run(request, index.settings, works, _Done(len(sources.files), on_progress))]
    advice = advice_of_new(index.first, is_first=not known)
    merged = _merged(results, (*advice, *map(excluded, sources.ignored)), removal.reasons)
    return replace(
        merged,
        kept=tuple(removal.kept),
        skipped=sources.skipped,
        failed={**sources.problems, **merged.failed},
        faults={**sources.faults, **merged.faults},
    )


def _divide(index: PartedIndex, sources: Sources, removed: Iterable[str]) -> Iterator[PartWork]:
    files: Mapping[int, list[SourceFile]] = defaultdict(list)
    gone: Mapping[int, list[str]] = defaultdict(list)
    for file in sources.files:
        files[index.parts.number_of(file.source)].append(file)
    for source in removed:
        gone[index.parts.number_of(source)].append(source)
    return (PartWork(each, files[number], gone[number]) for number, each in enumerate(index.opened))


def _run(request: AddRequest, settings: IndexSettings, works: Sequence[PartWork], done: _Done) -> Iterator[AddResult]:
    """Yield the results of all parts; with Ray, parts in which nothing has changed are looked at here."""
    far = [work for work in works if not _is_settled(work, request)] if request.engine == "ray" else []
    here = replace(request, engine="local", ray_address=None)
    failures: dict[str, str] = {}
    for work in works:
        if work not in far:
            yield done.take(add_files(work.index, here, work.files, work.removed, done.report), len(work.files))
    if far:
        from crosshead.indexing.parts.cluster import add_on_cluster

        for work, result in add_on_cluster(far, settings, request):
            if isinstance(result, AddResult):
                yield done.take(result, len(work.files))
            else:
                failures[work.index.location] = str(result)
    if failures:
        reasons = "; ".join(failures.values())
        behind = f"{len(failures)} of {len(works)} parts are not up to date"
        raise IngestError(f"{behind}: {reasons}; run the same command again to continue")


def _is_settled(work: PartWork, request: AddRequest) -> bool:
    """Return whether a part surely has nothing to do, without reading a file."""
    if work.removed or request.verify or request.metadata is not None or work.index.store.count_pending():
        return False
    hashes, known = FileHashes(hashes_path(work.index.location)), work.index.store.document_revisions()
    return all(file.source in known and hashes.digest_of(file.source, file.stat) for file in work.files)


class _Done:
    """How far all parts together have come."""

    def __init__(self, total: int, on_progress: OnProgress | None) -> None:
        self._total = total
        self._on_progress = on_progress
        self._documents = self._texts = 0

    def report(self, progress: Progress) -> None:
        """Report the progress of a part."""
        if self._on_progress:
            made = Progress(
                self._documents + progress.documents_done,
                self._total,
                self._texts + progress.texts_embedded,
                self._texts + progress.texts_total,
            )
            self._on_progress(made)

    def take(self, result: AddResult, documents: int) -> AddResult:
        """Count a part that is up to date."""
        self._documents += documents
        self._texts += result.embedded
        self.report(Progress(0, 0, 0, 0))
        return result


def _merged(results: Sequence[AddResult], notes: Iterable[str], reasons: Iterable[str]) -> AddResult:
    return AddResult(
        added=sum(each.added for each in results),
        updated=sum(each.updated for each in results),
        unchanged=sum(each.unchanged for each in results),
        removed=sum(each.removed for each in results),
        failed={source: reason for each in results for source, reason in each.failed.items()},
        by_words=tuple(source for each in results for source in each.by_words),
        faults={source: fault for each in results for source, fault in each.faults.items()},
        notes=tuple(dict.fromkeys([*notes, *(note for each in results for note in each.notes), *reasons])),
        embedded=sum(each.embedded for each in results),
        pending=sum(each.pending for each in results),
    )
