"""The last search, so that `show 3` and `show 3 --open` know its third hit.

It is kept in the user's cache, because an index may be read-only or elsewhere: once for the terminal and once for the
working folder, so that two terminals do not disturb each other and a program without a terminal finds its own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from crosshead.errors import OptionsError
from crosshead.runtime.cache import cache_folder
from crosshead.store import is_folder
from crosshead.types import Hit, Passage

SEPARATOR: Final = ", "
"""Between the locations of several indexes that were searched as one."""
MOST_FILES: Final = 64
"""Older searches are forgotten."""


class RememberedHit(NamedTuple):
    """A hit of the last search, by the lines of its text."""

    citation: str
    source: str
    chunk_id: str
    first_line: int
    last_line: int
    location: str = ""
    """Of its index, if several were searched as one."""

    @property
    def lines(self) -> tuple[str, int, int]:
        """Its source, and its first and last line."""
        return self.source, self.first_line, self.last_line


class LastSearch(NamedTuple):
    """A search and what it found, in the index at a location."""

    location: str
    hits: tuple[RememberedHit, ...]
    question: str = ""
    cited: tuple[int, ...] = ()
    """Numbers of the hits that the answer to the question cites."""

    def hit(self, rank: int) -> RememberedHit:
        """Return a hit by its number, from 1."""
        if not 1 <= rank <= len(self.hits):
            count = f"{len(self.hits)} hit{'' if len(self.hits) == 1 else 's'}"
            raise OptionsError(f"there is no hit {rank}: the last search had {count}")
        return self.hits[rank - 1]


def remember(location: str, results: Sequence[Hit | Passage], question: str = "", cited: Sequence[int] = ()) -> None:
    """Keep a search for `recall`; a search must not fail if that cannot be written."""
    hits = [
        RememberedHit(each.citation, each.source, _chunk_id(each), each.start_line, each.end_line, each.index)
        for each in results
    ]
    kept = {"location": location, "hits": hits, "question": question, "cited": [*cited]}
    data = json.dumps(kept).encode("utf-8", "replace")
    with suppress(OSError):
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True)
        for name in _names():
            _write(folder / name, data)
        _forget_oldest(folder)


def recall() -> LastSearch | None:
    """Return the last search of this terminal, else of this folder; None without either."""
    for name in _names():
        with suppress(OSError, ValueError, KeyError, TypeError):
            data: dict[str, Any] = json.loads((_folder() / name).read_bytes())
            hits = tuple(RememberedHit(*each) for each in data["hits"])
            return LastSearch(data["location"], hits, data.get("question", ""), tuple(data.get("cited", ())))
    return None


def last_search(location: str) -> LastSearch:
    """Return the last search, if that was in the index at a location."""
    last = recall()
    if last is None:
        raise OptionsError("no search to take hits from: run crosshead search first")
    if not _is_same(last.location, location):
        raise OptionsError(
            f"the last search was in another index: add --index {last.location.replace(SEPARATOR, ' --index ')}"
        )
    return last


def _is_same(one: str, other: str) -> bool:
    """Return whether two locations are the same index."""
    return one == other or (is_folder(one) and is_folder(other) and os.path.realpath(one) == os.path.realpath(other))


def _chunk_id(found: Hit | Passage) -> str:
    return found.chunk.id if isinstance(found, Hit) else next(iter(found.chunk_ids), "")


def _folder() -> Path:
    return cache_folder() / "searches"


def _names() -> tuple[str, str]:
    """Return the names of the files for this terminal and this folder."""
    session = os.getsid(0) if hasattr(os, "getsid") else os.getppid()
    folder = sha256(os.getcwd().encode("utf-8", "replace")).hexdigest()[:16]
    return f"terminal-{session}.json", f"folder-{folder}.json"


def _write(path: Path, data: bytes) -> None:
    """Write a file that only the user can read, whole or not at all."""
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    os.replace(temporary, path)


def _forget_oldest(folder: Path) -> None:
    files = list(folder.iterdir())
    if len(files) > MOST_FILES:
        for path in sorted(files, key=lambda file: file.stat().st_mtime)[:-MOST_FILES]:
            path.unlink(missing_ok=True)
