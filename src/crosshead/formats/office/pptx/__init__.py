"""PPTX -> Markdown.

Every slide is a section under its title (slides.py), with its notes and, if asked for, its comments (comments.py).
The number of the slide is kept as the page, so that a citation names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from crosshead.formats.base import Extracted
from crosshead.formats.office.openxml.graphics import Graphics
from crosshead.formats.office.openxml.opc import RELATIONSHIP, OpcPackage
from crosshead.formats.office.pptx.comments import SlideComments
from crosshead.formats.office.pptx.slides import SLIDE_LEVEL, P, Slide
from crosshead.formats.shared import gfm
from crosshead.formats.shared.omissions import COMMENTS, OBJECTS
from crosshead.options import ExtractOptions

_DEFAULT_TITLE = re.compile(r"PowerPoint[ -]Pr[eä]s\w+|(?:A?Pr|Пр)\w+ (?:\w+ ){0,2}PowerPoint", re.I)


def read_pptx(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a presentation."""
    package = OpcPackage(data, what="PPTX", main="ppt/presentation.xml")
    graphics, comments = Graphics(package, level=SLIDE_LEVEL + 1), SlideComments(package)
    slides = [Slide(package, part, number, graphics) for number, part in _slide_parts(package)]
    blocks: list[str] = []
    pages: list[tuple[int, int]] = []
    line = 1
    for slide in slides:
        pages.append((line, slide.number))
        package.left_out.add(OBJECTS, package.count_embedded(slide.part))
        remarks = comments.of_slide(slide.part)
        if not options.comments:
            package.left_out.add(COMMENTS, len(remarks))
        for block in filter(None, [*slide.blocks(), *(remarks if options.comments else ())]):
            blocks.append(block)
            line += block.count("\n") + 2
    title = package.title()
    title = "" if _DEFAULT_TITLE.fullmatch(title) else title
    warnings = package.left_out.warnings()
    return Extracted(gfm.join_blocks(blocks), title=title, pages=tuple(pages), warnings=warnings)


def _slide_parts(package: OpcPackage) -> Iterator[tuple[int, str]]:
    """Yield the numbers of the slides with their parts."""
    relationships = package.relationships(package.main)
    for number, each in enumerate(package.main_root(P).iterfind(f"{P}sldIdLst/{P}sldId"), 1):
        found = relationships.get(each.get(f"{RELATIONSHIP}id") or "")
        if found and found.part and found.part in package.archive:
            yield number, found.part
        else:
            package.left_out.warn(f"slide {number} is missing from the file and left out")
