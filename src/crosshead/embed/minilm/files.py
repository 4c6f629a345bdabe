"""An installed model: a folder with weights, a tokenizer and a manifest that says what they must be."""

from __future__ import annotations

import json
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final

from crosshead.embed.cache import models_folder
from crosshead.embed.minilm.graph import WEIGHTS_NAME
from crosshead.embed.minilm.weights import Variant
from crosshead.errors import EmbedError

LAYOUT: Final = 1
"""Counts the ways in which the same trained weights were written; a new one gives other vectors."""
TOKENIZER_NAME: Final = "tokenizer.json"
MANIFEST_NAME: Final = "manifest.json"
"""Written last: a folder without it is no model."""


def model_folder(variant: Variant) -> Path:
    """Return where a variant is kept; it need not be installed."""
    return models_folder() / f"minilm-{variant}-{LAYOUT}"


def is_installed(folder: Path) -> bool:
    """Is there a complete model? Its content is not looked at."""
    return (folder / MANIFEST_NAME).is_file()


def write_manifest(folder: Path, variant: Variant, source: str) -> None:
    """Note what the files of a model must be; `source` is the hash of the trained weights."""
    sums = {name: _sha256(folder / name) for name in (WEIGHTS_NAME, TOKENIZER_NAME)}
    revision = f"minilm-{variant}-{LAYOUT}-{source[:8]}"
    manifest = {"model": "all-MiniLM-L6-v2", "variant": variant, "revision": revision, "sha256": sums}
    (folder / MANIFEST_NAME).write_text(json.dumps(manifest, indent=2), encoding="utf-8")


def read_manifest(folder: Path, install_command: str) -> dict[str, Any]:
    """Return the manifest of an installed model."""
    if not is_installed(folder):
        raise EmbedError(f"the model is not installed: {install_command}")
    try:
        manifest = json.loads((folder / MANIFEST_NAME).read_text(encoding="utf-8"))
        if not isinstance(manifest["revision"], str):
            raise TypeError("revision")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EmbedError(f"{folder / MANIFEST_NAME} is broken; repair it: {install_command}") from error
    return dict(manifest)


def is_intact(folder: Path) -> bool:
    """Are all files what they were when they were written?"""
    try:
        sums = read_manifest(folder, "")["sha256"]
        return bool(sums) and all(_sha256(folder / name) == value for name, value in sums.items())
    except (OSError, EmbedError, KeyError, TypeError, AttributeError):
        return False


def bytes_used(folder: Path) -> int:
    """Return the size of a model's files."""
    return sum(path.stat().st_size for path in folder.iterdir())


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
