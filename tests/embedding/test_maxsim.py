from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.embedding.tiny import TinyModel

from crosshead.embedding.minilm import token_vectors
from crosshead.embedding.minilm.encoder import MiniLMEmbedder
from crosshead.embedding.reranking.maxsim import MaxSimReranker
from crosshead.embedding.reranking.rerankers import get_reranker
from crosshead.errors import EmbedError

if TYPE_CHECKING:
    from crosshead.types import Vectors


WORDS = ("key", "rotate", "words", "key", "words", "rotate", "rotate", "key", "words", "words", "key")


@pytest.fixture(scope="module")
def encoder(tiny: TinyModel, tmp_path_factory: pytest.TempPathFactory) -> MiniLMEmbedder:
    return tiny.install(tmp_path_factory.mktemp("models") / "tiny", "fp32")


def test_tokens_of_a_question_have_vectors_of_length_1(encoder: MiniLMEmbedder) -> None:
    vector, tokens = encoder.embed_query_with_tokens(" ".join(WORDS[:5]))
    np.testing.assert_array_equal(vector, encoder.embed_query(" ".join(WORDS[:5])))
    assert tokens.shape == (5, encoder.dimension)
    np.testing.assert_allclose(np.linalg.norm(tokens, axis=1), 1, atol=1e-5)
    assert len(encoder.embed_query_with_tokens(" ".join(WORDS[:2] * 500)).token_vectors) < 1000


def test_tokens_come_with_the_same_vectors_of_all_windows(encoder: MiniLMEmbedder) -> None:
    texts = [" ".join(WORDS[:3]), " ".join(WORDS[:2] * 500), "", " ".join(WORDS[2:9])]
    made = encoder.embed_with_tokens(texts)
    for (vectors, _), alone in zip(made, encoder.embed(texts), strict=True):
        np.testing.assert_allclose(vectors, alone, atol=1e-6)
    size = 2 * ((encoder.dimension + 31) // 32)
    assert [len(tokens) - 1 for _, tokens in (made[0], made[3])] == [3 * size, 7 * size]
    assert len(made[1][1]) >= 1000 * size
    assert encoder.embed_with_tokens(texts[:1])[0][1] == made[0][1]


def exact(asked: Vectors, given: Vectors) -> float:
    """The mean, over the tokens of a question, of the cosine with the nearest token of a text."""
    return float((unit(asked) @ unit(given).T).max(axis=1).mean())


def unit(vectors: Vectors) -> Vectors:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture
def numbers() -> np.random.Generator:
    return np.random.default_rng(0)


def test_few_bits_give_nearly_the_score_of_all(numbers: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_vectors, "BLOCK", 7)
    asked = numbers.standard_normal((8, 384)).astype(np.float32)
    near = [asked[:part] * share for part, share in ((8, 0.2), (2, 1), (8, 1), (8, 4))]
    given = [(each + numbers.standard_normal(each.shape)).astype(np.float32) for each in near]
    scores = token_vectors.compare(asked, [(token_vectors.pack(tokens),) for tokens in given])
    np.testing.assert_allclose(scores, [exact(asked, tokens) for tokens in given], atol=0.06)
    assert scores == sorted(scores)


def test_parts_of_a_text_count_as_one(numbers: np.random.Generator) -> None:
    asked, *given = numbers.standard_normal((3, 5, 384)).astype(np.float32)
    parts = [token_vectors.pack(tokens) for tokens in given]
    whole = token_vectors.pack(np.concatenate(given))
    (score,) = token_vectors.compare(asked, [(whole,)])
    assert token_vectors.compare(asked, [parts, (), (whole,)]) == [score, 0.0, score]


def test_texts_of_an_older_index_have_signs_of_all_numbers(numbers: np.random.Generator) -> None:
    asked, near, far = numbers.standard_normal((3, 5, 384)).astype(np.float32)
    near += asked
    older = [np.packbits(tokens > 0, axis=1).tobytes() for tokens in (near, far)]
    newer = [token_vectors.pack(tokens) for tokens in (near, far)]
    scores = token_vectors.compare(unit(asked), [(older[0],), (newer[0],), (older[1],), (newer[1],)])
    np.testing.assert_allclose(scores, [exact(asked, near)] * 2 + [exact(asked, far)] * 2, atol=0.06)


def test_what_is_stored_is_the_same_on_every_machine() -> None:
    tokens = np.sin(np.arange(2 * 384, dtype=np.float32).reshape(2, 384))
    assert token_vectors.pack(tokens).hex() == (
        "01cdba038ae9804eadbd44d6e65139de70d961af1a62a61cc9cfbb038a9d02548ebb6cf6e54171de839041ee9af2761c89"
    )


def test_punctuation_and_function_words_are_left_out(encoder: MiniLMEmbedder) -> None:
    assert len(encoder.embed_query_with_tokens("how do i rotate the key ?").token_vectors) == 2
    assert len(encoder.embed_query_with_tokens("how ?").token_vectors) == 2  # there is nothing else


def test_texts_are_scored_by_the_tokens_of_the_model(encoder: MiniLMEmbedder) -> None:
    query, texts = " ".join(WORDS[:4]), [" ".join(WORDS[6:9]), WORDS[10]]
    packed = [(tokens,) for _, tokens in encoder.embed_with_tokens(texts)]
    asked = encoder.embed_query_with_tokens(query).token_vectors
    scores = MaxSimReranker(encoder).score(query, texts)
    assert scores == token_vectors.compare(asked, packed)
    assert MaxSimReranker(encoder).score(query, []) == []


def test_model_that_is_not_installed_is_named_with_the_command() -> None:
    with pytest.raises(EmbedError, match="crosshead model install minilm"):
        get_reranker("maxsim")
