from __future__ import annotations

import numpy as np
import pytest
from tests.embedding.tiny import WORDS, TinyModel

from crosshead.embedding.minilm import token_vectors
from crosshead.embedding.minilm.encoder import MiniLMEmbedder
from crosshead.embedding.reranking.maxsim import MaxSimReranker
from crosshead.embedding.reranking.rerankers import get_reranker
from crosshead.errors import EmbedError


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
    size = (encoder.dimension + 7) // 8
    assert [len(tokens) // size for _, tokens in (made[0], made[3])] == [3, 7]
    assert len(made[1][1]) >= 1000 * size
    assert encoder.embed_with_tokens(texts[:1])[0][1] == made[0][1]


def test_every_token_of_the_question_counts_with_the_nearest_of_the_text(encoder: MiniLMEmbedder) -> None:
    query, text = " ".join(WORDS[:2]), " ".join(WORDS[1:4])
    asked, given = (
        encoder.embed_query_with_tokens(query).token_vectors,
        encoder.embed_query_with_tokens(text).token_vectors,
    )
    factor = np.sqrt(np.pi / 2 / encoder.dimension)
    expected = np.mean([max(float(one @ np.sign(other)) * factor for other in given) for one in asked])
    assert MaxSimReranker(encoder).score(query, [text]) == [pytest.approx(expected, abs=0.02)]


@pytest.mark.parametrize("dimension", [384, 20])
def test_few_bits_of_the_question_give_nearly_the_score_of_all(dimension: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_vectors, "BLOCK", 7)
    numbers = np.random.default_rng(0)
    asked = numbers.standard_normal((6, dimension)).astype(np.float32)
    asked /= np.linalg.norm(asked, axis=1, keepdims=True)
    near = [np.tile(asked, (times, 1)) * share for times, share in ((1, 0), (1, dimension**0.5 / 3), (3, dimension))]
    given = [each + numbers.standard_normal(each.shape) for each in near]
    signs = [np.where(tokens > 0, 1, -1) for tokens in given]
    factor = np.sqrt(np.pi / 2 / dimension)
    expected = [(asked @ each.T * factor).max(axis=1).mean().clip(0, 1) for each in signs]
    scores = token_vectors.compare(asked, [token_vectors.pack(tokens) for tokens in given])
    np.testing.assert_allclose(scores, expected, atol=0.01)
    assert scores[0] < scores[1] < scores[2]


def test_the_question_itself_is_the_best_text(encoder: MiniLMEmbedder) -> None:
    query = " ".join(WORDS[:4])
    other, same, third = MaxSimReranker(encoder).score(query, [" ".join(WORDS[6:9]), query, WORDS[10]])
    assert same == max(other, same, third)
    assert 0.0 <= min(other, third) < same <= 1.0
    assert MaxSimReranker(encoder).score(query, []) == []


def test_model_that_is_not_installed_is_named_with_the_command() -> None:
    with pytest.raises(EmbedError, match="crosshead model install minilm"):
        get_reranker("maxsim")
