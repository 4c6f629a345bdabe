"""Rows and tables -> blocks: headings, paragraphs, items of lists, code and tables.

A row goes on with the block above if it looks the same, stands as near as lines of a paragraph do, and begins where
they begin; at the end of a column or page the text itself must run on.
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
_CHANCE: Final = ("1.", "1)", "(1)", "(1.", "a", "-", "–", "—", "*", "+", "·")
"""Kinds of marks with which a line of a paragraph may begin."""


@dataclass(slots=True)
class PageBlock:
    """What becomes one block of Markdown."""

    kind: Kind
    page: int
    x: float
    """Where it begins in its column; of an item, where its mark stands."""
    size: float
    rows: list[Row] = field(default_factory=list)
    cells: list[list[str]] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)
    """Of a table: the page of each row."""
    spans: list[tuple[float, float]] = field(default_factory=list)
    """Of a table: where its columns begin and end."""
    level: int = 0
    marker: Marker | None = None
    text_x: float = 0.0
    """Where the text of an item stands."""


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
        found = _goes_on_over_page(table, blocks)
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
        return [PageBlock("table", table.page, x, 10.0, cells=list(table.cells), pages=pages, spans=table.spans)]

    def _add_row(self, row: Row, last: PageBlock | None) -> list[PageBlock]:
        if row.level:
            return self._add_heading(row, last)
        if row.style.mono and not self._all_mono:
            return self._add_code(row, last)
        if is_contents_line(row.text) or id(row) in self._entries:
            return [_new_item(row, Marker("-", 0, "."))]
        marker = self._items.get(id(row))
        if marker and _opens_item(marker, row, last, self._goes_on(row, last)):
            return [_new_item(row, marker)]
        if last and self._goes_on(row, last):
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
            near = 0 < gap < 3.5 * row.style.size or (above.page + 1 == row.page and row.starts_column)
            if near and abs(above.style.size - row.style.size) < 1:
                last.rows.append(row)
                return []
        return [_new_block("code", row)]

    def _goes_on(self, row: Row, last: PageBlock | None) -> bool:
        if last is None or last.kind not in ("text", "item"):
            return False
        above = last.rows[-1]
        size = above.style.size
        if abs(size - row.style.size) > 0.12 * max(size, row.style.size):
            return False
        if row.starts_column or row.page != above.page:
            return _runs_on(above, row)
        gap = above.base - row.base
        if gap > self._near(last) or gap < -0.5 * size or is_contents_line(above.text):
            return False
        if above.style.bold != row.style.bold and len(last.rows) <= 2:
            return False
        return _fits_beside(last, row) and not _broke_early(above, row)

    def _near(self, block: PageBlock) -> float:
        size = block.rows[-1].style.size
        if len(block.rows) > 1:
            own = block.rows[-2].base - block.rows[-1].base
            if own > 0.8 * size:
                return 1.25 * own
        return 1.3 * self._leading * size


def _goes_on_over_page(table: PdfTable, blocks: Sequence[PageBlock]) -> tuple[PageBlock, list[list[str]]] | None:
    """Return the table of the last page that this one goes on with, and its rows; several may be side by side."""
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


def _opens_item(marker: Marker, row: Row, last: PageBlock | None, goes_on: bool) -> bool:
    """Inside of a paragraph, a line may begin with a number or dash by chance."""
    if not goes_on or last is None or marker.kind not in _CHANCE:
        return True
    if last.kind == "item" and last.marker and last.marker.kind == marker.kind:
        return abs(row.x0 - row.left - last.x) < 1.5 * row.style.size
    above = last.rows[-1]
    if abs(row.x0 - above.x0) < 0.3 * row.style.size:
        return marker.number == 1 and above.text.endswith(_SENTENCE_END)
    return row.x0 > above.x0


def _runs_on(above: Row, row: Row) -> bool:
    """Does the text of one column or page run on in the next?"""
    if above.text.endswith(_OPEN_END):
        return True
    if above.text.endswith(_SENTENCE_END):
        return False
    return row.text[:1].islower() or (above.x1 > above.right - 2 * above.style.size and not row.style.bold)


def _fits_beside(block: PageBlock, row: Row) -> bool:
    """Does the row begin where this block's next line should?"""
    em = row.style.size
    x = row.x0 - row.left
    if block.kind == "item":
        if len(block.rows) > 1:
            return abs(row.x0 - block.rows[-1].x0) < 0.8 * em
        return x > block.x - 0.5 * em and x < block.text_x + 1.5 * em
    above = block.rows[-1]
    shift = row.x0 - above.x0
    if _is_centered(above, row):
        return True
    if len(block.rows) == 1 and shift < 0:
        return -4 * em < shift
    if shift > 0.8 * em:
        return len(block.rows) == 1 and above.x1 > above.right - 2 * em and shift < 4 * em
    return shift > -0.8 * em


def _is_centered(above: Row, row: Row) -> bool:
    return abs((above.x0 + above.x1) - (row.x0 + row.x1)) < 2.0 and abs(above.x0 - row.x0) > 2.0


def _broke_early(above: Row, row: Row) -> bool:
    """The next word would have fitted, and a sentence ends: the line was broken on purpose."""
    word = row.segments[0].words[0]
    room = row.right - above.x1 - (word.x1 - word.x0) - 0.6 * row.style.size
    return room > 0.5 * row.style.size and above.text.endswith(_SENTENCE_END)


def iter_rows(pages: Iterable[PdfPage]) -> Iterator[Row]:
    """Return all rows of the pages."""
    for page in pages:
        for item in page.items:
            if isinstance(item, Row):
                yield item
