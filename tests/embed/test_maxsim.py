from __future__ import annotations

import numpy as np
import pytest
from tests.embed.tiny import WORDS, TinyModel

from crosshead.embed.maxsim import MaxSimReranker
from crosshead.embed.minilm.encoder import MiniLMEmbedder
from crosshead.embed.rerank import get_reranker
from crosshead.errors import EmbedError


@pytest.fixture(scope="module")
def encoder(tiny: TinyModel, tmp_path_factory: pytest.TempPathFactory) -> MiniLMEmbedder:
    return tiny.install(tmp_path_factory.mktemp("models") / "tiny", "fp32")


def test_tokens_have_vectors_of_length_1(encoder: MiniLMEmbedder) -> None:
    rows = encoder.embed_tokens(" ".join(WORDS[:5]))
    assert rows.shape == (5, encoder.dimension)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert len(encoder.embed_tokens(" ".join(WORDS[:2] * 500))) < 1000


def test_every_token_of_the_question_counts_with_the_nearest_of_the_text(encoder: MiniLMEmbedder) -> None:
    query, text = " ".join(WORDS[:2]), " ".join(WORDS[1:4])
    asked, given = encoder.embed_tokens(query), encoder.embed_tokens(text)
    expected = np.mean([max(float(one @ other) for other in given) for one in asked])
    assert MaxSimReranker(encoder).score(query, [text]) == [pytest.approx(expected, abs=1e-5)]


def test_the_question_itself_is_the_best_text(encoder: MiniLMEmbedder) -> None:
    query = " ".join(WORDS[:4])
    same, other = MaxSimReranker(encoder).score(query, [query, " ".join(WORDS[6:9])])
    assert same == pytest.approx(1.0, abs=1e-5)
    assert 0.0 <= other < same
    assert MaxSimReranker(encoder).score(query, []) == []


def test_model_that_is_not_installed_is_named_with_the_command() -> None:
    with pytest.raises(EmbedError, match="crosshead model install minilm"):
        get_reranker("maxsim")
