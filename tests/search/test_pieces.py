from __future__ import annotations

import numpy as np
import pytest
from tests.support.stored_documents import WordEmbedder, make_hit, make_rows

from crosshead.language.words import words
from crosshead.search.query.prepare import PreparedQuery
from crosshead.search.query.titles import TitleMatch
from crosshead.search.query.words import QueryWords
from crosshead.search.ranking.pieces import DISTANCE_WEIGHT, TOKEN_WEIGHT, rate_pieces
from crosshead.types import Piece

TEXT = "Rotate the keys every day.\n\nNothing is said here.\n\nKeys are long."
PLACES = [(0, 26), (28, 49), (51, 65)]


def question(text: str, *, embedded: bool = False) -> PreparedQuery:
    vector = WordEmbedder().embed_query(text) if embedded else None
    return PreparedQuery(text, (QueryWords("auto", tuple(words(text))),), TitleMatch(text, []), vector)


def rated(asked: PreparedQuery, vectors: np.ndarray | None = None, near: list[float] | None = None) -> list[Piece]:
    (stored,) = make_rows(f"# Title\n\n{TEXT}").chunks
    content_start = stored.chunk.content.index("Rotate")
    pieces = [Piece(start + content_start, end + content_start) for start, end in PLACES]
    return rate_pieces(make_hit(stored.chunk, 0.6), pieces, vectors, near, asked)


def test_the_best_piece_has_the_score_of_the_hit() -> None:
    best, other, half = rated(question("rotate keys"))
    assert best.score == pytest.approx(0.6)
    assert other.score == pytest.approx(0.6 - DISTANCE_WEIGHT)
    assert half.score == pytest.approx(0.6 - DISTANCE_WEIGHT / 2)
    assert best[:2] == (9, 9 + 26)


def test_vectors_count_beside_words() -> None:
    asked = question("rotate keys", embedded=True)
    vectors = np.concatenate([WordEmbedder().embed_query(each) for each in ("else", "rotate keys", "else")])
    first, second, third = (piece.score for piece in rated(asked, vectors))
    assert first == pytest.approx(0.6 - DISTANCE_WEIGHT * 1.0, abs=0.02)
    assert second == pytest.approx(0.6 - DISTANCE_WEIGHT, abs=0.02)
    assert third < second


def test_vectors_of_other_pieces_are_left_alone() -> None:
    asked = question("rotate keys", embedded=True)
    assert rated(asked, WordEmbedder().embed_query("other")) == rated(asked)


def test_tokens_decide_where_they_are_kept() -> None:
    scores = [piece.score for piece in rated(question("rotate keys"), near=[0.3, 0.7, 0.5])]
    assert scores == pytest.approx([0.6 - TOKEN_WEIGHT * 0.4, 0.6, 0.6 - TOKEN_WEIGHT * 0.2])


def test_tokens_of_other_pieces_are_left_alone() -> None:
    asked = question("rotate keys")
    assert rated(asked, near=[0.3]) == rated(asked)
