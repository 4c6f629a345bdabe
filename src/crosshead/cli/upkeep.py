"""crosshead status, remove and optimize: what an index holds, and how it is kept in order."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from crosshead.cli.flags import DEFAULT_INDEX, IndexFolder
from crosshead.cli.index import AsObject
from crosshead.cli.plain import print_error, write_json
from crosshead.cli.program import CHECK_FAILED

Sources = Annotated[
    list[str], typer.Argument(metavar="SOURCE", help="Documents or folders, by source or by path; their files stay.")
]


def status(location: IndexFolder = DEFAULT_INDEX, as_json: AsObject = False) -> None:
    """Show what an index holds and what it was made with."""
    from crosshead.index import Index

    with Index(location, create=False) as index:
        found = index.status()
    if as_json:
        write_json(asdict(found))
    else:
        from crosshead.cli.views.indexing import show_status

        show_status(found)


def remove(sources: Sources, location: IndexFolder = DEFAULT_INDEX) -> None:
    """Remove documents from an index; their files stay."""
    from crosshead.index import Index

    missing = []
    with Index(location, create=False) as index:
        for source in sources:
            count = index.remove(source)
            typer.echo(f"{source}: {count} removed") if count else missing.append(source)
    for source in missing:
        print_error(f"{source}: not in the index")
    if missing:
        raise typer.Exit(CHECK_FAILED)


def optimize(location: IndexFolder = DEFAULT_INDEX) -> None:
    """Make searching quick again after many changes, and free space."""
    from crosshead.index import Index

    with Index(location, create=False) as index:
        before = index.status().size_bytes
        index.optimize()
        after = index.status().size_bytes
    typer.echo(f"optimized: {before / 1e6:,.1f} MB before, {after / 1e6:,.1f} MB now")
