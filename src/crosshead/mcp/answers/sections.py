"""A whole section, or its beginning and its subsections."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from crosshead.markdown import Node
from crosshead.mcp.answers.outlines import OutlineHeading, heading
from crosshead.mcp.budget import Budget, ToolAnswer
from crosshead.types import Passage


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
        named = " | ".join(filter(None, [self.citation, self.breadcrumb]))
        parts = [f"{named}\n{ids} | {self.token_count:,} tokens", self.content]
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
        breadcrumb=" > ".join(section.heading_chain) or section.title,
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
