"""Tables as rows of placed cells, for renderers that draw them by column numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from .look import DARK, SHADE, Look
from .model import Table, TableRow, current_column

LINE, THICK, DOUBLE = "0.7pt solid #000000", "2pt solid #000000", "2.2pt double #000000"
SIGNS = re.compile(r"(\$?)(.*?)([)%]*)")
Kind = Literal["label", "group", "head", "span", "amount", "end", "text"]
"""`end` is what follows an amount in a cell apart."""


class Cell(NamedTuple):
    column: int
    span: int
    text: str
    kind: Kind
    is_current: bool = False
    """In the shaded column of the current year."""
    mark: str = ""
    indent: int = 0


class Row(NamedTuple):
    cells: list[Cell]
    is_head: bool = False
    is_total: bool = False


class Drawn(NamedTuple):
    """A table with its columns as they are drawn."""

    rows: list[Row]
    shares: list[float]
    """The width of every column; they add up to 1."""

    @property
    def heads(self) -> int:
        return sum(row.is_head for row in self.rows)

    @property
    def starts(self) -> list[int]:
        """The columns that a reader sees begin here; where signs stand apart these are fewer than the drawn ones."""
        return sorted(
            {cell.column for row in self.rows for cell in row.cells if cell.kind in ("label", "span", "head")}
        )


def draw(table: Table, look: Look) -> Drawn:
    """Return the rows of labels and the rows of amounts."""
    columns = len(table.chains())
    parts = (0.2, 0.65, 0.15) if look.signs_apart else (1.0,)
    label = look.label_share(columns)
    shares = [label, *[part * (1 - label) / columns for part in parts] * columns]
    now = current_column(table)
    return Drawn([*_heads(table, len(parts), now), *[_row(row, columns, now, look) for row in table.rows]], shares)


def kind_of(cell: str) -> Kind:
    return "text" if cell[:1].isalpha() or cell[:1] == "•" else "amount"


def _heads(table: Table, width: int, now: int) -> Iterator[Row]:
    for number, row in enumerate(table.labels, 1):
        is_last = number == len(table.labels)
        cells = [Cell(0, 1, table.corner if is_last else "", "label")]
        column = 0
        for label in row:
            kind: Kind = "span" if label.span > 1 else "head"
            current = is_last and column == now
            cells.append(Cell(1 + column * width, label.span * width, label.text, kind, current))
            column += label.span
        yield Row(cells, is_head=True)


def _row(row: TableRow, columns: int, now: int, look: Look) -> Row:
    width = 3 if look.signs_apart else 1
    if not row.cells:
        blank = [Cell(1 + place * width, width, "", "amount", place == now) for place in range(columns)]
        return Row([Cell(0, 1, row.label, "group"), *blank])
    cells = [Cell(0, 1, look.led(row.label, columns), "label", indent=row.indent)]
    for place, text in enumerate(row.cells):
        column, mark, current = 1 + place * width, row.mark(place), place == now
        if width == 1 or kind_of(text) == "text":
            cells.append(Cell(column, width, text, kind_of(text), current, mark))
            continue
        match = SIGNS.fullmatch(text)
        assert match
        for offset, part in enumerate(match.groups()):
            is_end = offset == 2
            cells.append(Cell(column + offset, 1, part, "end" if is_end else "amount", current, mark if is_end else ""))
    return Row(cells, is_total=row.is_total)


def borders_of(cell: Cell, row: Row, number: int, drawn: Drawn, look: Look) -> list[tuple[str, str]]:
    """Return the sides of a cell that have a line, and the line as CSS writes it."""
    is_last_head, is_last = number == drawn.heads - 1, number == len(drawn.rows) - 1
    sides: dict[str, str] = {}
    match look.borders:
        case "full":
            sides = dict.fromkeys(("top", "bottom", "left", "right"), LINE)
        case "rules" | "double" if cell.column:
            if is_last_head or (row.is_total and look.borders == "double"):
                sides["bottom"] = LINE if is_last_head else DOUBLE
            if row.is_total:
                sides["top"] = LINE
        case "columns":
            sides |= {"left": LINE} if cell.column in drawn.starts else {}
            sides |= {"top": LINE} if not number else {}
            sides |= {"bottom": LINE} if is_last_head or is_last else {}
            sides |= {"right": LINE} if cell.column + cell.span == len(drawn.shares) else {}
        case "thick":
            sides |= {"top": THICK} if not number and drawn.heads else {}
            sides |= {"bottom": THICK} if is_last_head or is_last else {}
        case "sides":
            sides |= {"left": LINE} if not cell.column else {}
            sides |= {"right": LINE} if cell.column + cell.span == len(drawn.shares) else {}
    return list(sides.items())


def fill_of(cell: Cell, row: Row, number: int, look: Look) -> str:
    """Return the color behind a cell in this row of the body, or nothing."""
    if row.is_head and look.fill == "head":
        return DARK
    is_shaded = cell.is_current if look.fill == "column" else look.fill == "zebra" and number > 0 and number % 2 == 1
    return SHADE if is_shaded else ""
