"""crosshead show: a chunk or a section of an index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from crosshead.cli.flags import AsJson, IndexFolder
from crosshead.cli.output import print_error, write_json
from crosshead.cli.program import CHECK_FAILED
from crosshead.options import DEFAULT_LOCATION

if TYPE_CHECKING:
    from crosshead.index import Index
    from crosshead.types import Chunk, Passage

Id = Annotated[
    str, typer.Argument(metavar="ID", help="Id of a chunk or section, as `crosshead search --json` prints it.")
]
Parent = Annotated[
    bool,
    typer.Option(
        "--parent",
        metavar="",
        help="Show its parent instead: the enclosing section, or the chunk that opens it.",
    ),
]
Siblings = Annotated[
    bool,
    typer.Option(
        "--siblings",
        metavar="",
        help="Show its siblings instead: other parts of its section, or the chunks that open the sections next to it.",
    ),
]


def show(
    id: Id,
    location: IndexFolder = DEFAULT_LOCATION,
    parent: Parent = False,
    siblings: Siblings = False,
    as_json: AsJson = False,
) -> None:
    """Show a chunk or a section by its id."""
    from crosshead.index import Index

    with Index(location, create=False) as index:
        texts = _relatives(index, id, parent=parent, siblings=siblings) if parent or siblings else _lookup(index, id)
    if not texts:
        missing = "no parent or siblings of" if parent or siblings else "no chunk or section with id"
        print_error(f"{missing} {id}; crosshead search --json prints ids")
        raise typer.Exit(CHECK_FAILED)
    if as_json:
        write_json(*(text.to_json() for text in texts))
    else:
        from crosshead.cli.views.hits import show_texts

        show_texts(texts)


def _lookup(index: Index, id: str) -> list[Chunk | Passage]:
    text = index.chunk(id) or index.section(id)
    return [text] if text else []


def _relatives(index: Index, id: str, *, parent: bool, siblings: bool) -> list[Chunk | Passage]:
    section = index.section(id) if parent else None
    enclosing = index.section(section.parent_section_id or "") if section else index.parent(id) if parent else None
    return [*([enclosing] if enclosing else []), *(index.siblings(id) if siblings else [])]
