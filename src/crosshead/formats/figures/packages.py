"""The pictures of DOCX, PPTX, XLSX and OpenDocument files, by one walk over the elements of their parts."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from lxml import etree

from crosshead.formats.figures.found import CaptionText, FoundPicture, with_surroundings
from crosshead.formats.office.openxml.drawing import alternative_text, is_picture
from crosshead.formats.office.openxml.opc import RELATIONSHIP, OpcPackage, Relationship
from crosshead.formats.shared.containers.archive import Archive

MAINS: Final = {"docx": "word/document.xml", "pptx": "ppt/presentation.xml", "xlsx": "xl/workbook.xml"}
_LISTED: Final = {"pptx": "sldId", "xlsx": "sheet"}
"""The elements of the main part that name the others in order."""
_SHAPES: Final = ("inline", "anchor", "pic", "sp", "shape", "frame")
_SKIPPED: Final = ("Fallback", "instrText", "delText", "del", "sectPr", "automatic-styles", "tracked-changes")
_PARAGRAPHS: Final = ("p", "h")
_CAPTIONS: Final = ("caption", "beschriftung", "illustration", "figure", "abbildung", "legende", "bijschrift")


class _Part(NamedTuple):
    """A part of a package, as far as pictures are concerned."""

    root: etree._Element
    relationships: Mapping[str, Relationship]
    page: int = 0
    title: str = ""


def find_in_office(data: bytes, format: str) -> list[FoundPicture]:
    """Return the pictures of a file of Office."""
    package = OpcPackage(data, what=format.upper(), main=MAINS[format])
    return [found for part in _parts(package, format) for found in with_surroundings(_walk(part))]


def find_in_opendocument(data: bytes) -> list[FoundPicture]:
    """Return the pictures of a file of OpenDocument; one that is a single XML document has none that are shown."""
    if not data.startswith(b"PK"):
        return []
    root = Archive(data, what="OpenDocument").xml("content.xml")
    return [] if root is None else [*with_surroundings(_walk(_Part(root, {})))]


def _parts(package: OpcPackage, format: str) -> Iterator[_Part]:
    main = package.archive.xml(package.main)
    if main is None:
        return
    relationships = package.relationships(package.main)
    if format == "docx":
        yield _Part(main, relationships)
        return
    for number, each in enumerate(main.iter(f"{{*}}{_LISTED[format]}"), 1):
        found = relationships.get(each.get(f"{RELATIONSHIP}id") or "")
        if not found or not found.part:
            continue
        names = [found.part] if format == "pptx" else package.related_names(found.part, "drawing")
        for name in names:
            root = package.archive.xml(name)
            if root is not None:
                page, title = (number, "") if format == "pptx" else (0, each.get("name") or "")
                yield _Part(root, package.relationships(name), page, title)


def _walk(part: _Part) -> Iterator[str | CaptionText | FoundPicture]:
    """Yield paragraphs and pictures in order; a picture in a paragraph comes before its text, as most captions do."""
    yield part.title
    stack: list[Any] = [part.root]
    while stack:
        each = stack.pop()
        name = _name(each)
        if name in _SKIPPED:
            continue
        if name in _PARAGRAPHS:
            yield from filter(None, map(partial(_picture, part), each.iter()))
            text = "".join(_texts(each))
            yield CaptionText(text) if _is_marked(each) and text.strip() else text
            continue
        found = _picture(part, each)
        if found:
            yield found
        stack += [*each][::-1]


def _texts(paragraph: Any) -> Iterator[str]:
    if _name(paragraph) in _SKIPPED:
        return
    stack: list[Any] = [paragraph]
    while stack:
        each = stack.pop()
        if isinstance(each, str):
            yield each
        elif _name(each) not in _SKIPPED:
            yield each.text or ""
            for child in reversed(each):
                stack += (child.tail or "", child)


def _picture(part: _Part, element: Any) -> FoundPicture | None:
    """Return the picture that an element shows, unless it is decoration."""
    name = _name(element)
    target = ""
    if name in ("blip", "imagedata"):
        ids = [element.get(f"{RELATIONSHIP}{each}") for each in ("embed", "link", "id", "pict")]
        found = next((part.relationships[id] for id in ids if id in part.relationships), None)
        target, written = (found.part or found.target, found.target) if found else ("", "")
    elif name == "image" and "drawing:1.0" in str(element.tag):
        written = element.get("{http://www.w3.org/1999/xlink}href") or ""
        target = written if ":" in written else posixpath.normpath(written)
    if not target or any(_name(each) in _SKIPPED for each in element.iterancestors()):
        return None
    shape = next((each for each in element.iterancestors() if _name(each) in _SHAPES), None)
    alt = "" if shape is None else _alternative(shape)
    is_shown = alt or shape is None or name != "blip" or is_picture(shape)
    return FoundPicture(target, alt, page=part.page, written=written) if is_shown else None


def _alternative(shape: Any) -> str:
    properties = next(shape.iter("{*}docPr", "{*}cNvPr"), None)
    texts = [alternative_text(properties), shape.get("alt"), shape.findtext("{*}desc"), shape.findtext("{*}title")]
    return " ".join(next(filter(None, texts), "").split())


def _is_marked(paragraph: Any) -> bool:
    """Return whether the style of a paragraph is that of captions."""
    style = paragraph.find("{*}pPr/{*}pStyle")
    names = [str(value) for each in (style, paragraph) if each is not None for value in each.attrib.values()]
    return any(name.lower().startswith(_CAPTIONS) for name in names[:8])


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
