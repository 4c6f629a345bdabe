"""Paths into archives, and into messages with attachments, which are folders of documents.

`archive.zip/guide/start.md` is a document, and so is `mail.eml/report.pdf`. An archive may hold such a file
too, so a path may lead through two of them, but not more.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from crosshead.errors import ExtractError, UnsupportedFormat
from crosshead.formats.base import Member
from crosshead.formats.registry import Format, check_size, format_of, get_format
from crosshead.options import ExtractOptions
from crosshead.runtime.processes import failure_of


class Inner(NamedTuple):
    """A document inside a file."""

    name: str
    problem: str = ""
    """Why it cannot be opened, if it is an archive."""
    traceback: str = ""
    """The traceback of a bug in Crosshead."""


def container_format(name: str) -> Format | None:
    """Return the format of a file that may hold documents, by its name; None for all others."""
    try:
        format = get_format(format_of(name))
    except UnsupportedFormat:
        return None
    return format if format.members else None


def split_path(path: str | Path) -> tuple[str, str] | None:
    """Split a path into a container file and the path inside it; None if it does not lead into one."""
    outer, inner = os.path.split(os.path.normpath(path))
    while inner and outer and not os.path.exists(outer):
        outer, name = os.path.split(outer)
        inner = f"{name}/{inner}"
    if not os.path.isfile(outer) or container_format(outer) is None:
        return None
    return outer, inner


def documents_in(path: str) -> list[Inner]:
    """Return the documents inside a file, including those in archives and messages inside it."""
    return list(_documents(path, _stamp(path), ""))


def read_inside(outer: str, inner: str, options: ExtractOptions) -> bytes:
    """Return the bytes of a document inside a file."""
    member = _find(outer, inner)
    with suppress(UnsupportedFormat):  # reported later, if the content does not show the format either
        check_size(member.size, get_format(format_of(member.name)), options)
    return member.read()


def _find(outer: str, inner: str) -> Member:
    stamp = _stamp(outer)
    members = _members(outer, stamp, "")
    if inner in members:
        return members[inner]
    for above in _above(inner):
        found = _members(outer, stamp, above).get(inner[len(above) + 1 :]) if above in members else None
        if found:
            return found
    raise ExtractError(f"no such document in {os.path.basename(outer)}")


def _above(inner: str) -> Iterator[str]:
    """Yield the containers that a path may lead through."""
    parts = inner.split("/")
    names = ("/".join(parts[:at]) for at in range(1, len(parts)))
    return (name for name in names if container_format(name) is not None)


def _documents(path: str, stamp: tuple[int, int], prefix: str) -> Iterator[Inner]:
    for name in sorted(_members(path, stamp, prefix)):
        whole = f"{prefix}/{name}" if prefix else name
        format = container_format(name)
        if format is None or prefix:  # deeper containers are not opened
            yield Inner(whole)
            continue
        if format.kind != "archive":
            yield Inner(whole)
        try:
            yield from list(_documents(path, stamp, whole))
        except Exception as error:
            if format.kind == "archive":
                yield Inner(whole, *failure_of(error))


@lru_cache(maxsize=4)
def _members(path: str, stamp: tuple[int, int], prefix: str) -> Mapping[str, Member]:
    """Open a file, or one inside it, once for all its documents; `stamp` changes when the file changes."""
    format = container_format(prefix or path)
    if format is None:
        return {}
    try:
        return {member.name: member for member in format.load_members()(_content(path, stamp, prefix, format))}
    except OSError as error:
        raise ExtractError(f"{error.strerror or error}") from error


def _content(path: str, stamp: tuple[int, int], prefix: str, format: Format) -> Path | bytes:
    if not prefix:
        return Path(path)
    outer = _members(path, stamp, "")[prefix]
    check_size(outer.size, format, ExtractOptions())
    return outer.read()


def _stamp(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError as error:
        raise ExtractError(f"{error.strerror or error}") from error
    return found.st_mtime_ns, found.st_size
