"""What the files of an index held when they were written.

Lance does not notice a changed byte in most of its files, and hardly ever writes a file again. So the hash of every
file is kept beside them, from the end of the work that wrote it on, and a file whose hash differs was damaged since.
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
"""The one file that Lance writes again."""


class FileComparison(NamedTuple):
    """The files of an index beside what is remembered of them."""

    changed: list[str]
    gone: list[str]
    unknown: list[str]
    """Of an earlier version, or of a writer that was killed, which may also have removed some."""


def record(folder: Path, names: tuple[str, ...], *, rewritten: str = REWRITTEN) -> None:
    """Remember the files that are new below some names of a folder, and those that were written again; forget those
    that are gone."""
    try:
        known = _read(folder)
    except ValueError:  # to be told by `compare`
        return
    there = dict.fromkeys(_files(folder, names))
    if there.keys() == known.keys() and rewritten == REWRITTEN:
        return
    kept = {path: each for path, each in known.items() if not path.endswith((REWRITTEN, rewritten))}
    hashes = {path: kept.get(path) or _hash(folder / path) for path in there}
    draft = folder / f"{CHECKSUMS_FILE}.draft"
    draft.write_text(json.dumps({path: each for path, each in hashes.items() if each}, indent=0), encoding="utf-8")
    os.replace(draft, folder / CHECKSUMS_FILE)


def compare(folder: Path, names: tuple[str, ...]) -> FileComparison:
    """Return what has become of the files since they were remembered; the lock of the index is held.

    Raises ValueError where the hashes themselves are damaged.
    """
    known, there = _read(folder), set(_files(folder, names))
    unknown = sorted(there - known.keys())
    stable = [path for path in known if path in there and not (unknown and path.endswith(REWRITTEN))]
    changed = [path for path in stable if _hash(folder / path) != known[path]]
    return FileComparison(changed, sorted(known.keys() - there), unknown)


def _read(folder: Path) -> Mapping[str, str]:
    """An index of an earlier version has no hashes yet."""
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
    """Return the hash of a file; none if it is gone meanwhile, as an old version may be."""
    try:
        with open(path, "rb") as file:
            return file_digest(file, lambda: blake2b(digest_size=HASH_BYTES)).hexdigest()
    except FileNotFoundError:
        return ""
