"""Draws small PDFs for the tests."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence

from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from crosshead.formats.base import Extracted
from crosshead.formats.pdf import read_pdf
from crosshead.options import ExtractOptions

LEFT, TOP, RIGHT = 72, 760, 520
BODY, BOLD, MONO = "Helvetica", "Helvetica-Bold", "Courier"
PROSE = (
    "Every section of a document has a purpose, and a reader who knows the purpose finds the place again. "
    "That is why the structure must survive when the text is taken out of the page on which it was set. "
)


class Sheet:
    """Draws from top to bottom."""

    def __init__(self, canvas: Canvas, left: float = LEFT) -> None:
        self.canvas = canvas
        self.left = left
        self.y = float(TOP)

    def line(self, text: str, font: str = BODY, size: float = 10, indent: float = 0, gap: float = 1.2) -> None:
        """Draw a line."""
        self.y -= gap * size
        self.canvas.setFont(font, size)
        self.canvas.drawString(self.left + indent, self.y, text)

    def heading(self, text: str, size: float = 16, font: str = BOLD) -> None:
        """Draw a heading with room around it."""
        self.y -= 10
        self.line(text, font, size)
        self.y -= 6

    def paragraph(self, text: str = PROSE, width: float = RIGHT - LEFT, size: float = 10, indent: float = 0) -> None:
        """Draw a paragraph, broken into lines, with room after it."""
        for line in wrap(self.canvas, text, width - indent, size):
            self.line(line, size=size, indent=indent)
        self.y -= 8

    def item(self, marker: str, text: str, indent: float = 10, width: float = RIGHT - LEFT) -> None:
        """Draw an item of a list; its lines stand beside its mark."""
        for number, line in enumerate(wrap(self.canvas, text, width - indent - 25, 10)):
            self.line(line, indent=indent + 25)
            if not number:
                self.canvas.drawString(self.left + indent, self.y, marker)

    def row(self, cells: Sequence[str], xs: Sequence[float], font: str = BODY, pitch: float = 16) -> None:
        """Draw cells side by side."""
        self.y -= pitch
        self.canvas.setFont(font, 10)
        for cell, x in zip(cells, xs, strict=True):
            self.canvas.drawString(x, self.y, cell)

    def grid(self, rows: Sequence[Sequence[str]], xs: Sequence[float], pitch: float = 18) -> None:
        """Draw a table with borders; `xs` are the places of the vertical ones."""
        top = self.y
        for row in rows:
            self.row(row, [x + 4 for x in xs[:-1]], pitch=pitch)
        bottom = self.y - 5
        for x in xs:
            self.canvas.line(x, top, x, bottom)
        for number in range(len(rows) + 1):
            y = top - number * pitch - (5 if number else 0)
            self.canvas.line(xs[0], y, xs[-1], y)
        self.y = bottom - 10


def wrap(canvas: Canvas, text: str, width: float, size: float) -> list[str]:
    """Break a text into lines."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if canvas.stringWidth(longer, BODY, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


Draw = Callable[[Sheet], None]


def build(*pages: Draw, title: str = "", password: str | None = None, user_password: str = "") -> bytes:
    """Return a PDF with these pages."""
    out = io.BytesIO()
    encrypt = StandardEncryption(user_password, password, strength=128) if password else None
    canvas = Canvas(out, encrypt=encrypt)
    if title:
        canvas.setTitle(title)
    for draw in pages:
        draw(Sheet(canvas))
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def bookmark(sheet: Sheet, title: str, level: int = 0) -> None:
    """Add an entry to the outline that points to where the sheet is."""
    key = f"{title}{sheet.y}{sheet.canvas.getPageNumber()}"
    sheet.canvas.bookmarkHorizontalAbsolute(key, sheet.y)
    sheet.canvas.addOutlineEntry(title, key, level)


def read(*pages: Draw) -> Extracted:
    """Build a PDF and read it."""
    return read_pdf(build(*pages), ExtractOptions())


def text_of(*pages: Draw) -> str:
    """Build a PDF and return its Markdown."""
    return read(*pages).text


def lines_of(texts: Iterable[str]) -> Draw:
    """Return a page with these lines."""

    def draw(sheet: Sheet) -> None:
        for text in texts:
            sheet.line(text)

    return draw


def table(text: str) -> list[list[str]]:
    rows = [line for line in text.split("\n") if line.startswith("|") and "---" not in line]
    return [[cell.strip() for cell in row[1:-1].split("|")] for row in rows]


def headings(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("#")]
