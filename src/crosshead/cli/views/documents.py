"""The documents of an index, one line each."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from crosshead.cli.terminal.output import one_line
from crosshead.types import ListedDocument


def show_documents(documents: Iterator[ListedDocument]) -> None:
    """Print documents one by one; sources come last, because they may be long."""
    typer.echo(f"{'chunks':>7}  {'characters':>11}  {'state':16}  source")
    for document in documents:
        size = f"{document.chunks:7,}  {document.characters:11,}"
        typer.echo(f"{size}  {state_of(document):16}  {one_line(document.source)}")


def state_of(document: ListedDocument) -> str:
    """Return the state of a document: what is still to be done."""
    if document.failed:
        return f"{document.failed:,} not embedded"
    return f"{document.pending:,} to embed" if document.pending else "embedded"
