"""The adapter against a stand-in with the interface of the package, which brings PyTorch and is too large for CI."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from crosshead.embedding import get_embedder
from crosshead.embedding.reranking.rerankers import get_reranker
from crosshead.embedding.sentence_transformers import SentenceTransformersEmbedder
from crosshead.errors import EmbedError

STAND_IN = """
import re
import numpy as np


class Tokenizer:
    is_fast = True

    def __call__(self, text, **options):
        assert options["return_offsets_mapping"] and not options["truncation"]
        return {"offset_mapping": [match.span() for match in re.finditer(r"\\S+", text)]}

    def num_special_tokens_to_add(self):
        return 2


class SentenceTransformer:
    max_seq_length = 10

    def __init__(self, name):
        if name == "missing":
            raise OSError("no such model\\nsecond line")
        self.name = name
        self.tokenizer = Tokenizer() if name != "no-tokenizer" else None
        self.seen = []

    def encode(self, texts, **options):
        if self.name == "failing":
            raise RuntimeError("out of memory")
        self.seen.extend(texts)
        return np.array([[len(text), 1.0] for text in texts], np.float32)

    def encode_query(self, texts, **options):
        return self.encode(["query: " + text for text in texts], **options)


class CrossEncoder:
    def __init__(self, name):
        if name == "missing":
            raise OSError("no such model\\nsecond line")
        self.name = name

    def predict(self, pairs, **options):
        if self.name == "failing":
            raise RuntimeError("out of memory")
        return np.array([len(query) - len(text) for query, text in pairs], np.float32)
"""


@pytest.fixture(autouse=True)
def _stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sentence_transformers.py").write_text(STAND_IN)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "sentence_transformers", raising=False)


def test_long_text_gets_a_vector_per_window_between_tokens() -> None:
    embedder = SentenceTransformersEmbedder("m")
    text = " ".join(f"word{number}" for number in range(20))
    done: list[int] = []
    rows = embedder.embed(["short", text, ""], on_progress=done.append)
    assert [len(each) for each in rows] == [1, 3, 1]
    assert {word for window in embedder._model.seen[1:4] for word in window.split()} == set(text.split())
    np.testing.assert_allclose(np.linalg.norm(np.concatenate(rows), axis=1), 1, atol=1e-6)
    assert done == [3]


def test_question_is_encoded_as_one() -> None:
    embedder = SentenceTransformersEmbedder("m")
    assert embedder.dimension == 2
    assert embedder._model.seen == ["query: dimension"]


def test_model_without_a_tokenizer_takes_texts_whole() -> None:
    (rows,) = get_embedder("sentence-transformers:no-tokenizer").embed(["word " * 50])
    assert rows.shape == (1, 2)


@pytest.mark.parametrize(
    ("model", "message"), [("missing", r"cannot be loaded: no such model$"), ("failing", "failed: out of memory")]
)
def test_trouble_of_the_package_is_one_line(model: str, message: str) -> None:
    with pytest.raises(EmbedError, match=message):
        SentenceTransformersEmbedder(model).embed(["abc"])


def test_cross_encoder_scores_pairs() -> None:
    reranker = get_reranker("sentence-transformers:m")
    assert reranker.name == "sentence-transformers:m"
    assert reranker.score("four", ["ab", "abcdef"]) == [2.0, -2.0]
    assert reranker.score("four", []) == []


@pytest.mark.parametrize(("name", "message"), [("missing", "cannot be loaded: no such model$"), ("failing", "memory$")])
def test_cross_encoder_that_fails_says_why(name: str, message: str) -> None:
    with pytest.raises(EmbedError, match=message):
        get_reranker(f"sentence-transformers:{name}").score("question", ["text"])
