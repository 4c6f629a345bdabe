"""What searches and look-ups need of an open index, or of several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from crosshead.types import Embedder, MissingIndex, PieceMaker, ReadableStore

if TYPE_CHECKING:
    from crosshead.options import Tokenizer

T = TypeVar("T")


class ReadableIndex(Protocol):
    """An open index, or several that are open."""

    @property
    def store(self) -> ReadableStore:
        """What is searched."""

    @property
    def embedder(self) -> Embedder:
        """The embedder that the index was made with."""

    @property
    def piece_cutter(self) -> PieceMaker:
        """Cuts chunks into the pieces that have a vector each."""

    @property
    def tokenizer(self) -> Tokenizer:
        """What counts tokens."""

    @property
    def missing(self) -> Sequence[MissingIndex]:
        """Which of several indexes cannot be searched."""

    def count_tokens(self, text: str) -> int:
        """Count tokens as the index does."""


class IndexReader(Protocol):
    """An index, or several, as they are now."""

    def read(self, work: Callable[[ReadableIndex], T], /) -> T:
        """Return the result of reading; work that a change interrupts is done again."""
