"""A query that is the title of a section means that section only, even if its chunk holds its neighbors too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from crosshead.search.passages.passage import Sections
from crosshead.types import Chunk, Hit, StoredSection


def focus(hits: Iterable[Hit], sections: Sections, is_title: Callable[[str], float]) -> list[Hit]:
    """Narrow hits to the section that answers if its title is the query; `is_title` scores titles from 0 to 1."""
    return [_narrow(hit, sections) if _is_named(hit, is_title) else hit for hit in hits]


def _is_named(hit: Hit, is_title: Callable[[str], float]) -> bool:
    inside = len(hit.section_path) > len(hit.chunk.section_path)
    return inside and is_title(hit.section_path[-1]) == 1.0


def _narrow(hit: Hit, sections: Sections) -> Hit:
    section = sections.get(hit.section_id)
    return replace(hit, chunk=_part(hit, section)) if section and hit.chunk.start <= section.start else hit


def _part(hit: Hit, section: StoredSection) -> Chunk:
    chunk = hit.chunk
    return replace(
        chunk,
        content=hit.content,
        section_id=section.id,
        section_path=section.path,
        section_level=section.level,
        start=hit.start,
        end=hit.end,
        start_line=hit.start_line,
        end_line=hit.end_line,
        prefix="",
        suffix=chunk.suffix if chunk.end <= section.end else "",  # of a split block at the end of the chunk
    )
