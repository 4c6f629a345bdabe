from __future__ import annotations

import shutil
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from crosshead.embedding.static import FOLDER, TABLE, TOKENIZER, StaticEmbedder
from crosshead.errors import EmbedError

TEXTS = [
    "How do I rotate the keys?",
    "# Guide\n\n  - indented\n\n```py\nprint(1)\n```\n",
    "Ключи обновляются каждый день",
    "鍵を毎日回転させる",
    "  tabs\t\tand   blanks  ",
    "emoji \U0001f600 and ▁",
    "word " * 3000,
]


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return StaticEmbedder()


def test_vectors_are_those_of_the_package_itself(embedder: StaticEmbedder) -> None:
    from tokenizers import Tokenizer
    from wordllama.config import Config
    from wordllama.inference import WordLlamaInference

    table = np.memmap(FOLDER / TABLE, np.float16, "r", offset=(FOLDER / TABLE).stat().st_size - 32000 * 256 * 2)
    tokenizer = Tokenizer.from_file(str(FOLDER / TOKENIZER))
    reference = WordLlamaInference(table.reshape(32000, 256).astype(np.float32), Config.l2_supercat, tokenizer)
    np.testing.assert_allclose(
        np.concatenate(embedder.embed(TEXTS)), reference.embed(TEXTS, norm=True), rtol=0, atol=2e-6
    )


def test_every_text_has_one_vector_of_length_one(embedder: StaticEmbedder) -> None:
    done: list[int] = []
    rows = embedder.embed([*TEXTS, "", "\ud800", "\x00"] * 30, on_progress=done.append)
    assert {each.shape for each in rows} == {(1, embedder.dimension)}
    assert {each.dtype for each in rows} == {np.dtype(np.float32)}
    np.testing.assert_allclose(np.linalg.norm(np.concatenate(rows), axis=1), 1, atol=1e-6)
    assert done == [256, 300]


def test_vector_depends_on_the_text_only(embedder: StaticEmbedder) -> None:
    together = embedder.embed(TEXTS)
    for text, vectors in zip(TEXTS, together, strict=True):
        assert np.array_equal(embedder.embed([text])[0], vectors)
        assert np.array_equal(embedder.embed_query(text), vectors)


def test_words_that_mean_the_same_are_near(embedder: StaticEmbedder) -> None:
    question, near, far = embedder.embed(["delete a file", "remove files", "a sunny day at the beach"])
    assert float(question[0] @ near[0]) > float(question[0] @ far[0]) + 0.2


def test_revision_names_the_table(embedder: StaticEmbedder) -> None:
    """An index keeps it, so that a table with other vectors is noticed."""
    assert embedder.revision == f"wordllama-256-{sha256((FOLDER / TABLE).read_bytes()).hexdigest()[:16]}"


@pytest.mark.parametrize("name", [TABLE, TOKENIZER])
@pytest.mark.parametrize("content", [None, b"", b"\xff" * 20])
def test_broken_installation_says_how_to_repair_it(tmp_path: Path, name: str, content: bytes | None) -> None:
    for each in (TABLE, TOKENIZER):
        shutil.copy(FOLDER / each, tmp_path / each)
    if content is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(EmbedError, match="pip install --force-reinstall crosshead"):
        StaticEmbedder(tmp_path).embed_query("abc")
