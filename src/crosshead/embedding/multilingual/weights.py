"""The trained weights, as in the package -> the arrays that the graph reads.

The package has the vectors of tokens in 17 parts, each quantized in its own range: token `n` is a row of part `n % 17`.
They stay quantized, in the order of the tokens; the large matrices become int8.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple
from zipfile import BadZipFile

from crosshead.embedding.onnx.arrays import round_to_int8
from crosshead.errors import EmbedError

if TYPE_CHECKING:
    from crosshead.embedding.onnx.arrays import Array

    Weights = Mapping[str, Array]


class Branch(NamedTuple):
    """Looks at runs of `size` tokens, `before` of them before the current token."""

    size: int
    before: int


BRANCHES: Final = (Branch(2, 0), Branch(3, 1), Branch(5, 2))
LAYERS: Final = (1, 2)
"""The layers of each branch."""


class EncoderShape(NamedTuple):
    """The sizes of the encoder."""

    parts: int
    rows: int
    """Tokens per part."""
    dimension: int
    """Size of the vectors of tokens and of texts."""
    width: int
    """Size of the vectors in a branch."""
    hidden: int


MULTILINGUAL: Final = EncoderShape(parts=17, rows=7530, dimension=512, width=256, hidden=320)


def read_weights(data: bytes, shape: EncoderShape) -> Weights:
    """Return the arrays of an .npz file."""
    import numpy as np

    dims = weight_dims(shape)
    try:
        with np.load(BytesIO(data), allow_pickle=False) as file:
            weights = {name: file[name] for name in dims}
    except (OSError, EOFError, ValueError, KeyError, BadZipFile) as error:
        raise EmbedError(f"these are not the weights of the model: {error}") from error
    for name, array in weights.items():
        if array.shape != dims[name]:
            raise EmbedError(f"the weights lack {name} with the size {dims[name]}: they belong to another model")
    return weights


def make_arrays(weights: Weights, shape: EncoderShape) -> Iterator[tuple[str, Array]]:
    """Yield each array that the graph reads with its name, in the order of the file."""
    import numpy as np

    words = np.empty((shape.parts * shape.rows, shape.dimension), np.uint8)
    for part in range(shape.parts):
        words[part :: shape.parts] = weights[f"q{part + 1}"]
    yield "words", words
    yield "words.scales", weights["scale"].reshape(-1, 1)
    yield "words.least", weights["lo"].reshape(-1, 1)
    sizes = [branch.size for branch in BRANCHES]
    yield from round_to_int8("narrow", np.concatenate([weights[f"proj{size}"] for size in sizes], axis=1))
    yield "narrow.bias", np.concatenate([weights[f"proj_b{size}"] for size in sizes])
    for size in sizes:
        yield f"{size}.gain", weights[f"ln_g{size}"]
        yield f"{size}.shift", weights[f"ln_b{size}"]
        for layer in LAYERS:
            yield from round_to_int8(f"{size}.{layer}", weights[f"w{layer}_{size}"])
            yield f"{size}.{layer}.bias", weights[f"b{layer}_{size}"]
    for ours, theirs in (("gain", "ln_g"), ("shift", "ln_b"), ("summed", "cnn_W"), ("summed.bias", "cnn_b")):
        yield ours, weights[theirs]
    for name in ("d0", "p1", "d1", "d2", "p3", "d3"):
        yield name, weights[name]


def weight_dims(shape: EncoderShape) -> dict[str, tuple[int, ...]]:
    """Return the names and sizes of the trained weights that are read."""
    size, width, hidden = shape.dimension, shape.width, shape.hidden
    whole = size + len(BRANCHES) * width
    dims: dict[str, tuple[int, ...]] = {f"q{part + 1}": (shape.rows, size) for part in range(shape.parts)}
    dims |= {"scale": (shape.parts,), "lo": (shape.parts,), "ln_g": (whole,), "ln_b": (whole,)}
    dims |= {"cnn_W": (whole, size), "cnn_b": (size,)}
    dims |= {"d0": (size, hidden), "p1": (size, hidden), "d1": (hidden, hidden)}
    dims |= {"d2": (hidden, size), "p3": (hidden, size), "d3": (size, size)}
    for branch in BRANCHES:
        run = branch.size
        dims |= {f"proj{run}": (size, width), f"proj_b{run}": (width,), f"ln_g{run}": (width,), f"ln_b{run}": (width,)}
        for layer in LAYERS:
            dims |= {f"w{layer}_{run}": (run * width, width), f"b{layer}_{run}": (width,)}
    return dims


def zero_weights(shape: EncoderShape) -> Weights:
    """Return weights of the right shapes, filled with zeros."""
    import numpy as np

    return {name: np.zeros(dims, np.float32) for name, dims in weight_dims(shape).items()}
