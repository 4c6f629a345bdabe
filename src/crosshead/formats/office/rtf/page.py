"""Paragraphs of RTF, one after another -> HTML.

Paragraphs outside tables are written as they come; those of a cell wait until it ends, cells until their row ends,
and rows until their table does, which RTF does not say: it ends where a paragraph comes that is less deep.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from crosshead.formats.shared import style_names as stylenames

BOLD: Final = 1
ITALIC: Final = 2
STRIKE: Final = 4
RAISED: Final = 8
LOWERED: Final = 16
CODE: Final = 32
RAW: Final = -1
"""Of a piece that is HTML already."""
_ELEMENTS: Final = {BOLD: "b", ITALIC: "i", STRIKE: "s", RAISED: "sup", LOWERED: "sub"}
_EMPHASIS: Final = re.compile("</?[bi]>")
_SAME_EDGE: Final = 40
"""Twentieths of a point."""
_NUMBER: Final = re.compile(r"(\d{1,9})\D{0,2}$")
_COUNTED: Final = re.compile(r"[(\[]?[A-Za-zivxlcIVXLC]{1,6}[.)\]]")
_TYPED_LABEL: Final = re.compile(r"(?:[•·▪◦‣–-]|\d{1,3}[.)])\t")

Piece = tuple[int, str]
"""Marks and text."""


class Paragraph(NamedTuple):
    """A finished paragraph."""

    pieces: Sequence[Piece]
    meaning: str = ""
    """The level of a heading, `code`, `quote`, or nothing."""
    label: str | None = None
    """The label of a list item."""
    level: int = 0
    """Of an item: a larger one is inside a smaller one."""


class _RtfRow(NamedTuple):
    cells: Sequence[str]
    edges: Sequence[int]
    """Right edges of its cells, from left to right."""


@dataclass(slots=True)
class _TableDepth:
    """What is open at each depth of tables; the first is the document."""

    blocks: list[str] = field(default_factory=list)
    items: list[Paragraph] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    rows: list[_RtfRow] = field(default_factory=list)


class RtfPage:
    """The blocks written so far."""

    def __init__(self) -> None:
        self._levels = [_TableDepth()]
        self._notes: list[str] = []
        self._note_count = 0

    def add(self, paragraph: Paragraph, depth: int) -> None:
        """Write a paragraph nested in `depth` tables."""
        self._go_to(depth)
        level = self._levels[-1]
        is_item = bool(paragraph.label) or (paragraph.label is not None and paragraph.meaning != stylenames.CODE)
        if is_item and not paragraph.meaning.isdigit():
            level.items.append(paragraph)
            return
        if paragraph.meaning.isdigit() and depth == 0:
            self._place_notes()
        _end_list(level)
        level.blocks.append(_write(paragraph, in_table=depth > 0))

    def end_cell(self, depth: int) -> None:
        """End a cell of the table at a depth."""
        self._go_to(depth)
        level = self._levels[-1]
        _end_list(level)
        level.cells.append("".join(level.blocks))
        level.blocks.clear()

    def end_row(self, depth: int, edges: Sequence[int]) -> None:
        """End a row of the table at a depth."""
        self._go_to(depth)
        level = self._levels[-1]
        row, level.cells = _RtfRow(level.cells, edges[: len(level.cells)]), []
        if level.rows and row.edges and level.rows[-1].edges and not _share_edges(row, level.rows[-1]):
            self._go_to(depth - 1)
            self._go_to(depth)
        if row.cells:
            self._levels[-1].rows.append(row)

    def refer_to_note(self, html: str) -> Piece:
        """Keep a note, and return what refers to it."""
        self._note_count += 1
        self._notes.append(f'<div id="fn{self._note_count}">{html}</div>')
        return RAW, f'<sup><a href="#fn{self._note_count}">{self._note_count}</a></sup>'

    def finish(self) -> str:
        """Return all that was written."""
        self._go_to(0)
        self._place_notes()
        return "".join(self._levels[0].blocks)

    def _place_notes(self) -> None:
        _end_list(self._levels[0])
        self._levels[0].blocks += self._notes
        self._notes.clear()

    def _go_to(self, depth: int) -> None:
        while len(self._levels) <= depth:
            self._levels.append(_TableDepth())
        while len(self._levels) > depth + 1:
            ended = self._levels.pop()
            _end_list(ended)
            if ended.cells or ended.blocks:  # a row that nothing ends
                ended.rows.append(_RtfRow([*ended.cells, "".join(ended.blocks)], ()))
            _end_list(self._levels[-1])
            self._levels[-1].blocks.append(_write_table(ended.rows))


def _end_list(level: _TableDepth) -> None:
    if level.items:
        level.blocks.append(_write_list(level.items))
        level.items = []


def _write(paragraph: Paragraph, *, in_table: bool) -> str:
    if paragraph.meaning == stylenames.CODE:
        code = "".join([text for marks, text in paragraph.pieces if marks != RAW])
        return f"<pre>{escape(code, quote=False)}</pre>"
    if paragraph.meaning.isdigit() and not in_table:
        name = f"h{paragraph.meaning}"
        return f"<{name}>{write_inline(paragraph.pieces, plain=True)}</{name}>"
    text = f"<p>{write_inline(paragraph.pieces)}</p>"
    return f"<blockquote>{text}</blockquote>" if paragraph.meaning == stylenames.QUOTE else text


def write_inline(pieces: Iterable[Piece], *, plain: bool = False) -> str:
    """Return text with its marks; `plain` leaves bold and italic out."""
    out = []
    for marks, group in groupby(pieces, key=lambda piece: piece[0]):
        text = "".join([text for _, text in group])
        out.append(text if marks == RAW else _mark(text, marks & ~(BOLD | ITALIC) if plain else marks))
    return "".join(out)


def _mark(text: str, marks: int) -> str:
    shown = escape(text, quote=False).replace("\n", "<br>")
    if marks & CODE:
        return f"<code>{shown}</code>" if text.strip() else shown
    for mark, name in _ELEMENTS.items():
        if marks & mark:
            shown = f"<{name}>{shown}</{name}>"
    return shown


def take_typed_label(pieces: list[Piece]) -> str | None:
    """Take a bullet or a number with a tab after it off the text of a paragraph."""
    text = "".join([text for marks, text in pieces if marks != RAW][:3])
    found = _TYPED_LABEL.match(text)
    if not found:
        return None
    left = found.end()
    for at, (marks, text) in enumerate(pieces):
        if marks != RAW:
            pieces[at] = marks, text[left:]
            left -= min(left, len(text))
    return found[0].strip()


def _write_list(items: Sequence[Paragraph]) -> str:
    """Write items; each is inside the last one above it that is less deep."""
    out: list[str] = []
    open_lists: list[tuple[int, str]] = []
    for item in items:
        name, value = _list_kind(item.label or "")
        while open_lists and open_lists[-1][0] > item.level:
            out.append(f"</li></{open_lists.pop()[1]}>")
        if open_lists and open_lists[-1] == (item.level, name):
            out.append("</li>")
        else:
            if open_lists and open_lists[-1][0] == item.level:
                out.append(f"</li></{open_lists.pop()[1]}>")
            out.append(f"<{name}>")
            open_lists.append((item.level, name))
        out.append(f"<li{value}>{write_inline(item.pieces)}")
    out += [f"</li></{name}>" for _, name in reversed(open_lists)]
    return "".join(out)


def _list_kind(label: str) -> tuple[str, str]:
    number = _NUMBER.search(label)
    if number:
        return "ol", f' value="{number[1]}"'
    return ("ol" if _COUNTED.fullmatch(label) else "ul"), ""


def _write_table(rows: Sequence[_RtfRow]) -> str:
    """Write a table whose first row is the header; a table of one cell is a frame around its text."""
    if sum(len(row.cells) for row in rows) == 1:
        return rows[0].cells[0]
    columns = _columns(rows)
    out = ["<table>"]
    for at, row in enumerate(rows):
        name = "td" if at else "th"
        spans = _spans(row, columns)
        texts = row.cells if at else [_EMPHASIS.sub("", cell) for cell in row.cells]
        cells = [f"<{name}{span}>{cell}</{name}>" for cell, span in zip(texts, spans, strict=True)]
        out.append(f"<tr>{''.join(cells)}</tr>")
    return "".join([*out, "</table>"])


def _share_edges(row: _RtfRow, other: _RtfRow) -> bool:
    """Rows of one table have an edge in common; tables that follow one another may not."""
    near = {edge // _SAME_EDGE + step for edge in other.edges for step in (-1, 0, 1)}
    return any(edge // _SAME_EDGE in near for edge in row.edges)


def _columns(rows: Sequence[_RtfRow]) -> list[int]:
    """Return where columns end; rows may differ a little without being visible."""
    found: list[int] = []
    for edge in sorted({edge for row in rows for edge in row.edges}):
        if not found or edge - found[-1] > _SAME_EDGE:
            found.append(edge)
    return found


def _spans(row: _RtfRow, columns: Sequence[int]) -> list[str]:
    """Return the attributes of cells that are as wide as several columns."""
    ends = [bisect_right(columns, edge) for edge in row.edges]
    spans = [max(1, end - start) for start, end in pairwise([0, *ends])]
    shown = [f' colspan="{span}"' if span > 1 else "" for span in spans]
    return [*shown, *[""] * len(row.cells)][: len(row.cells)]
