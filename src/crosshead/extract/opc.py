"""Packages of Office: parts that refer to one another by relationships."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from lxml import etree

from crosshead.errors import CorruptFile
from crosshead.extract.archive import Archive

RELATIONSHIP = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
CORE_PROPERTIES = "docProps/core.xml"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"


class Relationship(NamedTuple):
    """What a part refers to."""

    kind: str
    """The last word of the type: slide, notesSlide, hyperlink."""
    target: str
    """The name of a part, or an address outside of the package."""
    external: bool


class Package:
    """An archive with relationships."""

    def __init__(self, data: bytes, *, what: str) -> None:
        self.archive = Archive(data, what=what)
        self.what = what
        self._relationships: dict[str, dict[str, Relationship]] = {}

    def main_part(self) -> str:
        """Return the name of the part that all others hang on."""
        for relationship in self.relationships("").values():
            if relationship.kind == "officeDocument" and relationship.target in self.archive:
                return relationship.target
        raise CorruptFile(f"the {self.what} file has no main part: save it again with the program that made it")

    def root(self, name: str) -> etree._Element:
        """Return the root element of a part that must be there."""
        root = self.archive.xml(name)
        if root is None:
            raise CorruptFile(f"the {self.what} file has no part {name}: save it again with the program that made it")
        return root

    def relationships(self, part: str) -> dict[str, Relationship]:
        """Return what a part refers to, by id."""
        found = self._relationships.get(part)
        if found is None:
            folder, name = posixpath.split(part)
            root = self.archive.xml(posixpath.join(folder, "_rels", f"{name}.rels"))
            found = dict(_read_relationships(root, folder)) if root is not None else {}
            self._relationships[part] = found
        return found

    def related(self, part: str, kind: str) -> str:
        """Return the one part of a kind that a part refers to, or an empty name."""
        found = (each.target for each in self.relationships(part).values() if each.kind == kind and not each.external)
        return next((target for target in found if target in self.archive), "")

    def title(self) -> str:
        """Return the title in the document's properties."""
        root = self.archive.xml(CORE_PROPERTIES)
        return (root.findtext(f".//{_TITLE}") or "").strip() if root is not None else ""


def _read_relationships(root: etree._Element, folder: str) -> Iterator[tuple[str, Relationship]]:
    for each in root:
        target, kind = each.get("Target") or "", (each.get("Type") or "").rpartition("/")[2]
        external = each.get("TargetMode") == "External"
        if not external:
            target = posixpath.normpath(posixpath.join("/", folder, unquote(target).partition("#")[0])).lstrip("/")
        yield each.get("Id") or "", Relationship(kind, target, external)
