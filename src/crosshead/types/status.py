"""What an index holds, what its bytes are, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from crosshead.types.confidence import Calibration


class StoreContents(NamedTuple):
    """Numbers of rows in a store."""

    documents: int
    sections: int
    chunks: int
    pending: int
    """Chunks that have no vector yet."""
    failed: int
    """Chunks that could not be embedded."""
    migrated: tuple[str, ...] = ()
    """Sources of imported documents that no indexed file has replaced."""


@dataclass(frozen=True, slots=True)
class StoredSizes:
    """What the bytes of an index are; the index of a column counts with the column."""

    texts: int
    """Texts of documents and chunks, and the records of documents, sections and chunks."""
    words: int
    """For lexical search."""
    vectors: int
    token_vectors: int
    lookup: int
    """Ids, sources, titles and other values that rows are found by."""
    other: int
    """Old versions, deleted rows that were not dropped yet, settings, hashes of files and checksums."""


NO_SIZES: Final = StoredSizes(0, 0, 0, 0, 0, 0)


class Finding(NamedTuple):
    """Something wrong with an index, or worth knowing about it."""

    message: str
    repair: str = ""
    """What to do about it."""
    is_fault: bool = True
    """False if nothing is wrong, as with an index that could be faster."""


@dataclass(frozen=True, slots=True)
class Status:
    """What an index holds, and what it was made with."""

    location: str
    root: str
    documents: int
    sections: int
    chunks: int
    pending: int
    """Chunks that have no vector yet."""
    failed: int
    """Chunks that could not be embedded; `embed_pending` can retry them."""
    size_bytes: int
    embedder: str
    settings: Mapping[str, Any]
    languages: Mapping[str, int]
    """Documents per language, by its ISO 639 code: `und` if it could not be detected, empty for documents that were
    indexed before languages were known."""
    indexed_formats: tuple[str, ...] = ()
    """Formats of the documents."""
    metadata_keys: tuple[str, ...] = ()
    """Names in the metadata of the documents, which filters can use."""
    migrated: tuple[str, ...] = ()
    """Sources of imported documents that no indexed file has replaced: their files were not indexed, or could not be
    matched by title or path."""
    sizes: StoredSizes = NO_SIZES
    """What the bytes are."""
    calibration: Calibration | None = None
    """How hits get their confidence; None if the index is not calibrated."""
    advice: str = ""
    """Which model would give better answers, and the command that installs it or changes the index to it."""
    unfinished_copy_of: str = ""
    """The index that this is an interrupted copy of; documents are missing."""
