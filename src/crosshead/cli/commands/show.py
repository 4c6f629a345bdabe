"""crosshead show: a chunk or a section of an index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from crosshead.cli.default_index import DEFAULT_INDEX
from crosshead.cli.flags import AsJson, IndexFolder
from crosshead.cli.output import print_error, write_json
from crosshead.cli.program import CHECK_FAILED

if TYPE_CHECKING:
    from crosshead.index import Index
    from crosshead.types import Chunk, Passage

Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a chunk or of a section.")]
Parent = Annotated[
    bool,
    typer.Option(
        "--parent",
        metavar="",
        help="Show what is around instead: the section around a section, or the chunk that opens it.",
    ),
]
Siblings = Annotated[
    bool,
    typer.Option(
        "--siblings",
        metavar="",
        help="Show what is beside it: other parts of the section, or the chunks that open the sections beside it.",
    ),
]


def show(
    id: Id,
    location: IndexFolder = DEFAULT_INDEX,
    parent: Parent = False,
    siblings: Siblings = False,
    as_json: AsJson = False,
) -> None:
    """Show a chunk or a whole section by its id."""
    from crosshead.index import Index

    with Index(location, create=False) as index:
        found = _around(index, id, parent=parent, siblings=siblings) if parent or siblings else _at(index, id)
    if not found:
        what = "nothing around" if parent or siblings else "no chunk and no section with the id"
        print_error(f"{what} {id}: crosshead search --json shows ids")
        raise typer.Exit(CHECK_FAILED)
    if as_json:
        write_json(*(each.to_json() for each in found))
    else:
        from crosshead.cli.views.hits import show_texts

        show_texts(found)


def _at(index: Index, id: str) -> list[Chunk | Passage]:
    found = index.chunk(id) or index.section(id)
    return [found] if found else []


def _around(index: Index, id: str, *, parent: bool, siblings: bool) -> list[Chunk | Passage]:
    section = index.section(id) if parent else None
    above = index.section(section.parent_section_id or "") if section else index.parent(id) if parent else None
    return [*([above] if above else []), *(index.siblings(id) if siblings else [])]
