"""Hits -> passages that a reader, or a language model, can use as they are.

1. hits become spans of their document's text
2. spans of one section that touch, or have only white space between them, are joined
3. a section takes the place of its parts when at least half of it was hit and all of it fits; then its parent is tried
4. a span inside another one is dropped, so that no text appears twice
5. passages are taken by score until the budget is spent; a heading is put in front of text that lost its own

The heading chain comes from the section tree. Documents never mix.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from crosshead.model import Hit, Passage, StoredDocument, StoredSection

ENOUGH: Final = 0.5
"""Share of a section that must be hit before all of it is taken."""
LARGEST_SHARE: Final = 0.6
"""Share of the budget that one section may take in place of its parts."""


class Span(NamedTuple):
    """A piece of a document that was hit."""

    document_id: str
    section_id: str
    """The deepest section that holds it."""
    start: int
    end: int
    score: float
    chunk_ids: tuple[str, ...]
    hit_length: int
    """Characters of it that are hits themselves."""


def consolidate(
    hits: Sequence[Hit],
    documents: Mapping[str, StoredDocument],
    sections: Mapping[str, StoredSection],
    budget_tokens: int,
    count: Callable[[str], int],
    pinned: Collection[str] = (),
) -> list[Passage]:
    """Join hits into passages of at most `budget_tokens` in all, best first.

    `documents` and `sections` hold those of the hits with all enclosing sections; `count` counts tokens. No section
    takes the place of a `pinned` one inside it.
    """
    spans = [_span(hit) for hit in hits if hit.chunk.document_id in documents]
    largest = int(budget_tokens * LARGEST_SHARE)
    spans = _join_neighbors(spans, documents, largest, count)
    spans = _lift_to_sections(spans, documents, sections, largest, count, pinned)
    passages: list[Passage] = []
    left = budget_tokens
    for span in sorted(spans, key=lambda span: (-span.score, span.document_id, span.start)):
        passage = _passage(span, documents[span.document_id], sections, count)
        if passage.token_count <= left:
            passages.append(passage)
            left -= passage.token_count
    return passages


def _span(hit: Hit) -> Span:
    chunk = hit.chunk
    return Span(
        chunk.document_id, chunk.section_id, chunk.start, chunk.end, hit.final_score, (chunk.id,),
        chunk.end - chunk.start,
    )  # fmt: skip


def _join_neighbors(
    spans: Iterable[Span], documents: Mapping[str, StoredDocument], largest: int, count: Callable[[str], int]
) -> list[Span]:
    """Join only what may be taken together: all parts of a long section would fit no budget."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.document_id, span.start)):
        last = joined[-1] if joined else None
        if last and (last.document_id, last.section_id) == (span.document_id, span.section_id):
            text = documents[span.document_id].text
            if not text[last.end : span.start].strip() and count(text[last.start : span.end]) <= largest:
                joined[-1] = _join(last, span)
                continue
        joined.append(span)
    return joined


def _join(first: Span, second: Span) -> Span:
    return first._replace(
        end=max(first.end, second.end),
        score=max(first.score, second.score),
        chunk_ids=(*first.chunk_ids, *second.chunk_ids),
        hit_length=first.hit_length + second.hit_length,
    )


def _lift_to_sections(
    spans: list[Span],
    documents: Mapping[str, StoredDocument],
    sections: Mapping[str, StoredSection],
    largest: int,
    count: Callable[[str], int],
    pinned: Collection[str],
) -> list[Span]:
    """Let sections take the place of their parts, from the deepest ones up, until nothing changes."""
    changed = True
    while changed:
        changed = False
        for section in _sections_of(spans, sections, pinned):
            inside = [span for span in spans if _is_inside(span, section)]
            if not _is_hit_enough(inside, section):
                continue
            text = documents[section.document_id].text[section.start : section.end].rstrip()
            if len(text) > 16 * largest or count(text) > largest:
                continue
            spans = [span for span in spans if span not in inside]
            spans.append(_section_span(section, text, inside))
            changed = True
    return spans


def _sections_of(
    spans: Sequence[Span], sections: Mapping[str, StoredSection], pinned: Collection[str]
) -> list[StoredSection]:
    """Return the sections of the spans and those directly around them, the deepest ones first."""
    found: dict[str, StoredSection] = {}
    for span in spans:
        section = sections.get(span.section_id)
        parent = sections.get(section.parent_id or "") if section and section.id not in pinned else None
        for each in (section, parent):
            if each and each.level:
                found[each.id] = each
    return sorted(found.values(), key=lambda section: (-section.level, section.document_id, section.start))


def _is_inside(span: Span, section: StoredSection) -> bool:
    return span.document_id == section.document_id and section.start <= span.start and span.end <= section.end


def _is_hit_enough(inside: Sequence[Span], section: StoredSection) -> bool:
    is_whole = len(inside) == 1 and inside[0].start == section.start and inside[0].end >= section.end
    return not is_whole and sum(span.hit_length for span in inside) >= ENOUGH * (section.end - section.start)


def _section_span(section: StoredSection, text: str, inside: Sequence[Span]) -> Span:
    ordered = sorted(inside, key=lambda span: span.start)
    return Span(
        section.document_id,
        section.id,
        section.start,
        section.start + len(text),
        max(span.score for span in inside),
        tuple(chunk_id for span in ordered for chunk_id in span.chunk_ids),
        len(text),
    )


def _passage(
    span: Span, document: StoredDocument, sections: Mapping[str, StoredSection], count: Callable[[str], int]
) -> Passage:
    section = sections.get(span.section_id)
    content = document.text[span.start : span.end]
    if section and section.level and span.start > section.start:
        content = f"{_heading(section)}\n\n{content}"
    start_line = document.text.count("\n", 0, span.start) + 1
    end_line = start_line + document.text.count("\n", span.start, span.end)
    return Passage(
        chunk_ids=span.chunk_ids,
        document_id=document.id,
        source=document.source,
        section_id=span.section_id,
        parent_section_id=section.parent_id if section else None,
        heading_chain=heading_chain(span.section_id, sections),
        content=content,
        start_line=start_line,
        end_line=end_line,
        token_count=count(content),
        score=span.score,
        citation=f"{document.source}:{start_line}-{end_line}",
    )


def _heading(section: StoredSection) -> str:
    return f"{'#' * section.level} {section.title}"


def heading_chain(section_id: str, sections: Mapping[str, StoredSection]) -> tuple[str, ...]:
    """Return the titles from the outermost section inwards, by following the parents."""
    titles: list[str] = []
    section = sections.get(section_id)
    while section and section.level:
        titles.append(section.title)
        section = sections.get(section.parent_id or "")
    return tuple(reversed(titles))
