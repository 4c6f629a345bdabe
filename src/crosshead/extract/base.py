"""What a reader of a format gives back."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from crosshead.options import ExtractOptions


class Extracted(NamedTuple):
    """A document as Markdown, and what Markdown cannot say about it."""

    text: str
    title: str = ""
    """The title in the document's own metadata."""
    pages: tuple[tuple[int, int], ...] = ()
    """For paged formats: (first line of `text`, page) in order."""
    lines: tuple[tuple[int, int], ...] = ()
    """Where the lines of `text` are not those of the file: (first line of `text`, line of the file) in order; of
    subtitles, (first line of `text`, second)."""


Reader = Callable[[bytes, ExtractOptions], Extracted]
"""Reads the bytes of one format. It raises `ExtractError` with one line that says what is wrong, and logs a warning
where a person should know that something was left out or guessed."""
