"""The folder of an installed MiniLM, and its manifest."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from crosshead.embedding.install.cache import models_folder
from crosshead.embedding.minilm.weights import Variant

LAYOUT: Final = 1
"""Version of the way we write the trained weights; increased when the vectors change."""
TOKENIZER_NAME: Final = "tokenizer.json"


def model_folder(variant: Variant) -> Path:
    """Return the folder of a variant, installed or not."""
    return models_folder() / f"minilm-{variant}-{LAYOUT}"


def model_facts(variant: Variant, source: str) -> dict[str, str]:
    """Return the facts for the manifest; `source` is the hash of the trained weights."""
    revision = f"minilm-{variant}-{LAYOUT}-{source[:8]}"
    return {"model": "all-MiniLM-L6-v2", "variant": variant, "revision": revision}
