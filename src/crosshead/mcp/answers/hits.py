"""Hits of a search, whole or by their best lines, and the chunks around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import Field

from crosshead.mcp.budget import Budget, ToolAnswer
from crosshead.search import FoldedHits, Relation, chunks_around, describe_weaker
from crosshead.types import Chunk, Hit, MissingIndex


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
    index: str = ""
    """The location of its index, if several are searched as one."""
    breadcrumb: str
    """Title of the document and headings down to the section that answers."""
    section_id: str
    """For rag_section: the section that answers."""
    score: float
    """Between 0 and 1; can be compared between queries."""
    confidence: float | None
    """How likely it is to answer, 0 to 1, in a calibrated index."""
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
        remarks += [f"confidence {self.confidence:.2f}"] if self.confidence is not None else []
        remarks += ["weak match"] if self.is_weak else []
        remarks += [] if self.is_whole else ["best lines only"]
        index = f"{self.index}: " if self.index else ""
        head = f"[{self.rank}] {index}{self.citation} | {self.breadcrumb}\n"
        head += f"section_id {self.section_id} | {', '.join(remarks)}"
        content = f"{self.table_head}{self.content}"
        return "\n\n".join([head, content, *(each.text() for each in self.around)])


class SearchAnswer(ToolAnswer):
    """The best sections for a query, best first."""

    hits: list[FoundSection]
    left_out: int
    """Hits that did not fit."""
    weaker: int = 0
    """Weak matches that are left out, because they probably do not answer; `all` returns them."""
    note: str = ""
    """Why no document can meet the filters, with the values that there are."""
    complete: bool = True
    """False if one of several indexes could not be searched."""
    missing: list[str] = Field(default_factory=list)
    """Which of several indexes could not be searched, and why."""

    def text(self) -> str:
        """Return the hits, then how many did not fit, how many are weak, and which indexes are missing."""
        missing = [f"Not searched: {'; '.join(self.missing)}."] if self.missing else []
        return "\n\n---\n\n".join([self._found(), *missing])

    def _found(self) -> str:
        weaker = f"{describe_weaker(self.weaker)}: all=true" if self.weaker else ""
        if weaker and not self.hits and not self.left_out:
            return f"No good match: the documents do not seem to answer this. {weaker}"
        if not self.hits and not self.left_out:
            return f"Nothing found. {self.note[:1].upper()}{self.note[1:] or 'Try other words, or fewer filters'}."
        rest = f"{self.left_out} more did not fit: use a more specific query, a section_filter or a smaller limit."
        after = [rest] if self.left_out else []
        return "\n\n---\n\n".join([*(each.text() for each in self.hits), *after, *([weaker] if weaker else [])])


def search_answer(
    folded: FoldedHits, budget: Budget, note: str = "", missing: Sequence[MissingIndex] = ()
) -> SearchAnswer:
    """Quote hits whole, best first, or their best lines if that does not fit; then the chunks around them."""
    hits = folded.hits
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
    return SearchAnswer(
        hits=expanded,
        left_out=len(hits) - len(quoted),
        weaker=folded.weaker,
        note=note,
        complete=not missing,
        missing=[f"{each.index}: {each.reason}" for each in missing],
    )


def _found(rank: int, hit: Hit, *, is_whole: bool) -> FoundSection:
    return FoundSection(
        rank=rank,
        citation=hit.citation,
        index=hit.index,
        breadcrumb=" > ".join(hit.full_path),
        section_id=hit.section_id,
        score=round(hit.final_score, 3),
        confidence=hit.confidence if hit.confidence is None else round(hit.confidence, 3),
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
