"""Arrays in one file, each at an offset that follows from the arrays before it.

The graph of a model names these offsets, so that the weights can be used in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

ALIGNMENT: Final = 64
"""Every tensor begins at a multiple of this many bytes, so that it can be used in place."""
LARGEST_INT8: Final = 63
"""Half the range: processors without VNNI add two products in 16 bits, and would overflow with the full range."""


class Tensor(NamedTuple):
    """The position of a tensor in the file of weights."""

    name: str
    dtype: str
    dims: tuple[int, ...]
    offset: int
    length: int


def write_arrays(arrays: Iterable[tuple[str, Array]], file: BinaryIO) -> None:
    """Write arrays in order."""
    import numpy as np

    for _, array in arrays:
        file.write(b"\0" * (-file.tell() % ALIGNMENT))
        file.write(np.ascontiguousarray(array).tobytes())


def lay_out(arrays: Iterable[tuple[str, Array]]) -> list[Tensor]:
    """Return where `write_arrays` puts each tensor."""
    found: list[Tensor] = []
    offset = 0
    for name, array in arrays:
        offset += -offset % ALIGNMENT
        found.append(Tensor(name, array.dtype.name, array.shape, offset, array.nbytes))
        offset += array.nbytes
    return found


def round_to_int8(name: str, values: Array, *, axis: int = 0) -> Iterator[tuple[str, Array]]:
    """Yield a matrix as int8, then the scales of its columns (`axis` 0) or rows (1)."""
    import numpy as np

    largest = np.abs(values).max(axis=axis, keepdims=True)
    scales = (np.where(largest > 0, largest, 1) / LARGEST_INT8).astype(np.float32)
    yield name, np.rint(values / scales).astype(np.int8)
    yield f"{name}.scales", scales if axis else scales.reshape(-1)
