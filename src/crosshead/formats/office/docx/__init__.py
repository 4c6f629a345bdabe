"""DOCX: Word's own structure (styles, outline levels, numbering) -> Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lxml import etree

from crosshead.errors import ExtractError
from crosshead.formats.base import Extracted
from crosshead.formats.office.docx.anchors import Anchors
from crosshead.formats.office.docx.body import BodyReader, Definitions
from crosshead.formats.office.docx.chunks import ChunkReader
from crosshead.formats.office.docx.names import BOOKMARK, W
from crosshead.formats.office.docx.notes import Notes
from crosshead.formats.office.docx.numbering import Numbering
from crosshead.formats.office.docx.styles import StyleSheet
from crosshead.formats.office.openxml.graphics import Graphics
from crosshead.formats.office.openxml.opc import OpcPackage
from crosshead.formats.shared.omissions import COMMENTS, OBJECTS
from crosshead.options import ExtractOptions
from crosshead.types import Anchor

MAX_TAGS: Final = 2_000_000
"""About what five seconds are enough for, and thousands of pages."""

LOWEST_LEVEL: Final = 6
"""Level of headings for rows of a chart that become records, below any other."""

_NOT_TEXT_BUT_SEEN = (f"{W}drawing", f"{W}pict", f"{W}object", f"{W}altChunk")


def read_docx(data: bytes, options: ExtractOptions, *, is_inner: bool = False) -> Extracted:
    """Read a Word document, which may be inside another one."""
    package = OpcPackage(data, what="DOCX", main="word/document.xml", max_tags=MAX_TAGS)
    root = package.main_root(W)
    body = root if (found := root.find(f"{W}body")) is None else found
    styles = StyleSheet(package.related(package.main, "styles"), options.style_map)
    numbering = Numbering(package.related(package.main, "numbering"), styles)
    graphics = Graphics(package, level=LOWEST_LEVEL)
    chunks = ChunkReader(package, options, is_inner=is_inner)
    definitions = Definitions(styles, numbering, Anchors(), package, graphics, chunks, options.heading_numbers)
    notes = Notes(package, comments=options.comments)
    text = BodyReader(definitions, notes, package.main).read(body)
    package.left_out.add(COMMENTS, len(notes.left_out))
    package.left_out.add(OBJECTS, package.count_embedded(package.main))
    if not text:
        _refuse_pictures(body)
        package.left_out.warn("the DOCX file is empty")
    text, links = definitions.anchors.resolve(text)
    return Extracted(
        text,
        title=package.title(),
        warnings=package.left_out.warnings(),
        links=tuple(links),
        anchors=tuple(_bookmarks(root, {link.target[1:] for link in links})),
    )


def _bookmarks(root: etree._Element, named: set[str]) -> Iterator[Anchor]:
    """Yield the bookmarks that links name; where they are in the text is not known."""
    if named:
        found = {element.get(f"{W}name") for element in root.iter(BOOKMARK)}
        yield from (Anchor(0, name, "id") for name in sorted(named & found))


def _refuse_pictures(body: etree._Element) -> None:
    if next(body.iter(*_NOT_TEXT_BUT_SEEN), None) is not None:
        raise ExtractError("the DOCX file has no text, only pictures or embedded objects: recognize their text first")
