"""Hits -> the section of each chunk that answers, if the chunk holds several.

1. a chunk is sliced into its own section and those below it, each without its subsections
2. a section whose title is the query answers, also an enclosing one that the chunk opens
3. else the slice with most words of the query answers, counting its text and the headings above it; a word of its own
   title counts twice, and a slice of headings, imports or tags only does not answer
4. if no slice holds a word of the query, the nearest vector decides
5. of equals, the chunk's own section comes first, then the earlier ones
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from typing import Final, NamedTuple

from crosshead.citation import cite_lines, page_span
from crosshead.errors import EmbedError
from crosshead.language.words import words
from crosshead.search.query.prepare import PreparedQuery
from crosshead.search.query.words import QueryWords
from crosshead.search.snippets import can_answer
from crosshead.types import Chunk, Embedder, Hit, ReadableStore, StoredDocument, StoredSection, Vectors


class SectionSlice(NamedTuple):
    """What a chunk holds of one section, without the subsections."""

    path: tuple[str, ...]
    text: str
    section: StoredSection | None
    """None for the chunk's own section, and for those around it."""
    levels_up: int = 0
    """1 for the section around the chunk's own, 2 for the one around that, ..."""


MOST_REMEMBERED: Final = 4_000
"""Texts of slices whose vectors are remembered: 6 MB with 384 numbers a vector."""


class SliceVectors:
    """The vectors of slices, embedded once for each text."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[bytes, Vectors] = {}

    def __call__(self, texts: Sequence[str]) -> list[Vectors]:
        """Return the vectors of texts; raise what the embedder raises."""
        hashes = [blake2b(text.encode("utf-8", "replace"), digest_size=16).digest() for text in texts]
        known = self._known
        new = {each: text for each, text in zip(hashes, texts, strict=True) if each not in known}
        found = dict(zip(new, self._embedder.embed([*new.values()]), strict=True)) if new else {}
        if len(known) + len(found) > MOST_REMEMBERED:
            self._known = {}
        self._known.update(found)
        return [found[each] if each in found else known[each] for each in hashes]


def name_answers(
    store: ReadableStore, hits: Sequence[Hit], query: PreparedQuery, slice_vectors: SliceVectors | None
) -> list[Hit]:
    """Narrow each hit to the section inside its chunk that answers the query."""
    slices = _slices_of(store, [hit.chunk for hit in hits])
    answers = {chunk_id: _by_words(each, query) for chunk_id, each in slices.items()}
    undecided = {chunk_id: texts for chunk_id, texts in _with_text(slices).items() if answers[chunk_id] is None}
    if undecided and slice_vectors and query.vector is not None:
        answers.update(_by_vectors(undecided, query.vector, slice_vectors))
    inner = {chunk_id: answer for chunk_id, answer in answers.items() if answer and answer != slices[chunk_id][0]}
    marked = (hit.chunk for hit in hits if hit.chunk.id in inner and _has_marks(hit.chunk))
    documents = store.documents([*dict.fromkeys(chunk.document_id for chunk in marked)])
    by_id = {document.id: document for document in documents}
    named = []
    for hit in hits:
        answer = inner.get(hit.chunk.id)
        if answer and answer.section:
            named.append(_narrow(hit, answer.path, answer.section, by_id.get(hit.chunk.document_id)))
        else:
            named.append(_name_enclosing(store, hit, answer.levels_up) if answer else hit)
    return named


def _has_marks(chunk: Chunk) -> bool:
    """Does the citation name pages, or lines of the file, which only the document knows?"""
    return chunk.page_start is not None or chunk.source_start_line is not None


def _slices_of(store: ReadableStore, chunks: Sequence[Chunk]) -> dict[str, list[SectionSlice]]:
    """Return the slices of chunks that have several: one query per level, until all inner headings are found."""
    inside: dict[str, list[StoredSection]] = {chunk.id: [] for chunk in chunks}
    parents = {chunk.section_id for chunk in chunks if _inner_count(chunk)}
    while parents:
        level = defaultdict(list)
        for section in store.subsections(sorted(parents)):
            level[section.document_id].append(section)
        parents = set()
        for chunk in chunks:
            sections = [each for each in level[chunk.document_id] if _is_inside(each, chunk)]
            inside[chunk.id] += sections
            if sum(each.start >= chunk.start for each in inside[chunk.id]) < _inner_count(chunk):
                parents.update(each.id for each in sections)
    slices = {chunk.id: _slice(chunk, inside[chunk.id]) for chunk in chunks}
    return {chunk_id: each for chunk_id, each in slices.items() if len(each) > 1}


def _inner_count(chunk: Chunk) -> int:
    """Return how many headings a chunk holds below its own section."""
    return len(chunk.inner_headings) - _opening_count(chunk)


def _opening_count(chunk: Chunk) -> int:
    """Return how many headings of its path a chunk opens with."""
    path, inner = chunk.section_path, chunk.inner_headings
    sizes = range(min(len(path), len(inner)), 0, -1)
    return next((size for size in sizes if path[-size:] == inner[:size]), 0)


def _is_inside(section: StoredSection, chunk: Chunk) -> bool:
    return section.level > chunk.section_level and section.start < chunk.end and section.end > chunk.start


def _slice(chunk: Chunk, inside: list[StoredSection]) -> list[SectionSlice]:
    """Return the slices of a chunk in order, then the enclosing sections that it opens."""
    inside.sort(key=lambda section: (section.start, section.level))
    starts = [0, *(max(section.start - chunk.start, 0) for section in inside), len(chunk.content)]
    texts = [_answering(chunk, start, end) for start, end in pairwise(starts)]
    own = SectionSlice(chunk.section_path, texts[0], None)
    below = (SectionSlice(each.path, text, each) for each, text in zip(inside, texts[1:], strict=True))
    above = (SectionSlice(chunk.section_path[:-up], "", None, up) for up in range(1, _opening_count(chunk)))
    return [own, *below, *above]


def _answering(chunk: Chunk, start: int, end: int) -> str:
    """Return a part of a chunk; nothing if it holds only headings, imports, tags and the like."""
    text = chunk.content[start:end]
    titles = {*chunk.section_path, *chunk.inner_headings}
    return text if can_answer(text, "" if start else chunk.prefix, titles, mdx=chunk.format == "mdx") else ""


def _by_words(slices: Sequence[SectionSlice], query: PreparedQuery) -> SectionSlice | None:
    """Return the slice that answers by its words; None if no slice holds a word of the query."""
    titles = [query.is_title(each.path[-1]) if each.path else 0.0 for each in slices]
    if any(titles):
        return slices[titles.index(max(titles))]
    scores = [max(_score(each, reading) for reading in query.readings) for each in slices]
    return slices[scores.index(max(scores))] if any(scores) else None


def _score(piece: SectionSlice, reading: QueryWords) -> int:
    own = _words_of_text(piece.text, reading.language)
    titles = [_words_of_title(title, reading.language) for title in piece.path or ("",)]
    headings = frozenset().union(*titles)
    if own <= headings or own.isdisjoint(reading.wanted):
        return 0
    return len((own | headings).intersection(reading.wanted)) + len(titles[-1].intersection(reading.wanted))


# The same sections are compared with many queries.
@lru_cache(maxsize=1_000)
def _words_of_text(text: str, language: str) -> frozenset[str]:
    return frozenset(words(text, language))


@lru_cache(maxsize=10_000)
def _words_of_title(title: str, language: str) -> frozenset[str]:
    return frozenset(words(title, language))


def _with_text(slices: Mapping[str, Sequence[SectionSlice]]) -> dict[str, list[SectionSlice]]:
    """Return the slices that have text, of those chunks where there is a choice."""
    texts = {chunk_id: [piece for piece in each if piece.text.strip()] for chunk_id, each in slices.items()}
    return {chunk_id: each for chunk_id, each in texts.items() if len(each) > 1}


def _by_vectors(
    slices: Mapping[str, Sequence[SectionSlice]], query: Vectors, slice_vectors: SliceVectors
) -> dict[str, SectionSlice]:
    """Return by chunk the slice that is nearest to the query; all slices are embedded at once."""
    flat = [(chunk_id, piece) for chunk_id, each in slices.items() for piece in each]
    try:
        vectors = slice_vectors([f"{' > '.join(piece.path)}\n{piece.text}" for _, piece in flat])
    except EmbedError:  # the hits are worth more than their finer names
        return {}
    best: dict[str, tuple[float, SectionSlice]] = {}
    for (chunk_id, piece), vector in zip(flat, vectors, strict=True):
        nearness = float((vector @ query.reshape(-1)).max())
        if chunk_id not in best or nearness > best[chunk_id][0]:
            best[chunk_id] = nearness, piece
    return {chunk_id: piece for chunk_id, (_, piece) in best.items()}


def _narrow(hit: Hit, path: tuple[str, ...], section: StoredSection, document: StoredDocument | None) -> Hit:
    """Narrow a hit to a section inside its chunk."""
    chunk = hit.chunk
    start = max(section.start, chunk.start)
    content = chunk.content[start - chunk.start : section.end - chunk.start].rstrip()
    hit = replace(hit, section_id=section.id, section_path=path, start=start, end=start + len(content))
    lines, pages = (document.lines, document.pages) if document else ((), ())
    span = hit.start_line, hit.end_line
    return replace(
        hit,
        citation=cite_lines(chunk.source, chunk.format, path, span, lines=lines, pages=pages, section_id=section.id),
        pages=page_span(pages, *span),
    )


def _name_enclosing(store: ReadableStore, hit: Hit, levels_up: int) -> Hit:
    """Name a section around the chunk that the chunk opens; the text stays that of the chunk."""
    section_id = hit.chunk.section_id
    for _ in range(levels_up):
        section = next(iter(store.sections([section_id])), None)
        section_id = (section.parent_id if section else None) or section_id
    path = hit.chunk.section_path[:-levels_up]
    return replace(hit, section_id=section_id, section_path=path, citation=hit.chunk.cite_as(path, section_id))
