"""tiktoken's vocabularies without the network: llama-index-core carries both that are needed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

FILES = {
    "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
}
"""tiktoken names a cached vocabulary by the SHA-1 of its address."""
IN_LLAMA_INDEX = Path("llama_index", "core", "_static", "tiktoken_cache")


def use_vocabularies() -> None:
    """Point tiktoken to a folder that holds the vocabularies; the program ends with a hint if there is none."""
    given = os.environ.get("TIKTOKEN_CACHE_DIR")
    folders = [Path(given)] if given else []
    folders += [Path(entry) / IN_LLAMA_INDEX for entry in sys.path]
    for folder in folders:
        if all((folder / file).is_file() for file in FILES.values()):
            os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
            return
    raise SystemExit("tiktoken's vocabularies are missing: install llama-index-core or set TIKTOKEN_CACHE_DIR")
