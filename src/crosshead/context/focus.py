"""A question that is the title of a section means that section, even where its chunk joins it with its neighbors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from crosshead.context.passage import Sections
from crosshead.model import Chunk, Hit, StoredSection


def focus(hits: Iterable[Hit], sections: Sections, is_title: Callable[[str], float]) -> list[Hit]:
    """Narrow hits to the section that answers, where its title is the question; `is_title` tells how far it is."""
    return [_narrow(hit, sections) if _is_named(hit, is_title) else hit for hit in hits]


def _is_named(hit: Hit, is_title: Callable[[str], float]) -> bool:
    inside = len(hit.section_path) > len(hit.chunk.section_path)
    return inside and is_title(hit.section_path[-1]) == 1.0


def _narrow(hit: Hit, sections: Sections) -> Hit:
    chunk = hit.chunk
    inside = (
        section
        for section in sections.values()
        if section.document_id == chunk.document_id
        and section.path == hit.section_path
        and chunk.start <= section.start < chunk.end
    )
    section = min(inside, key=lambda section: section.start, default=None)
    return replace(hit, chunk=_part(chunk, section)) if section else hit


def _part(chunk: Chunk, section: StoredSection) -> Chunk:
    content = chunk.content[section.start - chunk.start : section.end - chunk.start].rstrip()
    first = chunk.start_line + chunk.content.count("\n", 0, section.start - chunk.start)
    return replace(
        chunk,
        content=content,
        section_id=section.id,
        section_path=section.path,
        section_level=section.level,
        start=section.start,
        end=section.start + len(content),
        start_line=first,
        end_line=first + content.count("\n"),
        prefix="",
        suffix=chunk.suffix if chunk.end <= section.end else "",  # of a cut block, which ends the chunk
    )
