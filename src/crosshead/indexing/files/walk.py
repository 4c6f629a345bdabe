"""Folders -> the documents in them, in a stable order.

Hidden files and folders are skipped unless they are asked for; `.git`, `node_modules` and indexes are always skipped.
So are code and data unless their formats are included, and files that programs write for themselves: lock files and
minified scripts. Indexing also skips files that `.gitignore` and `.crossheadignore` exclude, with the rules of Git, and
links that lead out of the folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Container, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import PurePath
from stat import S_ISREG
from typing import TYPE_CHECKING, Final, NamedTuple

from crosshead.errors import ExtractError, MissingExtra, UnsupportedFormat
from crosshead.formats import (
    Format,
    are_included,
    container_format,
    detect_format,
    documents_in,
    format_of,
    get_format,
)
from crosshead.runtime.processes import failure_of

if TYPE_CHECKING:
    from pathspec import RegexPattern

REPOSITORY: Final = ".git"
SKIPPED_FOLDERS: Final = frozenset((REPOSITORY, ".hg", ".svn", "node_modules", "__MACOSX"))
"""Always skipped; with them our own folders, see `OWN_PREFIX`."""
OWN_PREFIX: Final = ".crosshead"
"""Names of indexes and of temporary folders begin with this."""
HEAD_BYTES: Final = 1 << 16
"""How much of a file is read to detect its format."""
_WRITTEN_BY_PROGRAMS: Final = re.compile(r"npm-shrinkwrap\.json|.*[-.](?:lock|min)\.\w+")
IGNORE_FILES: Final = (".gitignore", ".crossheadignore")
"""If two disagree, the later one decides."""
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]+:/", re.IGNORECASE)
"""A URL; `Path` turns its two slashes into one."""


class FoundFile(NamedTuple):
    """A file that looks like a document."""

    path: str
    problem: str = ""
    """Why it cannot be read, if that is already known; then it may be a folder."""
    has_reader: bool = True
    is_wanted: bool = True
    """False without a reader, and for code and data that is not included."""
    inner: str = ""
    """The path of a document inside an archive or a message."""
    traceback: str = ""
    """Where it failed, if the problem is a fault of Crosshead."""
    stat: os.stat_result | None = None
    """None if it cannot be taken, as that of a broken link."""

    @property
    def whole_path(self) -> str:
        """The path, which may lead into a file."""
        return os.path.join(self.path, self.inner) if self.inner else self.path


def files_in(folder: str, include: Collection[str] = (), *, hidden: bool = False) -> Iterator[FoundFile]:
    """Yield the documents below a folder by name, then folders that cannot be read; `include` adds formats."""
    yield from (file for file in _walk(folder, Ignored.nothing(), include, hidden) if file.is_wanted)


def files_to_index(
    folder: str, root: str = "", include: Collection[str] = (), *, hidden: bool = False
) -> Iterator[FoundFile]:
    """Yield the files below a folder that are not ignored; `is_wanted` is true for documents."""
    inside = os.path.join(os.path.realpath(folder), "")
    for file in _walk(folder, Ignored.above(folder, root), include, hidden):
        if file.problem or not os.path.islink(file.path) or os.path.realpath(file.path).startswith(inside):
            yield file


class Ignored(NamedTuple):
    """The rules of the ignore files in a folder and above it; the nearest one decides."""

    active: bool
    rules: tuple[tuple[str, list[RegexPattern]], ...] = ()
    """Folders with ignore files and their patterns, the outermost first."""

    @classmethod
    def nothing(cls) -> Ignored:
        """Return rules that exclude nothing."""
        return cls(active=False)

    @classmethod
    def above(cls, path: str, root: str = "") -> Ignored:
        """Read the ignore files above a path, from the root of the index or of its repository down."""
        ignored = cls(active=True)
        inner = _folders_between(root, os.path.abspath(path))
        for above in (*_folders_of_repository(inner[0] if inner else os.path.abspath(path)), *inner):
            ignored = ignored.entering(above)
        return ignored

    def entering(self, folder: str) -> Ignored:
        """Return these rules with those of a folder."""
        if not self.active:
            return self
        lines = [line for name in IGNORE_FILES for line in _read_lines(os.path.join(folder, name))]
        return self._replace(rules=(*self.rules, (os.path.abspath(folder), path_patterns(lines)))) if lines else self

    def names(self, path: str) -> bool:
        """Return whether a path is excluded; the path of a folder ends with a slash."""
        for folder, patterns in reversed(self.rules):
            inner = os.path.abspath(path)[len(folder) :].lstrip(os.sep).replace(os.sep, "/")
            inner = f"{inner}/" if path.endswith("/") else inner
            decisive = next((pattern for pattern in reversed(patterns) if _is_named(inner, pattern)), None)
            if decisive is not None:
                return bool(decisive.include)
        return False


def is_ignored(path: str, root: str) -> bool:
    """Return whether a path, or a folder between it and the root, is excluded."""
    ignored = Ignored.above(root)
    for above, below in pairwise([*_folders_between(root, path), path]):
        ignored = ignored.entering(above)
        if ignored.names(f"{below}/" if os.path.isdir(below) else below):
            return True
    return False


def _walk(folder: str, ignored: Ignored, include: Collection[str], hidden: bool) -> Iterator[FoundFile]:
    formats = are_included(include)
    problems: list[FoundFile] = []
    rules = {folder: ignored}
    for path, folders, names in os.walk(folder, onerror=lambda error: problems.append(_unreadable(error))):
        here = rules.pop(path).entering(path)
        folders[:] = sorted(
            name for name in folders if is_wanted(name, hidden) and not here.names(f"{os.path.join(path, name)}/")
        )
        rules.update((os.path.join(path, name), here) for name in folders)
        for name in sorted(names):
            file = os.path.join(path, name)
            if not is_wanted(name, hidden) or here.names(file):
                continue
            stat = stat_of(file)
            if stat is None or S_ISREG(stat.st_mode):  # a pipe or a device would block
                container = container_format(name)
                if not _is_archive(container):
                    format = _format_of(name)
                    is_wanted_here = _is_document(name, format, formats, file)
                    yield FoundFile(file, has_reader=bool(format), is_wanted=is_wanted_here, stat=stat)
                yield from _inside(file, container, formats, stat, hidden)
    yield from problems


def files_at(path: str, include: Collection[str] = (), *, hidden: bool = False) -> Iterator[FoundFile]:
    """Yield a file, unless it is an archive, and the documents inside it."""
    stat, container = stat_of(path), container_format(path)
    if not _is_archive(container):
        yield FoundFile(path, stat=stat)
    yield from _inside(path, container, are_included(include), stat, hidden)


def _inside(
    path: str, container: Format | None, formats: Container[str], stat: os.stat_result | None, hidden: bool
) -> Iterator[FoundFile]:
    """Yield the documents inside a file; of an archive, also the other files, as for a folder."""
    if container is None:
        return
    try:
        documents = documents_in(path)
    except BaseException as error:
        documents = []
        problem, traceback = failure_of(error, path)
        if _is_archive(container):  # the error of any other file is reported when it is read
            yield FoundFile(path, problem, traceback=traceback)
    for name, problem, traceback in documents:
        parts = name.split("/")
        if not all(is_wanted(part, hidden) for part in parts):
            continue
        if problem:
            yield FoundFile(path, problem, inner=name, traceback=traceback)
        elif _is_document(parts[-1], _format_of(parts[-1]), formats):
            yield FoundFile(path, inner=name, stat=stat)
        elif _is_archive(container):
            yield FoundFile(path, has_reader=has_reader(parts[-1]), is_wanted=False, inner=name)


def _is_document(name: str, format: str, formats: Container[str], path: str = "") -> bool:
    if format not in formats or _WRITTEN_BY_PROGRAMS.fullmatch(name):
        return False
    return not get_format(format).is_sniffed or (bool(path) and _shows(path, format))


def _shows(path: str, format: str) -> bool:
    """Return whether the first bytes of a file show its format."""
    try:
        with open(path, "rb") as file:
            return detect_format(file.read(HEAD_BYTES)) == format
    except OSError:
        return True  # the error is reported when it is read


def _is_archive(container: Format | None) -> bool:
    return container is not None and container.kind == "archive"


def has_reader(name: str) -> bool:
    """Return whether there is a reader for files of this name."""
    return bool(_format_of(name))


def is_image(name: str) -> bool:
    """Return whether a name is that of an image; images in folders are only indexed if they are included."""
    format = _format_of(name)
    return bool(format) and get_format(format).kind == "image"


def no_such_path(path: object) -> str:
    """Return the message about a path that does not exist, or is a URL."""
    if _ADDRESS.match(str(path)):
        return f"{path}: an address, not a file: download it and name the file"
    return f"{path}: no such file or folder"


def no_documents(folder: str) -> str:
    """Return the message about a folder without documents."""
    return f"{folder}: no documents found that Crosshead can read"


def is_wanted(name: str, hidden: bool = False) -> bool:
    """Return whether files and folders of this name are taken from folders; `hidden` adds hidden ones."""
    return (hidden or not name.startswith(".")) and not is_never_indexed(name)


def is_never_indexed(name: str) -> bool:
    """Return whether nothing in folders of this name is indexed, even if it is named."""
    return name in SKIPPED_FOLDERS or name.startswith(OWN_PREFIX)


def _folders_between(root: str, path: str) -> list[str]:
    """Return the folders above a path from the root down, [] outside the root."""
    above = [str(each) for each in PurePath(path).parents]
    return above[: above.index(root) + 1][::-1] if root in above else []


def _folders_of_repository(folder: str) -> list[str]:
    """Return the folders above one from the root of its repository down, [] outside a repository."""
    above: list[str] = []
    while not os.path.lexists(os.path.join(folder, REPOSITORY)):
        parent = os.path.dirname(folder)
        if parent == folder:
            return []
        above.append(parent)
        folder = parent
    return above[::-1]


def _read_lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ExtractError(error.strerror or str(error), path) from error


def path_patterns(lines: list[str]) -> list[RegexPattern]:
    """Compile patterns; like Git, skip invalid ones."""
    try:
        from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern
    except ImportError as error:
        raise MissingExtra("index", "Patterns of files") from error
    found: list[RegexPattern] = []
    for line in lines:
        with suppress(ValueError, re.error):
            pattern = GitIgnoreSpecPattern(line)
            if pattern.include is not None:
                found.append(pattern)
    return found


def _is_named(path: str, pattern: RegexPattern) -> bool:
    """Return whether a pattern matches the path itself, not only a folder above it, which was decided before."""
    *_, last = [None, *pattern.regex.finditer(path)] if pattern.regex else [None]
    slash = last.groupdict().get("ps_d") if last else None
    return last is not None and (slash is None or last.end("ps_d") == len(path))


def _unreadable(error: OSError) -> FoundFile:
    return FoundFile(str(error.filename), str(error.strerror or error))


def _format_of(name: str) -> str:
    try:
        return format_of(name)
    except UnsupportedFormat:
        return ""


def stat_of(path: str) -> os.stat_result | None:
    """Return the stat of a file or of the target of a link, None if that does not exist."""
    try:
        return os.stat(path)
    except OSError:
        return None
