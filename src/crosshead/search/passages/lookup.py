"""Sections around and below others, with one query per level; the chunks and the text of a section."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from crosshead.options import check_types
from crosshead.search.passages.passage import make_passage
from crosshead.tokens import Count
from crosshead.types import Chunk, Hit, Passage, ReadableStore, StoredSection


def sections_around(store: ReadableStore, hits: Sequence[Hit]) -> dict[str, StoredSection]:
    """Return the sections of hits, those around them, and those inside their chunks."""
    joining = (hit.chunk.section_id for hit in hits if hit.chunk.inner_headings)
    below = {section.id: section for section in all_below(store, joining)}
    return with_enclosing(store, (hit.chunk.section_id for hit in hits)) | below


def chunks_of(store: ReadableStore, section: StoredSection) -> list[Chunk]:
    """Return the chunks that hold text of a section, in order.

    A chunk of several small sections belongs to the section around them, so those above are searched too.
    """
    above, below = with_enclosing(store, [section.id]), all_below(store, [section.id])
    chunks = store.section_chunks([*above, *(each.id for each in below)])
    return [chunk for chunk in chunks if chunk.start < section.end and chunk.end > section.start]


def quote_section(store: ReadableStore, section_id: str, count: Count) -> Passage | None:
    """Return a whole section with its subsections, or None."""
    check_types(str, section_id=section_id)
    section = next(iter(store.sections([section_id])), None)
    document = next(iter(store.documents([section.document_id])), None) if section else None
    if section is None or document is None:  # it may have been removed meanwhile
        return None
    passage = make_passage(
        document,
        with_enclosing(store, [section.id]),
        section.id,
        section.start,
        section.start + len(document.text[section.start : section.end].rstrip()),
        chunk_ids=(chunk.id for chunk in chunks_of(store, section)),
        count=count,
    )
    return name_indexes(store, [passage])[0]


def name_indexes(store: ReadableStore, passages: Sequence[Passage]) -> list[Passage]:
    """Return passages with the index that each is from, if the store has several."""
    indexes = [store.index_of(each.document_id) for each in passages]
    return [replace(each, index=index) if index else each for each, index in zip(passages, indexes, strict=True)]


def with_enclosing(store: ReadableStore, section_ids: Iterable[str]) -> dict[str, StoredSection]:
    """Return sections and all sections around them, by id."""
    found: dict[str, StoredSection] = {}
    missing = [*dict.fromkeys(section_ids)]
    while missing:
        level = store.sections(missing)
        found.update((section.id, section) for section in level)
        above = dict.fromkeys(section.parent_id for section in level if section.parent_id)
        missing = [each for each in above if each not in found]
    return found


def all_below(store: ReadableStore, section_ids: Iterable[str]) -> list[StoredSection]:
    """Return all sections below some sections, each once."""
    found: dict[str, StoredSection] = {}
    parents = [*dict.fromkeys(section_ids)]
    while parents:
        level = [section for section in store.subsections(parents) if section.id not in found]
        found.update((section.id, section) for section in level)
        parents = [section.id for section in level]
    return [*found.values()]
