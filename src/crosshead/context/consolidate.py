"""Hits -> passages that a reader, or a language model, can use as they are.

1. hits become spans of their document's text
2. spans of one section with nothing but white space between them are joined
3. from the deepest sections up, a section takes the place of its parts when at least half of it was hit and it fits
4. passages are taken by score until the budget is spent; one that does not fit is taken apart into its hits
5. a heading is put in front of text that lost its own, and a fence or table head around a piece of cut code or table

The heading chain comes from the section tree. Documents never mix, and no text appears twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple

from crosshead.model import Hit, Passage, StoredDocument, StoredSection
from crosshead.places import cite, page_of, source_span

ENOUGH: Final = 0.5
"""Share of a section that must be hit before all of it is taken."""
LARGEST_SHARE: Final = 0.6
"""Share of the budget that one section may take in place of its parts."""
MOST_CHARACTERS_PER_TOKEN: Final = 16
"""A section with more is too large for sure, and need not be counted."""

Count = Callable[[str], int]
Documents = Mapping[str, StoredDocument]
Sections = Mapping[str, StoredSection]


class Span(NamedTuple):
    """A piece of a document that was hit."""

    document_id: str
    section_id: str
    """The deepest section that holds it."""
    start: int
    end: int
    score: float
    hits: tuple[Hit, ...]
    """In order of the text."""
    prefix: str = ""
    suffix: str = ""

    @property
    def hit_length(self) -> int:
        """Characters of it that are hits themselves."""
        return sum(hit.chunk.end - hit.chunk.start for hit in self.hits)


def consolidate(
    hits: Sequence[Hit], documents: Documents, sections: Sections, budget_tokens: int, count: Count
) -> list[Passage]:
    """Join hits into passages of at most `budget_tokens` in all, best first.

    `documents` and `sections` hold those of the hits with all enclosing sections; `count` counts tokens.
    """
    spans = [_span(hit) for hit in _usable(hits, documents)]
    spans = _join_neighbors(spans, documents)
    spans = _lift_to_sections(spans, documents, sections, int(budget_tokens * LARGEST_SHARE), count)
    waiting = [(_rank(span), span) for span in spans]
    heapify(waiting)
    passages: list[Passage] = []
    left = budget_tokens
    while waiting:
        _, span = heappop(waiting)
        passage = _passage(span, documents[span.document_id], sections, count)
        if passage.token_count <= left:
            passages.append(passage)
            left -= passage.token_count
        elif len(span.hits) > 1 or span.hit_length < span.end - span.start:
            for part in map(_span, span.hits):
                heappush(waiting, (_rank(part), part))
    return passages


def _usable(hits: Sequence[Hit], documents: Documents) -> list[Hit]:
    """Return every chunk once, without those whose document has changed since the search."""
    best: dict[str, Hit] = {}
    for hit in hits:
        chunk, document = hit.chunk, documents.get(hit.chunk.document_id)
        if document is None or document.text[chunk.start : chunk.end] != chunk.content:
            continue
        if chunk.id not in best or hit.final_score > best[chunk.id].final_score:
            best[chunk.id] = hit
    return list(best.values())


def _rank(span: Span) -> tuple[float, str, int]:
    return -span.score, span.document_id, span.start


def _span(hit: Hit) -> Span:
    chunk = hit.chunk
    return Span(
        chunk.document_id, chunk.section_id, chunk.start, chunk.end, hit.final_score, (hit,), chunk.prefix, chunk.suffix
    )


def _join_neighbors(spans: Iterable[Span], documents: Documents) -> list[Span]:
    joined: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.document_id, span.start)):
        last = joined[-1] if joined else None
        if last and (last.document_id, last.section_id) == (span.document_id, span.section_id):
            between = documents[span.document_id].text[last.end : span.start]
            if not between.strip():
                joined[-1] = _join(last, span)
                continue
        joined.append(span)
    return joined


def _join(first: Span, second: Span) -> Span:
    return first._replace(
        end=second.end,
        score=max(first.score, second.score),
        hits=(*first.hits, *second.hits),
        suffix=second.suffix,
    )


def _lift_to_sections(
    spans: list[Span], documents: Documents, sections: Sections, largest: int, count: Count
) -> list[Span]:
    """Let sections take the place of their parts; what is inside a section is settled before the section itself."""
    for section in _sections_around(spans, sections):
        inside = [span for span in spans if _is_inside(span, section)]
        if sum(span.hit_length for span in inside) < ENOUGH * (section.end - section.start):
            continue
        others = [span for span in spans if not _is_inside(span, section)]
        if any(_overlaps(span, section) for span in others):
            continue
        text = documents[section.document_id].text[section.start : section.end].rstrip()
        if len(text) <= MOST_CHARACTERS_PER_TOKEN * largest and count(text) <= largest:
            spans = [*others, _section_span(section, text, inside)]
    return spans


def _sections_around(spans: Sequence[Span], sections: Sections) -> list[StoredSection]:
    """Return all sections that hold a span, the deepest ones first; the root is no section to quote."""
    found: dict[str, StoredSection] = {}
    for span in spans:
        section = sections.get(span.section_id)
        while section and section.level and section.id not in found:
            found[section.id] = section
            section = sections.get(section.parent_id or "")
    return sorted(found.values(), key=lambda section: (-section.level, section.document_id, section.start))


def _is_inside(span: Span, section: StoredSection) -> bool:
    return span.document_id == section.document_id and section.start <= span.start and span.end <= section.end


def _overlaps(span: Span, section: StoredSection) -> bool:
    return span.document_id == section.document_id and span.start < section.end and section.start < span.end


def _section_span(section: StoredSection, text: str, inside: Sequence[Span]) -> Span:
    ordered = sorted(inside, key=lambda span: span.start)
    return Span(
        section.document_id,
        section.id,
        section.start,
        section.start + len(text),
        max(span.score for span in inside),
        tuple(hit for span in ordered for hit in span.hits),
    )


def _passage(span: Span, document: StoredDocument, sections: Sections, count: Count) -> Passage:
    section = sections.get(span.section_id)
    chain = heading_chain(span.section_id, sections)
    content = f"{span.prefix}{document.text[span.start : span.end]}{span.suffix}"
    if section and section.level and span.start > section.start:
        content = f"{_heading(section)}\n\n{content}"
    start_line = document.text.count("\n", 0, span.start) + 1
    end_line = start_line + document.text.count("\n", span.start, span.end)
    return Passage(
        chunk_ids=tuple(hit.chunk.id for hit in span.hits),
        document_id=document.id,
        source=document.source,
        section_id=span.section_id,
        parent_section_id=section.parent_id if section else None,
        heading_chain=chain,
        content=content,
        start_line=start_line,
        end_line=end_line,
        token_count=count(content),
        score=span.score,
        citation=_cite(document, chain, start_line, end_line),
    )


def _cite(document: StoredDocument, chain: Sequence[str], first: int, last: int) -> str:
    """A passage is cited by the rules of a chunk."""
    lines, pages = document.lines, document.pages
    return cite(
        document.source,
        document.format,
        chain,
        (first, last),
        source_lines=source_span(lines, first, last) if lines else None,
        pages=(page_of(pages, first), page_of(pages, last)) if pages else None,
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
