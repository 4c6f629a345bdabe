"""Files that a document includes, and the lines of its text that come from them.

A format that knows includes has a function that puts the included files into the text before it is read (`expand`).
The reader sees one text; afterwards its lines are traced to the files that they come from.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from crosshead.citation import source_line
from crosshead.formats.base import Extracted

MAX_FILE_BYTES: Final = 2 << 20
"""A larger file is not included."""


class Nearby(NamedTuple):
    """The files that a document may include: those below a root."""

    root: str
    path: str
    """Of the document."""
    prefix: str = ""
    """Prefix of sources that are not relative to the root."""

    def find(self, target: str, base: str) -> str:
        """Return the path of a file named relative to the folder of `base`; empty if it is outside or hidden."""
        if "\0" in target or len(target) > 1_000:
            return ""
        path = os.path.realpath(os.path.join(os.path.dirname(base), target))
        root = os.path.join(os.path.realpath(self.root), "")
        is_hidden = any(part.startswith(".") for part in path[len(root) :].split(os.sep))
        return path if path.startswith(root) and not is_hidden and os.path.isfile(path) else ""

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, or None if it is too large or unreadable."""
        try:
            if os.path.getsize(path) > MAX_FILE_BYTES:
                return None
            with open(path, "rb") as file:
                return file.read()
        except OSError:
            return None

    def source(self, path: str) -> str:
        """Return the source of a file."""
        return os.path.join(self.prefix, os.path.relpath(path, os.path.realpath(self.root))).replace(os.sep, "/")


def nearby_of(path: str) -> Nearby:
    """Return the files near a single document: below the working folder, or else below its own folder."""
    whole, here = os.path.realpath(path), os.path.join(os.path.realpath(os.curdir), "")
    if whole.startswith(here) and not os.path.isabs(path):
        return Nearby(here, whole)
    return Nearby(os.path.dirname(whole), whole, os.path.dirname(path))


class Origin(NamedTuple):
    """Lines of an expanded text that follow one another in a file."""

    first: int
    """Their first line in the expanded text."""
    line: int
    """The line of the file that it comes from."""
    file: str
    """Empty for the document itself."""


class ExpandedText(NamedTuple):
    """A text with the files that it includes."""

    data: bytes
    origins: Sequence[Origin]
    included: Sequence[bytes] = ()
    """Contents of the included files, for the revision of the document."""
    warnings: Sequence[str] = ()


def trace(found: Extracted, origins: Sequence[Origin]) -> Extracted:
    """Map the lines of a document that was read from expanded text to their files."""
    if len(origins) < 2:
        return found
    last = found.text.count("\n") + 1
    traced = [_traced(origins, source_line(found.lines, line)) for line in range(1, last + 1)]
    marks: list[tuple[int, int] | tuple[int, int, str]] = []
    for at, (file, line) in enumerate(traced):
        before = traced[at - 1] if at else ("", 0)
        after = traced[at + 1] if at + 1 < last else (file, line + 1)
        if not at or (file, line) != (before[0], before[1] + 1) or (after[0] == file and after[1] <= line):
            marks.append((at + 1, line, file) if file else (at + 1, line))
    return found._replace(lines=tuple(marks))


def _traced(origins: Sequence[Origin], line: int) -> tuple[str, int]:
    origin = origins[max(0, bisect_right(origins, line, key=attrgetter("first")) - 1)]
    return origin.file, origin.line + line - origin.first
