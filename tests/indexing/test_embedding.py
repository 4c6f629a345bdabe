"""Workers embed as this process does, and a text that crashes its worker is the failure of its chunk alone."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.support.stored_documents import WordEmbedder

from crosshead.errors import ReaderCrashed
from crosshead.index import Index
from crosshead.indexing.embedding.workers import in_workers
from crosshead.types import TokenEmbedder, Vectors


class CrashingEmbedder(WordEmbedder):
    """Kills its process when it reads a certain word."""

    jobs: int | None = None

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        if any("poison" in text for text in texts):
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().embed(texts, on_progress=on_progress)


class PlainEmbedder:
    """Knows no tokens."""

    name, revision, dimension = "plain", "1", 2
    jobs: int | None = None

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        return [np.ones((1, 2), np.float32) for _ in texts]

    def embed_query(self, text: str) -> Vectors:
        return np.ones((1, 2), np.float32)


def test_vectors_are_those_of_this_process() -> None:
    texts = [f"words about topic {number}" for number in range(100)]
    done: list[int] = []
    here = CrashingEmbedder()
    there = in_workers(here, CrashingEmbedder, 2)
    found = there.embed(texts, on_progress=done.append)
    assert [each.tolist() for each in found] == [each.tolist() for each in here.embed(texts)]
    assert done[-1] == 100
    assert len(done) > 1
    assert there.embed_query("words").tolist() == here.embed_query("words").tolist()
    assert (there.name, there.revision, there.dimension) == (here.name, here.revision, here.dimension)


def test_tokens_come_with_the_vectors() -> None:
    here = CrashingEmbedder()
    there = in_workers(here, CrashingEmbedder, 1)
    assert isinstance(there, TokenEmbedder)
    tokens = [tokens for _, tokens in there.embed_with_tokens(["a", "b"])]
    assert tokens == [b"a\n", b"b\n"]
    asked = there.embed_query_with_tokens("a").token_vectors
    texts = [(each,) for each in tokens]
    assert there.compare_tokens(asked, texts) == here.compare_tokens(asked, texts)
    assert not isinstance(in_workers(PlainEmbedder(), PlainEmbedder, 1), TokenEmbedder)


def test_embedder_that_is_no_matter_of_cores_stays_here() -> None:
    embedder = WordEmbedder()
    assert in_workers(embedder, WordEmbedder, 2) is embedder


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_text_that_crashes_the_model_fails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ReaderCrashed, match="SIGSEGV"):
        in_workers(CrashingEmbedder(), CrashingEmbedder, 1).embed(["poison"])
    monkeypatch.chdir(tmp_path)
    for name in ("a", "poison", "z"):
        Path(f"{name}.md").write_text(f"# {name}\n\nWords of {name}.\n")
    with Index(embedder=CrashingEmbedder()) as index:
        monkeypatch.setattr(index._index, "embedder_for", partial(in_workers, index.embedder, CrashingEmbedder))
        result = index.add(".")
        assert (result.added, result.pending) == (3, 1)
        (note,) = result.notes
        assert note.startswith("poison.md:1-3: not embedded, found by its words only: ")
        assert "crashed (SIGSEGV)" in note
        assert index.search("poison")[0].chunk.source == "poison.md"
