"""Footnotes, endnotes and comments: numbered by reference, defined at the end of the section."""

from __future__ import annotations

from typing import NamedTuple

from lxml import etree

from crosshead.formats.office.docx.names import W
from crosshead.formats.office.openxml.opc import OpcPackage

_PARTS = {"footnote": "footnotes", "endnote": "endnotes", "comment": "comments"}


class DocxNote(NamedTuple):
    """A note that was referred to."""

    label: str
    kind: str
    element: etree._Element

    def author(self) -> str:
        """Return the author of a comment."""
        return " ".join((self.element.get(f"{W}author") or "").split())


class Notes:
    """All notes of a document; a note has no notes."""

    def __init__(self, package: OpcPackage | None, *, comments: bool = False) -> None:
        self._package = package
        self._has_comments = comments
        self.left_out: set[str] = set()
        """Ids of comments that are left out."""
        self._found: dict[str, dict[str, etree._Element]] = {}
        self._labels: dict[tuple[str, str], str] = {}
        self._pending: list[DocxNote] = []

    def refer(self, kind: str, id: str | None) -> str | None:
        """Return the label of a note, and remember that it is to be defined."""
        if self._package is None or id is None:
            return None
        if kind == "comment" and not self._has_comments:
            self.left_out.add(id)
            return None
        if (kind, id) in self._labels:
            return self._labels[kind, id]
        element = self._elements(kind).get(id)
        if element is None:
            return None
        label = self._labels[kind, id] = str(len(self._labels) + 1)
        self._pending.append(DocxNote(label, kind, element))
        return label

    def take_pending(self) -> list[DocxNote]:
        """Return the notes that were referred to since the last call."""
        pending, self._pending = self._pending, []
        return pending

    def part(self, kind: str) -> str:
        """Return the name of the part with these notes."""
        return "" if self._package is None else self._package.related_name(self._package.main, _PARTS[kind])

    def _elements(self, kind: str) -> dict[str, etree._Element]:
        if kind not in self._found and self._package is not None:
            root = self._package.related(self._package.main, _PARTS[kind])
            found = () if root is None else root.iterchildren(W + kind)
            self._found[kind] = {each.get(f"{W}id", ""): each for each in found}
        return self._found[kind]
