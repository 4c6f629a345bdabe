"""Folders -> the documents in them, in a stable order.

Hidden files and folders and `node_modules` are left out, and so are files of code and data whose formats nobody asked
for, and those that programs write for themselves: locks and minified scripts. A folder that is indexed
also keeps out what `.gitignore` and `.crossheadignore` name, as Git does it, and links that lead out of it.
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
from crosshead.formats import are_included, container_format, detect_format, documents_in, format_of, get_format
from crosshead.runtime.processes import failure_of

if TYPE_CHECKING:
    from pathspec import RegexPattern

SKIPPED_FOLDERS: Final = frozenset(("node_modules", "__MACOSX"))
"""Beside hidden ones."""
HEAD_BYTES: Final = 1 << 16
"""Of a file, to see what it is."""
_WRITTEN_BY_PROGRAMS: Final = re.compile(r"npm-shrinkwrap\.json|.*[-.](?:lock|min)\.\w+")
IGNORE_FILES: Final = (".gitignore", ".crossheadignore")
"""Of two that disagree the later one is right."""
REPOSITORY: Final = ".git"
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]+:/", re.IGNORECASE)
"""`Path` leaves one of its slashes."""


class FoundFile(NamedTuple):
    """A file that looks like a document."""

    path: str
    problem: str = ""
    """Why it cannot be read, if that is known already; then it may be a folder."""
    has_reader: bool = True
    is_wanted: bool = True
    """False where there is no reader, and for code and data that nobody asked for."""
    inner: str = ""
    """Its path inside of the file, where that is an archive or a message."""
    traceback: str = ""
    """Where we failed, if the problem is a fault of ours."""
    stat: os.stat_result | None = None
    """None if it cannot be taken, as that of a broken link."""

    @property
    def whole_path(self) -> str:
        """The path, which may lead into a file."""
        return os.path.join(self.path, self.inner) if self.inner else self.path


def files_in(folder: str, include: Collection[str] = ()) -> Iterator[FoundFile]:
    """Return the documents below a folder by name, then what could not be looked into; `include` are more formats."""
    yield from (file for file in _walk(folder, Ignored.nothing(), include) if file.is_wanted)


def files_to_index(folder: str, root: str = "", include: Collection[str] = ()) -> Iterator[FoundFile]:
    """Return the documents below a folder that are to be found by a search, and files that are not wanted."""
    inside = os.path.join(os.path.realpath(folder), "")
    for file in _walk(folder, Ignored.above(folder, root), include):
        if file.problem or not os.path.islink(file.path) or os.path.realpath(file.path).startswith(inside):
            yield file


class Ignored(NamedTuple):
    """What the ignore files of a folder and of those above it name; the nearest one decides."""

    active: bool
    rules: tuple[tuple[str, list[RegexPattern]], ...] = ()
    """The folder of an ignore file and its patterns, the outermost first."""

    @classmethod
    def nothing(cls) -> Ignored:
        """Ignore files are not looked at."""
        return cls(active=False)

    @classmethod
    def above(cls, path: str, root: str = "") -> Ignored:
        """Take the ignore files above a path: from the index's root down, and of the repository that it is in."""
        ignored = cls(active=True)
        inner = _folders_between(root, os.path.abspath(path))
        for above in (*_folders_of_repository(inner[0] if inner else os.path.abspath(path)), *inner):
            ignored = ignored.entering(above)
        return ignored

    def entering(self, folder: str) -> Ignored:
        """Return the same with the ignore files of a folder."""
        if not self.active:
            return self
        lines = [line for name in IGNORE_FILES for line in _read_lines(os.path.join(folder, name))]
        return self._replace(rules=(*self.rules, (os.path.abspath(folder), _patterns(lines)))) if lines else self

    def names(self, path: str) -> bool:
        """Is a path to be left out? A folder's path ends with a slash."""
        for folder, patterns in reversed(self.rules):
            inner = os.path.abspath(path)[len(folder) :].lstrip(os.sep).replace(os.sep, "/")
            inner = f"{inner}/" if path.endswith("/") else inner
            decisive = next((pattern for pattern in reversed(patterns) if _is_named(inner, pattern)), None)
            if decisive is not None:
                return bool(decisive.include)
        return False


def is_ignored(path: str, root: str) -> bool:
    """Return whether a path, or a folder between it and the root, is left out where the root is indexed."""
    ignored = Ignored.above(root)
    for above, below in pairwise([*_folders_between(root, path), path]):
        ignored = ignored.entering(above)
        if ignored.names(f"{below}/" if os.path.isdir(below) else below):
            return True
    return False


def _walk(folder: str, ignored: Ignored, include: Collection[str]) -> Iterator[FoundFile]:
    formats = are_included(include)
    problems: list[FoundFile] = []
    rules = {folder: ignored}
    for path, folders, names in os.walk(folder, onerror=lambda error: problems.append(_unreadable(error))):
        here = rules.pop(path).entering(path)
        folders[:] = sorted(
            name for name in folders if is_wanted(name) and not here.names(f"{os.path.join(path, name)}/")
        )
        rules.update((os.path.join(path, name), here) for name in folders)
        for name in sorted(names):
            file = os.path.join(path, name)
            if name.startswith(".") or here.names(file):
                continue
            stat = stat_of(file)
            if stat is None or S_ISREG(stat.st_mode):  # a pipe or a device would block
                if not _is_archive(name):
                    is_wanted_here = _is_document(name, formats, file)
                    yield FoundFile(file, has_reader=has_reader(name), is_wanted=is_wanted_here, stat=stat)
                yield from _inside(file, formats, stat)
    yield from problems


def files_at(path: str, include: Collection[str] = ()) -> Iterator[FoundFile]:
    """Return a file, unless it is an archive, and the documents inside of it."""
    stat = stat_of(path)
    if not _is_archive(path):
        yield FoundFile(path, stat=stat)
    yield from _inside(path, are_included(include), stat)


def _inside(path: str, formats: Container[str], stat: os.stat_result | None) -> Iterator[FoundFile]:
    """Return the documents inside of a file; what else is in an archive is told as it is of a folder."""
    if container_format(path) is None:
        return
    try:
        documents = documents_in(path)
    except BaseException as error:
        documents = []
        problem, traceback = failure_of(error, path)
        if _is_archive(path):  # the error of any other file is reported when it is read
            yield FoundFile(path, problem, traceback=traceback)
    for name, problem, traceback in documents:
        *folders, own_name = name.split("/")
        is_hidden = own_name.startswith(".") or not all(map(is_wanted, folders))
        if problem and not is_hidden:
            yield FoundFile(path, problem, inner=name, traceback=traceback)
        elif not is_hidden and _is_document(own_name, formats):
            yield FoundFile(path, inner=name, stat=stat)
        elif not is_hidden and _is_archive(path):
            yield FoundFile(path, has_reader=has_reader(own_name), is_wanted=False, inner=name)


def _is_document(name: str, formats: Container[str], path: str = "") -> bool:
    format = _format_of(name)
    if format not in formats or _WRITTEN_BY_PROGRAMS.fullmatch(name):
        return False
    return not get_format(format).is_sniffed or (bool(path) and _shows(path, format))


def _shows(path: str, format: str) -> bool:
    """Does a file begin as those of its format do?"""
    try:
        with open(path, "rb") as file:
            return detect_format(file.read(HEAD_BYTES)) == format
    except OSError:
        return True  # to be told when it is read


def _is_archive(name: str) -> bool:
    format = container_format(name)
    return format is not None and format.kind == "archive"


def has_reader(name: str) -> bool:
    """Return whether there is a reader for files of this name."""
    return bool(_format_of(name))


def is_image(name: str) -> bool:
    """Return whether files of this name are images, which are taken from folders only where the user asks for it."""
    format = _format_of(name)
    return bool(format) and get_format(format).kind == "image"


def no_such_path(path: object) -> str:
    """Say that there is nothing at a path, or that it is none."""
    if _ADDRESS.match(str(path)):
        return f"{path}: an address, not a file: download it and name the file"
    return f"{path}: no such file or folder"


def no_documents(folder: str) -> str:
    """Say that a folder has nothing to read."""
    return f"{folder}: no documents found that Crosshead can read"


def is_wanted(folder_name: str) -> bool:
    """Return whether a folder of this name is looked into."""
    return not folder_name.startswith(".") and folder_name not in SKIPPED_FOLDERS


def _folders_between(root: str, path: str) -> list[str]:
    """Return the folders above a path from the root downwards; none outside of the root."""
    above = [str(each) for each in PurePath(path).parents]
    return above[: above.index(root) + 1][::-1] if root in above else []


def _folders_of_repository(folder: str) -> list[str]:
    """Return the folders above one, from the root of its repository downwards; none outside of a repository."""
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


def _patterns(lines: list[str]) -> list[RegexPattern]:
    """Git overlooks a pattern that means nothing, and so do we."""
    try:
        from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern
    except ImportError as error:
        raise MissingExtra("index", "Ignoring files") from error
    found: list[RegexPattern] = []
    for line in lines:
        with suppress(ValueError, re.error):
            pattern = GitIgnoreSpecPattern(line)
            if pattern.include is not None:
                found.append(pattern)
    return found


def _is_named(path: str, pattern: RegexPattern) -> bool:
    """A pattern also matches what lies in a folder that it names; that was decided when the folder was entered."""
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
    """Return what the system knows about a file, or about the one that a link leads to; None if there is none."""
    try:
        return os.stat(path)
    except OSError:
        return None
