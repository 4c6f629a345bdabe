"""What a reader returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from crosshead.citation import LineMarks
from crosshead.options import ExtractOptions
from crosshead.types import Anchor, Link


class Extracted(NamedTuple):
    """A document as Markdown, with what Markdown cannot express."""

    text: str
    title: str = ""
    """The title in the document's own metadata."""
    pages: tuple[tuple[int, int], ...] = ()
    """For paged formats: (first line of `text`, page) in order."""
    lines: LineMarks = ()
    """If the lines of `text` are not those of the file: (first line of `text`, line of the file) in order, with the
    name of an included file if the lines are from one; of subtitles, (first line of `text`, second); of workbooks,
    (first line of `text`, row, sheet and columns), where a mark without columns ends an area."""
    recognized: tuple[tuple[int, float], ...] = ()
    """Pages whose text was recognized in a picture: (page, confidence from 0 to 1) in order."""
    unread_pages: tuple[int, ...] = ()
    """Pages that show images but have no text, and were not recognized."""
    warnings: tuple[str, ...] = ()
    """For the user: what was left out, or may be misread."""
    links: tuple[Link, ...] = ()
    """Links that the Markdown does not show; `start` is the first character of a line of `text`."""
    anchors: tuple[Anchor, ...] = ()
    """Labels and ids that the Markdown does not show, likewise."""


class Member(NamedTuple):
    """A document inside a file."""

    name: str
    """Its path there, with forward slashes and without `..`."""
    size: int
    """0 if unknown before reading."""
    read: Callable[[], bytes]
    """Return its bytes."""


Members = Callable[[Path | bytes], Iterable[Member]]
"""Lists the documents inside a file, given its path or bytes."""
Reader = Callable[[bytes, ExtractOptions], Extracted]
"""Reads the bytes of one format, or raises `ExtractError` with one line that says what is wrong."""
