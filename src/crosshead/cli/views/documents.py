"""The documents of an index, one line each."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from crosshead.cli.output import one_line
from crosshead.types import ListedDocument


def show_documents(documents: Iterator[ListedDocument]) -> None:
    """Print documents as they come, however many there are; the sources stand last, because they are of any length."""
    typer.echo(f"{'chunks':>7}  {'characters':>11}  {'state':16}  source")
    for document in documents:
        size = f"{document.chunks:7,}  {document.characters:11,}"
        typer.echo(f"{size}  {state_of(document):16}  {one_line(document.source)}")


def state_of(document: ListedDocument) -> str:
    """Say what is still to be done about a document."""
    if document.failed:
        return f"{document.failed:,} not embedded"
    return f"{document.pending:,} to embed" if document.pending else "embedded"
