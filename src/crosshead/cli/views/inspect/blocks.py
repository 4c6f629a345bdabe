"""The blocks of a document as a table."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from crosshead.cli.views.layout import Column, count, fit_right, make_console, print_table, room_beside, span
from crosshead.types import Block, Document

COLUMNS: Final = (
    Column("lines"),
    Column("kind", "cyan", left=True),
    Column("detail", "dim", left=True),
    Column("text", left=True),
)
FIRST_WORDS: Final = 300
"""Characters of a block that are searched for its first words."""
_DELIMITERS: Final = ("```", "~~~", "---", "+++", "$$")


def show_blocks(document: Document) -> None:
    """Print a line per block: a heading's title, or the first words."""
    console = make_console()
    rows = [(span(block.start_line, block.end_line), block.kind, _detail(block)) for block in document.blocks]
    if rows:
        room = room_beside(console.width, [column.name for column in COLUMNS[:-1]], rows)
        texts = (_text(document, block, room) for block in document.blocks)
        print_table(console, COLUMNS, [(*row, text) for row, text in zip(rows, texts, strict=True)])
    console.print(count(len(document.blocks), "block"), style="dim")


def _text(document: Document, block: Block, room: int) -> Text:
    if block.kind == "heading":
        return Text(fit_right(block.title, room), style="bold")
    return Text(fit_right(_first_words(document.text[block.start : min(block.end, block.start + FIRST_WORDS)]), room))


def _detail(block: Block) -> str:
    if block.kind == "heading":
        return f"level {block.level}"
    if block.items:
        return count(len(block.items), "item")
    return fit_right(block.lang if block.closed else f"{block.lang} never closed".strip(), 20)


def _first_words(text: str) -> str:
    """Skip the delimiters that every code block, formula and front matter begins with."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return next((line for line in lines if line and not line.startswith(_DELIMITERS)), lines[0] if lines else "")
