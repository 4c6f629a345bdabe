"""Documents as a store keeps them, made from real Markdown, and an embedder that needs no model."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from crosshead.ids import content_hash
from crosshead.indexing.recipe import Recipe
from crosshead.indexing.steps import prepare
from crosshead.options import ExtractOptions, chunk_options
from crosshead.pipeline import parse_document
from crosshead.types import HAS_TOKEN_VECTORS, Chunk, Document, DocumentRows, Hit, QueryVectors, StoredChunk, Vectors

DIMENSION = 64
SETTINGS: Mapping[str, Any] = {"language": "auto", "dimension": DIMENSION, "embedder": "words", HAS_TOKEN_VECTORS: True}


class WordEmbedder:
    """Texts with the same words are near each other. A text of several windows has a form feed between them."""

    name = "words"
    revision = "1"
    dimension = DIMENSION

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        vectors = [np.concatenate([self.embed_query(part) for part in text.split("\f")]) for text in texts]
        if on_progress:
            on_progress(len(texts))
        return vectors

    def embed_with_tokens(
        self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None
    ) -> list[tuple[Vectors, bytes]]:
        return [
            (vectors, text.encode("utf-8", "replace") + b"\n")
            for vectors, text in zip(self.embed(texts), texts, strict=True)
        ]

    def embed_query_with_tokens(self, text: str) -> QueryVectors:
        words = re.findall(r"\w+", text.lower())
        return QueryVectors(self.embed_query(text), np.concatenate([self.embed_query(word) for word in words or [""]]))

    def compare_tokens(self, query: Vectors, texts: Sequence[Sequence[bytes]]) -> list[float]:
        """The nearest word of each text for every word of the question, as a mean."""
        found = [self.embed_query_with_tokens(b"".join(parts).decode()).token_vectors for parts in texts]
        return [float((query @ text.T).max(axis=1).mean()) for text in found]

    def embed_query(self, text: str) -> Vectors:
        vector = np.full(self.dimension, 1e-3, np.float32)
        for word in re.findall(r"\w+", text.lower()):
            vector[int(hashlib.md5(word.encode()).hexdigest(), 16) % self.dimension] += 1
        return (vector / np.linalg.norm(vector)).reshape(1, -1)


def make_rows(
    text: str,
    source: str = "guide.md",
    *,
    format: str = "markdown",
    metadata: Mapping[str, Any] | None = None,
    date: str = "",
    embedded: bool = True,
    **options: Any,
) -> DocumentRows:
    """Parse, cut and embed a text."""
    document = parse_document(text, source=source, format=format, metadata=metadata)
    return rows_of(document, date=date, embedded=embedded, **options)


def rows_of(document: Document, *, date: str = "", embedded: bool = True, **options: Any) -> DocumentRows:
    """Cut and embed a document."""
    recipe = Recipe(chunk_options(**options), ExtractOptions(), "content", 0, "auto", WordEmbedder.revision)
    rows = prepare.make_rows(recipe, document, document.content_hash[:8], date)
    return rows._replace(chunks=tuple(store_chunk(each.chunk, embedded=embedded) for each in rows.chunks))


def store_chunk(chunk: Chunk, *, embedded: bool = True) -> StoredChunk:
    text_hash = content_hash(chunk.content)
    if not (embedded and chunk.indexable):
        return StoredChunk(chunk, text_hash, None)
    ((vectors, tokens),) = WordEmbedder().embed_with_tokens([chunk.content])
    return StoredChunk(chunk, text_hash, vectors, (tokens,))


def make_hit(chunk: Chunk, score: float = 1.0) -> Hit:
    """A chunk as a search returns it."""
    return Hit(
        chunk=chunk,
        section_id=chunk.section_id,
        section_path=chunk.section_path,
        start=chunk.start,
        end=chunk.end,
        citation=chunk.citation,
        pages=chunk.pages,
        dense_rank=1,
        lexical_rank=1,
        dense_score=score,
        lexical_score=score,
        rerank_score=None,
        entity_boost=0.0,
        final_score=score,
        snippet="",
    )
