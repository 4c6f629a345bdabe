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

from crosshead.errors import EmbedError
from crosshead.model import Chunk, Embedder, Hit, Store, StoredDocument, StoredSection, Vectors
from crosshead.places import cite_lines
from crosshead.search.query import Conditions
from crosshead.search.reading import Reading
from crosshead.search.titles import TitleMatch
from crosshead.words import words


class Question(NamedTuple):
    """A question as it is compared."""

    text: str
    readings: tuple[Reading, ...]
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


class Piece(NamedTuple):
    """What a chunk holds of one section, without the subsections."""

    path: tuple[str, ...]
    text: str
    section: StoredSection | None
    """None for the chunk's own, and for one around it."""


class Answer(NamedTuple):
    """A hit that names the section that answers, and the text of that section in the chunk."""

    hit: Hit
    text: str


def name_answers(store: Store, hits: Sequence[Hit], question: Question, embedder: Embedder | None) -> list[Answer]:
    """Let hits name the sections that answer."""
    pieces = _pieces_of(store, [hit.chunk for hit in hits])
    chosen = {chunk_id: _by_words(each, question) for chunk_id, each in pieces.items()}
    silent = {chunk_id: texts for chunk_id, texts in _texts(pieces).items() if chosen[chunk_id] is None}
    if silent and embedder and question.vector is not None:
        chosen.update(_by_vectors(silent, question.vector, embedder))
    answers = {chunk_id: piece for chunk_id, piece in chosen.items() if piece and piece != pieces[chunk_id][0]}
    marked = (hit.chunk for hit in hits if hit.chunk.id in answers and _has_marks(hit.chunk))
    documents = store.documents([*dict.fromkeys(chunk.document_id for chunk in marked)])
    by_id = {document.id: document for document in documents}
    return [_answer(hit, answers.get(hit.chunk.id), by_id.get(hit.chunk.document_id)) for hit in hits]


def _has_marks(chunk: Chunk) -> bool:
    """Return whether pages or lines of the file, which the document knows, are cited."""
    return chunk.page_start is not None or chunk.source_start_line is not None


def _pieces_of(store: Store, chunks: Sequence[Chunk]) -> dict[str, list[Piece]]:
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


def _pieces(chunk: Chunk, inside: list[StoredSection]) -> list[Piece]:
    """Return what lies in a chunk, in order, then what it opens; its own section goes to the first heading below it."""
    inside.sort(key=lambda section: (section.start, section.level))
    starts = [0, *(max(section.start - chunk.start, 0) for section in inside), len(chunk.content)]
    texts = [chunk.content[start:end] for start, end in pairwise(starts)]
    own = Piece(chunk.section_path, texts[0], None)
    below = (Piece(each.path, text, each) for each, text in zip(inside, texts[1:], strict=True))
    around = (Piece(chunk.section_path[:-depth], "", None) for depth in range(1, _opening(chunk)))
    return [own, *below, *around]


def _by_words(pieces: Sequence[Piece], question: Question) -> Piece | None:
    """Return the piece that the words choose; None if they tell nothing."""
    named = [question.is_title(piece.path[-1]) if piece.path else 0.0 for piece in pieces]
    if any(named):
        return pieces[named.index(max(named))]
    scores = [max(_score(piece, reading) for reading in question.readings) for piece in pieces]
    return pieces[scores.index(max(scores))] if any(scores) else None


def _score(piece: Piece, reading: Reading) -> int:
    own = frozenset(words(piece.text, reading.language))
    titles = [frozenset(words(title, reading.language)) for title in piece.path or ("",)]
    around = frozenset().union(*titles)
    if own <= around or own.isdisjoint(reading.wanted):
        return 0
    return len((own | around).intersection(reading.wanted)) + len(titles[-1].intersection(reading.wanted))


def _texts(pieces: Mapping[str, Sequence[Piece]]) -> dict[str, list[Piece]]:
    """Return the pieces that have text, of those chunks where there is a choice."""
    found = {chunk_id: [piece for piece in each if piece.text.strip()] for chunk_id, each in pieces.items()}
    return {chunk_id: each for chunk_id, each in found.items() if len(each) > 1}


def _by_vectors(pieces: Mapping[str, Sequence[Piece]], asked: Vectors, embedder: Embedder) -> dict[str, Piece]:
    """Return by chunk the piece that is nearest to the question; all are embedded at once."""
    every = [(chunk_id, piece) for chunk_id, each in pieces.items() for piece in each]
    try:
        vectors = embedder.embed([f"{' > '.join(piece.path)}\n{piece.text}" for _, piece in every])
    except EmbedError:  # the hits are found already, and are worth more than their finer names
        return {}
    best: dict[str, tuple[float, Piece]] = {}
    for (chunk_id, piece), vector in zip(every, vectors, strict=True):
        nearness = float((vector @ asked.reshape(-1)).max())
        if chunk_id not in best or nearness > best[chunk_id][0]:
            best[chunk_id] = nearness, piece
    return {chunk_id: piece for chunk_id, (_, piece) in best.items()}


def _answer(hit: Hit, piece: Piece | None, document: StoredDocument | None) -> Answer:
    chunk = hit.chunk
    if piece is None:
        return Answer(hit, chunk.content)
    section = piece.section
    start = max(section.start - chunk.start, 0) if section else 0
    text = chunk.content[start : section.end - chunk.start].rstrip() if section else chunk.content
    first = chunk.start_line + chunk.content.count("\n", 0, start)
    citation = cite_lines(
        chunk.source,
        chunk.format,
        piece.path,
        (first, first + text.count("\n")),
        lines=document.lines if document else (),
        pages=document.pages if document else (),
    )
    begin = chunk.start + start
    return Answer(replace(hit, section_path=piece.path, start=begin, end=begin + len(text), citation=citation), text)
