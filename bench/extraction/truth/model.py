"""What a document of known truth is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Heading:
    text: str
    level: int
    is_title: bool = False
    """The title of the whole document: nothing stands above it, its level is free otherwise."""


@dataclass(frozen=True)
class Paragraph:
    text: str
    lead: str = ""
    """A bold phrase that opens it and is no heading."""
    is_small: bool = False
    is_boxed: bool = False
    has_drop_cap: bool = False


@dataclass(frozen=True)
class Items:
    texts: Sequence[str]
    is_ordered: bool = False


@dataclass(frozen=True)
class Code:
    lines: Sequence[str]


@dataclass(frozen=True)
class Label:
    """A label above one or several columns."""

    text: str
    span: int = 1


@dataclass(frozen=True)
class TableRow:
    """A row; one without cells names the group of rows below it."""

    label: str
    cells: Sequence[str] = ()
    """A newline in a cell starts a new line."""
    is_total: bool = False
    indent: int = 0
    marks: Sequence[str] = ()
    """Footnote marks behind the cells, raised."""

    def mark(self, column: int) -> str:
        return self.marks[column] if column < len(self.marks) else ""


@dataclass(frozen=True)
class Table:
    labels: Sequence[Sequence[Label]]
    """Rows of labels; each row's spans add up to the columns, the first column of row labels left out."""
    rows: Sequence[TableRow]
    corner: str = ""
    """What stands above the row labels."""
    title: Sequence[str] = ()
    """Lines above the table: what it shows, and in which unit."""

    def chains(self) -> list[list[str]]:
        """Return the labels above each column, from the top down."""
        chains: list[list[str]] = [[] for _ in self.rows_of_cells()[0].cells]
        for row in self.labels:
            column = 0
            for label in row:
                for chain in chains[column : column + label.span]:
                    if label.text:
                        chain.append(label.text)
                column += label.span
        return chains

    def rows_of_cells(self) -> list[TableRow]:
        return [row for row in self.rows if row.cells]

    def grid(self) -> list[list[tuple[str, int]]]:
        """Return the text of every cell and how many columns it spans, the rows of labels first."""
        last = len(self.labels) - 1
        heads = [
            [(self.corner if number == last else "", 1), *[(label.text, label.span) for label in row]]
            for number, row in enumerate(self.labels)
        ]
        blank = [""] * len(self.chains())
        return heads + [[(text, 1) for text in (row.label, *(row.cells or blank))] for row in self.rows]


def current_column(table: Table) -> int:
    """Return the first column of amounts; one of note numbers may be in front of it."""
    first = table.rows_of_cells()[0]
    return next((number for number, cell in enumerate(first.cells) if len(cell) > 2), 0)


@dataclass(frozen=True)
class Boxes:
    """Fields of a form, in rows of boxes: a label above its value in each box."""

    rows: Sequence[Sequence[tuple[str, str]]]
    is_stacked: bool = False
    """A row is two boxes instead: all of its labels, and all of its values beside them."""


@dataclass(frozen=True)
class Columns:
    """Blocks that are set in two columns."""

    blocks: Sequence[Block]


@dataclass(frozen=True)
class Beside:
    """Two tables side by side."""

    left: Table
    right: Table


@dataclass(frozen=True)
class Contents:
    """The table of contents; `places` are the page numbers that it shows."""

    title: str
    entries: Sequence[Heading]
    places: Sequence[int]


@dataclass(frozen=True)
class Break:
    """A new page; `head` is a line of furniture at its top."""

    head: str = ""


Block = Heading | Paragraph | Items | Code | Table | Boxes | Columns | Beside | Contents | Break


@dataclass
class Document:
    kind: str
    blocks: list[Block]
    head: str = ""
    foot: str = ""
    cover: list[Block] = field(default_factory=list)
    """What stands on a page of its own in front."""
    language: str = "en"


def flatten(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Columns):
            yield from flatten(block.blocks)
        elif isinstance(block, Beside):
            yield from (block.left, block.right)
        else:
            yield block


def truth_of(document: Document) -> dict[str, Any]:
    """Return what an extractor should find, ready for JSON."""
    blocks = list(flatten([*document.cover, *document.blocks]))
    return {
        "kind": document.kind,
        "furniture": [text for text in (document.head, document.foot) if text],
        "headings": [
            {"text": each.text, "level": each.level, "is_title": each.is_title}
            for each in blocks
            if isinstance(each, Heading)
        ],
        "optional headings": [text for each in blocks for text in _optional_headings(each)],
        "paragraphs": [f"{each.lead} {each.text}".strip() for each in blocks if isinstance(each, Paragraph)],
        "tables": [_table_truth(each) for each in blocks if isinstance(each, Table)],
        "fields": [list(pair) for each in blocks if isinstance(each, Boxes) for row in each.rows for pair in row],
        "outline": _outline(blocks),
        "text": "\n".join([text for each in blocks for text in _texts(each)]),
    }


def _outline(blocks: Sequence[Block]) -> list[tuple[int, str]]:
    """Return headings with their levels and, at level 0, the text between them."""
    outline: list[tuple[int, str]] = []
    for block in blocks:
        text = " ".join([text for text in _texts(block) if text])
        if isinstance(block, Heading):
            outline.append((block.level, text))
        elif text and outline and not outline[-1][0]:
            outline[-1] = (0, f"{outline[-1][1]} {text}")
        elif text:
            outline.append((0, text))
    return outline


def _optional_headings(block: Block) -> list[str]:
    """Return lines that a reader may take for headings, or not."""
    match block:
        case Contents():
            return [block.title]
        case Table():
            return list(block.title)
        case _:
            return []


def _table_truth(table: Table) -> dict[str, Any]:
    return {
        "columns": table.chains(),
        "rows": [{"label": row.label, "cells": list(row.cells), "marks": list(row.marks)} for row in table.rows],
        "grid": table.grid(),
    }


def _texts(block: Block) -> list[str]:
    match block:
        case Heading():
            return [block.text]
        case Paragraph():
            return [f"{block.lead} {block.text}".strip()]
        case Items():
            return list(block.texts)
        case Code():
            return list(block.lines)
        case Table():
            labels = [label.text for row in block.labels for label in row]
            cells = [text for row in block.rows for text in (row.label, *_marked(row))]
            return [*block.title, block.corner, *labels, *cells]
        case Contents():
            entries = zip(block.entries, block.places, strict=True)
            return [block.title, *[f"{entry.text} {place}" for entry, place in entries]]
        case Boxes():
            return [text for row in block.rows for pair in row for text in pair]
        case _:
            return []


def _marked(row: TableRow) -> list[str]:
    return [f"{cell} {row.mark(column)}".strip() for column, cell in enumerate(row.cells)]
