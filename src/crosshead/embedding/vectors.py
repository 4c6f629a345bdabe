"""Output of a model -> vectors of length 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crosshead.errors import EmbedError

if TYPE_CHECKING:
    from crosshead.types import Vectors


def normalize(rows: Vectors) -> Vectors:
    """Scale every row to length 1."""
    import numpy as np

    # In float64, because the squares of large numbers do not fit float32.
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    scaled: Vectors = (rows / lengths).astype(np.float32)
    return scaled


def check_vectors(rows: object, *, count: int, dimension: int | None, origin: str) -> Vectors:
    """Return the output of a model as vectors; raise `EmbedError` if their count or `dimension` is wrong."""
    import numpy as np

    try:
        found = np.asarray(rows, dtype=np.float32)
    except (ValueError, TypeError, OverflowError) as error:
        raise EmbedError(f"{origin} answered with vectors of different lengths or without numbers") from error
    if found.ndim != 2 or len(found) != count or not found.shape[1]:
        raise EmbedError(f"{origin} answered with {len(found) if found.ndim else 0} vectors for {count} texts")
    if dimension is not None and found.shape[1] != dimension:
        raise EmbedError(
            f"{origin} answered with {found.shape[1]} numbers per vector instead of {dimension}: "
            "is it still the same model?"
        )
    if not np.isfinite(found).all() or not found.any(axis=1).all():
        raise EmbedError(f"{origin} answered with a vector that has no direction: all zeros, or not finite")
    return normalize(found)
