"""The embedded store on object storage: a real server of S3, on this machine."""

from __future__ import annotations

import pytest
from tests.store.conformance import Reopen, StoreConformance
from tests.stored import SETTINGS

from crosshead.store.bucket import Bucket
from crosshead.store.lance import LanceStore


@pytest.fixture
def url(bucket: str) -> str:
    return f"{bucket}/docs/index"


@pytest.fixture
def store(url: str) -> LanceStore:
    return LanceStore(Bucket(url), create=SETTINGS)


@pytest.fixture
def reopen(url: str) -> Reopen:
    return lambda: LanceStore(Bucket(url))


class TestConformance(StoreConformance):
    """The embedded store keeps the contract there, too."""
