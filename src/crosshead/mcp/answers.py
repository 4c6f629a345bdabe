"""Results of the index -> answers for an assistant, within a token budget.

Nothing is omitted silently: an answer says how much did not fit, and how to see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from pydantic import Field

from crosshead.index import AddResult
from crosshead.markdown import DocumentOutline, Node
from crosshead.mcp.budget import Budget, ToolAnswer
from crosshead.search import Relation, chunks_around
from crosshead.types import Chunk, Hit, Passage

DEEPEST: Final = 6
MOST_FAILURES: Final = 20
"""Failures that are listed; often all have the same reason."""

# ---------------------------------------------------------------------- results of indexing


class FailedDocument(ToolAnswer):
    """A document that could not be indexed."""

    source: str
    reason: str

    def text(self) -> str:
        """Return a line."""
        return f"- {self.source}: {self.reason}"


class Indexed(ToolAnswer):
    """The result of indexing."""

    summary: str
    added: int
    updated: int
    unchanged: int
    removed: int
    failed: int
    pending: int
    """Chunks that are found by words only, because they have no vector yet."""
    failures: list[FailedDocument] = Field(default_factory=list)
    """The first documents that could not be indexed, with their reasons."""
    notes: list[str] = Field(default_factory=list)
    """Notes and warnings, as far as they fit."""

    def text(self) -> str:
        """Return the summary, then failures and notes."""
        more = self.failed - len(self.failures)
        rest = [f"- and {more:,} more failed"] if more else []
        return "\n".join([self.summary, *(each.text() for each in self.failures), *rest, *self.notes])


class Note(ToolAnswer):
    """A note or warning."""

    note: str

    def text(self) -> str:
        """Return the line."""
        return self.note


def indexed_answer(result: AddResult, budget: Budget) -> Indexed:
    """Return the result of indexing as an answer."""
    first = islice(result.failed.items(), MOST_FAILURES)
    failures = (FailedDocument(source=source, reason=reason) for source, reason in first)
    notes = (Note(note=note) for note in result.notes)
    return Indexed(
        summary=result.summary,
        added=result.added,
        updated=result.updated,
        unchanged=result.unchanged,
        removed=result.removed,
        failed=len(result.failed),
        pending=result.pending,
        failures=[each for each in failures if budget.take(each)],
        notes=[each.note for each in notes if budget.take(each)],
    )


# ---------------------------------------------------------------------- hits


class Around(ToolAnswer):
    """A chunk around a hit."""

    place: Relation
    citation: str
    breadcrumb: str
    section_id: str
    content: str

    def text(self) -> str:
        """Return the text below its citation."""
        return f"({self.place}) {self.citation} | {self.breadcrumb} | section_id {self.section_id}\n\n{self.content}"


class FoundSection(ToolAnswer):
    """A section that matches the query."""

    rank: int
    citation: str
    """Source and lines, or pages, of the content."""
    breadcrumb: str
    """Title of the document and headings down to the section that answers."""
    section_id: str
    """For rag_section: the section that answers."""
    score: float
    """Between 0 and 1; can be compared between queries."""
    is_weak: bool
    """True if it probably does not answer the query."""
    is_whole: bool
    """False if only the best lines fitted."""
    content: str
    """Exactly the cited text, or its best lines."""
    table_head: str = ""
    """Table head or code fence that a part of a table or code block needs in front."""
    around: list[Around] = Field(default_factory=list)
    """With expand_context: the chunks around it."""

    def text(self) -> str:
        """Return the text below its citation, then what is around it."""
        remarks = [f"score {self.score:.2f}"]
        remarks += ["weak match"] if self.is_weak else []
        remarks += [] if self.is_whole else ["best lines only"]
        head = f"[{self.rank}] {self.citation} | {self.breadcrumb}\n"
        head += f"section_id {self.section_id} | {', '.join(remarks)}"
        content = f"{self.table_head}{self.content}"
        return "\n\n".join([head, content, *(each.text() for each in self.around)])


class SearchAnswer(ToolAnswer):
    """The best sections for a query, best first."""

    hits: list[FoundSection]
    left_out: int
    """Hits that did not fit."""
    note: str = ""
    """Why no document can meet the filters, with the values that there are."""

    def text(self) -> str:
        """Return the hits, then how many did not fit."""
        if not self.hits and not self.left_out:
            return f"Nothing found. {self.note[:1].upper()}{self.note[1:] or 'Try other words, or fewer filters'}."
        rest = f"{self.left_out} more did not fit: use a more specific query, a section_filter or a smaller limit."
        return "\n\n---\n\n".join([*(each.text() for each in self.hits), *([rest] if self.left_out else [])])


def search_answer(hits: Sequence[Hit], budget: Budget, note: str = "") -> SearchAnswer:
    """Quote hits whole, best first, or their best lines if that does not fit; then the chunks around them."""
    quoted: list[FoundSection] = []
    for rank, hit in enumerate(hits, 1):
        ways = (_found(rank, hit, is_whole=True), _found(rank, hit, is_whole=False))
        fitting = next(filter(budget.take, ways), None)
        if fitting is None:
            break
        quoted.append(fitting)
    seen = {hit.chunk.id for hit in hits}
    expanded = [
        each.model_copy(update={"around": list(_around(hit, seen, budget))})
        for hit, each in zip(hits, quoted, strict=False)
    ]
    return SearchAnswer(hits=expanded, left_out=len(hits) - len(quoted), note=note)


def _found(rank: int, hit: Hit, *, is_whole: bool) -> FoundSection:
    return FoundSection(
        rank=rank,
        citation=hit.citation,
        breadcrumb=" > ".join(hit.full_path),
        section_id=hit.section_id,
        score=round(hit.final_score, 3),
        is_weak=hit.is_weak,
        is_whole=is_whole,
        table_head=hit.chunk.prefix if is_whole and hit.start == hit.chunk.start else "",
        content=hit.content if is_whole else hit.snippet,
    )


def _around(hit: Hit, seen: set[str], budget: Budget) -> Iterator[Around]:
    """Yield the chunks around a hit, each once in an answer."""
    for place, chunk in chunks_around(hit):
        around = _quote(place, chunk)
        if chunk.id not in seen and budget.take(around):
            seen.add(chunk.id)
            yield around


def _quote(place: Relation, chunk: Chunk) -> Around:
    return Around(
        place=place,
        citation=chunk.citation,
        breadcrumb=" > ".join(chunk.full_path),
        section_id=chunk.section_id,
        content=chunk.content,
    )


# ---------------------------------------------------------------------- outlines


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
        """Return the source, then a line per heading."""
        return "\n".join([self.source, *(each.text() for each in self.headings)])


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


# ---------------------------------------------------------------------- sections


class WholeSection(ToolAnswer):
    """A section with its subsections."""

    section_id: str
    parent_section_id: str | None
    """The section around it, for rag_section; null for a whole document."""
    citation: str
    breadcrumb: str
    token_count: int
    """Tokens of the whole section."""
    is_whole: bool
    """False if it did not fit."""
    content: str
    subsections: list[OutlineHeading] = Field(default_factory=list)
    """If it is not whole: the sections directly below it, as far as they fit."""

    def text(self) -> str:
        """Return the content below its citation, and how to see the rest if it was cut."""
        ids = f"section_id {self.section_id} | parent {self.parent_section_id or 'none'}"
        parts = [f"{self.citation} | {self.breadcrumb}\n{ids} | {self.token_count:,} tokens", self.content]
        if not self.is_whole:
            parts.append("The rest did not fit. Open the subsections one by one, or the file at the cited lines.")
            parts.append("\n".join(each.text() for each in self.subsections))
        return "\n\n".join(filter(None, parts))


def section_answer(section: Passage, subsections: Iterable[Node], budget: Budget) -> WholeSection:
    """Quote a section; if it does not fit, cut it and list its subsections, which take up to half of the budget."""
    whole = WholeSection(
        section_id=section.section_id,
        parent_section_id=section.parent_section_id,
        citation=section.citation,
        breadcrumb=" > ".join(section.heading_chain) or section.source,
        token_count=section.token_count,
        is_whole=True,
        content=section.content,
    )
    if budget.take(whole):
        return whole
    part = whole.model_copy(update={"is_whole": False, "content": ""})
    budget.take(part)
    half = budget.left // 2
    named = [each for each in map(heading, subsections) if budget.left > half and budget.take(each)]
    return part.model_copy(update={"content": budget.cut(section.content), "subsections": named})
