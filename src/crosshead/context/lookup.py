"""The sections around hits, the chunks of a section, and its whole text."""

from __future__ import annotations

from collections.abc import Sequence

from crosshead.context.passage import make_passage
from crosshead.model import Chunk, Hit, Passage, Store, StoredSection
from crosshead.sections import all_below, with_enclosing
from crosshead.tokens import Count


def sections_around(store: Store, hits: Sequence[Hit]) -> dict[str, StoredSection]:
    """Return the sections of hits, those that enclose them, and those that a chunk joins."""
    joining = (hit.chunk.section_id for hit in hits if hit.chunk.inner_headings)
    below = {section.id: section for section in all_below(store, joining)}
    return with_enclosing(store, (hit.chunk.section_id for hit in hits)) | below


def chunks_of(store: Store, section: StoredSection) -> list[Chunk]:
    """Return the chunks that hold text of a section, in order.

    A chunk that joins small sections belongs to the section around them, so those above are asked too.
    """
    above, below = with_enclosing(store, [section.id]), all_below(store, [section.id])
    chunks = store.section_chunks([*above, *(each.id for each in below)])
    return [chunk for chunk in chunks if chunk.start < section.end and chunk.end > section.start]


def quote_section(store: Store, section_id: str, count: Count) -> Passage | None:
    """Return a whole section with its subsections; None where there is none."""
    section = next(iter(store.sections([section_id])), None)
    if section is None:
        return None
    document = store.documents([section.document_id])[0]
    return make_passage(
        document,
        with_enclosing(store, [section.id]),
        section.id,
        section.start,
        section.start + len(document.text[section.start : section.end].rstrip()),
        chunk_ids=(chunk.id for chunk in chunks_of(store, section)),
        count=count,
    )
