"""A slide -> blocks: its title is a heading, bullets are lists nested by their level, notes are quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from lxml import etree

from crosshead.formats.office.openxml.drawing import (
    ALTERNATE_CONTENT,
    A,
    alternative_text,
    chosen_alternative,
    is_picture,
    paragraph_text,
    text_pieces,
)
from crosshead.formats.office.openxml.graphics import Graphics
from crosshead.formats.office.openxml.opc import OpcPackage
from crosshead.formats.shared import gfm
from crosshead.formats.shared.omissions import PICTURES, RECORDINGS
from crosshead.formats.shared.tables.records import Record
from crosshead.formats.shared.tables.writing import write_table

P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"

SLIDE_LEVEL: Final = 2
_TITLES: Final = ("title", "ctrTitle")
_SILENT: Final = ("sldNum", "dt", "ftr", "hdr", "sldImg")
"""Placeholders for what is the same on every slide."""
_NO_BULLETS: Final = ("subTitle", *_TITLES)
_RECORDINGS: Final = (f"{A}videoFile", f"{A}audioFile", f"{A}quickTimeFile", f"{A}wavAudioFile")
_MONOSPACE = re.compile(r"courier|consol|mono|menlo|source code|lucida console|fira code", re.I)


class _Placeholder(NamedTuple):
    kind: str
    """Empty for a text box, "obj" for a placeholder of no certain kind."""
    number: str


class _SlideLine(NamedTuple):
    """A paragraph of a text box."""

    text: str
    level: int
    marker: str
    """Empty for one without a bullet."""
    code: bool


class Slide:
    """One slide and what it inherits from its layout."""

    def __init__(self, package: OpcPackage, part: str, number: int, graphics: Graphics) -> None:
        self.package = package
        self.graphics = graphics
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
            yield self.picture_text(shape)

    def frame_blocks(self, frame: etree._Element) -> Iterator[str]:
        yield _as_paragraph(alternative_text(frame.find(f"{P}nvGraphicFramePr/{P}cNvPr")))
        for table in frame.iterfind(f".//{A}tbl"):
            yield from _table_blocks(table)
        yield from self.graphics.blocks(frame, self.part)

    def picture_text(self, picture: etree._Element) -> str:
        text = alternative_text(picture.find(f"{P}nvPicPr/{P}cNvPr"))
        if next(picture.iter(*_RECORDINGS), None) is not None:
            self.package.left_out.add(RECORDINGS)
        elif not text and is_picture(picture):
            self.package.left_out.add(PICTURES)
        return _as_paragraph(text)

    def notes(self) -> str:
        part = self.package.related_name(self.part, "notesSlide")
        bodies = [shape for shape in _shapes(self.package.archive.xml(part)) if _placeholder(shape).kind == "body"]
        texts = [self.inline(paragraph, part).strip() for shape in bodies for paragraph in _paragraphs(shape)]
        text = "\n\n".join([gfm.escape_start(text) for text in texts if text])
        return gfm.quote(f"Notes: {text}") if text else ""

    def line(self, paragraph: etree._Element, placeholder: _Placeholder) -> _SlideLine:
        properties = paragraph.find(f"{A}pPr")
        level = _number(properties.get("lvl") if properties is not None else None)
        marker = _bullet(properties)
        if marker is None and placeholder.kind and placeholder.kind not in _NO_BULLETS:
            marker = self.layout.get((placeholder.number, level), "-")
        faces = [run.get("typeface") or "" for run in paragraph.iterfind(f"{A}r/{A}rPr/{A}latin")]
        code = bool(faces) and len(faces) == len(paragraph.findall(f"{A}r")) and all(map(_MONOSPACE.search, faces))
        text = "".join(text_pieces(paragraph)) if code else self.inline(paragraph, self.part)
        return _SlideLine(text if code else text.strip(), level, "" if code else marker or "", code)

    def plain_text(self, shape: etree._Element) -> str:
        return "\n".join(["".join(text_pieces(paragraph)) for paragraph in _paragraphs(shape)])

    def inline(self, paragraph: etree._Element, part: str) -> str:
        return paragraph_text(paragraph, self.package.relationships(part))


def _shapes(root: etree._Element | None) -> Iterator[etree._Element]:
    """Yield the shapes of a slide in order, those of groups in their place."""
    tree = root.find(f"{P}cSld/{P}spTree") if root is not None else None
    stack = list(reversed(tree)) if tree is not None else []
    while stack:
        shape = stack.pop()
        if shape.tag == ALTERNATE_CONTENT:
            chosen = chosen_alternative(shape)
            stack.extend([] if chosen is None else reversed(chosen))
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


def _text_blocks(lines: Sequence[_SlideLine]) -> Iterator[str]:
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


def _list(lines: Sequence[_SlideLine]) -> str:
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
            text = "\n".join(
                ["".join(text_pieces(paragraph)) for paragraph in cell.iterfind(f"{A}txBody/{A}p")]
            ).strip()
            if cell.get("hMerge") in ("1", "true") and cells:
                text = cells[-1]
            elif cell.get("vMerge") in ("1", "true") and rows and at < len(rows[-1]):
                text = rows[-1][at]
            cells.append(text)
        rows.append(cells)
    if rows and any(map(any, rows)):
        records = [Record(0, 0, cells) for cells in rows[1:]]
        yield from [part.text for part in write_table(rows[0], records, level=SLIDE_LEVEL + 1, header_line=1)]


def _as_paragraph(text: str) -> str:
    return gfm.escape_start(gfm.escape(" ".join(text.split())))


def _number(text: str | None) -> int:
    return min(int(text), 8) if text and text.isascii() and text.isdigit() and len(text) < 3 else 0
