"""The tokens of texts, small enough to be kept: of every number in their vectors only the sign.

Every token of a question looks for the nearest token of a text, and the mean of these nearnesses counts (MaxSim). The
question's tokens are compared as they are: what signs cost them in precision, the mean over a question gives back.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import pi, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crosshead.types import Vectors


def pack(tokens: Vectors) -> bytes:
    """Return the signs of tokens, an eighth of a byte for each number."""
    import numpy as np

    return np.packbits(tokens > 0, axis=1).tobytes()


def compare(asked: Vectors, kept: Sequence[bytes]) -> list[float]:
    """Return for the tokens of every text how near they are to those of a question, 0 to 1; a text must have some."""
    import numpy as np

    count, dimension = asked.shape
    size = (dimension + 7) // 8
    if not count or not kept:
        return [0.0] * len(kept)
    bits = np.unpackbits(np.frombuffer(b"".join(kept), np.uint8).reshape(-1, size), axis=1, count=dimension)
    signs = bits.astype(np.float32)
    signs *= 2
    signs -= 1
    # Of a vector with many numbers, this is what its cosine with itself would be without the factor.
    cosines = (asked @ signs.T) * (sqrt(pi / 2) / sqrt(dimension))
    starts = [0, *accumulate(len(each) // size for each in kept[:-1])]
    nearest = np.maximum.reduceat(cosines, starts, axis=1).mean(axis=0)
    return [float(each) for each in nearest.clip(0.0, 1.0)]
