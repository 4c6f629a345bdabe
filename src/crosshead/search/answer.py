"""Which section of a chunk answers, where a chunk holds several.

1. the pieces of a chunk are its own section and those below it, each without its subsections
2. a title that is the question itself decides, also that of an enclosing section which the chunk opens
3. else the piece decides that holds most words of the question, in its text or in the headings around it; a word of its
   own title counts twice; a piece of nothing but headings answers nothing
4. where no piece holds a word of the question, their vectors decide
5. of equals the chunk's own section comes first, then the earlier ones
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from crosshead.citation import cite_lines, page_span
from crosshead.errors import EmbedError
from crosshead.language.words import words
from crosshead.search.query import Conditions
from crosshead.search.titles import TitleMatch
from crosshead.search.words import QueryWords
from crosshead.types import Chunk, Embedder, Hit, Store, StoredDocument, StoredSection, Vectors


class ReadQuery(NamedTuple):
    """A question as it is compared."""

    text: str
    readings: tuple[QueryWords, ...]
    """Its words, as the languages of the index read them."""
    is_title: TitleMatch
    vector: Vectors | None
    """None where vectors are not compared."""
    tokens: Vectors | None = None
    """None where tokens are not compared."""
    trust: float = 1.0
    """How far vectors and tokens can be trusted, 0 to 1."""
    conditions: Conditions = Conditions()
    """What the query demands of every answer."""


class SectionSlice(NamedTuple):
    """What a chunk holds of one section, without the subsections."""

    path: tuple[str, ...]
    text: str
    section: StoredSection | None
    """None for the chunk's own section, and for those around it."""
    levels_up: int = 0
    """1 for the section around the chunk's own, 2 for the one around that, ..."""


def name_answers(store: Store, hits: Sequence[Hit], question: ReadQuery, embedder: Embedder | None) -> list[Hit]:
    """Point each hit at the section inside its chunk that answers the query."""
    pieces = _pieces_of(store, [hit.chunk for hit in hits])
    chosen = {chunk_id: _by_words(each, question) for chunk_id, each in pieces.items()}
    silent = {chunk_id: texts for chunk_id, texts in _texts(pieces).items() if chosen[chunk_id] is None}
    if silent and embedder and question.vector is not None:
        chosen.update(_by_vectors(silent, question.vector, embedder))
    answers = {chunk_id: piece for chunk_id, piece in chosen.items() if piece and piece != pieces[chunk_id][0]}
    marked = (hit.chunk for hit in hits if hit.chunk.id in answers and _has_marks(hit.chunk))
    documents = store.documents([*dict.fromkeys(chunk.document_id for chunk in marked)])
    by_id = {document.id: document for document in documents}
    named = []
    for hit in hits:
        piece = answers.get(hit.chunk.id)
        if piece and piece.section:
            named.append(_inside(hit, piece.path, piece.section, by_id.get(hit.chunk.document_id)))
        else:
            named.append(_around(store, hit, piece.levels_up) if piece else hit)
    return named


def _has_marks(chunk: Chunk) -> bool:
    """Return whether pages or lines of the file, which the document knows, are cited."""
    return chunk.page_start is not None or chunk.source_start_line is not None


def _pieces_of(store: Store, chunks: Sequence[Chunk]) -> dict[str, list[SectionSlice]]:
    """Return the pieces of chunks that have several: one query per level, as long as headings are not found yet."""
    inside: dict[str, list[StoredSection]] = {chunk.id: [] for chunk in chunks}
    asked = {chunk.section_id for chunk in chunks if len(chunk.inner_headings) > _opening(chunk)}
    while asked:
        level = defaultdict(list)
        for section in store.subsections(sorted(asked)):
            level[section.document_id].append(section)
        asked = set()
        for chunk in chunks:
            found = [each for each in level[chunk.document_id] if _is_inside(each, chunk)]
            inside[chunk.id] += found
            if sum(each.start >= chunk.start for each in inside[chunk.id]) < len(chunk.inner_headings) - _opening(
                chunk
            ):
                asked.update(each.id for each in found)
    pieces = {chunk.id: _pieces(chunk, inside[chunk.id]) for chunk in chunks}
    return {chunk_id: each for chunk_id, each in pieces.items() if len(each) > 1}


def _opening(chunk: Chunk) -> int:
    """Return how many headings a chunk opens with: the end of its path."""
    path, inner = chunk.section_path, chunk.inner_headings
    sizes = range(min(len(path), len(inner)), 0, -1)
    return next((size for size in sizes if path[-size:] == inner[:size]), 0)


def _is_inside(section: StoredSection, chunk: Chunk) -> bool:
    return section.level > chunk.section_level and section.start < chunk.end and section.end > chunk.start


def _pieces(chunk: Chunk, inside: list[StoredSection]) -> list[SectionSlice]:
    """Return what lies in a chunk, in order, then what it opens; its own section goes to the first heading below it."""
    inside.sort(key=lambda section: (section.start, section.level))
    starts = [0, *(max(section.start - chunk.start, 0) for section in inside), len(chunk.content)]
    texts = [chunk.content[start:end] for start, end in pairwise(starts)]
    own = SectionSlice(chunk.section_path, texts[0], None)
    below = (SectionSlice(each.path, text, each) for each, text in zip(inside, texts[1:], strict=True))
    around = (SectionSlice(chunk.section_path[:-up], "", None, up) for up in range(1, _opening(chunk)))
    return [own, *below, *around]


def _by_words(pieces: Sequence[SectionSlice], question: ReadQuery) -> SectionSlice | None:
    """Return the piece that the words choose; None if they tell nothing."""
    named = [question.is_title(piece.path[-1]) if piece.path else 0.0 for piece in pieces]
    if any(named):
        return pieces[named.index(max(named))]
    scores = [max(_score(piece, reading) for reading in question.readings) for piece in pieces]
    return pieces[scores.index(max(scores))] if any(scores) else None


def _score(piece: SectionSlice, reading: QueryWords) -> int:
    own = frozenset(words(piece.text, reading.language))
    titles = [frozenset(words(title, reading.language)) for title in piece.path or ("",)]
    around = frozenset().union(*titles)
    if own <= around or own.isdisjoint(reading.wanted):
        return 0
    return len((own | around).intersection(reading.wanted)) + len(titles[-1].intersection(reading.wanted))


def _texts(pieces: Mapping[str, Sequence[SectionSlice]]) -> dict[str, list[SectionSlice]]:
    """Return the pieces that have text, of those chunks where there is a choice."""
    found = {chunk_id: [piece for piece in each if piece.text.strip()] for chunk_id, each in pieces.items()}
    return {chunk_id: each for chunk_id, each in found.items() if len(each) > 1}


def _by_vectors(
    pieces: Mapping[str, Sequence[SectionSlice]], asked: Vectors, embedder: Embedder
) -> dict[str, SectionSlice]:
    """Return by chunk the piece that is nearest to the question; all are embedded at once."""
    every = [(chunk_id, piece) for chunk_id, each in pieces.items() for piece in each]
    try:
        vectors = embedder.embed([f"{' > '.join(piece.path)}\n{piece.text}" for _, piece in every])
    except EmbedError:  # the hits are found already, and are worth more than their finer names
        return {}
    best: dict[str, tuple[float, SectionSlice]] = {}
    for (chunk_id, piece), vector in zip(every, vectors, strict=True):
        nearness = float((vector @ asked.reshape(-1)).max())
        if chunk_id not in best or nearness > best[chunk_id][0]:
            best[chunk_id] = nearness, piece
    return {chunk_id: piece for chunk_id, (_, piece) in best.items()}


def _inside(hit: Hit, path: tuple[str, ...], section: StoredSection, document: StoredDocument | None) -> Hit:
    """Narrow a hit to a section inside its chunk."""
    chunk = hit.chunk
    start = max(section.start, chunk.start)
    content = chunk.content[start - chunk.start : section.end - chunk.start].rstrip()
    hit = replace(hit, section_id=section.id, section_path=path, start=start, end=start + len(content))
    lines, pages = (document.lines, document.pages) if document else ((), ())
    span = hit.start_line, hit.end_line
    return replace(
        hit,
        citation=cite_lines(chunk.source, chunk.format, path, span, lines=lines, pages=pages),
        pages=page_span(pages, *span),
    )


def _around(store: Store, hit: Hit, levels_up: int) -> Hit:
    """Let a hit name a section around its chunk, which the chunk opens; the text stays that of the chunk."""
    section_id = hit.chunk.section_id
    for _ in range(levels_up):
        section = next(iter(store.sections([section_id])), None)
        section_id = (section.parent_id if section else None) or section_id
    path = hit.chunk.section_path[:-levels_up]
    return replace(hit, section_id=section_id, section_path=path, citation=hit.chunk.cite_as(path))
