"""What all engines of a table get: the same chunks, vectors and questions, in files of one folder.

    docs/            the documents, for Crosshead
    chunks.json      text (breadcrumb and content) and position of every chunk, for the peers
    vectors.npy      one vector a chunk, of length 1
    questions.json   what is asked
    about.json       the embedder, the size of the text

A chunk that is longer than the model's window has several vectors; the peers get their mean. Crosshead makes its own
vectors, one for each piece of a chunk.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from bench.retrieval.evidence import Set, load_set
from bench.retrieval.question_sets import Asked

import crosshead
from crosshead.embedding import get_embedder
from crosshead.evaluation import Question
from crosshead.indexing.files.sources import find_sources
from crosshead.types import Chunk, Embedder

MADE_UP = "made-up"
"""The embedder of made-up chunks: all vectors are in files."""
DIMENSION = 384
TOKENS_PER_CHUNK = 100
QUESTIONS = 200
"""About made-up chunks."""


class Part(NamedTuple):
    """Questions, and the documents that are indexed: a folder below that of the set, or all of it."""

    asked: Asked
    folder: str = ""


class Position(NamedTuple):
    """Where a chunk is, as the figures of retrieval want it."""

    source: str
    start_line: int
    end_line: int
    token_count: int


class Material:
    """The files of one table."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.docs = folder / "docs"

    @cached_property
    def about(self) -> Any:
        return self._load("about")

    @property
    def embedder_name(self) -> str:
        return str(self.about["embedder"])

    @cached_property
    def questions(self) -> list[str]:
        return list(self._load("questions"))

    @cached_property
    def texts(self) -> list[str]:
        return [text for text, *_ in self._load("chunks")]

    @cached_property
    def positions(self) -> list[Position]:
        return [Position(*rest) for _, *rest in self._load("chunks")]

    @cached_property
    def vectors(self) -> Any:
        return np.load(self.folder / "vectors.npy")

    @cached_property
    def question_vectors(self) -> Any:
        """Those of made-up questions, by their text."""
        return dict(zip(self.questions, np.load(self.folder / "questions.npy"), strict=True))

    def save(self, chunks: Sequence[tuple[str, Position]], vectors: Any, questions: Sequence[str], about: Any) -> None:
        np.save(self.folder / "vectors.npy", vectors)
        self._save("chunks", [(text, *position) for text, position in chunks])
        self._save("questions", questions)
        self._save("about", about)

    def _load(self, name: str) -> Any:
        return json.loads((self.folder / f"{name}.json").read_text("utf-8"))

    def _save(self, name: str, value: Any) -> None:
        (self.folder / f"{name}.json").write_text(json.dumps(value), "utf-8")


def make_material(part: Part, embedder_name: str, folder: Path) -> tuple[Material, dict[str, Question]]:
    """Write the files of a set, and return them with the questions that the documents answer, by their text."""
    material = Material(folder)
    asked, _ = load_set(*part.asked)
    answerable = {each.text: each for each in asked.answerable if _is_inside(each, part.folder)}
    if not (folder / "about.json").exists():
        _write_set(material, part, embedder_name, _all_questions(asked, answerable))
    return material, answerable


def _is_inside(question: Question, folder: str) -> bool:
    return all(not folder or Path(item.file).is_relative_to(folder) for item in question.evidence)


def _all_questions(asked: Set, answerable: dict[str, Question]) -> list[str]:
    """Those that the documents answer, then others, which cost as much."""
    texts = [each.text for each in (*asked.answerable, *asked.unanswerable)]
    return sorted(dict.fromkeys(texts), key=lambda text: text not in answerable)


def _write_set(material: Material, part: Part, embedder_name: str, questions: Sequence[str]) -> None:
    shutil.copytree(part.asked.folder / part.folder, material.docs / part.folder)
    documents = [
        (each.source, crosshead.read(each.path))
        for each in find_sources([material.docs.resolve()], material.docs.resolve()).files
    ]
    chunks = [
        (f"{chunk.breadcrumb or ''}\n{chunk.content}".strip(), _position(source, chunk))
        for source, document in documents
        for chunk in crosshead.chunk(document)
        if chunk.indexable
    ]
    vectors = embed(get_embedder(embedder_name), [text for text, _ in chunks])
    size = sum(len(document.text.encode()) for _, document in documents)
    material.save(chunks, vectors, questions, {"embedder": embedder_name, "bytes": size})


def _position(source: str, chunk: Chunk) -> Position:
    return Position(source, chunk.start_line, chunk.end_line, chunk.token_count)


def embed(embedder: Embedder, texts: Sequence[str]) -> Any:
    """Return a vector for each text, the mean if there are several."""
    means = np.array([vectors.mean(axis=0) for vectors in embedder.embed(texts)], np.float32)
    return means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)


def make_up(folder: Path, chunks: int) -> Material:
    """Write made-up chunks, those of `bench.storage.search`."""
    from bench.storage.search import WORDS_PER_CHUNK, Corpus

    material = Material(folder)
    if (folder / "about.json").exists():
        return material
    folder.mkdir(parents=True)
    corpus = Corpus(chunks, DIMENSION, TOKENS_PER_CHUNK)
    asked = dict(corpus.queries(QUESTIONS))
    np.save(folder / "questions.npy", np.concatenate(list(asked.values())))
    texts = [
        (f"{' > '.join(each.chunk.section_path)}\n{each.chunk.content}", each.chunk)
        for number in range(corpus.documents)
        for each in corpus.rows(number).chunks
    ]
    positions = [Position(chunk.source, chunk.index, chunk.index, WORDS_PER_CHUNK) for _, chunk in texts]
    size = sum(len(chunk.content) for _, chunk in texts)
    saved = [(text, position) for (text, _), position in zip(texts, positions, strict=True)]
    material.save(saved, corpus.vectors, list(asked), {"embedder": MADE_UP, "bytes": size, "chunks": chunks})
    return material
