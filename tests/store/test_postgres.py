"""The store in PostgreSQL, on a real server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.store.conformance import Reopen, StoreConformance
from tests.stored import SETTINGS

from crosshead.store.postgres.store import PostgresStore


@pytest.fixture
def opened() -> Iterator[list[PostgresStore]]:
    stores: list[PostgresStore] = []
    yield stores
    for store in stores:
        store.close()


@pytest.fixture
def store(database: str, opened: list[PostgresStore]) -> PostgresStore:
    opened.append(PostgresStore(database, create=SETTINGS))
    return opened[-1]


@pytest.fixture
def reopen(database: str, opened: list[PostgresStore]) -> Reopen:
    def open_again() -> PostgresStore:
        opened.append(PostgresStore(database))
        return opened[-1]

    return open_again


class TestConformance(StoreConformance):
    """The store in PostgreSQL keeps the contract."""
