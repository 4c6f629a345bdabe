"""A question that names a section means that section, even where its chunk joins it with its neighbors.

1. a section is named when the words of its title stand in the question one after the other, and are half of it or more
2. of several in a document the longest title counts, then the deepest, then the first
3. the hits of that document are narrowed to the named section; those outside of it are left out
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from crosshead.model import Chunk, Hit, StoredSection

ENOUGH: Final = 2
"""The title is at least one part in so many of the question."""


def named_sections(
    asked: Sequence[str], sections: Iterable[StoredSection], split: Callable[[str], list[str]]
) -> dict[str, StoredSection]:
    """Return by document the section that the words of a question name; `split` returns the words of a title."""
    best: dict[str, tuple[tuple[int, int, int], StoredSection]] = {}
    for section in sections:
        title = split(section.title)
        if not title or len(title) * ENOUGH < len(asked) or not _has_run(asked, title):
            continue
        order = (len(title), section.level, -section.start)
        if section.document_id not in best or order > best[section.document_id][0]:
            best[section.document_id] = (order, section)
    return {document_id: section for document_id, (_, section) in best.items()}


def focus(hits: Sequence[Hit], named: Mapping[str, StoredSection]) -> list[Hit]:
    """Narrow hits to the named sections of their documents."""
    narrowed = {hit.chunk.id: _narrow(hit, named.get(hit.chunk.document_id)) for hit in hits}
    kept = {hit.chunk.document_id for hit in narrowed.values() if hit is not None}
    wanted = (hit for hit in hits if narrowed[hit.chunk.id] or hit.chunk.document_id not in kept)
    return [narrowed[hit.chunk.id] or hit for hit in wanted]


def _has_run(all_words: Sequence[str], run: Sequence[str]) -> bool:
    return any(all_words[at : at + len(run)] == run for at in range(len(all_words) - len(run) + 1))


def _narrow(hit: Hit, section: StoredSection | None) -> Hit | None:
    """Return the part of a hit that lies in a section; None if there is none."""
    chunk = hit.chunk
    if section is None or (section.start <= chunk.start and chunk.end <= section.end):
        return hit
    if chunk.end <= section.start or chunk.start >= section.end:
        return None
    return replace(hit, chunk=_part(chunk, section))


def _part(chunk: Chunk, section: StoredSection) -> Chunk:
    start = max(chunk.start, section.start)
    content = chunk.content[start - chunk.start : section.end - chunk.start].rstrip()
    first = chunk.start_line + chunk.content.count("\n", 0, start - chunk.start)
    return replace(
        chunk,
        content=content,
        section_id=section.id,
        section_path=section.path,
        section_level=section.level,
        start=start,
        end=start + len(content),
        start_line=first,
        end_line=first + content.count("\n"),
        prefix=chunk.prefix if start == chunk.start else "",  # of a cut block, which begins or ends the chunk
        suffix=chunk.suffix if chunk.end <= section.end else "",
    )
