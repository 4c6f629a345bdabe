"""A file to index, and the revision of its document: a text that changes with all that the rows depend on.

    as:FORMAT:HASH:unread:metadata=METADATA

`HASH` is that of the file and of the recipe. `as:FORMAT:` is there if the caller named the format, `:unread` if pages
could not be read, METADATA, in JSON, if the document has metadata besides its front matter. A later run keeps the
format and the metadata that a caller gave.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from crosshead.formats import Nearby
from crosshead.ids import canonical_json
from crosshead.indexing.files.hashes import FileStat
from crosshead.indexing.recipe import Recipe

GIVEN_FORMAT: Final = "as:"
UNREAD_PAGES: Final = ":unread"
METADATA_FOLLOWS: Final = ":metadata="


class FileMetadata(NamedTuple):
    """The metadata of a document besides its front matter."""

    by_path: Mapping[str, Any]
    """From crosshead.toml."""
    given: Mapping[str, Any]
    """From a caller, in this run or an earlier one."""

    @property
    def merged(self) -> dict[str, Any]:
        """Both; what a caller gives counts more."""
        return {**self.by_path, **self.given}


class SourceFile(NamedTuple):
    """A file to index."""

    path: str
    source: str
    format: str | None = None
    """The format that the user names; by default content and name decide."""
    root: str = ""
    """The folder that holds all files that it may include."""
    stat: FileStat | None = None
    """Taken before the file is read; of a document inside an archive or a message, that of the outer file."""
    is_inside: bool = False
    """Is it inside an archive or a message?"""
    metadata: FileMetadata | None = None

    @property
    def nearby(self) -> Nearby | None:
        """The files that it may include."""
        prefix = self.root if os.path.isabs(self.source) else ""
        return Nearby(self.root, self.path, prefix) if self.root else None

    @property
    def own_metadata(self) -> dict[str, Any]:
        """The metadata of the document besides its front matter."""
        return self.metadata.merged if self.metadata else {}


def content_revision(recipe: Recipe, file: SourceFile, digest: str, included: list[str] | None = None) -> str:
    """Return the revision of a document, without its metadata.

    `digest` is the hash of the file, `included` are those of the files that it includes.
    """
    lead = f"{GIVEN_FORMAT}{file.format}:" if file.format else ""
    return lead + recipe.revision_of(digest, *filter(None, [file.format, included]))


def with_metadata(revision: str, metadata: FileMetadata | None) -> str:
    """Return a revision with other metadata."""
    content = without_metadata(revision)
    return f"{content}{METADATA_FOLLOWS}{canonical_json(metadata)}" if metadata and any(metadata) else content


def without_metadata(revision: str) -> str:
    """Return a revision without its metadata."""
    return revision.partition(METADATA_FOLLOWS)[0]


def metadata_of(revision: str) -> FileMetadata:
    """Return the metadata in a revision."""
    stored = revision.partition(METADATA_FOLLOWS)[2]
    return FileMetadata(*json.loads(stored)) if stored else FileMetadata({}, {})


def has_content(revision: str, content: str) -> bool:
    """Return whether a stored revision is that of some content, whatever its metadata."""
    return without_metadata(revision).removesuffix(UNREAD_PAGES) == content


def has_unread_pages(revision: str) -> bool:
    """Return whether a document has pages that could not be read."""
    return without_metadata(revision).endswith(UNREAD_PAGES)


def read_as_before(file: SourceFile, revision: str) -> SourceFile:
    """Return a file with the format that the user named in an earlier run, unless there is one now."""
    if file.format or not revision.startswith(GIVEN_FORMAT):
        return file
    return file._replace(format=revision.split(":")[1])
