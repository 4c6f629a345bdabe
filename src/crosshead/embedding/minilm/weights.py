"""The trained weights -> the arrays that the graph reads, in one file at computed offsets.

A matrix is stored as the graph multiplies with it: transposed, queries, keys and values side by side. In the variant
int8 the large matrices are quantized, with one scale per column (in the vocabulary: per row).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, NamedTuple

from crosshead.embedding.onnx import arrays
from crosshead.embedding.onnx.arrays import Tensor
from crosshead.errors import EmbedError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Weights = Mapping[str, NDArray[np.float32]]

Variant = Literal["int8", "fp32"]

MAX_HEADER_BYTES: Final = 1 << 20


class BertShape(NamedTuple):
    """The sizes of a BERT encoder."""

    vocabulary: int
    positions: int
    hidden: int
    heads: int
    layers: int
    feed_forward: int


MINILM: Final = BertShape(vocabulary=30522, positions=512, hidden=384, heads=12, layers=6, feed_forward=1536)


def read_safetensors(data: bytes) -> dict[str, Array]:
    """Return the arrays of a safetensors file: the length of a header, the header as JSON, then plain numbers."""
    import numpy as np

    size = int.from_bytes(data[:8], "little")
    types = {"F32": np.float32, "F16": np.float16, "I64": np.int64}
    try:
        if size > MAX_HEADER_BYTES:
            raise ValueError("the header is too long")
        header = json.loads(data[8 : 8 + size])
        header.pop("__metadata__", None)
        return {
            name: np.frombuffer(data[8 + size + entry["data_offsets"][0] : 8 + size + entry["data_offsets"][1]],
                                types[entry["dtype"]]).reshape(entry["shape"])
            for name, entry in header.items()
        }  # fmt: skip
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise EmbedError(f"the weights are not a safetensors file: {error}") from error


def make_arrays(weights: Weights, shape: BertShape, variant: Variant) -> Iterator[tuple[str, Array]]:
    """Yield each array that the graph reads with its name, in the order of the file."""
    yield from _embedding_arrays(weights, variant)
    for layer in range(shape.layers):
        yield from _layer_arrays(weights, layer, variant)


def write_arrays(weights: Weights, shape: BertShape, variant: Variant, file: BinaryIO) -> None:
    """Write the file of weights."""
    arrays.write_arrays(make_arrays(weights, shape, variant), file)


def lay_out(shape: BertShape, variant: Variant) -> list[Tensor]:
    """Return where `write_arrays` puts each tensor."""
    return arrays.lay_out(make_arrays(_zero_weights(shape), shape, variant))


def _embedding_arrays(weights: Weights, variant: Variant) -> Iterator[tuple[str, Array]]:
    # A text has only one segment, so the segment vector is the same for every token: it is added to the positions.
    positions = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    yield from _matrix("words", weights["embeddings.word_embeddings.weight"], variant, axis=1)
    yield "positions", positions
    yield from _norm("embedded", weights, "embeddings.LayerNorm")


def _layer_arrays(weights: Weights, layer: int, variant: Variant) -> Iterator[tuple[str, Array]]:
    import numpy as np

    source = f"encoder.layer.{layer}."
    parts = [f"{source}attention.self.{part}" for part in ("query", "key", "value")]
    yield from _matrix(f"{layer}.qkv", np.concatenate([weights[f"{part}.weight"] for part in parts]).T, variant)
    yield f"{layer}.qkv.bias", np.concatenate([weights[f"{part}.bias"] for part in parts])
    for name, part in (("attended", "attention.output"), ("inner", "intermediate"), ("outer", "output")):
        yield from _matrix(f"{layer}.{name}", weights[f"{source}{part}.dense.weight"].T, variant)
        yield f"{layer}.{name}.bias", weights[f"{source}{part}.dense.bias"]
        if name != "inner":
            yield from _norm(f"{layer}.{name}", weights, f"{source}{part}.LayerNorm")


def _norm(name: str, weights: Weights, source: str) -> Iterator[tuple[str, Array]]:
    yield f"{name}.gain", weights[f"{source}.weight"]
    yield f"{name}.shift", weights[f"{source}.bias"]


def _matrix(name: str, values: Array, variant: Variant, *, axis: int = 0) -> Iterator[tuple[str, Array]]:
    """Yield a matrix as it is, or as int8 with the scales of its columns (`axis` 0) or rows (1)."""
    if variant == "fp32":
        yield name, values
    else:
        yield from arrays.round_to_int8(name, values, axis=axis)


def _zero_weights(shape: BertShape) -> dict[str, Array]:
    """Return weights of the right shapes, filled with zeros."""
    import numpy as np

    return {name: np.zeros(dims, np.float32) for name, dims in weight_dims(shape).items()}


def weight_dims(shape: BertShape) -> dict[str, tuple[int, ...]]:
    """Return the names and sizes of the trained weights that are read."""
    hidden, inner = shape.hidden, shape.feed_forward
    dims: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (shape.vocabulary, hidden),
        "embeddings.position_embeddings.weight": (shape.positions, hidden),
        "embeddings.token_type_embeddings.weight": (2, hidden),
        **_pair("embeddings.LayerNorm", hidden),
    }
    for layer in range(shape.layers):
        source = f"encoder.layer.{layer}."
        for part in ("query", "key", "value"):
            dims |= _pair(f"{source}attention.self.{part}", hidden, hidden)
        dims |= _pair(f"{source}attention.output.dense", hidden, hidden)
        dims |= _pair(f"{source}attention.output.LayerNorm", hidden)
        dims |= _pair(f"{source}intermediate.dense", inner, hidden)
        dims |= _pair(f"{source}output.dense", hidden, inner)
        dims |= _pair(f"{source}output.LayerNorm", hidden)
    return dims


def _pair(name: str, *dims: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": dims, f"{name}.bias": dims[:1]}
