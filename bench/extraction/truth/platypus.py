"""Documents -> PDF by reportlab."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .cells import Cell, Drawn, Row, draw
from .look import DARK, SHADE, Look
from .model import Beside, Block, Boxes, Break, Code, Columns, Contents, Document, Heading, Items, Paragraph, Table

if TYPE_CHECKING:
    from .plan import Planned

_SPACES = str.maketrans({"\u202f": "\u00a0", "\u2009": "\u00a0"})
"""The standard fonts lack narrow spaces."""
_FONTS = {
    "serif": ("Times-Roman", "Times-Bold"),
    "sans": ("Helvetica", "Helvetica-Bold"),
    "mono": ("Courier", "Courier-Bold"),
}


def print_all(documents: Sequence[Planned], folder: Path) -> None:
    from reportlab.platypus import SimpleDocTemplate

    for each in documents:
        look = each.look
        template = SimpleDocTemplate(
            str(folder / f"{each.name}.pdf"),
            pagesize=look.page, leftMargin=54, rightMargin=54, topMargin=62, bottomMargin=62,
        )  # fmt: skip
        furniture = _Furniture(each.document, look)
        story = _Story(look).flow([*each.document.cover, *each.document.blocks], look.width)
        template.build(story, onFirstPage=furniture, onLaterPages=furniture)


class _Furniture:
    """Draws the running head, the foot and the page number."""

    def __init__(self, document: Document, look: Look) -> None:
        self.document = document
        self.look = look

    def __call__(self, canvas: Any, _: Any) -> None:
        width, height = self.look.page
        number, at = str(canvas.getPageNumber()), self.look.page_number
        canvas.saveState()
        canvas.setFont(_FONTS[self.look.font][0], 7.5)
        canvas.drawString(60, height - 36, self.document.head)
        if at == "foot center":
            canvas.drawCentredString(width / 2, 34, number)
        elif at == "head right":
            canvas.drawRightString(width - 60, height - 36, number)
        else:
            canvas.drawString(60, 34, self.document.foot)
            canvas.drawRightString(width - 60, 34, number)
        if at == "above rule":
            canvas.line(60, 30, width - 60, 30)
        canvas.restoreState()


class _Story:
    """Turns blocks into flowables of reportlab."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.regular, self.bold = _FONTS[look.font]

    def flow(self, blocks: Sequence[Block], width: float) -> list[Any]:
        return [flowable for block in blocks for flowable in self._block(block, width)]

    def _block(self, block: Block, width: float) -> list[Any]:
        from reportlab.platypus import BalancedColumns, PageBreak, Preformatted, Spacer

        match block:
            case Heading():
                return [self._heading(block)]
            case Paragraph():
                lead = f"<b>{escape(block.lead)}</b> " if block.lead else ""
                return [self._text(lead + escape(block.text), size=0.85 if block.is_small else 1.0)]
            case Items():
                bullets = [f"{n}." if block.is_ordered else "•" for n in range(1, len(block.texts) + 1)]
                pairs = zip(block.texts, bullets, strict=True)
                return [self._text(escape(text), bullet=bullet) for text, bullet in pairs]
            case Code():
                return [Preformatted("\n".join(block.lines), self._style(font="Courier"))]
            case Columns():
                return [BalancedColumns(self.flow(block.blocks, width / 2 - 9), nCols=2, innerPadding=18)]
            case Break():
                return [PageBreak(), *([self._text(f"<b>{escape(block.head)}</b>")] if block.head else [])]
            case Table():
                return [*self._titles(block), *self._table(block, width), Spacer(1, 10)]
            case Beside():
                return [self._beside(block, width), Spacer(1, 10)]
            case Contents():
                return self._contents(block, width)
            case Boxes():
                raise NotImplementedError("forms are printed by other renderers")

    def _heading(self, heading: Heading) -> Any:
        size = self.look.sizes[heading.level - 1]
        color = "#1a4d8f" if self.look.headings == "colored" else "#000000"
        style = self._style(size=size, font=self.bold if self.look.bold else self.regular, before=12, textColor=color,
                            keepWithNext=1, alignment=int(self.look.headings == "centered"))  # fmt: skip
        return self._paragraph(escape(heading.text), style)

    def _style(self, *, size: float = 1.0, font: str = "", before: float = 0, after: float = 6, **more: Any) -> Any:
        from reportlab.lib.styles import ParagraphStyle

        points = size * self.look.size
        return ParagraphStyle(
            "any", fontName=font or self.regular, fontSize=points, leading=1.25 * points, spaceBefore=before,
            spaceAfter=after, **more,
        )  # fmt: skip

    def _text(self, text: str, *, size: float = 1.0, bullet: str = "") -> Any:
        style = self._style(size=size, leftIndent=16 if bullet else 0, bulletIndent=4)
        return self._paragraph(text, style, bullet)

    def _paragraph(self, text: str, style: Any, bullet: str = "") -> Any:
        from reportlab.platypus import Paragraph as Flowable

        return Flowable(text.translate(_SPACES), style, bulletText=bullet or None)

    def _titles(self, table: Table) -> list[Any]:
        style = self._style(font=self.bold, alignment=1, after=1, keepWithNext=1)
        return [self._paragraph(escape(line), style) for line in table.title]

    def _contents(self, contents: Contents, width: float) -> list[Any]:
        from reportlab.platypus import Table as Flowable

        entries = zip(contents.entries, contents.places, strict=True)
        rows = [["    " * (entry.level - 2) + entry.text, str(place)] for entry, place in entries]
        font = ("FONT", (0, 0), (-1, -1), self.regular, self.look.size)
        title = self._paragraph(f"<b>{escape(contents.title)}</b>", self._style(alignment=1))
        return [title, Flowable(rows, [width - 60, 60], style=[font, ("ALIGN", (1, 0), (1, -1), "RIGHT")])]

    def _beside(self, beside: Beside, width: float) -> Any:
        from reportlab.platypus import Table as Flowable

        half = width * 0.47
        left, right = ([*self._titles(each), *self._table(each, half)] for each in (beside.left, beside.right))
        pair = [left, "", right]
        tight = [(side, (0, 0), (-1, -1), 0) for side in ("LEFTPADDING", "RIGHTPADDING")]
        return Flowable([pair], [half, width * 0.06, half], style=[*tight, ("VALIGN", (0, 0), (-1, -1), "TOP")])

    def _table(self, table: Table, width: float) -> list[Any]:
        from reportlab.platypus import Spacer

        drawn = draw(table, self.look)
        if not self.look.labels_apart:
            return [self._drawn(drawn, width, drawn.heads if self.look.repeats_labels else 0)]
        parts = [
            Drawn([row for row in drawn.rows if row.is_head is is_head], drawn.shares) for is_head in (True, False)
        ]
        head, body = (self._drawn(part, width, 0) for part in parts)
        return [head, Spacer(1, 5), body]

    def _drawn(self, drawn: Drawn, width: float, repeat: int) -> Any:
        from reportlab.platypus import Table as Flowable

        rows = [self._row(row, len(drawn.shares)) for row in drawn.rows]
        styles = [*self._fonts(drawn), *_lines(drawn, self.look), *_fills(drawn, self.look)]
        return Flowable(rows, [share * width for share in drawn.shares], style=styles, repeatRows=repeat)

    def _row(self, row: Row, columns: int) -> list[Any]:
        cells: list[Any] = [""] * columns
        for cell in row.cells:
            cells[cell.column] = self._cell(cell, row)
        return cells

    def _cell(self, cell: Cell, row: Row) -> Any:
        regular, bold = _FONTS["mono" if self.look.is_typewriter else self.look.font]
        font = bold if row.is_total or row.is_head else regular
        size = self.look.label_size if row.is_head else 1.0
        if (cell.kind in ("label", "group", "text") and not row.is_head) or cell.mark:
            mark = f"<super>{escape(cell.mark)}</super>" if cell.mark else ""
            align = 2 if cell.kind == "amount" else 0
            style = self._style(size=size, font=font, after=0, leftIndent=9 * cell.indent, alignment=align)
            return self._paragraph(escape(cell.text).replace("\n", "<br/>") + mark, style)
        return cell.text.translate(_SPACES)

    def _fonts(self, drawn: Drawn) -> list[tuple[Any, ...]]:
        regular, bold = _FONTS["mono" if self.look.is_typewriter else self.look.font]
        styles: list[tuple[Any, ...]] = [
            ("FONT", (0, 0), (-1, -1), regular, self.look.size), ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
            ("VALIGN", (0, 0), (-1, -1), "BOTTOM"), ("TOPPADDING", (0, 0), (-1, -1), 1.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
        ]  # fmt: skip
        if self.look.signs_apart:
            styles += [(side, (1, 0), (-1, -1), 0.5) for side in ("LEFTPADDING", "RIGHTPADDING")]
        for number, row in enumerate(drawn.rows):
            if row.is_head or row.is_total:
                size = self.look.size * (self.look.label_size if row.is_head else 1)
                styles.append(("FONT", (0, number), (-1, number), bold, size))
                styles.append(("LEADING", (0, number), (-1, number), 1.2 * size))
            for cell in row.cells:
                if cell.span > 1:
                    styles.append(("SPAN", (cell.column, number), (cell.column + cell.span - 1, number)))
                if cell.kind == "span":
                    styles.append(("ALIGN", (cell.column, number), (cell.column, number), "CENTER"))
                if cell.kind == "end" or (cell.kind == "head" and _is_text(drawn, cell.column)):
                    styles.append(("ALIGN", (cell.column, number), (cell.column, number), "LEFT"))
        return styles


def _is_text(drawn: Drawn, column: int) -> bool:
    return any(cell.kind == "text" and cell.column == column for row in drawn.rows for cell in row.cells)


def _lines(drawn: Drawn, look: Look) -> list[tuple[Any, ...]]:
    everywhere, black = ((0, 0), (-1, -1)), "#000000"
    last = drawn.heads - 1
    below = [("LINEBELOW", (1, last), (-1, last), 0.7, black)] if drawn.heads else []
    totals = [number for number, row in enumerate(drawn.rows) if row.is_total]
    above = [("LINEABOVE", (1, number), (-1, number), 0.7, black) for number in totals]
    match look.borders:
        case "full":
            return [("GRID", *everywhere, 0.7, black)]
        case "rules":
            return [*below, *above]
        case "double":
            return [
                *below,
                *above,
                *[("LINEBELOW", (1, n), (-1, n), 0.5, black, None, None, None, 2, 1) for n in totals],
            ]
        case "columns":
            rules = [("LINEBEFORE", (column, 0), (column, -1), 0.7, black) for column in drawn.starts]
            return [("BOX", *everywhere, 0.7, black), *rules, ("LINEBELOW", (0, last), (-1, last), 0.7, black)]
        case "thick":
            thick = [("LINEABOVE", (0, 0)), ("LINEBELOW", (0, last)), ("LINEBELOW", (0, -1))]
            return [(name, start, (-1, start[1]), 2, black) for name, start in thick]
        case "sides":
            return [(name, (at, 0), (at, -1), 0.7, black) for name, at in (("LINEBEFORE", 0), ("LINEAFTER", -1))]
        case "none":
            return []


def _fills(drawn: Drawn, look: Look) -> list[tuple[Any, ...]]:
    match look.fill:
        case "zebra":
            return [("BACKGROUND", (0, n), (-1, n), SHADE) for n in range(drawn.heads + 1, len(drawn.rows), 2)]
        case "head" if drawn.heads:
            rows = (0, 0), (-1, drawn.heads - 1)
            return [("BACKGROUND", *rows, DARK), ("TEXTCOLOR", *rows, "#ffffff")]
        case "column":
            cells = [(n, cell) for n, row in enumerate(drawn.rows) for cell in row.cells if cell.is_current]
            return [("BACKGROUND", (c.column, n), (c.column + c.span - 1, n), SHADE) for n, c in cells]
        case _:
            return []
