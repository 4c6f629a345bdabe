"""Links out of a document and into it, and broken ones."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from crosshead.cli.citations.addresses import FileOfSource
from crosshead.cli.terminal.output import one_line
from crosshead.types import LinkReport, LinksAround, ResolvedLink


def show_links(found: LinksAround, files: FileOfSource) -> None:
    """Print what a document or section links to, and what links to it."""
    _show_part("links to", [_line(each, files, _where_to(each)) for each in found.out])
    if found.omitted:
        typer.echo(f"  {found.omitted:,} further links are not in the index")
    _show_part("linked from", [_line(each, files, "") for each in found.into])
    if found.more_into:
        typer.echo("  and more")


def show_broken(report: LinkReport, files: FileOfSource) -> None:
    """Print a line for each broken link, as compilers do."""
    for each in report.broken:
        hint = f" (nearest: {each.suggestion})" if each.suggestion else ""
        typer.echo(one_line(f"{files.cite(each.source, each.citation)}: {each.problem}{hint}"))
    if report.broken:
        typer.echo(f"{len(report.broken):,} of {report.links:,} links are broken", err=True)


def show_orphans(report: LinkReport, files: FileOfSource) -> None:
    """Print the documents that nothing links to."""
    for source in report.orphans:
        typer.echo(one_line(files.cite(source, source)))


def _show_part(title: str, lines: Sequence[str]) -> None:
    typer.echo(f"{title}:" if lines else f"{title}: nothing")
    for line in lines:
        typer.echo(f"  {line}")


def _line(link: ResolvedLink, files: FileOfSource, where: str) -> str:
    text = f" {link.text}" if link.text else ""
    return one_line(f"{files.cite(link.source, link.citation)}{text}{where}")


def _where_to(link: ResolvedLink) -> str:
    anchor = f"#{link.anchor}" if link.anchor else ""
    notes = {"outside": " (outside the root)", "unchecked": " (not checked)", "file": " (a file)"}
    note = f" ({link.problem})" if link.is_broken else notes.get(link.state, "")
    return f" -> {link.to_source or link.target}{anchor if link.to_source else ''}{note}"
