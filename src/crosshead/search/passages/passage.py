"""A part of a document -> a passage with its heading, heading chain and citation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from crosshead.citation import cite_lines, page_span
from crosshead.tokens import Count
from crosshead.types import Passage, StoredDocument, StoredSection

Sections = Mapping[str, StoredSection]


def make_passage(
    document: StoredDocument,
    sections: Sections,
    section_id: str,
    start: int,
    end: int,
    *,
    chunk_ids: Iterable[str],
    count: Count,
    score: float = 0.0,
    prefix: str = "",
    suffix: str = "",
    is_weak: bool = False,
    with_heading: bool = True,
) -> Passage:
    """Quote a document; text that begins after its section's heading gets that heading in front, if wanted.

    `sections` has the section and all sections around it; `prefix` and `suffix` complete a part of a split block.
    """
    section = sections.get(section_id)
    chain = heading_chain(section_id, sections)
    content = f"{prefix}{document.text[start:end]}{suffix}"
    if with_heading and section and section.level and start > section.start:
        content = f"{'#' * section.level} {section.title}\n\n{content}"
    start_line = document.text.count("\n", 0, start) + 1
    end_line = start_line + document.text.count("\n", start, end)
    return Passage(
        chunk_ids=tuple(chunk_ids),
        document_id=document.id,
        source=document.source,
        section_id=section_id,
        parent_section_id=section.parent_id if section else None,
        heading_chain=chain,
        content=content,
        start_line=start_line,
        end_line=end_line,
        token_count=count(content),
        score=score,
        citation=cite_lines(
            document.source,
            document.format,
            chain,
            (start_line, end_line),
            lines=document.lines,
            pages=document.pages,
            section_id=section_id,
        ),
        title=document.title,
        metadata=document.metadata,
        pages=page_span(document.pages, start_line, end_line),
        is_weak=is_weak,
    )


def heading_chain(section_id: str, sections: Sections) -> tuple[str, ...]:
    """Return the titles of a section and those around it, outermost first."""
    return tuple(section.title for section in reversed(enclosing(section_id, sections)))


def enclosing(section_id: str, sections: Sections) -> list[StoredSection]:
    """Return a section and those around it, innermost first, without the root."""
    found: list[StoredSection] = []
    section = sections.get(section_id)
    while section and section.level:
        found.append(section)
        section = sections.get(section.parent_id or "")
    return found
