"""Token vectors, small enough to store: the signs of half as many numbers, for the tokens that say something.

The score of a text is the mean, over the tokens of the query, of the similarity of the nearest token of the text
(MaxSim). Stored of a token are the signs of its vector, after a fixed rotation that spreads what it says over
all numbers, so that half of them suffice. Vectors of the query keep five bits a number, and the mean over its tokens
makes up for the rest. Older indexes have the signs of all numbers, without a rotation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import accumulate
from math import pi, sqrt
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from crosshead.types import Vectors

MARK: Final = b"\x01"
"""Opens a packed text. Vectors have an even number of bytes, so a text of an older index has no odd number of them."""
PLANES: Final = 5
"""Bits that a number of the query keeps when it is compared."""
BLOCK: Final = 8192
"""Tokens that are compared at once, so that memory is bounded."""


def pack(tokens: Vectors) -> bytes:
    """Return the signs of token vectors as bits."""
    import numpy as np

    return MARK + np.packbits(_turn(tokens) > 0, axis=1).tobytes()


def compare(query: Vectors, texts: Sequence[Sequence[bytes]]) -> list[float]:
    """Return the similarity of each text to the query, 0 to 1; texts are given in packed parts."""
    import numpy as np

    turned = _turn(query)
    turned /= np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    ways = {True: turned, False: query}
    scores = [0.0] * len(texts)
    for is_turned, vectors in ways.items():
        found = {at: b"".join(_signs(parts)) for at, parts in enumerate(texts) if _is_turned(parts) == is_turned}
        filled = {at: signs for at, signs in found.items() if signs}
        for at, score in zip(filled, _compare(vectors, [*filled.values()]), strict=True):
            scores[at] = score
    return scores


def _is_turned(parts: Sequence[bytes]) -> bool:
    return any(len(part) % 2 for part in parts)


def _signs(parts: Sequence[bytes]) -> Iterator[bytes]:
    return (part.removeprefix(MARK) if len(part) % 2 else part for part in parts)


def _compare(query: Vectors, texts: Sequence[bytes]) -> list[float]:
    """Return the similarity of each text, of which the signs are given.

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


def _turn(vectors: Vectors) -> Vectors:
    """Rotate vectors and keep half of their numbers, in the same way on every machine.

    Signs are changed at random, and the Fourier transform spreads what a vector says; some of its frequencies are kept.
    "Random" is a hash. A product with a matrix would wake the threads of BLAS, which then wait busily for more work.
    """
    import numpy as np

    flips, frequencies = _choices(vectors.shape[1])
    waves = np.fft.rfft(vectors * flips, axis=1).take(frequencies, axis=1)
    return np.concatenate([waves.real, waves.imag], axis=1, dtype=np.float32)


@cache
def _choices(dimension: int) -> tuple[NDArray[np.float32], list[int]]:
    """Return the sign of each number of a vector, and the frequencies to keep."""
    import numpy as np

    kept = 8 * max(dimension // 32, 1)  # each is two numbers; they fill an even number of bytes
    flips = np.array([1 - 2 * (_hash("sign", each) & 1) for each in range(dimension)], np.float32)
    return flips, sorted(range(1, (dimension + 1) // 2), key=lambda each: _hash("pick", each))[:kept]


def _hash(purpose: str, number: int) -> int:
    return int.from_bytes(sha256(f"{purpose} {number}".encode()).digest())
