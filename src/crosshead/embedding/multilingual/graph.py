"""The encoder as an ONNX graph without weights: these are in a separate file, at the offsets of `arrays.lay_out`.

After a change here or in weights.py: python -m crosshead.embedding.multilingual.graph

    tokens -> words -> three branches, for runs of 2, 3 and 5 tokens: narrow -> norm -> 2 x (run -> ReLU -> added)
           -> words and branches side by side -> norm -> sum / root of their number -> four dense layers -> length 1
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from crosshead.embedding.multilingual.weights import (
    BRANCHES,
    LAYERS,
    MULTILINGUAL,
    Branch,
    EncoderShape,
    make_arrays,
    zero_weights,
)
from crosshead.embedding.onnx.arrays import lay_out
from crosshead.embedding.onnx.graphs import FUSED, GraphBuilder

GRAPH: Final = Path(__file__).parent / "int8.onnx"
EPSILON: Final = 1e-12
SENTENCE: Final = "sentence"


def build_graph(shape: EncoderShape) -> bytes:
    """Build the graph as the bytes of an ONNX file; needs the package `onnx`."""
    from onnx import TensorProto, helper

    builder = _EncoderBuilder(shape)
    builder.add_dense(builder.add_sum(builder.add_branches(builder.add_words())))
    inputs = [helper.make_tensor_value_info("ids", TensorProto.INT64, ["n"])]
    outputs = [helper.make_tensor_value_info(SENTENCE, TensorProto.FLOAT, [1, shape.dimension])]
    return builder.to_bytes("multilingual", inputs, outputs, lay_out(make_arrays(zero_weights(shape), shape)))


class _EncoderBuilder(GraphBuilder):
    def __init__(self, shape: EncoderShape) -> None:
        super().__init__()
        self.shape = shape
        self.rows = self.constant("rows", 0)

    def add_words(self) -> str:
        from onnx import TensorProto

        self.add("Shape", ["ids"], "count")
        self.add("Mod", ["ids", self.constant("parts", self.shape.parts)], "part")
        self.add("Gather", ["words", "ids"], "words.whole")
        self.add("Cast", ["words.whole"], "words.float", to=TensorProto.FLOAT)
        self.add("Gather", ["words.scales", "part"], "words.scale")
        self.add("Gather", ["words.least", "part"], "words.base")
        self.add("Mul", ["words.float", "words.scale"], "words.scaled")
        return self.add("Add", ["words.scaled", "words.base"], "words.found")

    def add_branches(self, words: str) -> str:
        narrow = self.add_product("narrow", words)
        parts = self.add_several("Split", [narrow], [f"{branch.size}.narrow" for branch in BRANCHES], axis=1)
        branches = [self.add_branch(branch, part) for branch, part in zip(BRANCHES, parts, strict=True)]
        whole = self.add("Concat", [words, *branches], "whole", axis=1)
        return self.add_norm("gain", "shift", whole, "whole.normed")

    def add_branch(self, branch: Branch, values: str) -> str:
        size = branch.size
        values = self.add_norm(f"{size}.gain", f"{size}.shift", values, f"{size}.normed")
        for layer in LAYERS:
            name = f"{size}.{layer}"
            product = self.add_product(name, self.add_runs(name, branch, values))
            active = self.add("Relu", [product], f"{name}.active")
            values = self.add("Add", [active, values], f"{name}.added")
        return values

    def add_runs(self, name: str, branch: Branch, values: str) -> str:
        """Concatenate the tokens of each run, padded with zeros before the first and after the last token."""
        after = branch.size - 1 - branch.before
        padded = self.add("Pad", [values, self.constant(f"{name}.pads", branch.before, 0, after, 0)], f"{name}.padded")
        shifted = []
        for step in range(branch.size):
            start = self.constant(f"{name}.start{step}", step)
            end = self.add("Add", ["count", start], f"{name}.end{step}")
            shifted.append(self.add("Slice", [padded, start, end, self.rows], f"{name}.shifted{step}"))
        return self.add("Concat", shifted, f"{name}.runs", axis=1)

    def add_sum(self, values: str) -> str:
        """Sum over tokens before the product, which then has a single row."""
        from onnx import TensorProto

        self.add("ReduceSum", [values, self.rows], "whole.sum", keepdims=1)
        self.add("Cast", ["count"], "count.float", to=TensorProto.FLOAT)
        self.add("MatMul", ["whole.sum", "summed"], "summed.product")
        self.add("Mul", ["summed.bias", "count.float"], "summed.biases")
        self.add("Add", ["summed.product", "summed.biases"], "summed.moved")
        return self.add("Div", ["summed.moved", self.add("Sqrt", ["count.float"], "count.root")], "summed.scaled")

    def add_dense(self, values: str) -> None:
        first = self.add("Relu", [self.add("MatMul", [values, "d0"], "d0.product")], "d0.active")
        second = self.add("Relu", [self.add_skipping("d1", first, "p1", values)], "d1.active")
        third = self.add("Relu", [self.add("MatMul", [second, "d2"], "d2.product")], "d2.active")
        last = self.add("Tanh", [self.add_skipping("d3", third, "p3", second)], "d3.active")
        self.add("LpNormalization", [last], SENTENCE, axis=1, p=2)

    def add_skipping(self, dense: str, values: str, skip: str, skipped: str) -> str:
        products = [
            self.add("MatMul", [values, dense], f"{dense}.product"),
            self.add("MatMul", [skipped, skip], f"{skip}.product"),
        ]
        return self.add("Add", products, f"{dense}.added")

    def add_product(self, name: str, values: str) -> str:
        inputs = [values, name, f"{name}.scales", "", f"{name}.bias"]
        return self.add("DynamicQuantizeMatMul", inputs, f"{name}.product", FUSED)

    def add_norm(self, gain: str, shift: str, values: str, output: str) -> str:
        return self.add("LayerNormalization", [values, gain, shift], output, axis=-1, epsilon=EPSILON)


if __name__ == "__main__":
    GRAPH.write_bytes(build_graph(MULTILINGUAL))
