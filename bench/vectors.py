"""An embedder that embeds every text once: engines share most texts with each other and with the last run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from crosshead.model import Embedder, Vectors

QUERY = "query: "
"""Sets a question apart from a text that reads the same; some models embed it differently."""


class RememberingEmbedder:
    """Asks another embedder for what it has not seen yet."""

    def __init__(self, embedder: Embedder, folder: Path | None = None) -> None:
        """Vectors are kept below a folder, if there is one."""
        self._embedder = embedder
        self.name, self.revision, self.dimension = embedder.name, embedder.revision, embedder.dimension
        self._path = folder / f"{self.name.replace(':', '-')}-{self.revision}.npz" if folder else None
        self._known: dict[bytes, Vectors] = self._load()
        self._saved = len(self._known)

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        """Return the vectors of every text."""
        keys = [_key(text) for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            self._known.update(zip(new, self._embedder.embed([*new.values()]), strict=True))
        if on_progress:
            on_progress(len(texts))
        return [self._known[key] for key in keys]

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a question."""
        key = _key(QUERY + text)
        if key not in self._known:
            self._known[key] = self._embedder.embed_query(text)
        return self._known[key]

    def save(self) -> None:
        """Keep what is new for the next run."""
        if self._path is None or len(self._known) == self._saved:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self._path.with_suffix(".part")
        with unfinished.open("wb") as file:
            np.savez(
                file,
                keys=np.frombuffer(b"".join(self._known), np.uint8).reshape(len(self._known), -1),
                counts=np.array([len(rows) for rows in self._known.values()]),
                rows=np.concatenate([*self._known.values()]),
            )
        unfinished.replace(self._path)
        self._saved = len(self._known)

    def _load(self) -> dict[bytes, Vectors]:
        if self._path is None or not self._path.is_file():
            return {}
        with np.load(self._path) as kept:
            keys, counts, rows = kept["keys"], kept["counts"], kept["rows"]
        parts: list[Any] = np.split(rows, np.cumsum(counts)[:-1])
        return dict(zip(map(bytes, keys), parts, strict=True))


def _key(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
