"""Documents -> PDF by fpdf2: every line and every cell drawn at its place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .cells import DOUBLE, THICK, Cell, Drawn, Row, borders_of, draw, fill_of
from .look import Look
from .model import Beside, Block, Boxes, Break, Code, Columns, Contents, Document, Heading, Items, Paragraph, Table

if TYPE_CHECKING:
    from .plan import Planned

FONTS = Path("/usr/share/fonts/truetype/dejavu")
_FILES = {"serif": "DejaVuSerifCondensed", "sans": "DejaVuSansCondensed", "mono": "DejaVuSansMono"}
_LEFT, _TOP = 60.0, 62.0
_DASHES = str.maketrans({"\u202f": "\u00a0", "\u2009": "\u00a0"})


def print_all(documents: Sequence[Planned], folder: Path) -> None:
    for each in documents:
        page = _Page(each.document, each.look)
        page.blocks([*each.document.cover, *each.document.blocks])
        page.pdf.output(str(folder / f"{each.name}.pdf"))


class _Page:
    """Draws blocks one below the other; `y` is where the next one begins."""

    def __init__(self, document: Document, look: Look) -> None:
        from fpdf import FPDF

        self.document, self.look = document, look
        self.pdf: Any = FPDF(unit="pt", format=look.page)
        self.pdf.set_auto_page_break(False)
        for family, name in _FILES.items():
            self.pdf.add_font(family, "", FONTS / f"{name}.ttf")
            self.pdf.add_font(family, "B", FONTS / f"{name}-Bold.ttf")
        self.left, self.width = _LEFT, look.width
        self.new_page()

    def new_page(self) -> None:
        self.pdf.add_page()
        self.y = _TOP
        width, height = self.look.page
        at, number = self.look.page_number, str(self.pdf.page_no())
        self._font(7.5 / self.look.size)
        self.pdf.text(_LEFT, 36, self.document.head)
        if at not in ("foot center", "head right"):
            self.pdf.text(_LEFT, height - 34, self.document.foot)
        right = width - _LEFT - self.pdf.get_string_width(number)
        x, y = {"foot center": (width / 2, height - 34), "head right": (right, 36)}.get(at, (right, height - 34))
        self.pdf.text(x, y, number)
        if at == "above rule":
            self._line(_LEFT, height - 30, width - _LEFT, height - 30, 0.5)

    def blocks(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            self._block(block)

    def _block(self, block: Block) -> None:
        match block:
            case Heading():
                self._heading(block)
            case Paragraph():
                self._paragraph(f"{block.lead} {block.text}".strip(), drop_cap=block.has_drop_cap)
            case Items():
                for number, text in enumerate(block.texts, 1):
                    self._item(f"{number}." if block.is_ordered else "•", text)
            case Code():
                for line in block.lines:
                    self._lines([line], family="mono")
            case Columns():
                self._columns(block)
            case Break():
                self.new_page()
                self._lines([block.head] if block.head else [], bold=True)
            case Table():
                self._lines(block.title, bold=True, centered=True)
                self._table(block)
            case Beside():
                self._beside(block)
            case Contents():
                self._contents(block)
            case Boxes():
                raise NotImplementedError("forms are printed by other renderers")

    def _font(self, size: float = 1.0, *, bold: bool = False, family: str = "") -> float:
        points = self.look.size * size
        self.pdf.set_font(family or self.look.font, "B" if bold else "", points)
        return points

    def _wrap(self, text: str, width: float) -> list[str]:
        """Return lines that fit the width in the current font."""
        lines: list[str] = []
        for part in text.translate(_DASHES).split("\n"):
            line = ""
            for word in part.split(" "):
                longer = f"{line} {word}" if line else word
                if line and self.pdf.get_string_width(longer) > width:
                    lines.append(line)
                    longer = word
                line = longer
            lines.append(line)
        return lines

    def _lines(self, lines: Sequence[str], *, size: float = 1.0, bold: bool = False, centered: bool = False,
               family: str = "", color: str = "") -> None:  # fmt: skip
        for line in lines:
            points = self._font(size, bold=bold, family=family)
            if self.y + points > self.look.page[1] - _TOP:
                self.new_page()
                self._font(size, bold=bold, family=family)
            shift = (self.width - self.pdf.get_string_width(line)) / 2 if centered else 0
            self.pdf.set_text_color(color or "#000000")
            self.pdf.text(self.left + shift, self.y + points, line)
            self.pdf.set_text_color("#000000")
            self.y += points * 1.25

    def _heading(self, heading: Heading) -> None:
        look, size = self.look, self.look.sizes[heading.level - 1]
        self.y += 10
        if self.y + 60 > look.page[1] - _TOP:
            self.new_page()
        self._font(size, bold=look.bold)
        color = "#1a4d8f" if look.headings == "colored" else ""
        lines = self._wrap(heading.text, self.width)
        self._lines(lines, size=size, bold=look.bold, centered=look.headings == "centered", color=color)
        self.y += 3

    def _paragraph(self, text: str, *, drop_cap: bool = False) -> None:
        self._font()
        if not drop_cap:
            self._lines(self._wrap(text, self.width))
        else:
            self._drop_cap(text)
        self.y += 5

    def _drop_cap(self, text: str) -> None:
        """Draw the first letter over two lines, and these beside it."""
        if self.y + 3 * self.look.size > self.look.page[1] - _TOP:
            self.new_page()
        points = self._font(2.6)
        room = self.pdf.get_string_width(text[0]) + 2
        self.pdf.text(self.left, self.y + points * 0.85, text[0])
        self._font()
        first = self._wrap(text[1:], self.width - room)[:2]
        self.left += room
        self._lines(first)
        self.left -= room
        self._lines(self._wrap(text[1 + len(" ".join(first)) :].strip(), self.width))

    def _item(self, mark: str, text: str) -> None:
        self._font()
        lines = self._wrap(text, self.width - 16)
        if self.y + self.look.size * 1.25 * len(lines) > self.look.page[1] - _TOP:
            self.new_page()
        self._font()
        self.pdf.text(self.left + 4, self.y + self.look.size, mark)
        self.left += 16
        self._lines(lines)
        self.left -= 16

    def _columns(self, columns: Columns) -> None:
        """Draw the first half of the blocks at the left, the others at the right."""
        start, lowest = self.y, self.y
        if start > self.look.page[1] / 2:
            self.new_page()
            start = lowest = self.y
        half = (len(columns.blocks) + 1) // 2
        whole, self.width = self.width, self.width / 2 - 9
        for part in (columns.blocks[:half], columns.blocks[half:]):
            self.y = start
            self.blocks(part)
            lowest = max(lowest, self.y)
            self.left += self.width + 18
        self.left, self.width, self.y = _LEFT, whole, lowest

    def _beside(self, beside: Beside) -> None:
        if self.y > self.look.page[1] - 200:
            self.new_page()
        start, whole = self.y, self.width
        self.width = whole * 0.47
        self._table(beside.left)
        lowest, self.y, self.left = self.y, start, _LEFT + whole * 0.53
        self._table(beside.right)
        self.y, self.left, self.width = max(lowest, self.y), _LEFT, whole

    def _contents(self, contents: Contents) -> None:
        self._lines([contents.title], bold=True, centered=True)
        for entry, place in zip(contents.entries, contents.places, strict=True):
            points = self._font()
            self.pdf.text(self.left + self.width - self.pdf.get_string_width(str(place)), self.y + points, str(place))
            self.left += 12 * (entry.level - 2)
            self._lines([entry.text])
            self.left = _LEFT

    def _table(self, table: Table) -> None:
        drawn = draw(table, self.look)
        self.y += 4
        for number, row in enumerate(drawn.rows):
            if self.y + self._height(row, drawn) > self.look.page[1] - _TOP:
                self.new_page()
                if self.look.repeats_labels and number > drawn.heads:
                    for place in range(drawn.heads):
                        self._row(drawn.rows[place], place, drawn)
            if self.look.labels_apart and number == drawn.heads:
                self.y += 5
            self._row(row, number, drawn)
        self.y += 10

    def _row(self, row: Row, number: int, drawn: Drawn) -> None:
        height = self._height(row, drawn)
        for cell in row.cells:
            fill = fill_of(cell, row, number - drawn.heads, self.look)
            if fill:
                x, width = self._extent(cell, drawn)
                self.pdf.set_fill_color(fill)
                self.pdf.rect(x, self.y, width, height, style="F")
        for cell in row.cells:
            self._cell(cell, row, height, drawn)
            self._borders(cell, row, number, height, drawn)
        self.y += height

    def _extent(self, cell: Cell, drawn: Drawn) -> tuple[float, float]:
        x = self.left + sum(drawn.shares[: cell.column]) * self.width
        return x, sum(drawn.shares[cell.column : cell.column + cell.span]) * self.width

    def _set(self, cell: Cell, row: Row) -> float:
        family = "mono" if self.look.is_typewriter else ""
        return self._font(self.look.label_size if row.is_head else 1, bold=row.is_head or row.is_total, family=family)

    def _texts(self, cell: Cell, row: Row, drawn: Drawn) -> list[str]:
        self._set(cell, row)
        gap = 1 if self.look.signs_apart and cell.column else 4
        width = self._extent(cell, drawn)[1] - 2 * gap - 9 * cell.indent
        return self._wrap(cell.text, width) if cell.kind not in ("amount", "end") else [cell.text.translate(_DASHES)]

    def _height(self, row: Row, drawn: Drawn) -> float:
        lines = max(len(self._texts(cell, row, drawn)) for cell in row.cells)
        return lines * self.look.size * (self.look.label_size if row.is_head else 1) * 1.2 + 3.5

    def _cell(self, cell: Cell, row: Row, height: float, drawn: Drawn) -> None:
        lines = self._texts(cell, row, drawn)
        points = self._set(cell, row)
        x, width = self._extent(cell, drawn)
        gap = 1 if self.look.signs_apart and cell.column else 4
        is_text = any(
            each.kind == "text" and each.column == cell.column for other in drawn.rows for each in other.cells
        )
        y = self.y + height - 3.5 - (len(lines) - 1) * points * 1.2
        self.pdf.set_text_color("#ffffff" if row.is_head and self.look.fill == "head" else "#000000")
        for line in lines:
            self._set(cell, row)
            free = width - self.pdf.get_string_width(line) - gap
            is_left = not cell.column or is_text or cell.kind in ("text", "end")
            shift = gap + 9 * cell.indent if is_left else free / 2 if cell.kind == "span" else free
            if line:
                self.pdf.text(x + shift, y, line)
            if cell.mark:
                end = x + shift + self.pdf.get_string_width(line)
                self._font(0.6)
                self.pdf.text(end + 0.5, y - 0.35 * points, cell.mark)
            y += points * 1.2
        self.pdf.set_text_color("#000000")

    def _borders(self, cell: Cell, row: Row, number: int, height: float, drawn: Drawn) -> None:
        x, width = self._extent(cell, drawn)
        top, bottom = self.y, self.y + height
        ends = {"top": (x, top, x + width, top), "bottom": (x, bottom, x + width, bottom),
                "left": (x, top, x, bottom), "right": (x + width, top, x + width, bottom)}  # fmt: skip
        for side, line in borders_of(cell, row, number, drawn, self.look):
            self._line(*ends[side], 2.0 if line == THICK else 0.6)
            if line == DOUBLE:
                start_x, start_y, end_x, end_y = ends[side]
                self._line(start_x, start_y + 1.6, end_x, end_y + 1.6, 0.6)

    def _line(self, x: float, y: float, to_x: float, to_y: float, width: float) -> None:
        self.pdf.set_line_width(width)
        self.pdf.line(x, y, to_x, to_y)
