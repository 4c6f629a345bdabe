"""Crosshead as an engine of `bench.storage.costs`, of any checkout: only names that all of them have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.storage.costs.material import DIMENSION, MADE_UP, QUESTIONS, TOKENS_PER_CHUNK, Material, Position
from bench.storage.costs.peers import LIMIT

from crosshead import Index
from crosshead.embedding import get_embedder
from crosshead.types import Embedder

Sizes = dict[str, float]


def make_engine(material: Material, folder: Path, *, tokens: bool) -> Crosshead | MadeUp:
    return (MadeUp if material.embedder_name == MADE_UP else Crosshead)(material, folder, tokens=tokens)


def bytes_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


class Crosshead:
    """An index of documents."""

    def __init__(self, material: Material, folder: Path, *, tokens: bool) -> None:
        self._material = material
        self._folder = folder
        self._tokens = tokens

    def build(self) -> Sizes:
        """Index the documents; an index that is there already loses its tokens."""
        is_copy = self._folder.exists()
        with self._open() as index:
            if is_copy:
                index.change(token_signs=False)
            else:
                index.add(self._material.docs, jobs=1)
        added = 0 if is_copy else bytes_of(self._folder)
        with self._open() as index:
            index.optimize()
            chunks = index.status().chunks
        return {"chunks": chunks, "added": added}

    def _open(self) -> Index:
        made_with = {} if self._folder.exists() else {"token_signs": self._tokens}
        return Index(self._folder, root=self._material.docs, embedder=self._material.embedder_name, **made_with)

    def open(self) -> None:
        self._index = self._open()

    def ask(self, mode: str, question: str) -> list[Position]:
        hits = self._index.search(question, LIMIT, mode)  # type: ignore[arg-type]
        chunks = [hit.chunk for hit in hits]
        return [Position(each.source, each.start_line, each.end_line, each.token_count) for each in chunks]


class MadeUp:
    """Made-up chunks in a store, asked through the search of an index; the same files with tokens and without."""

    def __init__(self, material: Material, folder: Path, *, tokens: bool) -> None:
        from crosshead.store.lance.location.folder import Folder
        from crosshead.store.lance.store import LanceStore
        from crosshead.types import HAS_TOKEN_VECTORS

        self._material = material
        self._folder = folder
        self._tokens = tokens
        settings = {"language": "simple", "dimension": DIMENSION, "embedder": "none", HAS_TOKEN_VECTORS: True}
        self._store = LanceStore(Folder(folder), create=settings)

    def build(self) -> Sizes:
        """Fill the store; a copy is only asked in another way, so that its size says nothing."""
        from bench.storage.search import Corpus, fill

        if self._store.document_revisions():
            return {"chunks": 0}
        chunks = self._material.about["chunks"]
        corpus = Corpus(chunks, DIMENSION, TOKENS_PER_CHUNK)
        list(corpus.queries(QUESTIONS))  # so that the words are those of the peers
        fill(self._store, corpus)
        return {"chunks": chunks}

    def open(self) -> None:
        from bench.storage.search import ByContent, Replay, TokenReplay

        from crosshead.search.retrieve import Retriever
        from crosshead.types import SearchRequest

        pairs = [(text, vector.reshape(1, -1)) for text, vector in self._material.question_vectors.items()]
        embedder = (TokenReplay if self._tokens else Replay)(pairs)
        self._retriever = Retriever(self._store, embedder, piece_maker=ByContent(), compares_tokens=self._tokens)
        self._request = SearchRequest(query="", **({"rerank_depth": 20} if self._tokens else {}))

    def ask(self, mode: str, question: str) -> list[Position]:
        hits = self._retriever.search(replace(self._request, query=question, mode=mode))  # type: ignore[arg-type]
        chunks = [hit.chunk for hit in hits]
        return [Position(each.source, each.index, each.index, each.token_count) for each in chunks]


class Embedding:
    """No search: what the vector of a question costs, which is a part of every dense and hybrid search."""

    def __init__(self, material: Material, *, tokens: bool) -> None:
        self._name = material.embedder_name
        self._tokens = tokens

    def open(self) -> None:
        embedder: Any = get_embedder(self._name)
        self._embed = embedder.embed_query_with_tokens if self._tokens else embedder.embed_query

    def ask(self, mode: str, question: str) -> list[Position]:
        self._embed(question)
        return []


class Peer:
    """A peer with the vectors of questions that all others have."""

    def __init__(self, material: Material, folder: Path, store: Any) -> None:
        self._material = material
        self._folder = folder
        self._make = store

    def build(self) -> Sizes:
        self._make(self._folder).build(self._material.texts, self._material.vectors)
        return {"chunks": len(self._material.texts)}

    def open(self) -> None:
        self._store = self._make(self._folder)
        self._store.open()
        if self._material.embedder_name != MADE_UP:
            self._embedder: Embedder = get_embedder(self._material.embedder_name)
        self._positions = self._material.positions

    def ask(self, mode: str, question: str) -> list[Position]:
        vector = None if mode == "lexical" else self._vector(question)
        return [self._positions[number] for number in self._store.search(mode, question, vector)]

    def _vector(self, question: str) -> Any:
        if self._material.embedder_name == MADE_UP:
            return self._material.question_vectors[question]
        return self._embedder.embed_query(question)[0]
