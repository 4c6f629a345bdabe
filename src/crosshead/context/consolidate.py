"""Hits -> passages that a reader, or a language model, can use as they are.

1. hits become spans of their document's text
2. spans of one section with nothing but white space between them are joined, as far as they fit together
3. from the deepest sections up, a section takes the place of its parts when at least half of it was hit and it fits
4. passages are taken by score until the budget is spent; one that does not fit is taken apart into its hits, and of
   the best hit, if it is too large alone, the blocks at its beginning are taken
5. a heading is put in front of text that lost its own, and a fence or table head around a piece of cut code or table

The heading chain comes from the section tree. Documents never mix, and no text appears twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple

from crosshead.context.passage import Sections, enclosing, make_passage
from crosshead.model import Hit, Passage, StoredDocument, StoredSection
from crosshead.parse import parse_blocks
from crosshead.tokens import Count

ENOUGH: Final = 0.5
"""Share of a section that must be hit before all of it is taken."""
LARGEST_SHARE: Final = 0.6
"""Share of the budget that neighbors, or a section in place of its parts, may take together."""
MOST_CHARACTERS_PER_TOKEN: Final = 16
"""A text with more is too large for sure, and need not be counted."""

Documents = Mapping[str, StoredDocument]


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
    hits: Sequence[Hit],
    documents: Documents,
    sections: Sections,
    budget_tokens: int,
    count: Count,
    pinned: Collection[str] = (),
) -> list[Passage]:
    """Join hits into passages of at most `budget_tokens` in all, best first.

    `documents` and `sections` hold those of the hits with all enclosing sections; `count` counts tokens. No section
    takes the place of a `pinned` one inside it.
    """
    largest = int(budget_tokens * LARGEST_SHARE)
    spans = [_span(hit) for hit in _usable(hits, documents)]
    spans = _join_neighbors(spans, documents, largest, count)
    spans = _lift_to_sections(spans, documents, sections, largest, count, pinned)
    waiting = [(_rank(span), span) for span in spans]
    heapify(waiting)
    passages: list[Passage] = []
    left = budget_tokens
    while waiting:
        _, span = heappop(waiting)
        document = documents[span.document_id]
        passage: Passage | None = _passage(span, document, sections, count)
        if passage and passage.token_count > left:
            if len(span.hits) > 1 or span.hit_length < span.end - span.start:
                for part in map(_span, span.hits):
                    heappush(waiting, (_rank(part), part))
                continue
            shorter = (_passage(each, document, sections, count) for each in _beginnings(span, document))
            passage = None if passages else next((each for each in shorter if each.token_count <= left), None)
        if passage:
            passages.append(passage)
            left -= passage.token_count
    return passages


def _passage(span: Span, document: StoredDocument, sections: Sections, count: Count) -> Passage:
    return make_passage(
        document,
        sections,
        span.section_id,
        span.start,
        span.end,
        chunk_ids=(hit.chunk.id for hit in span.hits),
        count=count,
        score=span.score,
        prefix=span.prefix,
        suffix=span.suffix,
    )


def _beginnings(span: Span, document: StoredDocument) -> Iterator[Span]:
    """Return the blocks of a hit without the last one, without the last two, ...; none ends with a heading."""
    blocks = parse_blocks(document.text[span.start : span.end], mdx=document.format == "mdx")
    for last in reversed(blocks[:-1]):
        if last.kind != "heading" and not span.prefix:
            yield span._replace(end=span.start + last.end, suffix="")


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


def _join_neighbors(spans: Iterable[Span], documents: Documents, largest: int, count: Count) -> list[Span]:
    """Join only what may be taken together: all parts of a long section would fit no budget."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.document_id, span.start)):
        last = joined[-1] if joined else None
        if last and (last.document_id, last.section_id) == (span.document_id, span.section_id):
            text = documents[span.document_id].text
            if not text[last.end : span.start].strip() and _fits(text[last.start : span.end], largest, count):
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
    spans: list[Span],
    documents: Documents,
    sections: Sections,
    largest: int,
    count: Count,
    pinned: Collection[str],
) -> list[Span]:
    """Let sections take the place of their parts; what is inside a section is settled before the section itself."""
    for section in _sections_around(spans, sections, pinned):
        inside = [span for span in spans if _is_inside(span, section)]
        if sum(span.hit_length for span in inside) < ENOUGH * (section.end - section.start):
            continue
        others = [span for span in spans if not _is_inside(span, section)]
        if any(_overlaps(span, section) for span in others):
            continue
        text = documents[section.document_id].text[section.start : section.end].rstrip()
        if _fits(text, largest, count):
            spans = [*others, _section_span(section, text, inside)]
    return spans


def _fits(text: str, largest: int, count: Count) -> bool:
    return len(text) <= MOST_CHARACTERS_PER_TOKEN * largest and count(text) <= largest


def _sections_around(spans: Sequence[Span], sections: Sections, pinned: Collection[str]) -> list[StoredSection]:
    """Return all sections that hold a span, the deepest ones first, but none around a pinned one."""
    found: dict[str, StoredSection] = {}
    barred = {each.id for name in pinned for each in enclosing(name, sections)[1:]}
    for span in spans:
        found.update((each.id, each) for each in enclosing(span.section_id, sections) if each.id not in barred)
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
