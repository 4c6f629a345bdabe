"""ONNX graphs without weights: these are in a separate file, at the offsets of `arrays.lay_out`.

The graphs are files of this package, so that only developers need the package `onnx`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from crosshead.embedding.onnx.arrays import Tensor

WEIGHTS_NAME: Final = "weights.bin"
FUSED: Final = "com.microsoft"
"""The domain of the fused operators of onnxruntime."""


class GraphBuilder:
    """Collects the nodes of a graph; each method returns the name of its output."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, operator: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        return self.add_several(operator, inputs, [output], domain, **attributes)[0]

    def add_several(
        self, operator: str, inputs: list[str], outputs: list[str], domain: str = "", **attributes: Any
    ) -> list[str]:
        from onnx import helper

        self.nodes.append(helper.make_node(operator, inputs, outputs, domain=domain, **attributes))
        return outputs

    def constant(self, name: str, *values: int) -> str:
        from onnx import TensorProto, helper

        self.constants.append(helper.make_tensor(name, TensorProto.INT64, [len(values)], values))
        return name

    def to_bytes(self, name: str, inputs: Sequence[Any], outputs: Sequence[Any], tensors: Sequence[Tensor]) -> bytes:
        """Return the graph as the bytes of an ONNX file."""
        from onnx import helper

        constants = [*self.constants, *map(_external_tensor, tensors)]
        graph = helper.make_graph(self.nodes, name, inputs, outputs, constants)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)]
        model = helper.make_model(graph, opset_imports=opsets, producer_name="crosshead", ir_version=8)
        return bytes(model.SerializeToString(deterministic=True))


def _external_tensor(tensor: Tensor) -> Any:
    """Return a tensor with its data in the file of weights."""
    import numpy as np
    from onnx import TensorProto, helper

    kind = helper.np_dtype_to_tensor_dtype(np.dtype(tensor.dtype))
    found = TensorProto(name=tensor.name, data_type=kind, dims=tensor.dims, data_location=TensorProto.EXTERNAL)
    for key, value in (("location", WEIGHTS_NAME), ("offset", tensor.offset), ("length", tensor.length)):
        found.external_data.add(key=key, value=str(value))
    return found
