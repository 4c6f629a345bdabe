"""crosshead related: the nearest sections of other documents."""

from __future__ import annotations

from typing import Annotated

import typer

from crosshead.cli.citations.addresses import files_of
from crosshead.cli.citations.hyperlinks import Hyperlink, are_links_wanted
from crosshead.cli.citations.looking_up import Address, look_up, missing_text
from crosshead.cli.flags import AsJson, Indexes, with_indexes
from crosshead.cli.process.program import CHECK_FAILED
from crosshead.cli.terminal.output import print_error, print_note, write_json
from crosshead.cli.views.missing import warn_of_absent

Limit = Annotated[
    int, typer.Option("--limit", "-k", "-n", metavar="N", min=1, help="Sections to list.", show_default=True)
]


@with_indexes
def related(
    address: Address,
    indexes: Indexes,
    limit: Limit = 10,
    hyperlink: Hyperlink = "auto",
    as_json: AsJson = False,
) -> None:
    """List the sections of other documents that are nearest to a text of the index, and mark copies.

    Compares the vectors that the index has, and words where it has none.
    """
    text = " ".join(address)
    with indexes.open() as index:
        warn_of_absent(index)
        shown = look_up(index, text)
        found = index.related(shown.text, limit) if shown else None
        files = files_of(index)
    if not found:
        print_error(missing_text(text)) if found is None else print_note("no other document has sections to compare")
        raise typer.Exit(CHECK_FAILED)
    if as_json:
        write_json(*(each.to_json() for each in found))
    else:
        from crosshead.cli.views.citations import CitationLines
        from crosshead.cli.views.related import show_related

        show_related(found, CitationLines(files, has_links=are_links_wanted(hyperlink)))
