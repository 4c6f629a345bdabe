"""The files of `examples` that pages show."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from tests.docs.blocks import REPOSITORY

LISTED: Final = ("chroma_store", "qdrant_store", "pgvector_store")


def listing(path: Path) -> str:
    """Return a program as a block, without its docstring and what only type checkers need."""
    lines = path.read_text("utf-8").splitlines()
    docstring, future, *_ = ast.parse("\n".join(lines)).body
    assert isinstance(docstring, ast.Expr)
    assert isinstance(future, ast.ImportFrom)
    rest = "\n".join(lines[future.end_lineno :]).strip()
    return f"```python\n{rest}\n```"


PARTS: Final[dict[str, Callable[[], str]]] = {
    name: partial(listing, REPOSITORY / "examples" / f"{name}.py") for name in LISTED
}
