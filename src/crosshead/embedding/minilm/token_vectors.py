"""Token vectors, small enough to store: one bit per dimension, its sign.

The score of a text is the mean, over the tokens of the query, of the similarity of the nearest token of the text
(MaxSim). The vectors of the query keep full precision, and the mean over its tokens makes up for the bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import pi, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crosshead.types import Vectors


def pack(tokens: Vectors) -> bytes:
    """Return the signs of token vectors as bits."""
    import numpy as np

    return np.packbits(tokens > 0, axis=1).tobytes()


def compare(query: Vectors, texts: Sequence[bytes]) -> list[float]:
    """Return the similarity of each text to the query, 0 to 1; both are token vectors, those of a text packed."""
    import numpy as np

    count, dimension = query.shape
    size = (dimension + 7) // 8
    if not count or not texts:
        return [0.0] * len(texts)
    bits = np.unpackbits(np.frombuffer(b"".join(texts), np.uint8).reshape(-1, size), axis=1, count=dimension)
    signs = bits.astype(np.float32)
    signs *= 2
    signs -= 1
    # The factor makes the cosine of a long random vector with its own signs 1.
    cosines = (query @ signs.T) * (sqrt(pi / 2) / sqrt(dimension))
    starts = [0, *accumulate(len(text) // size for text in texts[:-1])]
    nearest = np.maximum.reduceat(cosines, starts, axis=1).mean(axis=0)
    return [float(score) for score in nearest.clip(0.0, 1.0)]
