"""A document: its text, its blocks, and the tree of its sections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from crosshead import citation
from crosshead.types.link import Anchor, Link

BlockKind = Literal[
    "front_matter", "heading", "paragraph", "code", "list", "table", "quote", "html", "rule",
    "definition", "footnote", "math", "import", "component", "expression",
]  # fmt: skip


class Block(NamedTuple):
    """One block of a document. A NamedTuple, because every line of a document ends up in one."""

    kind: BlockKind
    start: int
    """Offset of the first line's first character, indentation included."""
    end: int
    """Offset after the last line's last character, its newline not included."""
    start_line: int
    end_line: int
    level: int = 0
    """1 to 6 for a heading, else 0."""
    lang: str = ""
    """First word of a fence's info string; `html` for an HTML table."""
    title: str = ""
    """Plain text of a heading."""
    items: tuple[tuple[int, int], ...] = ()
    """First and last line of each item of a list."""
    atoms: tuple[Block, ...] = ()
    """Code, tables and formulas inside a list, quote or footnote, and code in a table: these must not be cut either."""
    closed: bool = True
    """False for a fence without a closing line."""


class Section(NamedTuple):
    """A heading with its own text and its subsections; the root (level 0) is the whole document."""

    id: str
    parent_id: str | None
    title: str
    level: int
    path: tuple[str, ...]
    start: int
    end: int
    start_line: int
    end_line: int
    blocks: tuple[Block, ...]
    """The heading and the section's own text, without the subsections."""
    children: tuple[Section, ...]


@dataclass(frozen=True)
class Document:
    """A source as structured Markdown."""

    id: str
    source: str
    format: str
    title: str
    """`title` of the front matter, else the only level 1 heading, else the format's own title, else the file's name."""
    text: str
    """Markdown without a byte order mark; newlines are `\\n`."""
    front_matter: Mapping[str, Any]
    blocks: tuple[Block, ...]
    content_hash: str
    make_root: Callable[[], Section] = field(repr=False, compare=False)
    """Builds the section tree when it is first used; chunking does not need it."""
    pages: tuple[tuple[int, int], ...] = ()
    """For paged formats: (first line, page) in order."""
    lines: citation.LineMarks = ()
    """If the lines of the text differ from those of the file: (first line, line of the file) in order, with the name of
    the file if it is included; for subtitles, (first line, second); for workbooks, (first line, row, area)."""
    has_own_title: bool = False
    """Does the front matter, or the format itself, state a title?"""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """Metadata that the user passed."""
    warnings: tuple[str, ...] = ()
    """Warnings for the user: parts that were left out or may be misread, malformed Markdown."""
    recognized: tuple[tuple[int, float], ...] = ()
    """Pages whose text was recognized in an image: (page, confidence from 0 to 1) in order."""
    unread_pages: tuple[int, ...] = ()
    """Pages that show images but have no text, and were not recognized."""
    links: tuple[Link, ...] = ()
    """Links that the reader knows and the Markdown does not show."""
    anchors: tuple[Anchor, ...] = ()
    """Labels and ids, likewise."""

    @cached_property
    def root(self) -> Section:
        """The section tree."""
        return self.make_root()

    def source_line(self, line: int) -> int:
        """Return the line of the file that a line of the text comes from."""
        return citation.source_line(self.lines, line)

    def source_span(self, first: int, last: int) -> tuple[int, int]:
        """Return the lines of the file that some lines of the text come from."""
        has_lines = self.lines and citation.cites(self.format) not in ("times", "cells")
        return citation.source_span(self.lines, first, last)[:2] if has_lines else (first, last)
