"""Packages of Office (DOCX, PPTX, XLSX): parts that refer to one another by relationships.

A damaged package is read as far as possible: without a relationship to a part, its default path is tried.
"""

from __future__ import annotations

import posixpath
from typing import Final, NamedTuple
from urllib.parse import unquote

from lxml import etree

from crosshead.errors import CorruptFile, UnsupportedFormat
from crosshead.formats.shared.containers.archive import MAX_TAGS, Archive
from crosshead.formats.shared.omissions import LeftOut

RELATIONSHIP: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MAX_RELATED: Final = 1_000
"""Maximum parts of one kind, such as the tables of a sheet."""
_EMBEDDED: Final = ("oleObject", "package")
_TITLE: Final = "{http://purl.org/dc/elements/1.1/}title"


class Relationship(NamedTuple):
    """A reference from a part."""

    kind: str
    """The last word of the type: slide, notesSlide, hyperlink."""
    target: str
    """As it is written: an address, or a path from the folder of the part."""
    part: str | None
    """The name of the part that it leads to, or None outside the package."""


class OpcPackage:
    """An open package. `what` names the format in messages, `main` is the default name of its main part."""

    def __init__(self, data: bytes, *, what: str, main: str, max_tags: int = MAX_TAGS) -> None:
        self.archive = Archive(data, what=what, max_tags=max_tags)
        self.left_out = LeftOut()
        self._what = what
        self._relationships: dict[str, dict[str, Relationship]] = {}
        self.main = self.related_name("", "officeDocument") or main

    def main_root(self, namespace: str) -> etree._Element:
        """Return the root of the main part, which all others hang on. Its namespace is that of the format."""
        root = self.archive.xml(self.main)
        if root is None:
            raise CorruptFile(
                f"the main part of the {self._what} file is missing: save it again with the program that made it"
            )
        if not root.tag.startswith(namespace):
            raise UnsupportedFormat(f"not {self._what}: is it a text document, a presentation or a spreadsheet?")
        return root

    def relationships(self, part: str) -> dict[str, Relationship]:
        """Return what a part refers to, by id."""
        found = self._relationships.get(part)
        if found is None:
            folder, name = posixpath.split(part)
            root = self.archive.xml(posixpath.join(folder, "_rels", f"{name}.rels"))
            found = {} if root is None else {each.get("Id") or "": self._relationship(each, folder) for each in root}
            self._relationships[part] = found
        return found

    def related_name(self, part: str, kind: str) -> str:
        """Return the name of the one part of a kind that a part refers to, or an empty name."""
        beside = posixpath.join(posixpath.dirname(part), f"{kind}.xml")
        return next((name for name in [*self.related_names(part, kind), beside] if name in self.archive), "")

    def related_names(self, part: str, kind: str) -> list[str]:
        """Return the names of all parts of a kind that a part refers to."""
        found = [each.part for each in self.relationships(part).values() if each.kind == kind and each.part]
        return [name for name in dict.fromkeys(found) if name in self.archive]

    def related_roots(self, part: str, kind: str) -> list[etree._Element]:
        """Return the roots of the parts of a kind that a part refers to; damaged ones are left out with a warning."""
        roots = []
        for name in self.related_names(part, kind)[:_MAX_RELATED]:
            try:
                roots.append(self.archive.xml(name))
            except CorruptFile as error:
                self.left_out.warn(f"{name} is left out: {error}")
        return [root for root in roots if root is not None]

    def related(self, part: str, kind: str) -> etree._Element | None:
        """Return the root of the one part of a kind that a part refers to."""
        return self.archive.xml(self.related_name(part, kind))

    def count_embedded(self, part: str) -> int:
        """Return how many documents of other programs are embedded in a part."""
        return sum(each.kind in _EMBEDDED for each in self.relationships(part).values())

    def title(self) -> str:
        """Return the title in the document's properties."""
        root = self.related("", "core-properties")
        return "" if root is None else " ".join((root.findtext(f".//{_TITLE}") or "").split())

    def _relationship(self, element: etree._Element, folder: str) -> Relationship:
        kind, target = (element.get("Type") or "").rpartition("/")[2], element.get("Target") or ""
        if (element.get("TargetMode") or "").lower() == "external":
            return Relationship(kind, target, None)
        part = posixpath.normpath(posixpath.join("/", folder, target.partition("#")[0])).lstrip("/")
        return Relationship(kind, target, part if part in self.archive else unquote(part))
