"""Objects above the cells of a sheet: charts, diagrams, text boxes and pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lxml import etree

from crosshead.formats.office.openxml.drawing import (
    ALTERNATE_CONTENT,
    A,
    alternative_text,
    chosen_alternative,
    is_picture,
    paragraph_text,
)
from crosshead.formats.office.openxml.graphics import Graphics
from crosshead.formats.office.openxml.opc import OpcPackage
from crosshead.formats.shared import gfm
from crosshead.formats.shared.omissions import PICTURES

XDR: Final = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"


def drawing_blocks(package: OpcPackage, sheet: str, graphics: Graphics) -> Iterator[str]:
    """Yield the blocks of what is drawn on a sheet."""
    for part in package.related_names(sheet, "drawing"):
        for shape in _shapes(package.archive.xml(part)):
            properties = next(shape.iter(f"{XDR}cNvPr"), None)
            text = " ".join(alternative_text(properties).split())
            if shape.tag == f"{XDR}pic" and not text and is_picture(shape):
                package.left_out.add(PICTURES)
            yield gfm.escape_start(gfm.escape(text))
            if shape.tag == f"{XDR}graphicFrame":
                yield from graphics.blocks(shape, part)
            for paragraph in shape.iterfind(f"{XDR}txBody/{A}p"):
                yield gfm.escape_start(paragraph_text(paragraph, package.relationships(part)).strip())


def _shapes(root: etree._Element | None) -> Iterator[etree._Element]:
    stack = [] if root is None else root[::-1]
    while stack:
        each = stack.pop()
        if each.tag == ALTERNATE_CONTENT:
            chosen = chosen_alternative(each)
            stack += [] if chosen is None else chosen[::-1]
        elif each.tag in (f"{XDR}sp", f"{XDR}pic", f"{XDR}graphicFrame"):
            yield each
        else:
            stack += each[::-1]
