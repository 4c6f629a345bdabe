"""An index in parts: a folder, or a prefix of object storage, whose `parts.json` says how many indexes are below it.

A document is in the part that a hash of its source names, so that it is found there again when it changes.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from crosshead.errors import CorruptIndex, OptionsError, StoreError
from crosshead.store.opening import FOLDER, OBJECT_STORAGE, POSTGRES, find_kind
from crosshead.store.settings import PARTS_FILE, SETTINGS_FILE

PARTS_SCHEMA: Final = "crosshead.parts/1"
MOST_PARTS: Final = 10_000
HASH_DIGITS: Final = 12
LEAST_DIGITS: Final = 3
"""Digits in the name of a part."""


@dataclass(frozen=True)
class Parts:
    """The parts of an index."""

    location: str
    """Of the folder or prefix that holds them."""
    count: int

    @property
    def locations(self) -> list[str]:
        """The locations of all parts, in order."""
        digits = max(LEAST_DIGITS, len(str(self.count - 1)))
        return [f"{self.location}/part-{number:0{digits}}" for number in range(self.count)]

    def number_of(self, source: str) -> int:
        """Return which part holds the document with a source."""
        return int(sha256(source.encode()).hexdigest()[:HASH_DIGITS], 16) % self.count


def find_parts(location: str | Path) -> Parts | None:
    """Return the parts of an index; None if there is no index in parts at a location."""
    text = _trimmed(location)
    kind = find_kind(text)
    if kind is POSTGRES:
        return None
    if kind is OBJECT_STORAGE:
        found = _objects(text).read(PARTS_FILE)
        return _parse(text, found.data) if found else None
    try:
        return _parse(text, (Path(text) / PARTS_FILE).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StoreError(f"{text}: {error.strerror or error}") from error


def make_parts(location: str | Path, count: int) -> Parts:
    """Return the parts of an index, of which a new one gets as many; another number is an error."""
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST_PARTS:
        raise OptionsError(f"parts={count!r} must be a whole number from 1 to {MOST_PARTS}")
    text = _trimmed(location)
    if find_kind(text) is POSTGRES:
        raise OptionsError("an index in PostgreSQL is one whole: parts are for folders and s3://...")
    known = find_parts(text)
    if known is None:
        _create(text, count)
        known = find_parts(text)
        assert known
    if known.count != count:
        raise OptionsError(
            f"{text}: this index has {known.count} parts: leave out --parts, or make another index with "
            f"crosshead index PATH --index ELSEWHERE --parts {count}"
        )
    return known


def _create(location: str, count: int) -> None:
    """Write the number of parts, unless another process was faster."""
    data = json.dumps({"schema": PARTS_SCHEMA, "parts": count}).encode()
    if find_kind(location) is FOLDER:
        if (Path(location) / SETTINGS_FILE).is_file():
            raise _is_whole(location)
        _write_file(Path(location), data)
        return
    from crosshead.store.lance.location.s3 import ObjectChanged  # only this needs its packages

    objects = _objects(location)
    if objects.read(SETTINGS_FILE):
        raise _is_whole(location)
    with suppress(ObjectChanged):
        objects.create(PARTS_FILE, data)


def _write_file(folder: Path, data: bytes) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".gitignore").write_text("*\n")
        draft = folder / f"{PARTS_FILE}.{os.getpid()}"
        draft.write_bytes(data)
        with suppress(FileExistsError):
            os.link(draft, folder / PARTS_FILE)
        draft.unlink()
    except OSError as error:
        raise StoreError(f"{folder}: no index can be made here: {error.strerror or error}") from error


def _is_whole(location: str) -> OptionsError:
    return OptionsError(f"{location}: this index is one whole: name another --index for one with --parts")


def _parse(location: str, data: bytes) -> Parts:
    try:
        found: Any = json.loads(data)
        count = found["parts"]
        if found["schema"] != PARTS_SCHEMA or not isinstance(count, int) or not 1 <= count <= MOST_PARTS:
            raise ValueError(found)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise CorruptIndex(f"{PARTS_FILE} is damaged: write the number of its parts into it again", location) from error
    return Parts(location, count)


def _trimmed(location: str | Path) -> str:
    text = str(location)
    return text.rstrip("/") or text


def _objects(location: str) -> Any:
    from crosshead.store.lance.location.s3 import Objects  # as above

    return Objects(location)
