"""The documents that chunking is measured on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from bench.lib import corpus


class Text(NamedTuple):
    content: str
    is_mdx: bool

    @property
    def size(self) -> int:
        """Bytes of the text."""
        return len(self.content.encode())


def load(folders: Iterable[Path], megabytes: float | None = None, sizes: range | None = None) -> list[Text]:
    """Return the documents, or every Nth of them so that they make up about this many megabytes."""
    paths = [path for path in corpus.documents(folders) if sizes is None or path.stat().st_size in sizes]
    if megabytes:
        total = sum(path.stat().st_size for path in paths)
        paths = paths[:: max(1, round(total / (megabytes * 1e6)))]
    return [Text(corpus.read_text(path), path.suffix.lower() == ".mdx") for path in paths]


def megabytes_of(texts: Iterable[Text]) -> float:
    """Return the size of all texts."""
    return sum(text.size for text in texts) / 1e6
