"""Headings written as HTML: `<h1 align="center">Title</h1>`, alone on its lines.

CommonMark sees only a block of HTML there, readers see a heading. Not headings are those in a comment, in preformatted
text or in a table cell, and those without a title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Final, NamedTuple

from crosshead.markdown.inline import MAX_LENGTH, plain_text
from crosshead.markdown.syntax import is_blank

_BRACES = r"\{(?:[^{}]|\{[^{}]*+\})*+\}"
_ATTRIBUTE = rf"""[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:'[^']*+'|"[^"]*+"|{_BRACES}|[^\s"'=<>`{{]++))?+"""
_TAG: Final = rf"(?:\s++(?:{_ATTRIBUTE}|{_BRACES}))*+\s*+/?>"
"""The rest of an opening tag after its name; braces are MDX."""

_FIRST_LINE = re.compile(r"[ \t]*+<[hH][1-6](?=[\s>]|$)").match
_MDX_FIRST_LINE = re.compile(r"[ \t]*+<h[1-6](?=[\s>]|$)").match
"""In MDX, an upper-case name is a component."""
_HEADING_TAG = re.compile(r"</?h[1-6](?=[\s>]|$)", re.I).search
_HEADING = re.compile(rf"\s*+<h([1-6]){_TAG}(.*)</h\1\s*+>\s*+", re.I | re.S).fullmatch
_LANDMARK = re.compile(
    r"<!--.*?(?:-->|\Z)|<(pre|script|style|svg|textarea)\b.*?(?:</\1\b|\Z)|<(?P<end>/?)table\b"
    r"|^(?P<heading>[ \t]*+<h[1-6])",
    re.I | re.S | re.M,
)
_COMMENT_OR_TAG = re.compile(rf"<!--.*?-->|<(?:([A-Za-z][\w.:-]*+){_TAG}|/[A-Za-z][\w.:-]*+\s*+>)", re.S)
_ALT = re.compile(r"""\salt\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""", re.I).search


class HtmlHeading(NamedTuple):
    """Lines `first` to `end` (0-based, half-open) that are a heading."""

    first: int
    end: int
    level: int
    title: str


class HeadingReader:
    """Finds the headings in the HTML of one document."""

    def __init__(self, lines: Sequence[str], *, mdx: bool = False) -> None:
        self._lines = lines
        self._mdx = mdx
        self._begins = _MDX_FIRST_LINE if mdx else _FIRST_LINE
        self._open_tables = 0

    def in_block(self, first: int, end: int) -> Iterator[HtmlHeading]:
        """Yield the headings in a block of HTML; blocks are given in order, because a table may span several."""
        text = "\n".join(self._lines[first:end])
        counted = 0
        for mark in _LANDMARK.finditer(text):
            if mark["end"] is not None:
                self._open_tables = max(0, self._open_tables + (-1 if mark["end"] else 1))
            elif mark["heading"] is not None:
                first, counted = first + text.count("\n", counted, mark.start()), mark.start()
                heading = self.at(first, end)
                if heading:
                    yield heading

    def skip(self, first: int, end: int) -> None:
        """Look at a block only for tables that begin or end there."""
        for _ in self.in_block(first, end):
            pass

    def leave_tables(self) -> None:
        """Forget open tables: a Markdown heading cannot be in a table, so a table still open is never closed."""
        self._open_tables = 0

    def at(self, first: int, end: int | None = None) -> HtmlHeading | None:
        """Return the heading that begins with a line, if one does."""
        lines = self._lines
        if self._open_tables or not self._begins(lines[first]):
            return None
        start, size = lines[first].index("<") + 1, 0
        for last in range(first, len(lines) if end is None else end):
            size += len(lines[last])
            if is_blank(lines[last]) or size > MAX_LENGTH:
                return None
            if _HEADING_TAG(lines[last], start):
                return self._read(first, last + 1)
            start = 0
        return None

    def _read(self, first: int, end: int) -> HtmlHeading | None:
        found = _HEADING("\n".join(self._lines[first:end]))
        if not found or _HEADING_TAG(found[2]):
            return None
        title = self._title(found[2])
        return HtmlHeading(first, end, int(found[1]), title) if title else None

    def _title(self, html: str) -> str:
        """Return the visible text: without tags, and with alternative texts only if there is no other text."""
        text = _COMMENT_OR_TAG.sub(_space, html)
        if not text.strip():
            text = _COMMENT_OR_TAG.sub(_alternative, html)
        text = " ".join(text.split())
        return plain_text(text) if self._mdx else unescape(text).strip()


def _space(tag: re.Match[str]) -> str:
    return " " if (tag[1] or "").lower() in ("br", "img") else ""


def _alternative(tag: re.Match[str]) -> str:
    alt = _ALT(tag[0]) if (tag[1] or "").lower() == "img" else None
    return f" {alt[1] or alt[2] or ''} " if alt else ""
