"""An embedder that embeds every text once: engines share most texts with each other and with the last run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from crosshead.types import Embedder, QueryVectors, ReadingEmbedder, TokenEmbedder, Vectors, WordReadingEmbedder

Made = tuple[Vectors, bytes]


def remembering(embedder: Embedder, folder: Path | None = None) -> RememberingEmbedder:
    """Return an embedder that remembers, also tokens if the other one knows them; below a folder, if there is one."""
    if isinstance(embedder, TokenEmbedder):
        return RememberingTokenEmbedder(embedder, folder)
    return RememberingEmbedder(embedder, folder)


class RememberingEmbedder:
    """Asks another embedder for what it has not seen yet."""

    def __init__(self, embedder: Embedder, folder: Path | None = None) -> None:
        self._embedder = embedder
        self.name, self.revision, self.dimension = embedder.name, embedder.revision, embedder.dimension
        self._path = folder / f"{self.name.replace(':', '-')}-{self.revision}.npz" if folder else None
        self._known: dict[bytes, Made] = self._load()
        self._saved = len(self._known)

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        """Return the vectors of every text."""
        return [vectors for vectors, _ in self._get(texts, on_progress)]

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a question."""
        return self._embedder.embed_query(text)

    def read_share(self, text: str) -> float:
        """Return how much of a text the other embedder can read."""
        return self._embedder.read_share(text) if isinstance(self._embedder, ReadingEmbedder) else 1.0

    def word_share(self, text: str) -> float:
        """Return how many of a text's words the other embedder has learned as words."""
        return self._embedder.word_share(text) if isinstance(self._embedder, WordReadingEmbedder) else 1.0

    def _get(self, texts: Sequence[str], on_progress: Callable[[int], None] | None) -> list[Made]:
        keys = [sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            self._known.update(zip(new, self._make([*new.values()]), strict=True))
        if on_progress:
            on_progress(len(texts))
        return [self._known[key] for key in keys]

    def _make(self, texts: Sequence[str]) -> list[Made]:
        return [(vectors, b"") for vectors in self._embedder.embed(texts)]

    def save(self) -> None:
        """Keep what is new for the next run."""
        if self._path is None or len(self._known) == self._saved:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self._path.with_suffix(".part")
        vectors, tokens = zip(*self._known.values(), strict=True)
        with unfinished.open("wb") as file:
            np.savez(
                file,
                keys=np.frombuffer(b"".join(self._known), np.uint8).reshape(len(self._known), -1),
                counts=np.array([len(rows) for rows in vectors]),
                rows=np.concatenate(vectors),
                sizes=np.array([len(each) for each in tokens]),
                tokens=np.frombuffer(b"".join(tokens), np.uint8),
            )
        unfinished.replace(self._path)
        self._saved = len(self._known)

    def _load(self) -> dict[bytes, Made]:
        if self._path is None or not self._path.is_file():
            return {}
        with np.load(self._path) as kept:
            if "tokens" not in kept:  # of an earlier form
                return {}
            vectors: list[Any] = np.split(kept["rows"], np.cumsum(kept["counts"])[:-1])
            tokens = [each.tobytes() for each in np.split(kept["tokens"], np.cumsum(kept["sizes"])[:-1])]
            return dict(zip(map(bytes, kept["keys"]), zip(vectors, tokens, strict=True), strict=True))


class RememberingTokenEmbedder(RememberingEmbedder):
    """The same for an embedder that knows tokens."""

    _embedder: TokenEmbedder

    def embed_with_tokens(
        self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None
    ) -> list[Made]:
        """Return the vectors and tokens of every text."""
        return self._get(texts, on_progress)

    def embed_query_with_tokens(self, text: str) -> QueryVectors:
        """Return the vectors of a question."""
        return self._embedder.embed_query_with_tokens(text)

    def compare_tokens(self, query: Vectors, texts: Sequence[Sequence[bytes]]) -> list[float]:
        """Return how near tokens are to a question's."""
        return self._embedder.compare_tokens(query, texts)

    def _make(self, texts: Sequence[str]) -> list[Made]:
        return self._embedder.embed_with_tokens(texts)
