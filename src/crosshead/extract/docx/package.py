"""A DOCX file as a package: which part is the document, and which parts belong to it."""

from __future__ import annotations

import posixpath
from typing import Final, NamedTuple

from lxml import etree

from crosshead.errors import CorruptFile, UnsupportedFormat
from crosshead.extract.archive import Archive
from crosshead.extract.docx.names import W

MAX_TAGS: Final = 2_000_000
"""About what five seconds are enough for, and thousands of pages."""

_MAIN_PART = "word/document.xml"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"


class Relationship(NamedTuple):
    """What a part refers to by an id."""

    kind: str
    target: str
    is_external: bool


class Package:
    """An open DOCX file."""

    def __init__(self, data: bytes) -> None:
        self._archive = Archive(data, what="DOCX", max_tags=MAX_TAGS)
        self._files = self.relationships_of("")
        self.main_name = self._find_main()
        self.relationships = self.relationships_of(self.main_name)

    def body(self) -> etree._Element:
        """Return the element that holds the document's text."""
        root = self._archive.xml(self.main_name)
        if root is None:
            raise CorruptFile("the DOCX file has no document in it: save it again with the program that made it")
        if not root.tag.startswith(W):
            raise UnsupportedFormat("the file is no text document: is it a presentation or a spreadsheet?")
        body: etree._Element | None = root.find(f"{W}body")
        return root if body is None else body

    def related_name(self, kind: str) -> str:
        """Return the name of a part that belongs to the document: "styles", "footnotes"."""
        for each in self.relationships.values():
            if each.kind == kind and not each.is_external:
                return _resolve(self.main_name, each.target)
        return _resolve(self.main_name, f"{kind}.xml")

    def related(self, kind: str) -> etree._Element | None:
        """Return the root of a part that belongs to the document."""
        return self._archive.xml(self.related_name(kind))

    def relationships_of(self, part: str) -> dict[str, Relationship]:
        """Return what a part refers to, by id."""
        folder, _, leaf = part.rpartition("/")
        root = self._archive.xml(posixpath.join(folder, "_rels", f"{leaf}.rels"))
        return {} if root is None else {each.get("Id", ""): _relationship(each) for each in root}

    def title(self) -> str:
        """Return the title in the document's properties."""
        for each in self._files.values():
            if each.kind == "core-properties":
                root = self._archive.xml(_resolve("", each.target))
                return "" if root is None else " ".join((root.findtext(_TITLE) or "").split())
        return ""

    def _find_main(self) -> str:
        for each in self._files.values():
            if each.kind == "officeDocument":
                return _resolve("", each.target)
        return _MAIN_PART


def _relationship(element: etree._Element) -> Relationship:
    return Relationship(
        element.get("Type", "").rpartition("/")[2],
        element.get("Target", ""),
        element.get("TargetMode", "").lower() == "external",
    )


def _resolve(part: str, target: str) -> str:
    """Return the name of a part that another part refers to."""
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(part), target)).lstrip("/")
