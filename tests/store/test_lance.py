from __future__ import annotations

from pathlib import Path

import pytest
from tests.store.conformance import Reopen, StoreConformance
from tests.stored import SETTINGS

from crosshead.store.lance import LanceStore


@pytest.fixture
def store(tmp_path: Path) -> LanceStore:
    return LanceStore(tmp_path / "index", create=SETTINGS)


@pytest.fixture
def reopen(tmp_path: Path) -> Reopen:
    return lambda: LanceStore(tmp_path / "index")


class TestConformance(StoreConformance):
    """The embedded store keeps the contract."""
