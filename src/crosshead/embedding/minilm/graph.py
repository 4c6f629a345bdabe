"""The encoder as an ONNX graph without weights: these are in a separate file, at the offsets of `weights.lay_out`.

The graphs of both variants are files of this package, a few kilobytes each, so that the package `onnx` is not needed to
install or run the model. After a change here or in weights.py: python -m crosshead.embedding.minilm.graph

    words, positions -> norm -> layers x (attention -> norm -> feed forward -> norm) -> mean over tokens -> length 1
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from crosshead.embedding.minilm.weights import MINILM, BertShape, Variant, lay_out
from crosshead.embedding.onnx.graphs import FUSED, GraphBuilder

FOLDER: Final = Path(__file__).parent

EPSILON: Final = 1e-12


def graph_path(variant: Variant) -> Path:
    """Return the file of this package that holds a graph."""
    return FOLDER / f"{variant}.onnx"


def build_graph(shape: BertShape, variant: Variant) -> bytes:
    """Build the graph as the bytes of an ONNX file; needs the package `onnx`."""
    from onnx import TensorProto, helper

    builder = _Int8Builder(shape) if variant == "int8" else _BertBuilder(shape)
    tokens = builder.add_encoder()
    builder.add_pooling(tokens)
    inputs = [helper.make_tensor_value_info("ids", TensorProto.INT64, ["b", "n"])]
    outputs = [
        helper.make_tensor_value_info("sentence", TensorProto.FLOAT, ["b", shape.hidden]),
        helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["b", "n", shape.hidden]),
    ]
    return builder.to_bytes("minilm", inputs, outputs, lay_out(shape, variant))


class _BertBuilder(GraphBuilder):
    def __init__(self, shape: BertShape) -> None:
        super().__init__()
        self.shape = shape

    def add_encoder(self) -> str:
        hidden = self.add_embeddings()
        for layer in range(self.shape.layers):
            hidden = self.add_layer(layer, hidden)
        return self.add("Identity", [hidden], "tokens")

    def add_embeddings(self) -> str:
        words = self.add_words()
        self.add("Shape", ["ids"], "ids.length", start=1, end=2)
        places = [self.constant("first", 0), "ids.length", self.constant("rows", 0)]
        self.add("Slice", ["positions", *places], "places")
        return self.add_norm("embedded", words, "places")

    def add_words(self) -> str:
        return self.add("Gather", ["words", "ids"], "words.found")

    def add_layer(self, layer: int, hidden: str) -> str:
        attention = self.add_attention(f"{layer}.qkv", hidden)
        attended = self.add_norm(f"{layer}.attended", self.add_product(f"{layer}.attended", attention), hidden)
        inner = self.add_product(f"{layer}.inner", attended)
        active = self.add("Gelu", [inner], f"{layer}.inner.active", FUSED)
        return self.add_norm(f"{layer}.outer", self.add_product(f"{layer}.outer", active), attended)

    def add_attention(self, name: str, hidden: str) -> str:
        return self.add("Attention", [hidden, name, f"{name}.bias"], f"{name}.out", FUSED, num_heads=self.shape.heads)

    def add_product(self, name: str, values: str) -> str:
        product = self.add("MatMul", [values, name], f"{name}.product")
        return self.add("Add", [product, f"{name}.bias"], f"{name}.moved")

    def add_norm(self, name: str, values: str, skipped: str) -> str:
        """Add and normalize; SkipLayerNormalization does both at once, but takes several times as long."""
        summed = self.add("Add", [values, skipped], f"{name}.summed")
        inputs = [summed, f"{name}.gain", f"{name}.shift"]
        return self.add("LayerNormalization", inputs, f"{name}.normed", axis=-1, epsilon=EPSILON)

    def add_pooling(self, tokens: str) -> None:
        """Sum over tokens: it has the direction of the mean, and the result is normalized."""
        self.add("ReduceSum", [tokens, self.constant("tokens.axis", 1)], "tokens.sum", keepdims=0)
        self.add("LpNormalization", ["tokens.sum"], "sentence", axis=1, p=2)


class _Int8Builder(_BertBuilder):
    """The same with int8 products; activations are quantized at run time."""

    def add_words(self) -> str:
        from onnx import TensorProto

        self.add("Gather", ["words", "ids"], "words.whole")
        self.add("Gather", ["words.scales", "ids"], "words.scale")
        self.add("Cast", ["words.whole"], "words.float", to=TensorProto.FLOAT)
        return self.add("Mul", ["words.float", "words.scale"], "words.found")

    def add_attention(self, name: str, hidden: str) -> str:
        whole = [f"{name}.{part}" for part in ("whole", "scale", "zero")]
        values, scale, zero = self.add_several("DynamicQuantizeLinear", [hidden], whole)
        inputs = [values, name, f"{name}.bias", scale, f"{name}.scales", "", zero]
        return self.add("QAttention", inputs, f"{name}.out", FUSED, num_heads=self.shape.heads)

    def add_product(self, name: str, values: str) -> str:
        inputs = [values, name, f"{name}.scales", "", f"{name}.bias"]
        return self.add("DynamicQuantizeMatMul", inputs, f"{name}.product", FUSED)


if __name__ == "__main__":
    for each in ("int8", "fp32"):
        graph_path(each).write_bytes(build_graph(MINILM, each))
