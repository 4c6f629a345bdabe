"""The embedders of several indexes as one, and the pieces of their chunks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from crosshead import indexing
from crosshead.tokens import get_counter
from crosshead.types import Chunk, Embedder, MissingIndex, Piece, PieceMaker, Vectors

if TYPE_CHECKING:
    from crosshead.options import Tokenizer
    from crosshead.store import JoinedStore, Model


class JoinedEmbedder:
    """Several models: a text has the vectors of each, in the slice of that model."""

    def __init__(self, models: Sequence[Model], embedders: Sequence[Embedder]) -> None:
        self._models = models
        self._embedders = embedders
        self.name = " + ".join(each.name for each in embedders)
        self.revision = " + ".join(each.revision for each in embedders)
        self.dimension = models[-1].end

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        """Return the vectors of each text by all models."""
        import numpy as np

        by_model = [
            [model.fill(each, self.dimension) for each in embedder.embed(texts)]
            for model, embedder in zip(self._models, self._embedders, strict=True)
        ]
        if on_progress:
            on_progress(len(texts))
        return [np.concatenate(each) for each in zip(*by_model, strict=True)]

    def embed_query(self, text: str) -> Vectors:
        """Return the vectors of a query by all models, in one row."""
        import numpy as np

        return np.concatenate([each.embed_query(text).reshape(1, -1) for each in self._embedders], axis=1)


class JoinedPieces:
    """Divides chunks as the index that each is from."""

    def __init__(self, store: JoinedStore) -> None:
        self._store = store
        self._makers: dict[int, PieceMaker] = {}

    def pieces(self, chunk: Chunk) -> list[Piece]:
        """Return the pieces of a chunk."""
        return self._maker(chunk).pieces(chunk)

    def text_hash(self, chunk: Chunk) -> str:
        """Return the hash under which the vectors of a chunk are stored."""
        return self._maker(chunk).text_hash(chunk)

    def _maker(self, chunk: Chunk) -> PieceMaker:
        settings = self._store.settings_of(chunk.id)
        if id(settings) not in self._makers:
            self._makers[id(settings)] = indexing.PieceCutter(indexing.Recipe.from_settings(settings, chunk.source))
        return self._makers[id(settings)]


class OpenedParts:
    """The parts that answer, for one search or one look-up."""

    def __init__(
        self, store: JoinedStore, missing: Sequence[MissingIndex], find_embedder: Callable[[Model, str], Embedder]
    ) -> None:
        self.store = store
        self.missing = missing
        self.piece_cutter = JoinedPieces(store)
        self._find_embedder = find_embedder

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder of all parts, or those of each."""
        models = self.store.models.distinct
        embedders = [self._find_embedder(model, self.store.location) for model in models]
        return embedders[0] if len(embedders) == 1 else JoinedEmbedder(models, embedders)

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """What counts tokens in the first part."""
        return indexing.Recipe.from_settings(self.store.settings, self.store.location).chunk.tokenizer

    def count_tokens(self, text: str) -> int:
        """Count tokens as the first part does."""
        return get_counter(self.tokenizer)(text)
