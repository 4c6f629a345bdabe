"""How far the vectors of a text can be trusted: as far as the model can read the text.

A model gives a vector for any text. In a script or language that it has not learned, that vector depends on a few
letters and signs, and would only disturb what words say.
"""

from __future__ import annotations

from typing import Final

from crosshead.model import Embedder, ReadingEmbedder

NOT_READ: Final = 0.5
"""A text of which no more than this share is read has vectors that say nothing: the rest is mostly names and code."""
READ: Final = 0.75
"""From this share on, vectors are trusted fully."""


def trust(embedder: Embedder | None, text: str) -> float:
    """Return 0 if the vectors of a text say nothing, up to 1; of a model that cannot tell, 1."""
    if not isinstance(embedder, ReadingEmbedder):
        return 1.0
    return min(max((embedder.read_share(text) - NOT_READ) / (READ - NOT_READ), 0.0), 1.0)
