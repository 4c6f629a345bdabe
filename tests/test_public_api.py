"""What users may import, and that it is cheap."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import crosshead


def test_public_names_are_pinned() -> None:
    assert crosshead.__all__ == [
        "Block", "Chunk", "ChunkOptions", "Chunks", "CrossheadError", "Document", "HeadingStack", "Report", "Section",
        "Violation", "check", "chunk", "estimate_tokens", "extract", "parse_blocks", "read",
    ]  # fmt: skip
    assert all(hasattr(crosshead, name) for name in crosshead.__all__)


def test_import_loads_nothing_heavy() -> None:
    code = "import sys, crosshead; print(sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for heavy in ("rich", "typer", "click", "yaml", "charset_normalizer", "splintr", "tiktoken", "markdown_it"):
        assert f"'{heavy}'" not in loaded


def test_types_are_published() -> None:
    assert (Path(crosshead.__file__).parent / "py.typed").exists()
