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
    is_total: bool = False
    indent: int = 0


@dataclass(frozen=True)
class Table:
    labels: Sequence[Sequence[Label]]
    """Rows of labels; each row's spans add up to the columns, the first column of row labels left out."""
    rows: Sequence[TableRow]
    corner: str = ""
    """What stands above the row labels."""

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
class Break:
    """A new page; `head` is a line of furniture at its top."""

    head: str = ""


Block = Heading | Paragraph | Items | Code | Table | Boxes | Columns | Break


@dataclass
class Document:
    kind: str
    blocks: list[Block]
    head: str = ""
    foot: str = ""
    cover: list[Block] = field(default_factory=list)
    """What stands on a page of its own in front."""


def flatten(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Columns):
            yield from flatten(block.blocks)
        else:
            yield block


def truth_of(document: Document) -> dict[str, Any]:
    """Return what an extractor should find, ready for JSON."""
    blocks = list(flatten([*document.cover, *document.blocks]))
    return {
        "kind": document.kind,
        "headings": [
            {"text": each.text, "level": each.level, "is_title": each.is_title}
            for each in blocks
            if isinstance(each, Heading)
        ],
        "paragraphs": [f"{each.lead} {each.text}".strip() for each in blocks if isinstance(each, Paragraph)],
        "tables": [_table_truth(each) for each in blocks if isinstance(each, Table)],
        "fields": [list(pair) for each in blocks if isinstance(each, Boxes) for row in each.rows for pair in row],
        "text": "\n".join([text for each in blocks for text in _texts(each)]),
    }


def _table_truth(table: Table) -> dict[str, Any]:
    return {
        "columns": table.chains(),
        "rows": [{"label": row.label, "cells": list(row.cells)} for row in table.rows],
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
            return [block.corner, *labels, *[text for row in block.rows for text in (row.label, *row.cells)]]
        case Boxes():
            return [text for row in block.rows for pair in row for text in pair]
        case _:
            return []
