"""The chunks around a chunk, and those that it links to.

1. its parent is the chunk that opens the section around it; its ancestors are the parent of the parent, and so on
2. its siblings are the other parts of a section that was cut; else the chunks that open the sections beside its own
3. where the tree gives no siblings, they are the chunks before and after it, so that only a whole document stands alone
4. a link leads to the chunk that opens a section, or a document
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal

from crosshead.linking import follow_links
from crosshead.options import check_types
from crosshead.search.passages.lookup import chunks_of
from crosshead.types import LINKS, Chunk, Expansion, Hit, ReadableStore, StoredSection

Relation = Literal["above", "before", "after", "linked"]

MOST_LINKED: Final = 5
"""Sections that a hit links to."""


def expand(store: ReadableStore, hits: Sequence[Hit], expansion: Expansion = True) -> list[Hit]:
    """Fill in the chunks around hits, or those that they link to."""
    if not expansion or not hits:
        return [*hits]
    return _with_linked(store, hits) if expansion == LINKS else _with_chunks_around(store, hits, int(expansion))


def _with_chunks_around(store: ReadableStore, hits: Sequence[Hit], levels: int) -> list[Hit]:
    """Fill in siblings, and parents up to some levels; a level is one query for all hits."""
    parents = [hit.chunk.parent_chunk_id for hit in hits]
    beside = [each for hit in hits for each in _near(hit.chunk)]
    around = _chunks_above(store, parents, levels, beside)
    expanded = []
    for hit in hits:
        line = _line_above(hit.chunk, around, levels)
        siblings = tuple(around[each] for each in _near(hit.chunk) if each in around)
        expanded.append(replace(hit, parent=line[0] if line else None, siblings=siblings, ancestors=tuple(line[1:])))
    return expanded


def chunks_around(hit: Hit) -> list[tuple[Relation, Chunk]]:
    """Return what expansion found, with its place; a chunk that is above and beside the hit is there once."""
    above = [each for each in (hit.parent, *hit.ancestors) if each]
    beside = [each for each in hit.siblings if each not in above]
    return [
        *(("above", each) for each in above),
        *(("before" if each.index < hit.chunk.index else "after", each) for each in beside),
        *(("linked", each) for each in hit.linked),
    ]


def find_parents(store: ReadableStore, chunk_id: str, levels: int) -> list[Chunk]:
    """Return the parent of a chunk, the parent of that one, and so on, up to some levels."""
    chunk = find_chunk(store, chunk_id)
    return _line_above(chunk, _chunks_above(store, [chunk.parent_chunk_id], levels), levels) if chunk else []


def find_siblings(store: ReadableStore, id: str) -> list[Chunk]:
    """Return all chunks beside a chunk, or beside a section, in order."""
    chunk = find_chunk(store, id)
    section = next(iter(store.sections([chunk.section_id if chunk else id])), None)
    if section is None:
        return []
    if chunk is None:
        beside = _openers(store, section.parent_id or section.id)
        return [each for each in beside if each.end <= section.start or section.end <= each.start]
    beside = _parts(store, chunk) if chunk.parts > 1 else _openers(store, _around(chunk, section))
    return [each for each in beside if each.id != chunk.id] or store.chunks(_neighbors(chunk))


def find_chunk(store: ReadableStore, chunk_id: str) -> Chunk | None:
    """Return a chunk by its id."""
    check_types(str, chunk_id=chunk_id)
    return next(iter(store.chunks([chunk_id])), None)


def _with_linked(store: ReadableStore, hits: Sequence[Hit]) -> list[Hit]:
    """Fill in the chunks that open what hits link to, in the order of the links."""
    spans = [(hit.chunk.document_id, hit.start, hit.end) for hit in hits]
    targets = [[*dict.fromkeys(each)][:MOST_LINKED] for each in follow_links(store, spans)]
    sections = store.sections([*dict.fromkeys(id for each in targets for id in each)])
    opening = {each.id: next(iter(chunks_of(store, each)), None) for each in sections}
    return [
        replace(hit, linked=tuple([chunk for id in each if (chunk := opening.get(id)) and chunk.id != hit.chunk.id]))
        for hit, each in zip(hits, targets, strict=True)
    ]


def _chunks_above(
    store: ReadableStore, parents: Sequence[str | None], levels: int, others: Sequence[str] = ()
) -> dict[str, Chunk]:
    """Return parents, their parents and so on by id, and with the first query some other chunks."""
    found: dict[str, Chunk] = {}
    for level in range(levels):
        wanted = {each: None for each in (*parents, *(others if level == 0 else ())) if each and each not in found}
        if not wanted:
            break
        found |= {chunk.id: chunk for chunk in store.chunks([*wanted])}
        parents = [found[each].parent_chunk_id for each in parents if each in found]
    return found


def _line_above(chunk: Chunk, around: Mapping[str, Chunk], levels: int) -> list[Chunk]:
    """Return the parent of a chunk, its parent and so on, each once."""
    line: list[Chunk] = []
    while len(line) < levels and (parent := around.get(chunk.parent_chunk_id or "")) and parent not in line:
        line.append(parent)
        chunk = parent
    return line


def _near(chunk: Chunk) -> Sequence[str]:
    parts = chunk.prev_id if chunk.part else None, chunk.next_id if chunk.part + 1 < chunk.parts else None
    if any(parts):
        return [each for each in parts if each]
    return chunk.sibling_chunk_ids or [each for each in _neighbors(chunk) if each != chunk.parent_chunk_id]


def _neighbors(chunk: Chunk) -> list[str]:
    return [each for each in (chunk.prev_id, chunk.next_id) if each]


def _parts(store: ReadableStore, chunk: Chunk) -> list[Chunk]:
    return [each for each in store.section_chunks([chunk.section_id]) if each.parts > 1]


def _around(chunk: Chunk, section: StoredSection) -> str:
    """Return the section that a chunk has its siblings in: its own, if it holds only some of those below it."""
    holds_below = chunk.inner_headings and section.start < chunk.start
    return section.id if holds_below or section.parent_id is None else section.parent_id


def _openers(store: ReadableStore, section_id: str) -> list[Chunk]:
    """Return the chunks that open the sections directly below one, each once.

    If no chunk holds the heading, the first chunk after it opens the section.
    """
    (section,) = store.sections([section_id])
    chunks = chunks_of(store, section)
    ends = [chunk.end for chunk in chunks]
    below = [(bisect_right(ends, each.start), each.end) for each in store.subsections([section_id])]
    return [chunks[at] for at in dict.fromkeys(at for at, end in below if at < len(chunks) and chunks[at].start < end)]
