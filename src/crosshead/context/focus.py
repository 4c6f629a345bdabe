"""A question that names a section means that section, even where its chunk joins it with its neighbors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from crosshead.model import Hit, StoredSection
from crosshead.words import words


def focus(hit: Hit, query: str, sections: Iterable[StoredSection], language: str) -> Hit:
    """Narrow a hit to the section of its chunk that the query names; `sections` are those below the chunk's own.

    A section is named when all words of its title stand in the query one after the other. Of several the longest title
    counts, and of equal ones the deepest.
    """
    asked = words(query, language)
    chunk = hit.chunk
    named = [
        (len(title), section.level, -section.start, section)
        for section in sections
        if section.document_id == chunk.document_id
        and chunk.start <= section.start < chunk.end
        and (title := words(section.title, language))
        and _has_run(asked, title)
    ]
    if not named:
        return hit
    section = max(named)[-1]
    end = min(section.end, chunk.end)
    content = chunk.content[section.start - chunk.start : end - chunk.start].rstrip()
    narrowed = replace(
        chunk,
        content=content,
        section_id=section.id,
        section_path=section.path,
        section_level=section.level,
        start=section.start,
        end=section.start + len(content),
        start_line=section.start_line,
        end_line=section.start_line + content.count("\n"),
    )
    return replace(hit, chunk=narrowed)


def _has_run(all_words: Sequence[str], run: Sequence[str]) -> bool:
    return any(all_words[at : at + len(run)] == run for at in range(len(all_words) - len(run) + 1))
