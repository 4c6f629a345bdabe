"""A document -> its heading tree, with the lines and tokens of each section."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from crosshead.tokens import get_counter
from crosshead.types import Document, Section


class Node(NamedTuple):
    """A section of an outline."""

    id: str
    title: str
    level: int
    start_line: int
    """Line in the file, if its lines are known."""
    end_line: int
    token_count: int
    children: tuple[Node, ...]

    def to_json(self) -> dict[str, object]:
        """Return the node by names."""
        return {**self._asdict(), "children": [each.to_json() for each in self.children]}


class DocumentOutline(NamedTuple):
    """A document with its sections."""

    source: str
    title: str
    root: Node

    def to_json(self) -> dict[str, object]:
        """Return the root with the document's names."""
        return {"source": self.source, **self.root.to_json(), "title": self.title}


def outline_document(document: Document) -> DocumentOutline:
    """Return the tree of a document with the token count of each whole section."""
    count = get_counter("cl100k_base").slices(document.text).prose
    return DocumentOutline(document.source, document.title, _node(document.root, document, count))


def _node(section: Section, document: Document, count: Callable[[str], int]) -> Node:
    children = tuple(_node(child, document, count) for child in section.children)
    tokens = count(document.text[section.start : section.end])
    lines = document.source_span(section.start_line, section.end_line)
    return Node(section.id, section.title, section.level, *lines, tokens, children)
