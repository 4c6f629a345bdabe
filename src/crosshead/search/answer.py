"""Which section of a chunk answers, where a chunk holds several.

1. the pieces of a chunk are its own section and those below it, each without its subsections
2. a title that is the question itself decides
3. else the piece decides that holds most words of the question, in its text or in the headings around it; a word of its
   own title counts twice; a piece of nothing but headings answers nothing
4. where no piece holds a word of the question, their vectors decide
5. of equals the chunk's own section comes first, then the earlier ones
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from crosshead.model import Chunk, Embedder, Hit, Store, StoredDocument, StoredSection, Vectors
from crosshead.places import cite_lines
from crosshead.search.titles import TitleMatch
from crosshead.sections import all_below
from crosshead.words import words


class Question(NamedTuple):
    """A question as sections are compared with it."""

    wanted: frozenset[str]
    """Its words that carry a meaning."""
    is_title: TitleMatch
    language: str
    vector: Vectors | None
    """None where vectors are not compared."""


class Piece(NamedTuple):
    """What a chunk holds of one section, without the subsections."""

    path: tuple[str, ...]
    text: str
    section: StoredSection | None
    """None for the chunk's own."""


class Answer(NamedTuple):
    """A hit that names the section that answers, and the text of that section in the chunk."""

    hit: Hit
    text: str


def name_answers(store: Store, hits: Sequence[Hit], question: Question, embedder: Embedder | None) -> list[Answer]:
    """Let hits name the sections that answer."""
    pieces = _pieces_of(store, [hit.chunk for hit in hits if _holds_several(hit.chunk)])
    chosen = {chunk_id: _by_words(each, question) for chunk_id, each in pieces.items()}
    silent = {chunk_id: pieces[chunk_id] for chunk_id, each in chosen.items() if each is None}
    if silent and embedder and question.vector is not None:
        chosen.update(_by_vectors(silent, question.vector, embedder))
    sections = {chunk_id: each.section for chunk_id, each in chosen.items() if each and each.section}
    marked = (hit.chunk for hit in hits if hit.chunk.id in sections and _has_marks(hit.chunk))
    documents = store.documents([*dict.fromkeys(chunk.document_id for chunk in marked)])
    by_id = {document.id: document for document in documents}
    return [_answer(hit, sections.get(hit.chunk.id), by_id.get(hit.chunk.document_id)) for hit in hits]


def _holds_several(chunk: Chunk) -> bool:
    """The headings that a chunk of one section opens with are the end of its path."""
    opening = len(chunk.inner_headings)
    return bool(opening) and chunk.section_path[-opening:] != chunk.inner_headings


def _has_marks(chunk: Chunk) -> bool:
    """Return whether pages or lines of the file, which the document knows, are cited."""
    return chunk.page_start is not None or chunk.source_start_line is not None


def _pieces_of(store: Store, chunks: Sequence[Chunk]) -> dict[str, list[Piece]]:
    below: defaultdict[str, list[StoredSection]] = defaultdict(list)
    for section in all_below(store, (chunk.section_id for chunk in chunks)):
        below[section.document_id].append(section)
    return {chunk.id: _pieces(chunk, below[chunk.document_id]) for chunk in chunks}


def _pieces(chunk: Chunk, sections: Iterable[StoredSection]) -> list[Piece]:
    """Return what lies in a chunk, in order; its own section goes to the first heading below it."""
    inside = [
        section
        for section in sections
        if section.level > chunk.section_level and section.start < chunk.end and section.end > chunk.start
    ]
    inside.sort(key=lambda section: (section.start, section.level))
    starts = [0, *(max(section.start - chunk.start, 0) for section in inside), len(chunk.content)]
    texts = [chunk.content[start:end] for start, end in pairwise(starts)]
    own = Piece(chunk.section_path, texts[0], None)
    return [own, *(Piece(each.path, text, each) for each, text in zip(inside, texts[1:], strict=True))]


def _by_words(pieces: Sequence[Piece], question: Question) -> Piece | None:
    """Return the piece that the words choose; None if they tell nothing."""
    named = [question.is_title(piece.path[-1]) if piece.path else 0.0 for piece in pieces]
    if any(named):
        return pieces[named.index(max(named))]
    scores = [_score(piece, question) for piece in pieces]
    return pieces[scores.index(max(scores))] if any(scores) else None


def _score(piece: Piece, question: Question) -> int:
    own = frozenset(words(piece.text, question.language))
    titles = [frozenset(words(title, question.language)) for title in piece.path]
    around = frozenset().union(*titles)
    if own <= around or not own & question.wanted:
        return 0
    return len(question.wanted & (own | around)) + len(question.wanted & titles[-1] if titles else ())


def _by_vectors(pieces: Mapping[str, Sequence[Piece]], asked: Vectors, embedder: Embedder) -> dict[str, Piece]:
    """Return by chunk the piece that is nearest to the question; all are embedded at once."""
    every = [(chunk_id, piece) for chunk_id, each in pieces.items() for piece in each if piece.text.strip()]
    vectors = embedder.embed([f"{' > '.join(piece.path)}\n{piece.text}" for _, piece in every])
    best: dict[str, tuple[float, Piece]] = {}
    for (chunk_id, piece), vector in zip(every, vectors, strict=True):
        nearness = float((vector @ asked.reshape(-1)).max())
        if chunk_id not in best or nearness > best[chunk_id][0]:
            best[chunk_id] = nearness, piece
    return {chunk_id: piece for chunk_id, (_, piece) in best.items()}


def _answer(hit: Hit, section: StoredSection | None, document: StoredDocument | None) -> Answer:
    chunk = hit.chunk
    if section is None:
        return Answer(hit, chunk.content)
    start = max(section.start - chunk.start, 0)
    text = chunk.content[start : section.end - chunk.start].rstrip()
    first = chunk.start_line + chunk.content.count("\n", 0, start)
    citation = cite_lines(
        chunk.source,
        chunk.format,
        section.path,
        (first, first + text.count("\n")),
        lines=document.lines if document else (),
        pages=document.pages if document else (),
    )
    return Answer(replace(hit, section_path=section.path, citation=citation), text)
