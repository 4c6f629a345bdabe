from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from crosshead.embed.static import TABLE, TOKENIZER, StaticEmbedder, find_package
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
    from wordllama.inference import WordLlamaInference

    folder = find_package()
    assert folder
    table = np.memmap(folder / TABLE, np.float16, "r", offset=(folder / TABLE).stat().st_size - 32000 * 256 * 2)
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    reference = WordLlamaInference(np.array(table.reshape(32000, 256), np.float32), tokenizer)
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


def test_tags_of_documents_are_no_special_tokens(embedder: StaticEmbedder) -> None:
    ids = embedder._tokenizer.encode("<s>old</s>", add_special_tokens=False).ids
    assert not {0, 1, 2} & set(ids)


def test_words_that_mean_the_same_are_near(embedder: StaticEmbedder) -> None:
    question, near, far = embedder.embed(["delete a file", "remove files", "a sunny day at the beach"])
    assert float(question[0] @ near[0]) > float(question[0] @ far[0]) + 0.2


def test_revision_names_the_table(embedder: StaticEmbedder) -> None:
    assert embedder.revision == StaticEmbedder().revision
    assert embedder.revision.startswith("wordllama-256-")


@pytest.mark.parametrize("name", [TABLE, TOKENIZER])
@pytest.mark.parametrize("content", [None, b"", b"\xff" * 20])
def test_broken_installation_says_how_to_repair_it(tmp_path: Path, name: Path, content: bytes | None) -> None:
    folder = find_package()
    assert folder
    for each in (TABLE, TOKENIZER):
        (tmp_path / each).parent.mkdir()
        shutil.copy(folder / each, tmp_path / each)
    if content is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(EmbedError, match="pip install --force-reinstall wordllama"):
        StaticEmbedder(tmp_path).embed_query("abc")
