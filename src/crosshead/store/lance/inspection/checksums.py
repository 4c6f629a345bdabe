"""Checksums of the files of an index.

Lance does not notice a changed byte in most of its files, and hardly ever rewrites a file. So the hash of every file is
stored once the work that wrote it is done; a file with another hash was damaged since.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Final, NamedTuple

CHECKSUMS_FILE: Final = "checksums.json"
HASH_BYTES: Final = 16
REWRITTEN: Final = "latest_version_hint.json"
"""The only file that Lance rewrites."""


class FileComparison(NamedTuple):
    """The files of an index compared with their checksums."""

    changed: list[str]
    missing: list[str]
    unknown: list[str]
    """Files without a checksum: from an earlier version, or a writer that was killed, which may have removed others."""


def record(folder: Path, names: tuple[str, ...], *, rewritten: str = REWRITTEN) -> None:
    """Update the checksums of some files and folders: add new and rewritten files, drop those that were removed."""
    try:
        known = _read(folder)
    except ValueError:  # `compare` reports it
        return
    there = dict.fromkeys(_files(folder, names))
    if there.keys() == known.keys() and rewritten == REWRITTEN:
        return
    still_valid = {path: each for path, each in known.items() if not path.endswith((REWRITTEN, rewritten))}
    hashes = {path: still_valid.get(path) or _hash(folder / path) for path in there}
    draft = folder / f"{CHECKSUMS_FILE}.draft"
    draft.write_text(json.dumps({path: each for path, each in hashes.items() if each}, indent=0), encoding="utf-8")
    os.replace(draft, folder / CHECKSUMS_FILE)


def compare(folder: Path, names: tuple[str, ...]) -> FileComparison:
    """Compare the files with their checksums while the lock is held.

    Raises ValueError if the checksums themselves are damaged.
    """
    known, there = _read(folder), set(_files(folder, names))
    unknown = sorted(there - known.keys())
    stable = [path for path in known if path in there and not (unknown and path.endswith(REWRITTEN))]
    changed = [path for path in stable if _hash(folder / path) != known[path]]
    return FileComparison(changed, sorted(known.keys() - there), unknown)


def _read(folder: Path) -> Mapping[str, str]:
    """Return the checksums by path; none for an index of an earlier version."""
    try:
        found = json.loads((folder / CHECKSUMS_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    if not isinstance(found, dict):
        raise ValueError(found)
    return found


def _files(folder: Path, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        if (folder / name).is_file():
            yield name
        for path, _, files in os.walk(folder / name):
            yield from (os.path.relpath(os.path.join(path, file), folder) for file in files)


def _hash(path: Path) -> str:
    """Return the hash of a file; empty if it was removed meanwhile, as old versions are."""
    try:
        with open(path, "rb") as file:
            return file_digest(file, lambda: blake2b(digest_size=HASH_BYTES)).hexdigest()
    except FileNotFoundError:
        return ""
