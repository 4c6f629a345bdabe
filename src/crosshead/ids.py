"""Stable ids: the same text at the same position has the same id, on every machine and in every run."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from hashlib import sha256

ID_LENGTH = 16
"""Hex characters of an id: 64 bits, so that a collision stays unlikely among billions of chunks."""

INDEX_MARK = "@"
"""In an id, it comes before the hash of the location of an index, where several indexes have a document of a source."""

MOST_ORDINALS = 256
"""Sections with the same path that citations tell apart."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str).encode


def content_hash(text: str) -> str:
    """Return the SHA-256 of a text as 64 hex characters; lone surrogates are hashed as they are."""
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = text.encode("utf-8", "surrogatepass")
    return sha256(data).hexdigest()


@lru_cache(maxsize=64)
def document_id(source: str) -> str:
    """Return the id of a document, which depends on its source only, not on its content."""
    return content_hash(f"document:{source}")[:ID_LENGTH]


def section_id(document: str, path: tuple[str, ...], ordinal: int) -> str:
    """Return the id of a section; `ordinal` counts the earlier sections of the document with the same path."""
    return content_hash(f"section:{document}:{ordinal}:{_path_key(path)}")[:ID_LENGTH]


def root_section_id(document: str) -> str:
    """Return the id of the section that is the whole document."""
    plain, mark = split_id(document)
    return with_mark(section_id(plain, (), 0), mark)


def split_id(id: str) -> tuple[str, str]:
    """Return an id as its index has it, and the hash of the location of that index, if it is in the id."""
    plain, _, mark = id.partition(INDEX_MARK)
    return plain, mark


def with_mark(id: str, mark: str) -> str:
    """Return an id with the hash of the location of its index; without a hash, the id alone."""
    return f"{id}{INDEX_MARK}{mark}" if mark else id


def location_mark(location: str) -> str:
    """Return the hash of a location that is short enough for ids."""
    return content_hash(location)[:6]


def section_ordinal(document: str, path: tuple[str, ...], section: str) -> int:
    """Return how many earlier sections have the same path as the section with an id; 0 for an id of another kind."""
    section, _ = split_id(section)
    return next((each for each in range(MOST_ORDINALS) if section_id(document, path, each) == section), 0)


def chunk_id(document: str, path: tuple[str, ...], content: str, ordinal: int) -> str:
    """Return the id of a chunk; `content` is its hash, `ordinal` counts earlier chunks with the same path and hash."""
    return content_hash(f"chunk:{document}:{ordinal}:{content}:{_path_key(path)}")[:ID_LENGTH]


@lru_cache(maxsize=4096)
def _path_key(path: tuple[str, ...]) -> str:
    # The lengths keep ("a", "bc") and ("ab", "c") apart, whatever characters a heading holds.
    return "".join([f"{len(title)}:{title}" for title in path])


def canonical_json(value: object) -> str:
    """Return a value as JSON that is the same for equal values, whatever the order of keys."""
    return _encode(value)


def encodable(text: str) -> str:
    """Return a text that UTF-8 can encode: lone surrogates are replaced."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
