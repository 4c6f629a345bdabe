"""Jobs -> changes of the index and of the uploads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from crosshead import ids
from crosshead.errors import IngestError
from crosshead.index import AddResult, Index
from crosshead.server.jobs.files import FORMER, JobFiles
from crosshead.server.jobs.job import Job
from crosshead.server.jobs.queue import OnProgress
from crosshead.server.jobs.uploads import Uploads
from crosshead.server.paths import path_inside


class IndexWriter:
    """Runs the jobs of one index. A job can run again: what is done already stays as it is."""

    def __init__(self, index: Index, uploads: Uploads, files: JobFiles) -> None:
        self._index = index
        self._uploads = uploads
        self._files = files

    def __call__(self, job: Job, on_progress: OnProgress) -> dict[str, Any]:
        """Run a job and return its result."""
        if job.kind == "remove":
            return self._remove(job)
        if job.is_upload:
            return self._index_upload(job, on_progress)
        path = path_inside(self._index.root, job.target)
        return _result(self._index.add(path, metadata=job.metadata, on_progress=on_progress))

    def _remove(self, job: Job) -> dict[str, Any]:
        self._index.remove_documents([ids.document_id(job.target)])
        self._uploads.forget(job.target, self._index.root)
        return _result(AddResult(removed=1))

    def _index_upload(self, job: Job, on_progress: OnProgress) -> dict[str, Any]:
        path = self._index.root / job.target
        with _placed(self._files.document(job.id), path):
            result = self._index.add(path, prune=False, metadata=job.metadata, on_progress=on_progress)
            for source in result.failed.keys() - {*result.by_words}:
                raise IngestError(result.failed[source], source)
        return _result(result)


@contextmanager
def _placed(document: Path, path: Path) -> Iterator[None]:
    """Move an upload to its path; if it cannot be indexed, restore the file that it replaced.

    After a kill it may be there already.
    """
    former = document.with_suffix(FORMER)
    if document.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        former.unlink(missing_ok=True)
        if path.exists():
            os.link(path, former)
        os.replace(document, path)
    try:
        yield
    except BaseException:
        os.replace(path, document)
        if former.exists():
            os.replace(former, path)
        raise


def _result(result: AddResult) -> dict[str, Any]:
    return {name: value for name, value in asdict(result).items() if name != "faults"}
