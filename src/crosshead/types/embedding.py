"""The protocols of embedders and rerankers, and the pieces of a chunk: the parts with a vector each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, runtime_checkable

from crosshead.types.chunk import Chunk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"
"""One vector per row, each of length 1."""


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def name(self) -> str:
        """The name that users choose it by: `static`, `minilm`, `ollama:MODEL`, ..."""

    @property
    def revision(self) -> str:
        """Changes if the same text would get another vector; stored with an index."""

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        """Return the vectors of each text: one, or several if a text is longer than the model's window.

        `on_progress` is called from time to time with the number of texts done.
        """

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a query, as one row; truncated if it is too long for the model."""


@runtime_checkable
class ParallelEmbedder(Embedder, Protocol):
    """An embedder that can use several cores; its vectors do not depend on how many."""

    jobs: int | None
    """Texts to embed at the same time; by default one per core."""


@runtime_checkable
class ReadingEmbedder(Embedder, Protocol):
    """An embedder that knows which texts it can read."""

    def read_share(self, text: str) -> float:
        """Return how much of a text is in a language and script that the model has learned, 0 to 1."""


@runtime_checkable
class WordReadingEmbedder(ReadingEmbedder, Protocol):
    """An embedder of one language that can distinguish its words from those of other languages."""

    def word_share(self, text: str) -> float:
        """Return how many of a text's words the model has learned as words, not only their parts, 0 to 1."""


class QueryVectors(NamedTuple):
    """The vectors of a query: one for the whole, and one per token."""

    vector: Vectors
    token_vectors: Vectors


@runtime_checkable
class TokenEmbedder(Embedder, Protocol):
    """An embedder that also has token vectors; only it knows how they are encoded as bytes."""

    def embed_with_tokens(
        self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None
    ) -> list[tuple[Vectors, bytes]]:
        """Return the vectors of each text, and its token vectors as bytes."""

    def embed_query_with_tokens(self, text: str) -> QueryVectors:
        """Return the vector of a query, as `embed_query` does, and its token vectors."""

    def compare_tokens(self, query: Vectors, texts: Sequence[Sequence[bytes]]) -> list[float]:
        """Return how similar the token vectors of texts are to those of a query, 0 to 1.

        Texts are given in parts, each as `embed_with_tokens` returned it.
        """


class Reranker(Protocol):
    """Scores how well texts answer a query."""

    @property
    def name(self) -> str: ...

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text; higher is better."""


Rerank: TypeAlias = Callable[[str, Sequence[str]], Sequence[float]]
"""`Reranker.score`, or a user's function that does the same."""


class Piece(NamedTuple):
    """The part of a chunk that has its own vector."""

    start: int
    """Offset in the content of the chunk; in a search result, in the text of the document."""
    end: int
    prefix: str = ""
    """Text that completes a part of a cut block: a fence, or the head of a table."""
    suffix: str = ""
    score: float = 0.0
    """How well the piece alone matches the query."""


class PieceMaker(Protocol):
    """Divides chunks into the pieces that have a vector each."""

    def pieces(self, chunk: Chunk) -> list[Piece]:
        """Return the pieces of a chunk."""

    def text_hash(self, chunk: Chunk) -> str:
        """Return the hash under which the vectors of a chunk are stored."""
