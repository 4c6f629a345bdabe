"""crosshead outline: the heading tree of documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from crosshead.cli.flags import AsJson, Jobs, Paths, with_reading
from crosshead.cli.inputs import Reading, find_inputs
from crosshead.cli.outcomes import Problems, finish, successes
from crosshead.cli.parallel import process
from crosshead.cli.plain import write_json
from crosshead.model import Document, Section
from crosshead.tokens import get_counter


class Node(NamedTuple):
    """A section as the outline shows it."""

    id: str
    title: str
    level: int
    start_line: int
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


@with_reading
def outline(paths: Paths, reading: Reading, as_json: AsJson = False, jobs: Jobs = None) -> None:
    """Print the headings of documents as a tree, with the lines and tokens (cl100k_base) of every section."""
    inputs = find_inputs(paths, reading)
    problems = Problems()
    outlines = successes(process(outline_document, inputs, jobs, streams=as_json), problems)
    if as_json:
        for each in outlines:
            write_json(each.to_json())
    else:
        from crosshead.cli.views.outlines import show_outlines

        show_outlines(list(outlines))
    finish(problems, inputs=len(inputs))


def outline_document(document: Document) -> DocumentOutline:
    """Return the tree of a document with the tokens of every whole section."""
    count = get_counter("cl100k_base").slices(document.text).prose
    return DocumentOutline(document.source, document.title, _node(document.root, document.text, count))


def _node(section: Section, text: str, count: Callable[[str], int]) -> Node:
    children = tuple(_node(child, text, count) for child in section.children)
    tokens = count(text[section.start : section.end])
    return Node(section.id, section.title, section.level, section.start_line, section.end_line, tokens, children)
