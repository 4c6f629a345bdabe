"""What embeds and reranks: the protocols, and the parts of a chunk that have a vector each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, runtime_checkable

from crosshead.types.chunk import Chunk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"
"""One vector a row, each of length 1."""


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def name(self) -> str:
        """What the user calls it: `static`, `minilm`, `ollama:MODEL`, ..."""

    @property
    def revision(self) -> str:
        """Changes when the same text would get another vector; stored with an index."""

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        """Return the vectors of every text: one, or several where a text is longer than the model's window.

        `on_progress` is told now and then how many of the texts are done.
        """

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a question, as one row; what does not fit the window is left out."""


@runtime_checkable
class ParallelEmbedder(Embedder, Protocol):
    """An embedder that can use several cores; its vectors do not depend on how many."""

    jobs: int | None
    """Texts that it may work on at once; without it, as many as there are cores."""


@runtime_checkable
class ReadingEmbedder(Embedder, Protocol):
    """An embedder that knows which texts it can read."""

    def read_share(self, text: str) -> float:
        """Return how much of a text is in a language and script that the model has learned, 0 to 1."""


@runtime_checkable
class WordReadingEmbedder(ReadingEmbedder, Protocol):
    """An embedder of one language, which knows the words of that language from others."""

    def word_share(self, text: str) -> float:
        """Return how many of a text's words the model has learned as words, not only their parts, 0 to 1."""


class QueryVectors(NamedTuple):
    """A question as some models read it: as a whole, and token by token."""

    vector: Vectors
    tokens: Vectors


@runtime_checkable
class TokenEmbedder(Embedder, Protocol):
    """An embedder that can compare the tokens of texts, too; how it keeps them is its own affair."""

    def embed_with_tokens(
        self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None
    ) -> list[tuple[Vectors, bytes]]:
        """Return what `embed` does, and the tokens of every text; those of several texts may be joined."""

    def embed_question(self, text: str) -> QueryVectors:
        """Return the vector of a question, as `embed_query` does, and those of its tokens."""

    def compare_tokens(self, asked: Vectors, kept: Sequence[bytes]) -> list[float]:
        """Return how near the tokens of texts, none of them empty, are to those of a question, 0 to 1."""


class Reranker(Protocol):
    """Judges how well texts answer a question."""

    @property
    def name(self) -> str: ...

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return a score for every text; higher is better."""


Rerank: TypeAlias = Callable[[str, Sequence[str]], Sequence[float]]
"""`Reranker.score`, or a function of the user's that does the same."""


class Piece(NamedTuple):
    """A part of a chunk that has a vector of its own."""

    start: int
    """Offsets in the content of the chunk; of one that was found, in the text of the document."""
    end: int
    prefix: str = ""
    """What makes a part of a cut block whole: a fence, or the head of a table."""
    suffix: str = ""
    score: float = 0.0
    """How well it matches by itself."""


class PieceMaker(Protocol):
    """Knows what the vectors of a chunk are made from."""

    def pieces(self, chunk: Chunk) -> list[Piece]:
        """Return the parts of a chunk that have a vector each."""

    def text_hash(self, chunk: Chunk) -> str:
        """Return what the vectors of a chunk are known by."""
