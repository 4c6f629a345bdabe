"""Files -> their metadata, besides front matter.

1. a document takes the nearest crosshead.toml, in its folder or above: from the `[[metadata]]` tables whose patterns
   match its path, as in an ignore file; if several set a name, the last one counts
2. what a caller gives counts more: a mapping for all files, or a function that returns one for a path; a document keeps
   what an earlier run gave, until a run gives something else
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from crosshead.errors import IngestError, OptionsError
from crosshead.indexing.files.sources import UPLOADS
from crosshead.indexing.files.walk import path_patterns
from crosshead.indexing.steps.source_file import FileMetadata, SourceFile, metadata_of
from crosshead.runtime.settings_file import METADATA, nearest_settings, read_settings
from crosshead.types import given_metadata

if TYPE_CHECKING:
    from pathspec import RegexPattern

Metadata: TypeAlias = Mapping[str, Any] | Callable[[Path], Mapping[str, Any]]
"""That of all files, or a function that returns that of a file."""

FILES: Final = "files"
"""The name of the patterns in a table."""


class MetadataRule(NamedTuple):
    """A table of metadata."""

    patterns: list[RegexPattern]
    metadata: Mapping[str, Any]

    def matches(self, path: str) -> bool:
        """Return whether the last pattern that matches a path includes it."""
        decisive = next((each for each in reversed(self.patterns) if each.match_file(path)), None)
        return bool(decisive and decisive.include)


class MetadataFile(NamedTuple):
    """The tables of a crosshead.toml."""

    folder: str
    """Paths are relative to it."""
    rules: list[MetadataRule]

    @classmethod
    def read(cls, path: Path) -> MetadataFile:
        """Read the tables; an error names the file and the table."""
        tables = read_settings(path).get(METADATA, [])
        if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
            raise OptionsError(f"{path}: metadata must be in tables that begin with [[metadata]]")
        return cls(str(path.parent), [_rule(f"{path}: [[metadata]] {at}", each) for at, each in enumerate(tables, 1)])

    def of(self, path: str) -> dict[str, Any]:
        """Return the metadata for a path."""
        inner = os.path.relpath(path, self.folder).replace(os.sep, "/")
        found = (rule.metadata for rule in self.rules if rule.matches(inner))
        return {name: value for metadata in found for name, value in metadata.items()}


def _rule(where: str, table: Mapping[str, Any]) -> MetadataRule:
    lines = table.get(FILES)
    lines = [lines] if isinstance(lines, str) else lines
    if not isinstance(lines, list) or not lines or not all(isinstance(each, str) for each in lines):
        raise OptionsError(f"{where}: it needs a line that says for which files, as in files = 'reports/**'")
    patterns = [path_patterns([line]) for line in lines]
    wrong = [line for line, found in zip(lines, patterns, strict=True) if not found]
    if wrong:
        raise OptionsError(f"{where}: files: {wrong[0]!r} is not a pattern: write it as in .gitignore")
    metadata = given_metadata({name: value for name, value in table.items() if name != FILES}, where)
    if not metadata:
        raise OptionsError(f"{where}: it has no metadata: add a line such as team = 'infra'")
    return MetadataRule([each for found in patterns for each in found], metadata)


class MetadataFinder:
    """Finds the metadata of the files of one run."""

    def __init__(self, given: Metadata | None, root: Path) -> None:
        """`given` is what the caller gives; with None, documents keep what an earlier run gave."""
        self._given = given
        self._root = Path(os.path.realpath(root))
        self._read = cache(MetadataFile.read)
        self._nearest = cache(self._find)

    def check(self, files: Iterable[SourceFile]) -> None:
        """Raise `OptionsError` if the tables for a file are wrong."""
        for folder in {os.path.dirname(file.path) for file in files}:
            self._nearest(folder)

    def of(self, file: SourceFile, revision: str) -> FileMetadata:
        """Return the metadata of a file whose document had a revision before this run, or "".

        Raises `OptionsError` if a crosshead.toml is wrong, and `IngestError` if the function of the caller fails.
        """
        settings = self._nearest(os.path.dirname(file.path))
        by_path = settings.of(file.path) if settings else {}
        return FileMetadata(by_path, metadata_of(revision).given if self._given is None else self._give(file))

    def _find(self, folder: str) -> MetadataFile | None:
        """Return the nearest tables; those among uploads do not count, because their senders are not trusted."""
        start = Path(folder)
        found = nearest_settings(self._root if start.is_relative_to(self._root / UPLOADS) else start)
        return self._read(found) if found else None

    def _give(self, file: SourceFile) -> Mapping[str, Any]:
        if not callable(self._given):
            return self._given or {}
        try:
            return given_metadata(self._given(Path(file.path)), "metadata(path)")
        except OptionsError as error:
            raise IngestError(error.reason, file.source) from error
        except Exception as error:
            reason = f"metadata(path): {type(error).__name__}: {error}".partition("\n")[0]
            raise IngestError(reason, file.source) from error


def check_metadata(given: Any) -> Metadata | None:
    """Return what a caller gives, checked as far as it is known before a run."""
    return given if given is None or callable(given) else given_metadata(given)
