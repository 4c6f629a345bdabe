"""Sections of other documents that are near a section."""

from __future__ import annotations

from collections.abc import Sequence

from crosshead.mcp.budget import Budget, ToolAnswer
from crosshead.types import RelatedSection


class NearSection(ToolAnswer):
    """A section of another document."""

    citation: str
    breadcrumb: str
    section_id: str
    """For rag_section."""
    score: float
    """Cosine of the vectors; by words, a share of the highest score."""
    shared: float
    """Share of the text that both have, 0 to 1."""
    is_copy: bool
    content: str
    """The text of the section, as far as it is near."""

    def text(self) -> str:
        """Return the text below its citation."""
        copy = f" | copy, {self.shared:.0%} of the text is the same" if self.is_copy else ""
        head = f"{self.citation} | {self.breadcrumb}\nsection_id {self.section_id} | {self.score:.2f}{copy}"
        return f"{head}\n\n{self.content}".rstrip()


class RelatedAnswer(ToolAnswer):
    """The nearest sections of other documents, nearest first."""

    sections: list[NearSection]
    left_out: int
    """Sections that did not fit."""

    def text(self) -> str:
        """Return the sections, then how many did not fit."""
        after = [f"{self.left_out} more did not fit."] if self.left_out else []
        return "\n\n---\n\n".join([*(each.text() for each in self.sections), *after]) or "No other document is near."


def related_answer(found: Sequence[RelatedSection], budget: Budget) -> RelatedAnswer:
    """Quote sections as far as they fit; of a copy, only where it is."""
    quoted = [each for each in map(_near, found) if budget.take(each)]
    return RelatedAnswer(sections=quoted, left_out=len(found) - len(quoted))


def _near(section: RelatedSection) -> NearSection:
    return NearSection(
        citation=section.citation,
        breadcrumb=" > ".join(section.chunk.full_path),
        section_id=section.section_id,
        score=round(section.score, 3),
        shared=round(section.shared, 3),
        is_copy=section.is_copy,
        content="" if section.is_copy else section.chunk.content,
    )
