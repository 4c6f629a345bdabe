"""Paths that the user names -> files with their sources.

A source is the path relative to the root of the index, with forward slashes; a file outside the root keeps its whole
path. Bytes of a name that are not text are replaced, because sources are stored and shown.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path, PurePath
from typing import Final, NamedTuple

from crosshead.errors import IngestError
from crosshead.formats import container_format, split_path
from crosshead.ids import encodable
from crosshead.indexing.files.hashes import FileStat
from crosshead.indexing.files.walk import FoundFile, files_at, files_to_index, is_ignored, no_such_path, stat_of
from crosshead.indexing.steps.source_file import SourceFile

UPLOADS: Final = "uploads"
"""The folder below the root for files that are sent to a server."""


class Sources(NamedTuple):
    """The files to index, and what else is at the paths."""

    files: tuple[SourceFile, ...]
    problems: dict[str, str]
    """Why a file or folder cannot be read, by its source."""
    searched: tuple[str, ...]
    """Sources of folders, archives and missing paths: known documents there that were not found have been removed."""
    skipped: tuple[str, ...] = ()
    """Files in folders that have no reader, or are code or data that is not included."""
    ignored: tuple[str, ...] = ()
    """Paths that an ignore file excludes."""
    faults: Mapping[str, str] = {}
    """Tracebacks of those problems that are faults of Crosshead."""

    def missing(self, known: Iterable[str]) -> list[str]:
        """Return those known sources that were removed; nothing is known about folders that cannot be read."""
        found = {file.source for file in self.files}
        return [
            source
            for source in known
            if source not in found and lies_in(source, self.searched) and not lies_in(source, self.problems)
        ]


def find_sources(
    paths: Iterable[str | Path],
    root: Path,
    known: Collection[str] = (),
    *,
    format: str | None = None,
    include: Collection[str] = (),
    hidden: bool = False,
) -> Sources:
    """Return the files at paths in their order, each once; a missing path is an error unless the index knows it.

    Folders are searched for documents, formats to `include`, `hidden` files, and files that the index knows.
    """
    collector = SourceCollector(root, known, format, include, hidden=hidden)
    for path in paths:
        collector.add(path)
    return collector.sources()


def excluded(source: str) -> str:
    """Return the message about a path that an ignore file excludes."""
    return f"{source}: excluded by an ignore file; to include it, add !{source} to .crossheadignore"


class SourceCollector:
    """Gathers the files of one path after the other."""

    def __init__(
        self, root: Path, known: Collection[str], format: str | None, include: Collection[str], *, hidden: bool
    ) -> None:
        self._root = os.path.realpath(root)
        self._known = known
        self._format = format
        self._include = include
        self._hidden = hidden
        self._files: dict[str, SourceFile] = {}
        self._problems: dict[str, str] = {}
        self._faults: dict[str, str] = {}
        self._searched: list[str] = []
        self._skipped: list[str] = []
        self._ignored: list[str] = []

    def sources(self) -> Sources:
        """Return what was found."""
        return Sources(
            tuple(self._files.values()),
            self._problems,
            tuple(self._searched),
            tuple(self._skipped),
            tuple(self._ignored),
            self._faults,
        )

    def add(self, path: str | Path) -> None:
        """Take the files at a path: a folder, a file, or a document inside a file."""
        own_path = _own_path(path)
        source = _source_below(own_path, self._root)
        if os.path.lexists(path) and is_ignored(own_path, self._root):
            self._ignored.append(source)
            self._searched.append(source)
        elif os.path.isdir(path):
            self._searched.append(source)
            self._take(files_to_index(own_path, self._root, self._include, hidden=self._hidden), own_path)
            self._take_known_hidden(own_path, source)
        elif os.path.lexists(path):
            if container_format(source):
                self._searched.append(source)
            files = files_at(os.fspath(path), self._include, hidden=self._hidden)
            self._take((file._replace(path=own_path) for file in files), os.path.dirname(own_path))
        elif inside := split_path(path):
            outer, inner = inside
            file = FoundFile(outer, inner=inner, stat=stat_of(outer))
            self._files.setdefault(source, self._source_file(file, source, os.path.abspath(path), ""))
        elif any(lies_in(each, [source]) for each in self._known):
            self._searched.append(source)
        else:
            raise IngestError(no_such_path(path))

    def _take_known_hidden(self, folder: str, source: str) -> None:
        """Take hidden files below a folder that the index knows, because they were named once, and that still exist."""
        for known in self._known:
            if _is_hidden_below(known, source):
                path = os.path.join(self._root, known)
                if os.path.isfile(path) and not is_ignored(path, self._root):
                    self._take([FoundFile(path, stat=stat_of(path))], folder)
                elif inside := split_path(path):
                    outer, inner = inside
                    self._take([FoundFile(outer, inner=inner, stat=stat_of(outer))], folder)

    def _take(self, found: Iterable[FoundFile], folder: str) -> None:
        for file in found:
            source = _source_of_found(file, self._root)
            if file.problem:
                self._problems[source] = file.problem
                self._faults.update({source: file.traceback} if file.traceback else {})
            elif file.is_wanted or (file.has_reader and source in self._known):
                home = _root_of(file, self._root, folder)
                self._files.setdefault(source, self._source_file(file, source, file.whole_path, home))
            else:
                self._skipped.append(source)

    def _source_file(self, file: FoundFile, source: str, path: str, home: str) -> SourceFile:
        stat = FileStat.of(file.stat) if file.stat else None
        return SourceFile(path, source, self._format, home, stat, bool(file.inner))


def _root_of(file: FoundFile, root: str, folder: str) -> str:
    """Return the folder whose files a document may include: the root of the index, or the named folder outside it.

    An upload may only include other uploads: its sender must not read the files of the server.
    """
    if file.inner:
        return ""
    uploads = os.path.join(root, UPLOADS)
    homes = (home for home in (uploads, root) if file.path.startswith(os.path.join(home, "")))
    return next(homes, folder)


def source_of(path: str | Path, root: Path) -> str:
    """Return the source of a file or folder; that of the root is `.`."""
    return _source_below(_own_path(path), os.path.realpath(root))


def _source_below(path: str, root: str) -> str:
    """Return the source of a whole path; links are resolved before, once per folder, because that is slow."""
    inside = os.path.join(root, "")
    inner = path[len(inside) :] if path.startswith(inside) else "." if path == root else path
    return encodable(inner.replace(os.sep, "/"))


def _source_of_found(file: FoundFile, root: str) -> str:
    source = _source_below(file.path, root)
    return encodable(f"{source}/{file.inner}") if file.inner else source


def _own_path(path: str | Path) -> str:
    """Return the whole path with links resolved, except that of a file, which keeps its own name."""
    whole = os.path.abspath(path)
    if whole != os.sep:
        whole = os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole))
    return os.path.realpath(whole) if os.path.isdir(whole) else whole


def lies_in(source: str, folders: Iterable[str]) -> bool:
    """Return whether a source is one of these, or below one; `.` holds all relative sources."""
    return any(_is_below(source, folder) for folder in folders)


def _is_hidden_below(source: str, folder: str) -> bool:
    """Return whether a source is below a folder, and hidden there."""
    if not lies_in(source, [folder]):
        return False
    inner = source if folder == "." else source[len(folder) :]
    return any(part.startswith(".") for part in inner.split("/"))


def _is_below(source: str, folder: str) -> bool:
    if folder == ".":
        return not PurePath(source).is_absolute()
    return source == folder or source.startswith(folder if folder.endswith("/") else f"{folder}/")
