"""The facade over `indexing` (files -> rows) and `search` (request -> hits, passages)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from crosshead import indexing
from crosshead.index.calibrating import FALSE_ALARMS, calibrate_index
from crosshead.index.files import Files
from crosshead.index.parts import add_to_parts
from crosshead.index.searching import Searching, check_search_options
from crosshead.options import DEFAULT_LOCATION, PART_SECONDS, ExtractOptions, check_types
from crosshead.types import CALIBRATION, TUNED, UNCALIBRATED, Calibration, Embedder, Finding, Store

if TYPE_CHECKING:
    from crosshead.index.joined import JoinedIndex
    from crosshead.indexing import (
        AddKeywords,
        AddResult,
        ChangeResult,
        EmbedResult,
        EmbedText,
        OnPending,
        Progress,
        WatchKeywords,
    )
    from crosshead.store import OnCopied

logger = logging.getLogger("crosshead")


class Index(Searching, Files):
    """An index of documents, in a folder, in a PostgreSQL database or on object storage."""

    _current: indexing.CurrentIndex

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
        """Open an index, or create one; `chunking` are chunking options by name.

        An index keeps its settings: those that you name must be the same (`change` gives it others), the rest is
        taken over.
        `location`: a folder, or a URL: postgresql://USER:PASSWORD@HOST:PORT/DATABASE or s3://BUCKET/PREFIX.
        `root`: the folder that sources are relative to. Default: the folder that holds the index; for a URL, the
        working folder.
        `embedder`: default is the best one installed for the language of `documents`, the paths you are going to add,
        or of the files below `root`; without either, for English.
        `piece_tokens`: a longer chunk gets a vector for each piece of this size; 0 makes one vector per chunk.
        `token_signs`: store token vectors as well, for reranking. Default: on if the embedder supports it.
        `wait_seconds`: how long a write waits for another process that is writing, before it raises `Locked`.
        An index that holds documents but has no embedding model yet gets one if you name an `embedder`, or `create`.
        """
        settings = indexing.IndexSettings(
            root=indexing.whole_path(root),
            embedder=embedder,
            language=None if language == "auto" else language,
            embed_text=embed_text,
            piece_tokens=piece_tokens,
            token_signs=token_signs,
            extract=extract,
            chunking=chunking,
        )
        self._current = indexing.CurrentIndex(
            indexing.OpenedIndex(
                location, settings, create=create, find_documents=lambda: documents, wait_seconds=wait_seconds
            )
        )
        self.location = self._index.location
        self.root = self._index.root
        if self.unfinished_copy_of:
            logger.warning("%s; until then documents are missing", self._index.unfinished_copy)

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; the index cannot be used afterwards."""
        self._current.close()

    @staticmethod
    def join(
        indexes: Sequence[str | Path | Index],
        *,
        part_seconds: float = PART_SECONDS,
        require_all: bool = False,
        engine: indexing.EngineName = "local",
        ray_address: str | None = None,
    ) -> JoinedIndex:
        """Return several indexes to search as one: hits, scores and order are those of one index with all documents.

        `indexes`: locations, patterns of them (`indexes/part-*`, `s3://bucket/part-*`), and open indexes.
        `part_seconds`: how long to wait for an index that does not answer; the results of the others name it in
        `missing`. With `require_all`, it raises `IncompleteIndex`.
        `engine="ray"`: actors of a cluster keep the indexes at locations open and search them, at `ray_address` (or
        RAY_ADDRESS), or on a temporary cluster on this machine. All nodes must reach the locations.
        """
        from crosshead.index.joined import JoinedIndex  # a search of one index does without

        return JoinedIndex(
            indexes, part_seconds=part_seconds, require_all=require_all, engine=engine, ray_address=ray_address
        )

    add_to_parts = staticmethod(add_to_parts)

    @property
    def _index(self) -> indexing.OpenedIndex:
        return self._current.opened

    @property
    def _store(self) -> Store:
        return self._index.store

    @property
    def embedder(self) -> Embedder:
        """The embedder of the index."""
        return self._index.embedder

    @property
    def unfinished_copy_of(self) -> str:
        """The index that this is an interrupted copy of; empty for an index that is complete."""
        return self._index.unfinished_copy_of

    # ------------------------------------------------------------------ writing

    def add(
        self,
        *paths: str | Path,
        on_progress: Callable[[Progress], None] | None = None,
        **request: Unpack[AddKeywords],
    ) -> AddResult:
        """Index files and folders; files that have not changed are skipped.

        `format`: the format of the files; by default, content and name decide.
        `include`: what to take from folders besides documents: `code`, `data`, or a format by name, as in `python`.
        `hidden`: also take hidden files and folders from folders, except `.git` and `node_modules`.
        `metadata`: metadata of the documents, as in `{"team": "infra"}`, or a function that returns it for a path. It
        counts more than front matter; later calls without it keep it, and `{}` removes it.
        `prune=False`: keep documents whose files are missing from a given folder. If they are all documents below a
        path, or more than half of a larger index, only `allow_removal` removes them: a disk may not be mounted.
        `embed=False`: new chunks are found by their words until `embed_pending` gives them vectors.
        `jobs`: worker processes to use.
        `verify`: read every file, even if its size and times are those of the last run.
        `engine="ray"`: read, chunk and embed on a cluster: the one this process is connected to, the one at
        `ray_address` (or RAY_ADDRESS), or a temporary one on this machine. The rows are the same.
        """
        wanted = indexing.AddRequest.make(paths, request)
        return self._current.write(partial(indexing.add_documents, request=wanted, on_progress=on_progress))

    def watch(self, *paths: str | Path, **request: Unpack[WatchKeywords]) -> Iterator[AddResult]:
        """Index files and folders now and whenever they change; yield each result. Runs until you stop it.

        The keywords are those of `add`, without `engine`.
        """
        return indexing.watch_documents(self._index, indexing.AddRequest.make(paths, request, to_watch=True))

    def add_text(
        self, text: str, *, source: str, format: str = "markdown", metadata: Mapping[str, Any] | None = None
    ) -> AddResult:
        """Index a text that is not in a file; it replaces one with the same source.

        `metadata` counts more than front matter; `date` in it is the date of the document.
        """
        return self._current.write(
            partial(indexing.add_text, text=text, source=source, format=format, metadata=metadata or {})
        )

    def change(
        self,
        *,
        embedder: str | Embedder | None = None,
        language: str | None = None,
        embed_text: EmbedText | None = None,
        piece_tokens: int | None = None,
        token_signs: bool | None = None,
        extract: ExtractOptions | None = None,
        jobs: int | None = None,
        dry_run: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
        **chunking: Any,
    ) -> ChangeResult:
        """Give the index other settings; those that you do not name stay.

        Searches find what was there until everything is made again. If it is interrupted, call it again to continue.
        Only texts that are new, or that another model is to embed, are embedded; no file is read. With other options in
        `extract`, `add` reads the files again afterwards.
        `dry_run`: change nothing, and return what would be done and for about how many seconds.
        """
        check_types(int | None, jobs=jobs)
        settings = indexing.IndexSettings(
            embedder=embedder,
            language=language,
            embed_text=embed_text,
            piece_tokens=piece_tokens,
            token_signs=token_signs,
            extract=extract,
            chunking=chunking,
        )
        return self._current.change(settings, jobs=jobs, dry_run=dry_run, on_progress=on_progress)

    def embed_pending(
        self, *, retry_failed: bool = False, on_progress: OnPending | None = None, jobs: int | None = None
    ) -> EmbedResult:
        """Embed the chunks that have no vector yet; with `retry_failed`, also those that failed before.

        In a database several processes can do this at once; each takes different chunks.
        """
        check_types(int | None, jobs=jobs)
        return self._current.write(
            partial(indexing.embed_pending, retry_failed=retry_failed, on_progress=on_progress, jobs=jobs)
        )

    def copy_to(self, location: str | Path, *, on_progress: OnCopied | None = None) -> int:
        """Copy everything, vectors included, into a new index; return the number of documents.

        An interrupted copy continues where it stopped.
        """
        return self._current.write(partial(indexing.copy_index, location=location, on_progress=on_progress))

    def remove(self, source: str | Path) -> int:
        """Remove a document, or all below a folder, by source or by path; return how many were removed."""
        return self._current.write(partial(indexing.remove_source, source=source))

    def remove_documents(self, ids: Sequence[str]) -> None:
        """Remove documents by their ids."""
        self._current.write(partial(indexing.remove_documents, ids=ids))

    def optimize(self) -> None:
        """Detect missing languages of documents, refresh the search indexes, and drop old versions."""
        self._current.write(indexing.optimize_index)

    def doctor(self) -> list[Finding]:
        """Verify everything that the index holds, and say what to do; no other process may write meanwhile."""
        return self._current.write(lambda index: [*indexing.diagnose(index)])

    def calibrate(self, *, questions: Sequence[str] = (), false_alarms: float = FALSE_ALARMS) -> Calibration | None:
        """Learn from the index itself when its hits probably do not answer; return and store what was learned.

        Returns None if the index holds too little text for a promise; hits are weak by their scores then.
        `questions`: what users asked that the index answers; from 40 on, they alone decide what is weak.
        `false_alarms`: the promised share of the questions that a search answers whose hits are all weak.
        """
        check_types(float | int, false_alarms=false_alarms)
        return self._current.write(partial(calibrate_index, asked=questions, false_alarms=false_alarms))

    def keep_search_options(self, options: Mapping[str, float] | None) -> None:
        """Let hybrid searches of this index use search options, as `tune` finds them; None goes back to ours.

        They hold until the index gets another embedder. A calibration is for other scores: calibrate the index again.
        """
        if options is not None:
            check_search_options(options)  # raises an error for a wrong option

        def keep(index: indexing.OpenedIndex) -> None:
            tuned = {"embedder": index.store.settings["embedder"], "options": dict(options or {})}
            with index.lock():
                index.store.change_setting(TUNED, tuned if options else None)
                if CALIBRATION in index.store.settings:
                    index.store.change_setting(CALIBRATION, UNCALIBRATED)

        self._current.write(keep)
