"""crosshead links: where links lead, which are broken, and which documents nothing links to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from crosshead.cli.citations.addresses import FileOfSource, files_of, roots_of
from crosshead.cli.citations.looking_up import look_up, missing_text
from crosshead.cli.flags import AsJson, Indexes, with_indexes
from crosshead.cli.process.program import CHECK_FAILED
from crosshead.cli.terminal.output import print_done, print_warning, write_json
from crosshead.cli.views.missing import warn_of_absent
from crosshead.errors import CrossheadError, OptionsError

if TYPE_CHECKING:
    from crosshead.index import Index, JoinedIndex
    from crosshead.linking import AnchorRules
    from crosshead.types import LinkReport, LinksAround

Place = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE[#ANCHOR]]",
        help="A document, one of its sections by its anchor, the number of a hit of the last search, or a citation.",
    ),
]
Broken = Annotated[
    bool, typer.Option("--broken", metavar="", help="List the links to files and anchors that do not exist.")
]
Orphans = Annotated[
    bool, typer.Option("--orphans", metavar="", help="List the documents that no other document links to.")
]
Anchors = Annotated[
    str | None,
    typer.Option(
        "--anchors",
        metavar="SITE",
        help="How headings get their ids: github, gitlab, docusaurus, mkdocs, sphinx or mdbook. Default: as the "
        "settings of a site near the root say, else github.",
    ),
]


@with_indexes
def links(
    indexes: Indexes,
    address: Place = None,
    broken: Broken = False,
    orphans: Orphans = False,
    anchors: Anchors = None,
    as_json: AsJson = False,
) -> None:
    """Show the links out of a document or section and into it, or check the links of all documents.

    With --broken, the exit code is 1 if a link is broken, or not known yet. Addresses on the web are never fetched.
    """
    if bool(address) == (broken or orphans):
        raise OptionsError("name a document or section, or check all with --broken or --orphans")
    with indexes.open() as index:
        warn_of_absent(index)
        files = files_of(index)
        if address:
            _show(_find(index, files, " ".join(address), anchors), files, as_json=as_json)
            return
        report = index.check_links(anchors=_rules(anchors))
    _report(report, files, broken=broken, orphans=orphans, as_json=as_json)
    if broken and (report.broken or report.without_links):
        raise typer.Exit(CHECK_FAILED)


def _find(index: Index | JoinedIndex, files: FileOfSource, text: str, anchors: str | None) -> LinksAround:
    from crosshead.indexing import source_of

    path, mark, anchor = text.partition("#")
    for source in dict.fromkeys((path, *(source_of(path, root) for root in roots_of(index)))):
        if found := index.links(f"{source}{mark}{anchor}", anchors=_rules(anchors)):
            return found
        if index.document(_id_of(source)):
            if anchor and index.links(source, anchors=_rules(anchors)):
                raise CrossheadError(f"no heading or id has the anchor #{anchor}", source)
            raise CrossheadError("its links are not in the index: read it again with crosshead index", source)
    shown = look_up(index, text)
    found = index.links(shown.text.section_id, anchors=_rules(anchors)) if shown else None
    if found is None:
        raise CrossheadError(missing_text(text))
    return found


def _id_of(source: str) -> str:
    from crosshead.ids import document_id

    return document_id(source)


def _rules(anchors: str | None) -> AnchorRules | None:
    return anchors  # type: ignore[return-value]  # the index checks it


def _show(found: LinksAround, files: FileOfSource, *, as_json: bool) -> None:
    if as_json:
        write_json(found.to_json())
        return
    from crosshead.cli.views.links import show_links

    show_links(found, files)


def _report(report: LinkReport, files: FileOfSource, *, broken: bool, orphans: bool, as_json: bool) -> None:
    for source, count in report.omitted.items():
        print_warning(f"{source}: {count:,} further links are not in the index, which keeps {_kept():,} of a document")
    if report.without_links:
        rest = f" and {len(report.without_links) - 1:,} more" if len(report.without_links) > 1 else ""
        print_warning(f"{report.without_links[0]}{rest}: without links so far; read again with crosshead index")
    if as_json:
        write_json(*(each.to_json() for each in report.broken if broken))
        write_json(*({"orphan": source} for source in report.orphans if orphans))
        return
    from crosshead.cli.views.links import show_broken, show_orphans

    if broken:
        show_broken(report, files)
    if orphans:
        show_orphans(report, files)
    if broken and not report.broken and not report.without_links:
        print_done(f"{report.links:,} links in {report.documents:,} documents: none is broken", err=True)


def _kept() -> int:
    from crosshead.types import MAX_LINKS

    return MAX_LINKS
