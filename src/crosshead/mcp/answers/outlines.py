"""Headings of documents, to the depth that fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from crosshead.markdown import DocumentOutline, Node
from crosshead.mcp.budget import Budget, ToolAnswer

DEEPEST: Final = 6


class OutlineHeading(ToolAnswer):
    """A section of an outline; level 0 is the whole document."""

    section_id: str
    """For rag_section."""
    level: int
    title: str
    start_line: int
    """Lines of the document as Markdown."""
    end_line: int
    token_count: int
    """Tokens of the section with its subsections."""

    def text(self) -> str:
        """Return a line, indented by its level."""
        lines = f"lines {self.start_line}-{self.end_line}, {self.token_count:,} tokens"
        return f"{'  ' * self.level}{self.title} | {lines} | section_id {self.section_id}"


class OutlinedDocument(ToolAnswer):
    """The headings of a document, in order."""

    source: str
    headings: list[OutlineHeading]

    def text(self) -> str:
        """Return a line for the whole document, then one for each heading."""
        whole, *headings = (each.text() for each in self.headings)
        return "\n".join([f"{self.source} | {whole}", *headings])


class Outlined(ToolAnswer):
    """The headings of documents."""

    documents: list[OutlinedDocument]
    deepest_level: int
    """Headings below this level did not fit."""
    left_out: int
    """Documents that did not fit."""

    def text(self) -> str:
        """Return the documents, then what is missing."""
        parts = [each.text() for each in self.documents]
        if self.deepest_level < DEEPEST:
            parts.append(f"Headings below level {self.deepest_level} did not fit: outline one document to see more.")
        if self.left_out:
            parts.append(f"{self.left_out:,} more documents did not fit: outline a folder or a file to see them.")
        return "\n\n".join(parts)


def outline_answer(outlines: Iterable[DocumentOutline], total: int, tokens: int) -> Outlined:
    """Outline as many documents as fit, to the depth at which all of them fit."""
    budget, chosen = Budget(tokens), []
    for each in outlines:
        if not budget.take(_outlined(each, 0)):
            break
        chosen.append(each)
    for depth in range(DEEPEST, -1, -1):
        documents, budget = [_outlined(each, depth) for each in chosen], Budget(tokens)
        if all(budget.take(each) for each in documents):
            break
    return Outlined(documents=documents, deepest_level=depth, left_out=total - len(chosen))


def _outlined(outline: DocumentOutline, depth: int) -> OutlinedDocument:
    root = outline.root._replace(title=outline.title)
    return OutlinedDocument(source=outline.source, headings=[heading(each) for each in below(root, depth)])


def below(node: Node, depth: int) -> Iterator[Node]:
    """Yield a section and those below it, down to a level."""
    yield node
    for child in node.children:
        if child.level <= depth:
            yield from below(child, depth)


def heading(node: Node) -> OutlineHeading:
    """Return a line of an outline."""
    return OutlineHeading(
        section_id=node.id,
        level=node.level,
        title=node.title,
        start_line=node.start_line,
        end_line=node.end_line,
        token_count=node.token_count,
    )
