"""Paths that the user names -> files with their sources.

A source is the path below the index's root, with forward slashes; a file outside of the root keeps its whole path.
Bytes of a name that are no text are replaced, because a source is stored and shown.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from pathlib import Path, PurePath
from typing import NamedTuple

from crosshead.errors import IngestError
from crosshead.ids import encodable
from crosshead.ingest.prepare import SourceFile
from crosshead.ingest.walk import files_to_index


class Sources(NamedTuple):
    """What is to be indexed."""

    files: tuple[SourceFile, ...]
    problems: dict[str, str]
    """What could not be looked into, with the reason."""
    places: tuple[str, ...]
    """Folders, and files that are gone, as sources: what lies there and is not found any more was removed."""

    def are_gone(self, known: Iterable[str]) -> list[str]:
        """Return those known sources that were removed; below a folder that cannot be read nobody knows."""
        found = {file.source for file in self.files}
        return [
            source
            for source in known
            if source not in found and lies_in(source, self.places) and not lies_in(source, self.problems)
        ]


def find_sources(paths: Iterable[str | Path], root: Path, known: Collection[str] = ()) -> Sources:
    """Return the files at paths in their order, each once; a path may be gone if something is known of it."""
    files: dict[str, SourceFile] = {}
    problems: dict[str, str] = {}
    places: list[str] = []
    for path in paths:
        source = source_of(path, root)
        if os.path.isdir(path):
            places.append(source)
            below = os.path.join(os.path.realpath(root), "")
            for found, problem in files_to_index(os.path.realpath(path)):
                name = encodable(found.removeprefix(below).replace(os.sep, "/"))
                if problem:
                    problems[name] = problem.partition(": ")[2] or problem
                else:
                    files.setdefault(name, SourceFile(found, name))
        elif os.path.lexists(path):
            files.setdefault(source, SourceFile(os.fspath(path), source))
        elif any(lies_in(each, [source]) for each in known):
            places.append(source)
        else:
            raise IngestError(f"{path}: no such file or folder")
    return Sources(tuple(files.values()), problems, tuple(places))


def source_of(path: str | Path, root: Path) -> str:
    """Return the source of a file or folder; the root itself is `.`."""
    whole = os.path.abspath(path)
    if whole != os.sep:  # a link keeps its own name
        whole = os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole))
    inner = os.path.realpath(whole) if os.path.isdir(whole) else whole
    try:
        return encodable(PurePath(inner).relative_to(os.path.realpath(root)).as_posix())
    except ValueError:
        return encodable(PurePath(inner).as_posix())


def lies_in(source: str, places: Iterable[str]) -> bool:
    """Return whether a source is one of some places, or below one; the place `.` holds all relative sources."""
    return any(_is_below(source, place) for place in places)


def _is_below(source: str, place: str) -> bool:
    if place == ".":
        return not PurePath(source).is_absolute()
    return source == place or source.startswith(place if place.endswith("/") else f"{place}/")
