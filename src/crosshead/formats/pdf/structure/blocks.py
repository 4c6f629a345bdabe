"""Rows and tables -> blocks: headings, paragraphs, items of lists, code and tables.

A row continues the block above if it looks the same, is as near as the lines of a paragraph, and begins where they
begin. At the end of a column or page, the words have to show that the text runs on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from crosshead.formats.pdf.page.shapes import SOFT_HYPHEN, PdfPage, PdfTable, Row
from crosshead.formats.pdf.tables.over_pages import continued_rows
from crosshead.formats.pdf.text.contents import find_entries
from crosshead.formats.pdf.text.markers import Marker, find_items, is_contents_line

Kind = Literal["heading", "text", "item", "code", "table"]

_SENTENCE_END: Final = (".", "!", "?", ":", ";", "。", "！", "？", ")", "”", '"')
_OPEN_END: Final = (",", "-", SOFT_HYPHEN, "(")
_SAME_SIZE: Final = 0.12
"""By how much font sizes within a paragraph may differ, as a share of the larger one."""
_SAME_LEFT: Final = 0.8
"""How far the left edges of lines of a paragraph may be apart, in ems."""
_MAX_INDENT: Final = 4
"""How far the first line of a paragraph may be indented or set out, in ems."""
_FULL: Final = 2
"""A line is full if it ends closer to the right edge than this, in ems."""
_LEADING: Final = 1.3
"""The largest distance of the second line of a paragraph, as a multiple of the typical leading."""
_OWN_LEADING: Final = 1.25
"""The same for later lines, as a multiple of the distance of the two lines above."""
_LEAST_LEADING: Final = 0.8
"""Rows closer than this are on one line, in ems."""
_MAX_RISE: Final = 0.5
"""How far above the last row the next one may be, in ems."""
_CODE_GAP: Final = 3.5
"""The largest distance of two lines of code, in ems."""
_OUTDENT: Final = 0.5
"""How far left of its mark a line of an item may begin, in ems."""
_HANGING: Final = 1.5
"""How far right of the first line of an item the second may begin, in ems."""
_SAME_MARK: Final = 1.5
"""How far the marks of one list may be apart, in ems."""
_SAME_EDGE: Final = 0.3
"""How far the left edges of two lines may be apart that begin at the same position, in ems."""
_SAME_MIDDLE: Final = 2.0
"""How far the middles of centered lines may be apart, doubled, and how far their edges must be, in points."""
_SPACE: Final = 0.6
"""The widest space between two words, in ems."""
_ROOM: Final = 0.5
"""The room that a line broken on purpose has left beyond its next word, in ems."""
_TABLE_SIZE: Final = 10.0
"""The font size by which the nesting of a table in a list is judged, in points."""
_CHANCE: Final = ("1.", "1)", "(1)", "(1.", "a", "-", "–", "—", "*", "+", "·")
"""Kinds of marks with which a line inside a paragraph may begin."""


@dataclass(slots=True)
class PageBlock:
    """One block of the Markdown."""

    kind: Kind
    page: int
    x: float
    """Its left edge in its column; of an item, that of its mark."""
    size: float
    rows: list[Row] = field(default_factory=list)
    cells: list[list[str]] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)
    """Of a table: the page of each row."""
    spans: list[tuple[float, float]] = field(default_factory=list)
    """Of a table: the left and right edge of each column."""
    level: int = 0
    marker: Marker | None = None
    text_x: float = 0.0
    """The left edge of the text of an item."""


class BlockBuilder:
    """Builds the blocks of one document."""

    def __init__(self, leading: float, *, all_mono: bool) -> None:
        self._leading = leading
        self._all_mono = all_mono
        self._items: dict[int, Marker] = {}
        self._entries: set[int] = set()

    def build(self, pages: Sequence[PdfPage]) -> list[PageBlock]:
        """Return the blocks of all pages in order."""
        rows = [row for row in iter_rows(pages) if not row.level]
        self._items = find_items(rows)
        self._entries = {id(rows[number]) for number in find_entries([row.segments for row in rows])}
        blocks: list[PageBlock] = []
        for page in pages:
            for item in page.items:
                last = blocks[-1] if blocks else None
                made = self._add_table(item, blocks) if isinstance(item, PdfTable) else self._add_row(item, last)
                blocks += made
        return blocks

    def _add_table(self, table: PdfTable, blocks: Sequence[PageBlock]) -> list[PageBlock]:
        last = blocks[-1] if blocks else None
        found = _continues_over_page(table, blocks)
        if found is None and last and last.kind == "table":
            is_next = table.follows_in_column or table.page == last.pages[-1] + 1
            rows = continued_rows(last.cells, last.spans, table, is_moved=True) if is_next else None
            found = (last, rows) if rows is not None else None
        if found:
            block, rows = found
            block.cells += rows
            block.pages += [table.page] * len(rows)
            return []
        x = table.x0 - table.left
        pages = [table.page] * len(table.cells)
        return [PageBlock("table", table.page, x, _TABLE_SIZE, cells=list(table.cells), pages=pages, spans=table.spans)]

    def _add_row(self, row: Row, last: PageBlock | None) -> list[PageBlock]:
        if row.level:
            return self._add_heading(row, last)
        if row.style.mono and not self._all_mono:
            return self._add_code(row, last)
        if is_contents_line(row.text) or id(row) in self._entries:
            return [_new_item(row, Marker("-", 0, "."))]
        marker = self._items.get(id(row))
        if marker and _opens_item(marker, row, last, self._continues(row, last)):
            return [_new_item(row, marker)]
        if last and self._continues(row, last):
            last.rows.append(row)
            return []
        return [_new_block("text", row)]

    def _add_heading(self, row: Row, last: PageBlock | None) -> list[PageBlock]:
        if last and last.kind == "heading" and row.goes_on:
            last.rows.append(row)
            return []
        block = _new_block("heading", row)
        block.level = row.level
        return [block]

    def _add_code(self, row: Row, last: PageBlock | None) -> list[PageBlock]:
        if last and last.kind == "code":
            above = last.rows[-1]
            gap = above.base - row.base
            near = 0 < gap < _CODE_GAP * row.style.size or (above.page + 1 == row.page and row.starts_column)
            if near and abs(above.style.size - row.style.size) < 1:
                last.rows.append(row)
                return []
        return [_new_block("code", row)]

    def _continues(self, row: Row, last: PageBlock | None) -> bool:
        if last is None or last.kind not in ("text", "item"):
            return False
        above = last.rows[-1]
        size = above.style.size
        if abs(size - row.style.size) > _SAME_SIZE * max(size, row.style.size):
            return False
        if row.starts_column or row.page != above.page:
            return _runs_on(above, row)
        gap = above.base - row.base
        if gap > self._near(last) or gap < -_MAX_RISE * size or is_contents_line(above.text):
            return False
        if above.style.bold != row.style.bold and len(last.rows) <= 2:
            return False
        return _fits_beside(last, row) and not _broke_early(above, row)

    def _near(self, block: PageBlock) -> float:
        size = block.rows[-1].style.size
        if len(block.rows) > 1:
            own = block.rows[-2].base - block.rows[-1].base
            if own > _LEAST_LEADING * size:
                return _OWN_LEADING * own
        return _LEADING * self._leading * size


def _continues_over_page(table: PdfTable, blocks: Sequence[PageBlock]) -> tuple[PageBlock, list[list[str]]] | None:
    """Return the table of the last page that this one continues, and its rows; several may be side by side."""
    for block in reversed(blocks):
        if block.kind != "table" or block.pages[-1] < table.page - 1:
            return None
        rows = continued_rows(block.cells, block.spans, table) if block.pages[-1] == table.page - 1 else None
        if rows is not None:
            return block, rows
    return None


def _new_block(kind: Kind, row: Row) -> PageBlock:
    return PageBlock(kind, row.page, row.x0 - row.left, row.style.size, [row])


def _new_item(row: Row, marker: Marker) -> PageBlock:
    block = _new_block("item", row)
    block.marker = marker
    words = [word for segment in row.segments for word in segment.words]
    block.text_x = (words[1].x0 if marker.length and len(words) > 1 else row.x0 + row.style.size) - row.left
    return block


def _opens_item(marker: Marker, row: Row, last: PageBlock | None, continues: bool) -> bool:
    """Return whether a mark opens an item; inside a paragraph, a line may begin with a number or dash by chance."""
    if not continues or last is None or marker.kind not in _CHANCE:
        return True
    if last.kind == "item" and last.marker and last.marker.kind == marker.kind:
        return abs(row.x0 - row.left - last.x) < _SAME_MARK * row.style.size
    above = last.rows[-1]
    if abs(row.x0 - above.x0) < _SAME_EDGE * row.style.size:
        return marker.number == 1 and above.text.endswith(_SENTENCE_END)
    return row.x0 > above.x0


def _runs_on(above: Row, row: Row) -> bool:
    """Return whether the text of one column or page runs on in the next."""
    if above.text.endswith(_OPEN_END):
        return True
    if above.text.endswith(_SENTENCE_END):
        return False
    return row.text[:1].islower() or (above.x1 > above.right - _FULL * above.style.size and not row.style.bold)


def _fits_beside(block: PageBlock, row: Row) -> bool:
    """Return whether a row begins where the next line of a block should."""
    em = row.style.size
    x = row.x0 - row.left
    if block.kind == "item":
        if len(block.rows) > 1:
            return abs(row.x0 - block.rows[-1].x0) < _SAME_LEFT * em
        return x > block.x - _OUTDENT * em and x < block.text_x + _HANGING * em
    above = block.rows[-1]
    shift = row.x0 - above.x0
    if _is_centered(above, row):
        return True
    if len(block.rows) == 1 and shift < 0:
        return -_MAX_INDENT * em < shift
    if shift > _SAME_LEFT * em:
        return len(block.rows) == 1 and above.x1 > above.right - _FULL * em and shift < _MAX_INDENT * em
    return shift > -_SAME_LEFT * em


def _is_centered(above: Row, row: Row) -> bool:
    return abs((above.x0 + above.x1) - (row.x0 + row.x1)) < _SAME_MIDDLE and abs(above.x0 - row.x0) > _SAME_MIDDLE


def _broke_early(above: Row, row: Row) -> bool:
    """Return whether a line was broken on purpose: a sentence ends, and the next word would have fitted."""
    word = row.segments[0].words[0]
    room = row.right - above.x1 - (word.x1 - word.x0) - _SPACE * row.style.size
    return room > _ROOM * row.style.size and above.text.endswith(_SENTENCE_END)


def iter_rows(pages: Iterable[PdfPage]) -> Iterator[Row]:
    """Yield all rows of the pages."""
    for page in pages:
        for item in page.items:
            if isinstance(item, Row):
                yield item
