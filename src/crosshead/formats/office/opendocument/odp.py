"""ODP -> Markdown: every slide is a section under its title, and its number is kept as the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lxml import etree

from crosshead.formats.base import Extracted
from crosshead.formats.markup.html.generated import read_generated
from crosshead.formats.office.opendocument.markup import HtmlWriter
from crosshead.formats.office.opendocument.package import DRAW, PRESENTATION, TEXT, OdfPackage
from crosshead.formats.shared import gfm
from crosshead.options import ExtractOptions

SLIDE_LEVEL: Final = 2
_CLASS: Final = f"{PRESENTATION}class"
_SILENT: Final = ("page-number", "footer", "header", "date-time", "page")
"""Frames for what is the same on every slide."""


def read_odp(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a presentation."""
    package = OdfPackage(data, what="OpenDocument presentation", kind="presentation")
    writer = HtmlWriter(package, comments=options.comments)
    blocks: list[str] = []
    pages: list[tuple[int, int]] = []
    line = 1
    for number, slide in enumerate(package.body.iterchildren(f"{DRAW}page"), 1):
        pages.append((line, number))
        for block in filter(None, _slide_blocks(slide, number, writer, options)):
            blocks.append(block)
            line += block.count("\n") + 2
    warnings = writer.left_out.warnings()
    return Extracted(gfm.join_blocks(blocks), title=package.title(), pages=tuple(pages), warnings=warnings)


def _slide_blocks(slide: etree._Element, number: int, writer: HtmlWriter, options: ExtractOptions) -> Sequence[str]:
    shapes = [each for each in slide if each.get(_CLASS) not in _SILENT]
    titled = next((each for each in shapes if each.get(_CLASS) == "title" and _plain(each)), None)
    title = gfm.heading(SLIDE_LEVEL, gfm.escape(_plain(titled)) or f"Slide {number}")
    content = read_generated(writer.write([each for each in shapes if each is not titled]), options).strip("\n")
    return title, gfm.lower_headings(content, SLIDE_LEVEL + 1), _notes(slide, writer, options)


def _notes(slide: etree._Element, writer: HtmlWriter, options: ExtractOptions) -> str:
    frames = slide.iterfind(f"{PRESENTATION}notes/{DRAW}frame")
    text = read_generated(writer.write([each for each in frames if each.get(_CLASS) == "notes"]), options)
    return gfm.quote(f"Notes: {text.strip(chr(10))}") if text else ""


def _plain(shape: etree._Element | None) -> str:
    paragraphs = shape.iter(f"{TEXT}p") if shape is not None else ()
    return " ".join(" ".join(["".join(each.itertext()) for each in paragraphs]).split())
