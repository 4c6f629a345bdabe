"""Hits -> passages for a reader or a language model.

1. near-copies of better hits are dropped; other parts of a split section follow its best part, if they score nearly as
   well
2. hits are taken whole, best first, until the next one would leave too little of the budget; if the best hit alone is
   too large, its first blocks are taken
3. the rest of the budget is filled with pieces of further hits, best pieces first, without those that cannot answer
4. neighbors in one section are joined, and parts of similar score that make up a whole section are quoted as that
   section
5. text without its heading gets it in front; a piece of code or of a table gets its fence or table head

Heading chains come from the section tree. Documents are never mixed, and no text appears twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from crosshead.markdown import parse_blocks
from crosshead.search.passages.passage import Sections, enclosing, make_passage
from crosshead.search.snippets import can_answer
from crosshead.tokens import Count
from crosshead.types import Hit, Passage, Piece, StoredDocument, StoredSection

NEARLY: Final = 0.9
"""Share of a section's best score from which on its other parts follow it directly."""
WHOLE_SHARE: Final = 0.8
"""Share of the budget for whole hits; after that, pieces of further hits find more than another whole hit."""
COPIED_SHARE: Final = 0.9
"""Share of a text that is already quoted, from which on it is a near-copy."""
SHORTEST_LINE: Final = 20
"""Characters; shorter lines are common to many texts."""

Documents = Mapping[str, StoredDocument]
Pieces = Mapping[str, Sequence[Piece]]
"""The pieces of chunks, by the chunk's id."""


class QuotedSpan(NamedTuple):
    """A part of a document to quote."""

    document_id: str
    section_id: str
    """The deepest section around it."""
    start: int
    end: int
    score: float
    chunk_ids: tuple[str, ...]
    """In the order of the text."""
    prefix: str = ""
    suffix: str = ""
    is_weak: bool = False


def consolidate(
    hits: Sequence[Hit],
    documents: Documents,
    sections: Sections,
    budget_tokens: int,
    count: Count,
    pieces: Pieces | None = None,
) -> list[Passage]:
    """Join hits into passages of at most `budget_tokens` in all, best first.

    `documents` are those of the hits; `sections` are those of the hits, around them, and inside their chunks. `count`
    counts tokens. A hit without `pieces` is one piece.
    """
    quoter = _Quoter(documents, sections, count)
    ordered = _without_copies(_with_other_parts(_usable(hits, documents)))
    spans = _choose(ordered, quoter, budget_tokens, pieces or {})
    while spans:
        passages = quoter.passages(spans)
        if sum(passage.token_count for passage in passages) <= budget_tokens:
            return passages
        spans.pop()  # joined spans may count a few tokens more than their parts
    return []


def _choose(hits: Iterable[Hit], quoter: _Quoter, budget: int, pieces: Pieces) -> list[QuotedSpan]:
    """Return the spans to quote, most important first."""
    chosen: list[QuotedSpan] = []
    further: list[QuotedSpan] = []
    left, whole_until = budget, int(budget * (1 - WHOLE_SHARE))
    for hit in hits:
        span = _span(hit)
        cost = quoter.cost(span)
        if not chosen and cost > budget:
            beginnings = ((each, quoter.cost(each)) for each in quoter.beginnings(span))
            span, cost = next((pair for pair in beginnings if pair[1] <= budget), (span, cost))
        if cost <= left and (not chosen or (not further and left - cost >= whole_until)):
            chosen.append(span)
            left -= cost
        else:
            further += quoter.pieces(hit, pieces.get(hit.chunk.id, ()))
    for span in sorted(further, key=_rank):
        cost = quoter.cost(span)
        if cost <= left:
            chosen.append(span)
            left -= cost
    return chosen


class _Quoter:
    """Quotes parts of some documents."""

    def __init__(self, documents: Documents, sections: Sections, count: Count) -> None:
        self._documents = documents
        self._sections = sections
        self._count = count

    def cost(self, span: QuotedSpan) -> int:
        """Return the tokens of the span as a passage."""
        return self._passage(span).token_count

    def pieces(self, hit: Hit, pieces: Sequence[Piece]) -> list[QuotedSpan]:
        """Return the pieces of a hit, each in its own section; a part of a split block stays whole."""
        whole = _span(hit)
        inside = [each for each in pieces if whole.start <= each.start and each.end <= whole.end]
        if len(inside) < 2 or whole.prefix or whole.suffix:
            return [whole]
        return [
            whole._replace(
                section_id=self._deepest(whole, each.start, each.end),
                start=each.start,
                end=each.end,
                score=each.score,
                prefix=each.prefix,
                suffix=each.suffix,
            )
            for each in inside
            if self._can_answer(hit, each)
        ]

    def _can_answer(self, hit: Hit, piece: Piece) -> bool:
        text = self._documents[hit.chunk.document_id].text[piece.start : piece.end]
        return can_answer(text, piece.prefix, hit.section_path, mdx=hit.chunk.format == "mdx")

    def beginnings(self, span: QuotedSpan) -> Iterator[QuotedSpan]:
        """Yield the hit without its last block, without its last two, ...; none ends with a heading."""
        document = self._documents[span.document_id]
        blocks = parse_blocks(document.text[span.start : span.end], mdx=document.format == "mdx")
        for last in reversed(blocks[:-1]):
            if last.kind != "heading" and not span.prefix:
                yield span._replace(end=span.start + last.end, suffix="")

    def passages(self, spans: Iterable[QuotedSpan]) -> list[Passage]:
        """Quote spans, joined where they belong together, best first."""
        joined = self._join_neighbors(spans)
        return [self._passage(span) for span in sorted(self._lift_to_sections(joined), key=_rank)]

    def _passage(self, span: QuotedSpan) -> Passage:
        return make_passage(
            self._documents[span.document_id],
            self._sections,
            span.section_id,
            span.start,
            span.end,
            chunk_ids=span.chunk_ids,
            count=self._count,
            score=span.score,
            prefix=span.prefix,
            suffix=span.suffix,
            is_weak=span.is_weak,
        )

    def _deepest(self, span: QuotedSpan, start: int, end: int) -> str:
        """Return the deepest section around a part of a span, not counting headings at its beginning."""
        text_start = self._after_headings(span.document_id, start, end)
        inside = (
            section
            for section in self._sections.values()
            if section.document_id == span.document_id and section.start <= text_start and end <= section.end
        )
        return max(inside, key=lambda section: section.level, default=self._sections[span.section_id]).id

    def _after_headings(self, document_id: str, start: int, end: int) -> int:
        """Return where the text begins after the headings that a part of a document opens with."""
        document = self._documents[document_id]
        blocks = parse_blocks(document.text[start:end], mdx=document.format == "mdx")
        return start + next((block.start for block in blocks if block.kind != "heading"), 0)

    def _join_neighbors(self, spans: Iterable[QuotedSpan]) -> list[QuotedSpan]:
        joined: list[QuotedSpan] = []
        for span in sorted(spans, key=lambda span: (span.document_id, span.start)):
            last = joined[-1] if joined else None
            if (
                last
                and (last.document_id, last.section_id) == (span.document_id, span.section_id)
                and not self._has_text(span.document_id, last.end, span.start)
            ):
                joined[-1] = last._replace(
                    end=span.end,
                    score=max(last.score, span.score),
                    chunk_ids=(*dict.fromkeys((*last.chunk_ids, *span.chunk_ids)),),
                    suffix=span.suffix,
                    is_weak=last.is_weak and span.is_weak,
                )
            else:
                joined.append(span)
        return joined

    def _lift_to_sections(self, spans: list[QuotedSpan]) -> list[QuotedSpan]:
        """Replace the parts of sections by whole sections, deepest first, if all are there and none is poor."""
        for section in self._sections_around(spans):
            inside = [span for span in spans if _is_inside(span, section)]
            scores = [span.score for span in inside]
            is_even = len(inside) > 1 and min(scores) >= NEARLY * max(scores)
            if is_even and self._is_covered(section, inside):
                others = [span for span in spans if not _is_inside(span, section)]
                spans = [*others, self._whole(section, inside)]
        return spans

    def _sections_around(self, spans: Sequence[QuotedSpan]) -> list[StoredSection]:
        found = {each.id: each for span in spans for each in enclosing(span.section_id, self._sections)}
        return sorted(found.values(), key=lambda section: (-section.level, section.document_id, section.start))

    def _is_covered(self, section: StoredSection, spans: Iterable[QuotedSpan]) -> bool:
        at = section.start
        for span in sorted(spans, key=lambda span: span.start):
            if self._has_text(section.document_id, at, span.start):
                return False
            at = max(at, span.end)
        return not self._has_text(section.document_id, at, section.end)

    def _has_text(self, document_id: str, start: int, end: int) -> bool:
        return bool(self._documents[document_id].text[start:end].strip())

    def _whole(self, section: StoredSection, inside: Sequence[QuotedSpan]) -> QuotedSpan:
        ordered = sorted(inside, key=lambda span: span.start)
        return QuotedSpan(
            section.document_id,
            section.id,
            ordered[0].start,
            ordered[-1].end,
            max(span.score for span in inside),
            (*dict.fromkeys(each for span in ordered for each in span.chunk_ids),),
            is_weak=all(span.is_weak for span in inside),
        )


def _usable(hits: Sequence[Hit], documents: Documents) -> list[Hit]:
    """Return each chunk once, best first, without those of documents that changed since the search."""
    best: dict[str, Hit] = {}
    for hit in hits:
        chunk, document = hit.chunk, documents.get(hit.chunk.document_id)
        if document is None or document.text[chunk.start : chunk.end] != chunk.content:
            continue
        if chunk.id not in best or hit.final_score > best[chunk.id].final_score:
            best[chunk.id] = hit
    return sorted(best.values(), key=lambda hit: _rank(_span(hit)))


def _with_other_parts(hits: Sequence[Hit]) -> Iterator[Hit]:
    """Yield hits with the parts of a split section after its best part, if they score nearly as well."""
    left = {hit.chunk.id: hit for hit in hits}
    for hit in hits:
        if left.pop(hit.chunk.id, None) is None:
            continue
        yield hit
        if hit.chunk.parts > 1:
            for other in [*left.values()]:
                is_part = other.chunk.parts > 1 and other.chunk.section_id == hit.chunk.section_id
                if is_part and other.final_score >= NEARLY * hit.final_score:
                    yield left.pop(other.chunk.id)


def _without_copies(hits: Iterable[Hit]) -> Iterator[Hit]:
    """Drop texts nearly all of whose lines are in better hits."""
    seen: set[str] = set()
    for hit in hits:
        lines = [line for line in map(str.strip, hit.chunk.content.split("\n")) if len(line) >= SHORTEST_LINE]
        if lines and sum(len(line) for line in lines if line in seen) >= COPIED_SHARE * sum(map(len, lines)):
            continue
        seen.update(lines)
        yield hit


def _span(hit: Hit) -> QuotedSpan:
    chunk = hit.chunk
    return QuotedSpan(
        chunk.document_id,
        chunk.section_id,
        chunk.start,
        chunk.end,
        hit.final_score,
        (chunk.id,),
        chunk.prefix,
        chunk.suffix,
        hit.is_weak,
    )


def _rank(span: QuotedSpan) -> tuple[float, str, int]:
    return -span.score, span.document_id, span.start


def _is_inside(span: QuotedSpan, section: StoredSection) -> bool:
    return span.document_id == section.document_id and section.start <= span.start and span.end <= section.end
