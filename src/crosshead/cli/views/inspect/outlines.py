"""Heading trees, with lines and tokens of each section in two columns on the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import set_cell_size
from rich.text import Text
from rich.tree import Tree

from crosshead.cli.views.layout import fit_left, fit_right, make_console, number, span
from crosshead.markdown import DocumentOutline, Node

MAX_WIDTH: Final = 100
"""On a wide terminal the numbers would be far from their titles."""
LINES_WIDTH: Final = 12
TOKENS_WIDTH: Final = 10
GUIDE_WIDTH: Final = 4


def show_outlines(outlines: Sequence[DocumentOutline]) -> None:
    """Print one tree per document."""
    console = make_console()
    width = min(console.width, MAX_WIDTH)
    for at, each in enumerate(outlines):
        if at:
            console.print()
        else:
            console.print(_columns("", width, "lines", "tokens"), style="dim")
        tree = Tree(_label(fit_left(each.source, width), each.root, width, "bold cyan"), guide_style="dim")
        _add_children(tree, each.root, width - GUIDE_WIDTH)
        console.print(tree)


def _add_children(tree: Tree, node: Node, width: int) -> None:
    for child in node.children:
        _add_children(tree.add(_label(child.title or "(no title)", child, width)), child, width - GUIDE_WIDTH)


def _label(title: str, node: Node, width: int, style: str = "") -> Text:
    lines = span(node.start_line, node.end_line)
    return _columns(title, width, lines, number(node.token_count), style)


def _columns(title: str, width: int, lines: str, tokens: str, style: str = "") -> Text:
    """Return a title with its numbers; deeper titles have less room."""
    room = width - LINES_WIDTH - TOKENS_WIDTH
    return Text.assemble(
        (set_cell_size(fit_right(title, room), room), style),
        (f"{lines:>{LINES_WIDTH}}", "dim"),
        f"{tokens:>{TOKENS_WIDTH}}",
        no_wrap=True,
    )
