"""How a document is set: fonts, pages, borders and fills of tables, what its headings look like."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Borders = Literal["full", "rules", "none", "columns", "thick", "sides", "double"]
Fill = Literal["none", "column", "zebra", "head"]
HeadingLook = Literal["bold", "regular", "colored", "small-caps", "centered", "weight only", "space only"]
PageNumber = Literal["foot right", "foot center", "above rule", "head right"]
Sheet = Literal["plain", "turned", "form"]
Renderer = Literal["chromium", "libreoffice", "weasyprint", "reportlab", "tex", "typst", "groff", "fpdf2"]
SIZES: dict[str, tuple[float, ...]] = {
    "bold": (1.8, 1.5, 1.3, 1.15, 1.0),
    "regular": (2.0, 1.6, 1.35, 1.2, 1.1),
    "colored": (1.7, 1.4, 1.2, 1.1, 1.0),
    "small-caps": (1.9, 1.6, 1.4, 1.2, 1.15),
    "centered": (1.6, 1.4, 1.2, 1.1, 1.0),
    "weight only": (1.0, 1.0, 1.0, 1.0, 1.0),
    "space only": (1.0, 1.0, 1.0, 1.0, 1.0),
}
"""The sizes of the levels, in sizes of the text."""
LETTER, A4, TALL = (612, 792), (595, 842), (560, 900)
SHADE, DARK = "#dce6f2", "#1f3b63"


@dataclass(frozen=True)
class Look:
    font: Literal["serif", "sans"] = "serif"
    size: float = 10.0
    borders: Borders = "rules"
    """full: a grid; rules: below the head and above totals; columns: a box with rules between columns only;
    thick: thick rules above and below the head and below the table; sides: a rule at the left and one at the
    right; double: rules, and a double rule below totals."""
    headings: HeadingLook = "bold"
    signs_apart: bool = False
    """`$`, `)` and `%` stand in cells of their own, as filings do it."""
    repeats_labels: bool = True
    """A table that goes on over pages shows its labels on each."""
    outline: bool = False
    tagged: bool = False
    renderer: Renderer = "chromium"
    fill: Fill = "none"
    """column: the first column of amounts is shaded; zebra: every second row; head: white labels on a dark fill."""
    label_size: float = 1.0
    """The size of column labels, in sizes of the text."""
    labels_apart: bool = False
    """The column labels are drawn apart from the table, with a gap between."""
    leaders: bool = False
    """Dots lead from row labels to amounts."""
    is_typewriter: bool = False
    """Tables are set in a monospaced font."""
    is_tight: bool = False
    """Columns of amounts have no room between them."""
    sheet: Sheet = "plain"
    """turned: a page that is drawn on its side and shown upright; form: all that it shows is in a form XObject."""
    page: tuple[int, int] = LETTER
    page_number: PageNumber = "foot right"
    sizes: tuple[float, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", SIZES[self.headings])

    @property
    def family(self) -> str:
        return "Liberation Serif" if self.font == "serif" else "Liberation Sans"

    @property
    def bold(self) -> bool:
        return self.headings in ("bold", "colored", "centered", "weight only")

    @property
    def width(self) -> float:
        """The width of the text, in points."""
        return self.page[0] - 120

    def label_share(self, columns: int) -> float:
        """Return how much of a table's width the row labels take."""
        return 3 / (3 + columns)

    def led(self, label: str, columns: int) -> str:
        """Return the row label with the dots that lead to its amounts."""
        if not self.leaders or not label:
            return label
        room = self.width * self.label_share(columns) / self.size - 2
        widths = (0.6, 0.6) if self.is_typewriter else (0.48, 0.28)
        return f"{label} {'.' * max(0, int((room - widths[0] * len(label)) / widths[1] * 0.92))}".strip()
