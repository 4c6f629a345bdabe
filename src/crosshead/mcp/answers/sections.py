"""A whole section, or its beginning and its subsections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pydantic import Field

from crosshead.markdown import Node
from crosshead.mcp.answers.outlines import OutlineHeading, heading
from crosshead.mcp.budget import Budget, ToolAnswer
from crosshead.types import LinksAround, Passage, ResolvedLink

MOST_LINKS: Final = 20
"""Links in each direction that are shown."""


class SectionLink(ToolAnswer):
    """A link out of a section, or into it."""

    citation: str
    """Where the link is."""
    label: str
    leads_to: str
    """The document with the anchor, or what is missing."""
    section_id: str
    """The section at its other end, for rag_section; empty for a whole document or file."""

    def text(self) -> str:
        """Return a line."""
        named = f"{self.citation} {self.label}".strip()
        section = f"section_id {self.section_id}" if self.section_id else ""
        return " | ".join(filter(None, [f"{named} -> {self.leads_to}", section]))


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
    links_to: list[SectionLink] = Field(default_factory=list)
    """Where links in it lead, as far as they fit."""
    linked_from: list[SectionLink] = Field(default_factory=list)
    """Links of other sections that lead to it, as far as they fit."""

    def text(self) -> str:
        """Return the content below its citation, and how to see the rest if it was cut."""
        ids = f"section_id {self.section_id} | parent {self.parent_section_id or 'none'}"
        named = " | ".join(filter(None, [self.citation, self.breadcrumb]))
        parts = [f"{named}\n{ids} | {self.token_count:,} tokens", self.content]
        if not self.is_whole:
            parts.append("The rest did not fit. Open the subsections one by one, or the file at the cited lines.")
            parts.append("\n".join(each.text() for each in self.subsections))
        for title, links in (("links to", self.links_to), ("linked from", self.linked_from)):
            if links:
                parts.append("\n".join([f"{title}:", *(each.text() for each in links)]))
        return "\n\n".join(filter(None, parts))


def section_answer(
    section: Passage, subsections: Iterable[Node], links: LinksAround | None, budget: Budget
) -> WholeSection:
    """Quote a section with its links; if it does not fit, cut it and list its subsections, up to half of the budget."""
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
        out = [_section_link(each, each.to_section_id) for each in links.out[:MOST_LINKS]] if links else []
        into = [_section_link(each, each.section_id) for each in links.into[:MOST_LINKS]] if links else []
        fitting = [[each for each in some if budget.take(each)] for some in (out, into)]
        return whole.model_copy(update={"links_to": fitting[0], "linked_from": fitting[1]})
    part = whole.model_copy(update={"is_whole": False, "content": ""})
    budget.take(part)
    half = budget.left // 2
    named = [each for each in map(heading, subsections) if budget.left > half and budget.take(each)]
    return part.model_copy(update={"content": budget.cut(section.content), "subsections": named})


def _section_link(link: ResolvedLink, other_end: str) -> SectionLink:
    anchor = f"#{link.anchor}" if link.anchor else ""
    leads_to = link.problem or f"{link.to_source}{anchor}" if link.to_source else link.problem or link.target
    return SectionLink(citation=link.citation, label=link.text, leads_to=leads_to, section_id=other_end)
