"""Blocks -> Markdown, with the page of every line."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from statistics import median
from typing import Final, NamedTuple

from crosshead.formats.pdf.page.shapes import Row, Segment
from crosshead.formats.pdf.structure.blocks import PageBlock
from crosshead.formats.pdf.text.joining import join_lines, plain, seam
from crosshead.formats.pdf.text.markers import leaderless
from crosshead.formats.shared import gfm

_NESTED: Final = 0.8
"""How much further in a nested item begins at least, in ems."""
_IN_ITEM: Final = 0.5
"""How far left of the text of an item a block inside it may begin, in ems."""
_MONO_WIDTH: Final = 0.6
"""The width of a character in a fixed-width font, in ems."""
_DEFAULT_SIZE: Final = 10.0
"""The font size of code that has none, in points."""
_CODE_LEADING: Final = 1.2
"""The distance of lines of code if there is only one, in ems."""
_LEAST_LEADING: Final = 0.8
"""Rows that are closer are on one line, in ems."""
_MAX_BLANK: Final = 3
"""The most blank lines in code, whatever the distance."""
_MAX_INDENT: Final = 200
"""The most spaces between two texts on a line of code."""


class _OpenListItem(NamedTuple):
    """An item that may get more blocks."""

    x: float
    text_x: float
    width: int


class MarkdownWriter:
    """Writes the blocks of one document."""

    def __init__(self, vocabulary: Collection[str], *, all_mono: bool) -> None:
        self._vocabulary = vocabulary
        self._all_mono = all_mono
        self._lines: list[str] = []
        self._pages: list[tuple[int, int]] = []
        self._open: list[_OpenListItem] = []
        self._last_item = False

    def write(self, blocks: Iterable[PageBlock]) -> tuple[str, tuple[tuple[int, int], ...]]:
        """Return the Markdown, and the line in it with which each page begins."""
        for block in blocks:
            lines, pages = self._render(block)
            if not any(lines):
                continue
            is_item = block.kind == "item"
            self._close_items(block)
            margin = " " * sum(each.width for each in self._open)
            if self._lines and not (is_item and self._last_item):
                self._lines.append("")
            if is_item and block.marker:
                self._add(f"{margin}{block.marker.markdown} {lines[0]}", pages[0])
                self._open.append(_OpenListItem(block.x, block.text_x, len(block.marker.markdown) + 1))
            else:
                for line, page in zip(lines, pages, strict=True):
                    self._add(f"{margin}{line}" if line else "", page)
            self._last_item = is_item
        return "".join([f"{line}\n" for line in self._lines]), tuple(self._pages)

    def _add(self, line: str, page: int) -> None:
        self._lines.append(line)
        if not self._pages or self._pages[-1][1] < page:
            self._pages.append((len(self._lines), page))

    def _close_items(self, block: PageBlock) -> None:
        """Close the items that this block does not belong to."""
        if block.kind == "heading":
            self._open.clear()
        while self._open and not self._holds(self._open[-1], block):
            self._open.pop()

    def _holds(self, item: _OpenListItem, block: PageBlock) -> bool:
        if block.kind == "item":
            return block.x > item.x + _NESTED * block.size and block.text_x > item.text_x + _NESTED * block.size
        return block.x > item.text_x - _IN_ITEM * block.size

    def _render(self, block: PageBlock) -> tuple[list[str], list[int]]:
        if block.kind == "table":
            return self._table(block)
        if block.kind == "code":
            return _code(block.rows)
        if block.kind == "heading":
            return [gfm.heading(block.level, gfm.escape(self._heading_text(block)))], [block.page]
        skip = block.marker.length if block.marker else 0
        text = self._inline(block.rows, skip)
        return [gfm.escape_start(text)], [block.page]

    def _heading_text(self, block: PageBlock) -> str:
        return block.rows[0].title or join_lines([row.text for row in block.rows], self._vocabulary)

    def _table(self, block: PageBlock) -> tuple[list[str], list[int]]:
        rows = [[gfm.cell(gfm.escape(cell)) for cell in row] for row in block.cells]
        return gfm.table(rows).split("\n"), [block.pages[0], *block.pages]

    def _inline(self, rows: Sequence[Row], skip: int) -> str:
        """Return a paragraph as one line; text in a fixed-width font is a code span."""
        pieces: list[tuple[str, bool]] = []
        for row in rows:
            own = _pieces(row, skip)
            skip = 0
            if pieces and own:
                dropped, between = seam(pieces[-1][0], own[0][0], self._vocabulary)
                last, mono = pieces[-1]
                pieces[-1] = (last[: len(last) - dropped], mono)
                own[0] = (between + own[0][0], own[0][1]) if not own[0][1] or mono else own[0]
                if own[0][1] and not mono:
                    pieces[-1] = (pieces[-1][0] + between, mono)
            pieces += own
        return leaderless("".join([self._piece(text, mono) for text, mono in _merge(pieces)]))

    def _piece(self, text: str, mono: bool) -> str:
        text = plain(text)
        bare = text.strip()
        if not mono or self._all_mono or not bare:
            return gfm.escape(text)
        start = text.index(bare)
        return f"{text[:start]}{gfm.code_span(bare)}{text[start + len(bare) :]}"


def _pieces(row: Row, skip: int) -> list[tuple[str, bool]]:
    """Return the text of a row in runs that are in a fixed-width font or not, without the first `skip` characters."""
    pieces: list[tuple[str, bool]] = []
    for segment in row.segments:
        for word in segment.words:
            space = " " if pieces else ""
            for run in word.runs:
                if pieces and pieces[-1][1] == run.style.mono:
                    pieces[-1] = (f"{pieces[-1][0]}{space}{run.text}", run.style.mono)
                else:
                    if space:
                        pieces[-1] = (pieces[-1][0] + space, pieces[-1][1])
                    pieces.append((run.text, run.style.mono))
                space = ""
    while skip and pieces:
        text, mono = pieces[0]
        pieces[:1] = [(text[skip:], mono)] if len(text) > skip else []
        skip = max(0, skip - len(text))
    return pieces


def _merge(pieces: Iterable[tuple[str, bool]]) -> list[tuple[str, bool]]:
    merged: list[tuple[str, bool]] = []
    for text, mono in pieces:
        if merged and merged[-1][1] == mono:
            merged[-1] = (merged[-1][0] + text, mono)
        else:
            merged.append((text, mono))
    return merged


def _code(rows: Sequence[Row]) -> tuple[list[str], list[int]]:
    """Return a fenced block with the spaces and blank lines of the page."""
    width = _character_width(rows)
    left = min(row.x0 for row in rows)
    lines: list[str] = []
    pages: list[int] = []
    pitch = _line_pitch(rows)
    for above, row in zip([None, *rows], rows, strict=False):
        if above is not None and above.page == row.page:
            blank = max(0, min(_MAX_BLANK, round((above.base - row.base) / pitch) - 1))
            lines += [""] * blank
            pages += [row.page] * blank
        lines.append(_code_line(row.segments, left, width))
        pages.append(row.page)
    fenced = gfm.fence("\n".join(lines)).split("\n")
    return fenced, [pages[0], *pages, pages[-1]]


def _line_pitch(rows: Sequence[Row]) -> float:
    gaps = [above.base - row.base for above, row in itertools.pairwise(rows)]
    size = rows[0].style.size or _DEFAULT_SIZE
    return min([gap for gap in gaps if gap > _LEAST_LEADING * size], default=_CODE_LEADING * size)


def _character_width(rows: Iterable[Row]) -> float:
    widths: list[float] = []
    size = _DEFAULT_SIZE
    for row in rows:
        size = row.style.size or size
        for segment in row.segments:
            for first, second in zip(segment.words, segment.words[1:], strict=False):
                widths.append((second.x0 - first.x0) / (sum(len(run.text) for run in first.runs) + 1))
    return max(median(widths), 1.0) if widths else _MONO_WIDTH * size


def _code_line(segments: Iterable[Segment], left: float, width: float) -> str:
    line = ""
    for segment in segments:
        column = min(round((segment.x0 - left) / width), len(line) + _MAX_INDENT)
        line = line.ljust(max(column, len(line) + 1 if line else 0)) + segment.text
    return plain(line)
