"""crosshead show: what an address leads to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from crosshead.cli.citations.addresses import FileOfSource, files_of, read_address
from crosshead.cli.citations.hyperlinks import Hyperlink, are_links_wanted
from crosshead.cli.citations.looking_up import Address, Shown, look_up, missing_text
from crosshead.cli.flags import AsJson, Indexes, with_indexes
from crosshead.cli.process.program import CHECK_FAILED
from crosshead.cli.terminal.output import one_line, print_error, print_note, write_bytes, write_json
from crosshead.cli.views.missing import warn_of_absent
from crosshead.errors import IndexNotFound, OptionsError

if TYPE_CHECKING:
    from crosshead.index import Index, JoinedIndex
    from crosshead.types import Chunk, Figure, Location, Passage

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

Boxes = Annotated[
    bool,
    typer.Option(
        "--boxes",
        metavar="",
        help="Show where its words are on the pages of a PDF, or of an office document if LibreOffice is installed: "
        "rectangles, in points from the upper left corner.",
    ),
]
WithFigures = Annotated[
    bool,
    typer.Option(
        "--figures",
        metavar="",
        help="List its pictures instead, with their captions.",
    ),
]
FigureNumber = Annotated[
    int,
    typer.Option(
        "--figure",
        metavar="N",
        min=1,
        help="Write the bytes of picture N of its document: crosshead show report.pdf --figure 2 > valve.png",
        show_default=False,
    ),
]


class Found(NamedTuple):
    """The texts at an address, where their files are, and where pages show them, if that was asked."""

    texts: Sequence[Chunk | Passage]
    files: FileOfSource
    locations: Sequence[Location] = ()


@with_indexes
def show(
    address: Address,
    indexes: Indexes,
    parent: Parent = False,
    siblings: Siblings = False,
    boxes: Boxes = False,
    figures: WithFigures = False,
    figure: FigureNumber = 0,
    hyperlink: Hyperlink = "auto",
    as_json: AsJson = False,
) -> None:
    """Show what a citation, a file, a hit or an id leads to."""
    text = " ".join(address)
    if figures or figure:
        if parent or siblings or boxes or (figures and figure):
            raise OptionsError("--figures and --figure stand alone: leave out --parent, --siblings and --boxes")
        _show_figures(text, indexes, figure, as_json=as_json)
        return
    found = _find(text, indexes, parent=parent, siblings=siblings, boxes=boxes)
    if not found.texts:
        print_error(missing_text(text, is_relative=parent or siblings))
        raise typer.Exit(CHECK_FAILED)
    if as_json:
        located = [{"location": each.to_json()} for each in found.locations] or [{}] * len(found.texts)
        write_json(*({**each.to_json(), **more} for each, more in zip(found.texts, located, strict=True)))
    else:
        from crosshead.cli.views.citations import CitationLines
        from crosshead.cli.views.hits import show_boxes, show_texts

        citations = CitationLines(found.files, has_links=are_links_wanted(hyperlink))
        if boxes:
            show_boxes(found.texts, found.locations, citations)
        else:
            show_texts(found.texts, citations)


def _show_figures(address: str, indexes: Indexes, number: int, *, as_json: bool) -> None:
    """Print a list of the pictures at an address, or the bytes of one."""
    with indexes.open() as index:
        shown = look_up(index, address)
        file = index.figures(shown.text.document_id) if shown else None
        if shown is None or file is None:
            print_error(missing_text(address))
            raise typer.Exit(CHECK_FAILED)
        if number:
            write_bytes(file.read(number).data)
            return
        found = file.list(shown.text)
    if as_json:
        write_json(*(each.to_json() for each in found))
    elif found:
        write_bytes("".join([f"{_figure_line(each)}\n" for each in found]).encode("utf-8", "replace"))
    else:
        print_error(f"no pictures at {address}")
        raise typer.Exit(CHECK_FAILED)


def _figure_line(figure: Figure) -> str:
    problem = f", not shown: {figure.problem}" if figure.problem else ""
    return one_line(f"figure {figure.number}: {figure.label or 'no caption'} ({figure.citation}){problem}")


def _find(text: str, indexes: Indexes, *, parent: bool, siblings: bool, boxes: bool) -> Found:
    """Return the texts at an address, in the index or else in a file."""
    is_relative = parent or siblings
    try:
        index = indexes.open()
    except IndexNotFound:
        unindexed = None if is_relative or boxes else read_address(text)
        if unindexed is None:
            raise
        return Found([unindexed], FileOfSource("."))
    with index:
        warn_of_absent(index)
        shown = look_up(index, text)
        if shown:
            texts = _relatives(index, shown, parent=parent, siblings=siblings) if is_relative else [shown.text]
            return Found(texts, files_of(index), [index.locate(each) for each in texts] if boxes else ())
    unindexed = None if is_relative else read_address(text)
    if unindexed and boxes:
        raise OptionsError(f"{unindexed.source} is not in the index {indexes.shown}: index it to see where its text is")
    if unindexed:
        print_note(f"{unindexed.source} is not in the index {indexes.shown}: shown from the file")
    return Found([unindexed] if unindexed else [], FileOfSource("."))


def _relatives(index: Index | JoinedIndex, shown: Shown, *, parent: bool, siblings: bool) -> list[Chunk | Passage]:
    return [
        *([enclosing] if parent and (enclosing := _enclosing(index, shown)) else []),
        *(index.siblings(shown.id) if siblings else []),
    ]


def _enclosing(index: Index | JoinedIndex, shown: Shown) -> Chunk | Passage | None:
    """Return the chunk that opens the section around a chunk, or the section around a section or some lines."""
    section = index.section(shown.id)
    if section is None:
        return index.parent(shown.id)
    is_whole = section.content == shown.text.content
    return index.section(section.parent_section_id or "") if is_whole else section
