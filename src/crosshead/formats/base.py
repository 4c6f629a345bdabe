"""What a reader of a format gives back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from crosshead.citation import LineMarks
from crosshead.options import ExtractOptions


class Extracted(NamedTuple):
    """A document as Markdown, and what Markdown cannot say about it."""

    text: str
    title: str = ""
    """The title in the document's own metadata."""
    pages: tuple[tuple[int, int], ...] = ()
    """For paged formats: (first line of `text`, page) in order."""
    lines: LineMarks = ()
    """Where the lines of `text` are not those of the file: (first line of `text`, line of the file) in order, with the
    name of the file where it is one that the document includes; of subtitles, (first line of `text`, second)."""
    recognized: tuple[tuple[int, float], ...] = ()
    """Pages whose text was recognized in a picture: (page, confidence from 0 to 1) in order."""
    unread_pages: tuple[int, ...] = ()
    """Pages that show images but have no text, and were not recognized."""
    warnings: tuple[str, ...] = ()
    """What users of the text should know, such as that parts of it were left out, or may be misread."""


class Member(NamedTuple):
    """A document inside of a file."""

    name: str
    """Its path there, with forward slashes; none of its parts leads upwards."""
    size: int
    """0 where only reading tells."""
    read: Callable[[], bytes]
    """Return its bytes."""


Members = Callable[[Path | bytes], Iterable[Member]]
"""Lists what is inside of a file, or of the bytes of one."""
Reader = Callable[[bytes, ExtractOptions], Extracted]
"""Reads the bytes of one format, or raises `ExtractError` with one line that says what is wrong."""
