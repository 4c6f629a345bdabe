"""Where MiniLM is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from crosshead.embedding.install.cache import models_folder
from crosshead.embedding.minilm.weights import Variant

LAYOUT: Final = 1
"""Counts the ways in which the same trained weights were written; a new one gives other vectors."""
TOKENIZER_NAME: Final = "tokenizer.json"


def model_folder(variant: Variant) -> Path:
    """Return where a variant is kept; it need not be installed."""
    return models_folder() / f"minilm-{variant}-{LAYOUT}"


def model_facts(variant: Variant, source: str) -> dict[str, str]:
    """Return what the manifest says of a model; `source` is the hash of the trained weights."""
    revision = f"minilm-{variant}-{LAYOUT}-{source[:8]}"
    return {"model": "all-MiniLM-L6-v2", "variant": variant, "revision": revision}
