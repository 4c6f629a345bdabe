"""Paths that the user names -> files with their sources.

A source is the path below the index's root, with forward slashes; a file outside of the root keeps its whole path.
Bytes of a name that are no text are replaced, because a source is stored and shown.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path, PurePath
from typing import Final, NamedTuple

from crosshead.errors import IngestError
from crosshead.ids import encodable
from crosshead.indexing.files.walk import FoundFile, files_at, files_to_index, is_ignored, no_such_path
from crosshead.indexing.prepare import SourceFile
from crosshead.pipeline import container_format, split_path

UPLOADS: Final = "uploads"
"""The folder below the root that takes what is sent to a server."""


class Sources(NamedTuple):
    """What is to be indexed."""

    files: tuple[SourceFile, ...]
    problems: dict[str, str]
    """What could not be looked into, with the reason."""
    places: tuple[str, ...]
    """Folders, and files that are gone, as sources: what lies there and is not found any more was removed."""
    skipped: tuple[str, ...] = ()
    """Files in folders that have no reader, or are code or data that nobody asked for."""
    ignored: tuple[str, ...] = ()
    """Paths that were named, but that an ignore file names too."""
    faults: Mapping[str, str] = {}
    """Of the problems, the tracebacks of those where the fault is ours."""

    def are_gone(self, known: Iterable[str]) -> list[str]:
        """Return those known sources that were removed; below a folder that cannot be read nobody knows."""
        found = {file.source for file in self.files}
        return [
            source
            for source in known
            if source not in found and lies_in(source, self.places) and not lies_in(source, self.problems)
        ]


def find_sources(
    paths: Iterable[str | Path],
    root: Path,
    known: Collection[str] = (),
    *,
    format: str | None = None,
    include: Collection[str] = (),
) -> Sources:
    """Return the files at paths in their order, each once; a path may be gone if something is known of it.

    From folders, documents are taken, formats to `include`, and what is known: it was asked for before.
    """
    files: dict[str, SourceFile] = {}
    problems: dict[str, str] = {}
    places: list[str] = []
    skipped: list[str] = []
    ignored: list[str] = []
    faults: dict[str, str] = {}
    whole_root = os.path.realpath(root)

    def take(found: Iterable[FoundFile], folder: str) -> None:
        for file in found:
            name = _source_of_found(file, whole_root)
            if file.problem:
                problems[name] = file.problem
                faults.update({name: file.traceback} if file.traceback else {})
            elif file.is_wanted or (file.has_reader and name in known):
                files.setdefault(name, SourceFile(file.whole_path, name, format, _root_of(file, whole_root, folder)))
            else:
                skipped.append(name)

    for path in paths:
        source = source_of(path, root)
        if os.path.lexists(path) and is_ignored(_own_path(path), whole_root):
            ignored.append(source)
            places.append(source)
        elif os.path.isdir(path):
            places.append(source)
            take(files_to_index(os.path.realpath(path), whole_root, include), os.path.realpath(path))
        elif os.path.lexists(path):
            if container_format(source):
                places.append(source)
            own = _own_path(path)
            take((found._replace(path=own) for found in files_at(os.fspath(path), include)), os.path.dirname(own))
        elif split_path(path):
            files.setdefault(source, SourceFile(os.path.abspath(path), source, format))
        elif any(lies_in(each, [source]) for each in known):
            places.append(source)
        else:
            raise IngestError(no_such_path(path))
    return Sources(tuple(files.values()), problems, tuple(places), tuple(skipped), tuple(ignored), faults)


def _root_of(file: FoundFile, root: str, folder: str) -> str:
    """Return the folder whose files may be included: that of the index, or the one that was named, if outside of it.

    An upload may only include other uploads: whoever sends it must not read the files of the server.
    """
    if file.inner:
        return ""
    uploads = os.path.join(root, UPLOADS)
    homes = (home for home in (uploads, root) if file.path.startswith(os.path.join(home, "")))
    return next(homes, folder)


def source_of(path: str | Path, root: Path) -> str:
    """Return the source of a file or folder; the root itself is `.`."""
    return _source_below(_own_path(path), os.path.realpath(root))


def _source_below(path: str, root: str) -> str:
    """Return the source of a path; both are whole and without links, which are dear to resolve for every file."""
    inside = os.path.join(root, "")
    inner = path[len(inside) :] if path.startswith(inside) else "." if path == root else path
    return encodable(inner.replace(os.sep, "/"))


def _source_of_found(file: FoundFile, root: str) -> str:
    source = _source_below(file.path, root)
    return encodable(f"{source}/{file.inner}") if file.inner else source


def _own_path(path: str | Path) -> str:
    """Return the whole path, without links but where a file is one, which keeps its own name."""
    whole = os.path.abspath(path)
    if whole != os.sep:
        whole = os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole))
    return os.path.realpath(whole) if os.path.isdir(whole) else whole


def lies_in(source: str, places: Iterable[str]) -> bool:
    """Return whether a source is one of some places, or below one; the place `.` holds all relative sources."""
    return any(_is_below(source, place) for place in places)


def _is_below(source: str, place: str) -> bool:
    if place == ".":
        return not PurePath(source).is_absolute()
    return source == place or source.startswith(place if place.endswith("/") else f"{place}/")
