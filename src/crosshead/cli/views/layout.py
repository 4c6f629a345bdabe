"""Shared by the views: the console, tables, numbers, shortened texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import wrap
from typing import Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from crosshead.cli.terminal.output import one_line

Cell = str | Text

ELLIPSIS: Final = "…"
SEPARATOR: Final = " > "
DOT: Final = " · "
GAP: Final = 2
"""Blank columns between two columns of a table."""
ROWS_AT_ONCE: Final = 100
MIN_ROOM: Final = 16
"""A narrower path would be useless; the table is then wider than the terminal."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Raise instead of exiting with 1, as Rich does: here, 1 means a failed check."""
        raise BrokenPipeError


def make_console(*, stderr: bool = False) -> Console:
    """Return a console that prints text of documents as it is: no markup, no emoji codes."""
    return _Console(stderr=stderr, markup=False, emoji=False, highlight=False)


class Column(NamedTuple):
    """A column of a table; numbers are aligned to the right."""

    name: str
    style: str = ""
    left: bool = False


def print_table(
    console: Console, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], *, header: bool = True
) -> None:
    """Print rows as wide as they need to be; only cells of the last column may have several lines.

    A Rich table takes seconds for thousands of rows, and pads every line with spaces.
    """
    names, whole = [column.name for column in columns], not console.is_terminal  # a file has no width
    widths = [max(map(_width, cells)) for cells in zip(names, *rows, strict=True)]
    if header:
        console.print(_table_line(columns, widths, names), style="dim", no_wrap=True, soft_wrap=whole)
    for first in range(0, len(rows), ROWS_AT_ONCE):
        lines = (_table_line(columns, widths, row) for row in rows[first : first + ROWS_AT_ONCE])
        console.print(Text("\n").join(lines), no_wrap=True, soft_wrap=whole)


def _table_line(columns: Sequence[Column], widths: Sequence[int], row: Sequence[Cell]) -> Text:
    line = Text()
    for column, width, cell in zip(columns[:-1], widths[:-1], row[:-1], strict=True):
        blank = " " * (width - _width(cell))
        line.append("" if column.left else blank)
        if isinstance(cell, str):
            line.append(cell, style=column.style)
        else:
            line.append_text(cell)
        line.append(blank + " " * GAP if column.left else " " * GAP)
    blank = "" if columns[-1].left else " " * (widths[-1] - _width(row[-1]))
    last = Text(blank).append_text(Text(row[-1], style=columns[-1].style) if isinstance(row[-1], str) else row[-1])
    hanging = Text("\n" + " " * (sum(widths[:-1]) + GAP * len(widths[:-1])))
    return line.append_text(hanging.join(last.split("\n")))


def _width(cell: Cell) -> int:
    return cell_len(cell if isinstance(cell, str) else cell.plain)


def print_hanging(console: Console, text: Text, indent: str) -> None:
    """Print a text behind an indent; on a terminal its lines are wrapped, and all begin below each other."""
    lines = text.wrap(console, max(console.width - len(indent), MIN_ROOM)) if console.is_terminal else text.split("\n")
    for line in lines:
        console.print(Text(indent).append_text(line), soft_wrap=True)


def wrapped(text: str, width: int) -> str:
    """Return a text of lines with at most this width."""
    return "\n".join(part for line in text.split("\n") for part in wrap(line, width, break_on_hyphens=False) or [""])


def room_beside(width: int, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Return the width that is left for one more column beside these."""
    taken = sum(max(len(name), *(len(row[at]) for row in rows)) + GAP for at, name in enumerate(columns))
    return max(width - taken, MIN_ROOM)


def number(value: float) -> str:
    """Return a number with thousands separated, and a decimal only if it is not whole."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def unless_zero(amount: int) -> str:
    """Return a number, or an empty text for 0."""
    return number(amount) if amount else ""


def percent(share: float) -> str:
    """Return a share as a percentage, rounded down so that only 1 becomes 100 %."""
    hundredths = math.floor(share * 10_000 + 1e-6)
    return f"{hundredths / 100:.4g}%"


def count(amount: int, noun: str, plural: str = "") -> str:
    """Return an amount with its noun, as in "2 chunks"."""
    return f"{number(amount)} {noun if amount == 1 else plural or f'{noun}s'}"


def span(first: int, last: int) -> str:
    """Return a range of lines, as in "12-40" or "12"."""
    return f"{first}-{last}" if last > first else f"{first}"


def mean_fill(sizes: Sequence[int], target_tokens: int) -> str:
    """Return the mean size as a share of the target."""
    return f"{sum(sizes) / len(sizes) / target_tokens:.0%}" if sizes else ""


def fit_right(text: str, width: int) -> str:
    """Shorten a text at its end."""
    text = one_line(text)
    return text if cell_len(text) <= width else set_cell_size(text, max(width - 1, 0)).rstrip() + ELLIPSIS


def fit_left(text: str, width: int) -> str:
    """Shorten a file's path at its beginning: the name says more than the folder."""
    text = one_line(text)
    if cell_len(text) <= width:
        return text
    while text and cell_len(text) >= width:
        text = text[1:]
    return ELLIPSIS + text


def fit_path(titles: Sequence[str], width: int) -> Text:
    """Shorten a breadcrumb from the left, title by title; the last one is cut, but never dropped."""
    titles = [one_line(title) for title in titles]
    for skipped in range(len(titles)):
        above = [ELLIPSIS, *titles[skipped:-1]] if skipped else titles[:-1]
        lead = "".join(title + SEPARATOR for title in above)
        if cell_len(lead) + cell_len(titles[-1]) <= width:
            return Text.assemble((lead, "dim"), titles[-1])
    lead = ELLIPSIS + SEPARATOR if len(titles) > 1 else ""
    return Text.assemble((lead, "dim"), fit_right(titles[-1], width - len(lead)))
