"""Puts the table of the embedder `static` into what is built.

The table and its vocabulary are files of the package wordllama (MIT), too large for git. The first build from a
checkout requires that package and copies them into the source tree, where git ignores them; later builds find them
there, and an archive of the source carries them. What is installed needs neither the package nor what it requires.
"""

from __future__ import annotations

import os
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "wordllama"
VERSION = "0.2.2.post0"
"""A release whose wheel is for all platforms; later ones carry the same table."""
FOLDER = Path("src", "crosshead", "embedding", "table")
FILES = {
    "vectors.safetensors": (
        "wordllama/weights/l2_supercat_256.safetensors",
        "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
    ),
    "tokenizer.json": (
        "wordllama/tokenizers/l2_supercat_tokenizer_config.json",
        "bf467c9e0f536bda271283c6ef85eb1a943e3196b621c8a912d64953b205df83",
    ),
    "LICENSE": (
        f"wordllama-{VERSION}.dist-info/LICENSE",
        "a1e482c45bfab76056845e542ad4c95acfc4f38dd63be1c5b663c16065529fc8",
    ),
}
"""Where a file comes from, and its SHA-256."""


class TableHook(BuildHookInterface):  # type: ignore[type-arg]
    """Copies the files that are not there yet."""

    def dependencies(self) -> list[str]:
        return [f"{PACKAGE}=={VERSION}"] if self._missing() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for name in self._missing():
            source, expected = FILES[name]
            data = Path(str(distribution(PACKAGE).locate_file(source))).read_bytes()
            if sha256(data).hexdigest() != expected:
                raise ValueError(f"{source} is not the file it should be: its SHA-256 is not {expected}")
            self._write(name, data)

    def _missing(self) -> list[str]:
        return [name for name in FILES if not Path(self.root, FOLDER, name).is_file()]

    def _write(self, name: str, data: bytes) -> None:
        """Write a file as a whole or not at all, also if two builds run at once."""
        path = Path(self.root, FOLDER, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{name}.{os.getpid()}")
        unfinished.write_bytes(data)
        unfinished.replace(path)
