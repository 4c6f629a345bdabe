"""DrawingML, which all formats of Office share: the text of shapes, and which pictures are worth a word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from lxml import etree

from crosshead.formats.office.openxml.opc import RELATIONSHIP, Relationship
from crosshead.formats.shared import gfm

A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
ALTERNATE_CONTENT: Final = f"{MC}AlternateContent"
CHOICE: Final = f"{MC}Choice"

_BLIP: Final = f"{A}blip"
_DECORATIVE: Final = "{http://schemas.microsoft.com/office/drawing/2017/decorative}decorative"
_SMALL: Final = 457_200
"""Half an inch: what is lower or narrower is a line or an icon."""
_DEFAULT_NAME = re.compile(r"(?:Picture|Image|Grafik|Bild|Content Placeholder|Chart|Diagramm) \d+", re.I)
_FILE_NAME = re.compile(r"\.(?:png|jpe?g|gif|bmp|tiff?|svg|emf|wmf|webp)$", re.I)
_MADE_BY_MACHINE = re.compile(
    r"(?<!\s)\s*(?:description automatically generated.*|AI-generated content may be.*)$", re.I | re.S
)


def text_pieces(element: etree._Element) -> Iterator[str]:
    """Yield the pieces of text in a paragraph or a run."""
    for each in element.iter(f"{A}t", f"{A}br"):
        yield "\n" if each.tag == f"{A}br" else each.text or ""


def paragraph_text(paragraph: etree._Element, relationships: Mapping[str, Relationship]) -> str:
    """Return the Markdown of a paragraph, with its links, whose targets are in the relationships of its part."""
    found = []
    for run in paragraph:
        text = gfm.escape("".join(text_pieces(run)))
        click = run.find(f"{A}rPr/{A}hlinkClick")
        target = relationships.get(click.get(f"{RELATIONSHIP}id") or "") if click is not None else None
        if target and target.part is None and text.strip():
            text = gfm.link(text.strip(), target.target)
        found.append(text)
    return "".join(found)


def alternative_text(properties: etree._Element | None) -> str:
    """Return the alternative text of a picture, unless a program filled it in."""
    text = "" if properties is None else _MADE_BY_MACHINE.sub("", properties.get("descr") or "").strip()
    return "" if _FILE_NAME.search(text) or _DEFAULT_NAME.fullmatch(text) else text


def is_picture(element: etree._Element) -> bool:
    """Return whether this shape shows a picture that is not decoration."""
    if next(element.iter(_BLIP), None) is None:
        return False
    if any(each.get("val") in ("1", "true") for each in element.iter(_DECORATIVE)):
        return False
    sizes = [each for each in element.iter("{*}extent", "{*}ext") if each.get("cx")]
    return not any(_is_small(each.get("cx")) or _is_small(each.get("cy")) for each in sizes[:1])


def chosen_alternative(element: etree._Element) -> etree._Element | None:
    """Return what a current program would show of alternative contents."""
    found: etree._Element | None = element.find(CHOICE)
    return found if found is not None or not len(element) else element[0]


def _is_small(size: str | None) -> bool:
    return size is not None and size.isascii() and size.isdigit() and len(size) < 7 and int(size) < _SMALL
