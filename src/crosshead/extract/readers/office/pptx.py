"""PPTX -> Markdown.

Every slide is a section under its title, bullets are lists nested by their level, tables are tables, notes are quotes.
The number of the slide is kept as the page, so that a citation names it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from lxml import etree

from crosshead.extract.base import Extracted
from crosshead.extract.readers.office.opc import RELATIONSHIP, Package
from crosshead.extract.shared import gfm
from crosshead.extract.shared.records import Record
from crosshead.extract.shared.tables import write_table
from crosshead.options import ExtractOptions

logger = logging.getLogger("crosshead")

P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
DGM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"

SLIDE_LEVEL: Final = 2
_TITLES: Final = ("title", "ctrTitle")
_SILENT: Final = ("sldNum", "dt", "ftr", "hdr", "sldImg")
"""Placeholders for what is the same on every slide."""
_NO_BULLETS: Final = ("subTitle", *_TITLES)
_MONOSPACE = re.compile(r"courier|consol|mono|menlo|source code|lucida console|fira code", re.I)
_DEFAULT_TITLE = re.compile(r"PowerPoint[ -]Pr[eä]s\w+|(?:A?Pr|Пр)\w+ (?:\w+ ){0,2}PowerPoint", re.I)
_DEFAULT_NAME = re.compile(r"(?:Picture|Image|Grafik|Bild|Content Placeholder) \d+", re.I)


class _Placeholder(NamedTuple):
    kind: str
    """Empty for a text box, "obj" for a placeholder of no certain kind."""
    number: str


class _Line(NamedTuple):
    """A paragraph of a text box."""

    text: str
    level: int
    marker: str
    """Empty for one without a bullet."""
    code: bool


def read_pptx(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read a presentation."""
    package = Package(data, what="PPTX", main="ppt/presentation.xml")
    slides = [_Slide(package, part, number) for number, part in _slide_parts(package)]
    blocks: list[str] = []
    pages: list[tuple[int, int]] = []
    line = 1
    for slide in slides:
        pages.append((line, slide.number))
        for block in filter(None, slide.blocks()):
            blocks.append(block)
            line += block.count("\n") + 2
    title = package.title()
    title = "" if _DEFAULT_TITLE.fullmatch(title) else title
    return Extracted(gfm.join_blocks(blocks), title=title, pages=tuple(pages))


def _slide_parts(package: Package) -> Iterator[tuple[int, str]]:
    """Yield the numbers of the slides with their parts."""
    relationships = package.relationships(package.main)
    for number, each in enumerate(package.main_root(P).iterfind(f"{P}sldIdLst/{P}sldId"), 1):
        found = relationships.get(each.get(f"{RELATIONSHIP}id") or "")
        if found and found.part and found.part in package.archive:
            yield number, found.part
        else:
            logger.warning("slide %d is missing in the file and left out", number)


class _Slide:
    """One slide and what it inherits from its layout."""

    def __init__(self, package: Package, part: str, number: int) -> None:
        self.package = package
        self.part = part
        self.number = number
        self.shapes = list(_shapes(package.archive.xml(part)))
        self.layout = _layout_styles(package.related(part, "slideLayout"))

    def blocks(self) -> Iterator[str]:
        titles = [shape for shape in self.shapes if _placeholder(shape).kind in _TITLES]
        title = " ".join(self.plain_text(titles[0]).split()) if titles else ""
        level = 1 if self.number == 1 and titles and _placeholder(titles[0]).kind == "ctrTitle" else SLIDE_LEVEL
        yield gfm.heading(level, gfm.escape(title) or f"Slide {self.number}")
        for shape in self.shapes:
            if not titles or shape is not titles[0]:
                yield from self.shape_blocks(shape)
        yield self.notes()

    def shape_blocks(self, shape: etree._Element) -> Iterator[str]:
        if shape.tag == f"{P}sp":
            placeholder = _placeholder(shape)
            if placeholder.kind not in _SILENT:
                yield from _text_blocks([self.line(paragraph, placeholder) for paragraph in _paragraphs(shape)])
        elif shape.tag == f"{P}graphicFrame":
            yield from self.frame_blocks(shape)
        elif shape.tag == f"{P}pic":
            yield _alternative_text(shape)

    def frame_blocks(self, frame: etree._Element) -> Iterator[str]:
        for table in frame.iterfind(f".//{A}tbl"):
            yield from _table_blocks(table)
        for diagram in frame.iterfind(f".//{DGM}relIds"):
            found = self.package.relationships(self.part).get(diagram.get(f"{RELATIONSHIP}dm") or "")
            part = (found.part if found else None) or ""
            root = self.package.archive.xml(part)
            if root is not None:
                texts = [self.inline(paragraph, part) for paragraph in root.iter(f"{A}p")]
                yield "\n".join([gfm.item("-", gfm.escape_start(text)) for text in texts if text.strip()])

    def notes(self) -> str:
        part = self.package.related_name(self.part, "notesSlide")
        bodies = [shape for shape in _shapes(self.package.archive.xml(part)) if _placeholder(shape).kind == "body"]
        texts = [self.inline(paragraph, part).strip() for shape in bodies for paragraph in _paragraphs(shape)]
        text = "\n\n".join([gfm.escape_start(text) for text in texts if text])
        return gfm.quote(f"Notes: {text}") if text else ""

    def line(self, paragraph: etree._Element, placeholder: _Placeholder) -> _Line:
        properties = paragraph.find(f"{A}pPr")
        level = _number(properties.get("lvl") if properties is not None else None)
        marker = _bullet(properties)
        if marker is None and placeholder.kind and placeholder.kind not in _NO_BULLETS:
            marker = self.layout.get((placeholder.number, level), "-")
        faces = [run.get("typeface") or "" for run in paragraph.iterfind(f"{A}r/{A}rPr/{A}latin")]
        code = bool(faces) and len(faces) == len(paragraph.findall(f"{A}r")) and all(map(_MONOSPACE.search, faces))
        text = "".join(_pieces(paragraph)) if code else self.inline(paragraph, self.part)
        return _Line(text if code else text.strip(), level, "" if code else marker or "", code)

    def plain_text(self, shape: etree._Element) -> str:
        return "\n".join(["".join(_pieces(paragraph)) for paragraph in _paragraphs(shape)])

    def inline(self, paragraph: etree._Element, part: str) -> str:
        """Text with its links, whose targets are in the relationships of its part."""
        relationships = self.package.relationships(part)
        found = []
        for run in paragraph:
            text = gfm.escape("".join(_pieces(run)))
            click = run.find(f"{A}rPr/{A}hlinkClick")
            target = relationships.get(click.get(f"{RELATIONSHIP}id") or "") if click is not None else None
            if target and target.part is None and text.strip():
                text = gfm.link(text.strip(), target.target)
            found.append(text)
        return "".join(found)


def _shapes(root: etree._Element | None) -> Iterator[etree._Element]:
    """Yield the shapes of a slide in order, those of groups in their place."""
    tree = root.find(f"{P}cSld/{P}spTree") if root is not None else None
    stack = list(reversed(tree)) if tree is not None else []
    while stack:
        shape = stack.pop()
        if shape.tag == f"{MC}AlternateContent":
            stack.extend(reversed(next(iter(shape), [])))
        elif shape.tag == f"{P}grpSp":
            stack.extend(reversed(shape))
        elif shape.tag in (f"{P}sp", f"{P}graphicFrame", f"{P}pic"):
            yield shape


def _placeholder(shape: etree._Element) -> _Placeholder:
    found = shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
    if found is None:
        return _Placeholder("", "")
    return _Placeholder(found.get("type") or "obj", found.get("idx") or "0")


def _paragraphs(shape: etree._Element) -> list[etree._Element]:
    return list(shape.iterfind(f"{P}txBody/{A}p"))


def _pieces(element: etree._Element) -> Iterator[str]:
    for each in element.iter(f"{A}t", f"{A}br"):
        yield "\n" if each.tag == f"{A}br" else each.text or ""


def _bullet(properties: etree._Element | None) -> str | None:
    """Return the marker that a paragraph asks for, or None if it leaves that to its placeholder."""
    if properties is None:
        return None
    if properties.find(f"{A}buNone") is not None:
        return ""
    if properties.find(f"{A}buAutoNum") is not None:
        return "1."
    return "-" if properties.find(f"{A}buChar") is not None or properties.find(f"{A}buBlip") is not None else None


def _layout_styles(root: etree._Element | None) -> dict[tuple[str, int], str]:
    """Return the markers that a layout gives to the levels of its placeholders."""
    found: dict[tuple[str, int], str] = {}
    for shape in _shapes(root):
        for level in range(9):
            marker = _bullet(shape.find(f"{P}txBody/{A}lstStyle/{A}lvl{level + 1}pPr"))
            if marker is not None:
                found[_placeholder(shape).number, level] = marker
    return found


def _text_blocks(lines: Sequence[_Line]) -> Iterator[str]:
    """Put the lines of a text box together to paragraphs, lists and code."""
    at = 0
    while at < len(lines):
        line, end = lines[at], at + 1
        if line.code or line.marker:
            while end < len(lines) and (lines[end].code, bool(lines[end].marker)) == (line.code, bool(line.marker)):
                end += 1
        if line.code:
            yield gfm.fence("\n".join([each.text for each in lines[at:end]]))
        elif line.marker:
            yield _list([each for each in lines[at:end] if each.text])
        elif line.text:
            yield "\n".join([gfm.escape_start(text.strip()) for text in line.text.split("\n") if text.strip()])
        at = end


def _list(lines: Sequence[_Line]) -> str:
    """Items are indented under the text of the item that they belong to."""
    found = []
    margins: list[tuple[int, int]] = []
    numbers: dict[int, int] = {}
    for line in lines:
        while margins and margins[-1][0] >= line.level:
            margins.pop()
        numbers = {level: number for level, number in numbers.items() if level <= line.level}
        marker = line.marker
        if marker != "-":
            numbers[line.level] = numbers.get(line.level, 0) + 1
            marker = f"{numbers[line.level]}."
        margin = margins[-1][1] if margins else 0
        text = "\n".join([gfm.escape_start(text.strip()) for text in line.text.split("\n") if text.strip()])
        found.append(gfm.indent(gfm.item(marker, text), " " * margin, first=" " * margin))
        margins.append((line.level, margin + len(marker) + 1))
    return "\n".join(found)


def _table_blocks(table: etree._Element) -> Iterator[str]:
    rows: list[list[str]] = []
    for row in table.iterfind(f"{A}tr"):
        cells: list[str] = []
        for at, cell in enumerate(row.iterfind(f"{A}tc")):
            text = "\n".join(["".join(_pieces(paragraph)) for paragraph in cell.iterfind(f"{A}txBody/{A}p")]).strip()
            if cell.get("hMerge") in ("1", "true") and cells:
                text = cells[-1]
            elif cell.get("vMerge") in ("1", "true") and rows and at < len(rows[-1]):
                text = rows[-1][at]
            cells.append(text)
        rows.append(cells)
    if rows and any(map(any, rows)):
        records = [Record(0, 0, cells) for cells in rows[1:]]
        yield from [part.text for part in write_table(rows[0], records, level=SLIDE_LEVEL + 1, header_line=1)]


def _alternative_text(picture: etree._Element) -> str:
    properties = picture.find(f"{P}nvPicPr/{P}cNvPr")
    text = " ".join((properties.get("descr") or "").split()) if properties is not None else ""
    return gfm.escape_start(gfm.escape(text)) if text and not _DEFAULT_NAME.fullmatch(text) else ""


def _number(text: str | None) -> int:
    return min(int(text), 8) if text and text.isascii() and text.isdigit() and len(text) < 3 else 0
