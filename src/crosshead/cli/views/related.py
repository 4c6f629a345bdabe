"""Sections that are near a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from crosshead.cli.views.citations import CitationLines
from crosshead.cli.views.layout import fit_path, make_console
from crosshead.types import RelatedSection

INDENT: Final = "    "


def show_related(found: Sequence[RelatedSection], citations: CitationLines) -> None:
    """Print rank, citation, path and how near each section is."""
    console = make_console()
    for rank, each in enumerate(found, 1):
        head = Text.assemble((f"{rank:>2}  ", "dim"), (citations.of(each.chunk), "cyan"), "  ", _nearness(each))
        console.print(head, soft_wrap=True)
        console.print(Text(INDENT).append_text(fit_path(each.chunk.full_path, console.width - len(INDENT))))


def _nearness(section: RelatedSection) -> Text:
    if section.is_copy:
        return Text(f"{section.score:.2f}, copy: {section.shared:.0%} shared", "yellow")
    return Text(f"{section.score:.2f}{', by words' if section.compared == 'words' else ''}", "dim")
