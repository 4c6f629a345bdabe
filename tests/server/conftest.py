"""An index of two documents, in a folder and in a database, behind a running server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.server.running import serving, write_documents

from crosshead.index import Index


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with documents, below one that nobody may reach."""
    root = tmp_path / "root"
    root.mkdir()
    write_documents(root)
    return root


@pytest.fixture
def index(root: Path) -> Iterator[Index]:
    """The documents, indexed in a folder."""
    with Index(root / ".crosshead", embedder="static") as index:
        index.add(root / "docs")
        yield index


@pytest.fixture
def client(index: Index) -> Iterator[httpx.Client]:
    """Asks a server of that index."""
    with serving(index) as url, httpx.Client(base_url=url, timeout=30) as client:
        yield client
