"""The encoder, with a tiny model of the same graph; the real one where it is installed."""

from __future__ import annotations

import math
import os
from pathlib import Path
from threading import get_ident
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.embedding.tiny import SHAPE, WORDS, TinyModel

from crosshead.embedding.install.installed import MANIFEST_NAME
from crosshead.embedding.minilm import graph as graph_module
from crosshead.embedding.minilm.encoder import MiniLMEmbedder
from crosshead.embedding.minilm.files import TOKENIZER_NAME, model_folder
from crosshead.embedding.minilm.weights import MINILM, Variant, read_safetensors
from crosshead.errors import EmbedError

WINDOW = SHAPE.positions - 2
VARIANTS: tuple[Variant, ...] = ("int8", "fp32")
REAL_CACHE = os.environ.get("CROSSHEAD_CACHE")


@pytest.fixture(scope="module", params=VARIANTS)
def embedder(
    request: pytest.FixtureRequest, tiny: TinyModel, tmp_path_factory: pytest.TempPathFactory
) -> MiniLMEmbedder:
    return tiny.install(tmp_path_factory.mktemp("models") / "tiny", request.param)


def reference(tiny: TinyModel, ids: list[int]) -> np.ndarray:
    """The same encoder, written down with nothing but numpy."""
    weights = read_safetensors(tiny.source.weights)

    def linear(x: np.ndarray, name: str) -> np.ndarray:
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-12)
        return x * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def heads(x: np.ndarray) -> np.ndarray:
        return x.reshape(len(x), SHAPE.heads, -1).transpose(1, 0, 2)

    x = weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for layer in range(SHAPE.layers):
        source = f"encoder.layer.{layer}."
        q, k, v = (heads(linear(x, f"{source}attention.self.{part}")) for part in ("query", "key", "value"))
        scores = np.exp(q @ k.transpose(0, 2, 1) / math.sqrt(SHAPE.hidden // SHAPE.heads))
        attended = (scores / scores.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(len(x), -1)
        x = norm(x + linear(attended, f"{source}attention.output.dense"), f"{source}attention.output.LayerNorm")
        inner = linear(x, f"{source}intermediate.dense")
        inner = inner * 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
        x = norm(x + linear(inner, f"{source}output.dense"), f"{source}output.LayerNorm")
    return x.mean(0) / np.linalg.norm(x.mean(0))


def test_vectors_are_those_of_the_encoder(embedder: MiniLMEmbedder, tiny: TinyModel) -> None:
    text = "How do I rotate the keys?"
    ids = [2, *embedder._tokens([text])[0], 3]
    cosine = float(embedder.embed_query(text)[0] @ reference(tiny, ids))
    assert cosine > (0.999999 if embedder.name == "minilm:fp32" else 0.98)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(texts=st.lists(st.lists(st.sampled_from(WORDS), max_size=70).map(" ".join), max_size=9))
def test_vectors_do_not_depend_on_the_neighbors(embedder: MiniLMEmbedder, texts: list[str]) -> None:
    together = embedder.embed(texts)
    assert len(together) == len(texts)
    for text, vectors in zip(texts, together, strict=True):
        (alone,) = embedder.embed([text])
        assert vectors.shape == alone.shape
        if embedder.name == "minilm":
            assert np.array_equal(vectors, alone)
        np.testing.assert_allclose(vectors, alone, atol=2e-6)
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize(("words", "windows"), [(0, 1), (WINDOW, 1), (WINDOW + 1, 2), (200, 10)])
def test_long_text_gets_a_vector_per_window(embedder: MiniLMEmbedder, words: int, windows: int) -> None:
    (vectors,) = embedder.embed(["key " * words])
    assert vectors.shape == (windows, SHAPE.hidden)
    assert vectors.dtype == np.float32


def test_windows_reach_the_end_of_a_text(embedder: MiniLMEmbedder) -> None:
    first, second = embedder.embed(["key " * 100 + "the", "key " * 100 + "how"])
    assert np.array_equal(first[0], second[0])
    assert not np.array_equal(first[-1], second[-1])


def test_question_keeps_what_fits(embedder: MiniLMEmbedder) -> None:
    question = embedder.embed_query("rotate " * 500)
    assert question.shape == (1, SHAPE.hidden)
    assert np.array_equal(question, embedder.embed_query("rotate " * WINDOW))


def test_progress_counts_texts(embedder: MiniLMEmbedder) -> None:
    done: list[int] = []
    embedder.embed(["key"] * 40, on_progress=done.append)
    assert done == [16, 32, 40]


def test_vectors_do_not_depend_on_the_jobs(tiny: TinyModel, tmp_path: Path) -> None:
    embedder = tiny.install(tmp_path / "model", "int8")
    texts = [" ".join(WORDS[: count % 11]) * (count % 5) for count in range(60)]
    embedder.jobs = 1
    alone = embedder.embed_with_tokens(texts)
    for embedder.jobs in (2, 5, None):
        together = embedder.embed_with_tokens(texts)
        assert all(np.array_equal(one, other) for (one, _), (other, _) in zip(alone, together, strict=True))
        assert [signs for _, signs in together] == [signs for _, signs in alone]


@pytest.mark.parametrize("jobs", [1, 3])
def test_no_more_texts_run_at_once_than_there_are_jobs(
    tiny: TinyModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    embedder = tiny.install(tmp_path / "model", "int8")
    embedder.jobs, run, seen = jobs, MiniLMEmbedder._run, set()

    def seen_run(self: MiniLMEmbedder, *arguments: Any) -> Any:
        seen.add(get_ident())
        return run(self, *arguments)

    monkeypatch.setattr(MiniLMEmbedder, "_run", seen_run)
    embedder.embed(["key"] * 50)
    assert 1 <= len(seen) <= jobs
    assert (get_ident() in seen) == (jobs == 1)


def test_strange_texts_have_vectors(embedder: MiniLMEmbedder) -> None:
    rows = embedder.embed(["", "\ud800", "\x00\x1b[0m", "[SEP] [CLS]", "鍵"])
    assert {each.shape for each in rows} == {(1, SHAPE.hidden)}
    assert not {2, 3} & set(embedder._tokens(["[SEP] [CLS]"])[0])


@pytest.mark.parametrize("name", [TOKENIZER_NAME, MANIFEST_NAME, "weights.bin"])
def test_broken_model_says_how_to_repair_it(tiny: TinyModel, tmp_path: Path, name: str) -> None:
    tiny.install(tmp_path / "model", "fp32")
    (tmp_path / "model" / name).write_bytes(b"{}")
    with pytest.raises(EmbedError, match=r"repair it: crosshead model install minilm --variant fp32") as caught:
        MiniLMEmbedder("fp32", tmp_path / "model", shape=SHAPE).embed(["abc"])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("variant", VARIANTS)
def test_graphs_of_the_package_are_those_of_the_builder(variant: Variant) -> None:
    import onnx

    shipped = onnx.load_from_string(graph_module.graph_path(variant).read_bytes())
    built = onnx.load_from_string(graph_module.build_graph(MINILM, variant))
    assert shipped == built, "after a change: python -m crosshead.embedding.minilm.graph"


@pytest.mark.parametrize("variant", VARIANTS)
def test_real_model_finds_paraphrases(variant: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    if REAL_CACHE is None:
        monkeypatch.delenv("CROSSHEAD_CACHE")
    else:
        monkeypatch.setenv("CROSSHEAD_CACHE", REAL_CACHE)
    if not (model_folder(variant) / MANIFEST_NAME).is_file():
        pytest.skip("not installed")
    embedder = MiniLMEmbedder(variant)
    question = embedder.embed_query("How can I change my password?")[0]
    near, far = embedder.embed(["Reset your login credentials in the account settings.", "Bread rises for two hours."])
    assert float(question @ near[0]) > 0.4 > 0.2 > float(question @ far[0])
