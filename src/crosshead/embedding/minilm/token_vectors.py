"""Token vectors, small enough to store: one bit per dimension, its sign.

The score of a text is the mean, over the tokens of the query, of the similarity of the nearest token of the text
(MaxSim). The vectors of the query keep full precision, and the mean over its tokens makes up for the bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import pi, sqrt
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from crosshead.types import Vectors

PLANES: Final = 5
"""Bits that a number of the query keeps when it is compared."""
BLOCK: Final = 8192
"""Tokens that are compared at once, so that memory is bounded."""


def pack(tokens: Vectors) -> bytes:
    """Return the signs of token vectors as bits."""
    import numpy as np

    return np.packbits(tokens > 0, axis=1).tobytes()


def compare(query: Vectors, texts: Sequence[bytes]) -> list[float]:
    """Return the similarity of each text to the query, 0 to 1; both are token vectors, those of a text packed.

    The product of a vector with signs is twice the sum of its numbers whose sign is positive, minus the sum of all. The
    numbers are whole ones of a few bits here, so that this sum is a count of the bits that they share with the signs.
    """
    import numpy as np

    count, dimension = query.shape
    size = (dimension + 7) // 8
    if not count or not texts:
        return [0.0] * len(texts)
    word = np.uint64 if size % 8 == 0 else np.uint8
    signs = np.frombuffer(b"".join(texts), word).reshape(-1, size // word().nbytes).T
    most = np.abs(query).max(axis=1, keepdims=True)
    step = 2 * most / (2**PLANES - 1)
    levels = np.rint((query + most) / step).astype(np.uint8)
    planes = [np.packbits(levels >> bit & 1, axis=1).view(word) for bit in reversed(range(PLANES))]
    sums = np.empty((count, signs.shape[1]), np.float32)
    for at in range(0, signs.shape[1], BLOCK):
        block = np.ascontiguousarray(signs[:, at : at + BLOCK])
        shared = np.zeros((count, block.shape[1]), np.uint16)
        for plane in planes:
            shared *= 2
            for column, of_query in zip(block, plane.T, strict=True):
                shared += np.bitwise_count(of_query[:, np.newaxis] & column)
        positive = np.bitwise_count(block).sum(axis=0, dtype=np.uint16)
        sums[:, at : at + BLOCK] = shared * step - positive * most
    # The factor makes the cosine of a long random vector with its own signs 1.
    cosines = (2 * sums - query.sum(axis=1, keepdims=True)) * (sqrt(pi / 2) / sqrt(dimension))
    starts = [0, *accumulate(len(text) // size for text in texts[:-1])]
    nearest = np.maximum.reduceat(cosines, starts, axis=1).mean(axis=0)
    return [float(score) for score in nearest.clip(0.0, 1.0)]
