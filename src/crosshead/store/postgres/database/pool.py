"""The connections to one database, shared by threads. After a fork a process opens its own.

A server may restart at any time. Work on a lost connection is repeated for a while, which is safe:
documents are replaced as a whole.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from crosshead.errors import Unreachable
from crosshead.store.postgres.database.connection import connection_options, public_url, translate_errors

if TYPE_CHECKING:
    import psycopg
    from psycopg_pool import ConnectionPool

T = TypeVar("T")
Connection: TypeAlias = "psycopg.Connection[Any]"

MOST_CONNECTIONS: Final = 8
PATIENCE_SECONDS: Final = 60.0
"""How long to retry while a server restarts."""
ATTEMPT_SECONDS: Final = 5.0
"""How long to wait for a connection from the pool, which tries to open one less and less often."""
PAUSE_SECONDS: Final = 0.2
NEIGHBORS_LOOKED_AT: Final = 700
"""`hnsw.ef_search`: neighbors to look at in a graph of vectors."""

# A filtered search scans the nearest vectors until enough match. Plans depend on the parameters, which differ much.
_SESSION: Final = f"""
    SET hnsw.iterative_scan = strict_order;
    SET hnsw.ef_search = {NEIGHBORS_LOOKED_AT};
    SET plan_cache_mode = force_custom_plan;
    SET jit = off;
"""


class Database:
    """A pool of connections that commit every statement."""

    def __init__(self, url: str) -> None:
        logging.getLogger("psycopg").setLevel(logging.CRITICAL)  # its log names users; our errors say what matters
        self.url = url
        self.name = public_url(url)
        self._pools = {os.getpid(): _new_pool(url)}
        self._making = Lock()

    @property
    def _pool(self) -> ConnectionPool:
        """The pool of this process. A parent's pool stays open: closing it would wait for threads that a fork lacks."""
        process = os.getpid()
        if process not in self._pools:
            with self._making:
                if process not in self._pools:
                    self._pools[process] = _new_pool(self.url)
        return self._pools[process]

    def run(self, work: Callable[[Connection], T]) -> T:
        """Run some work and return its result; repeat it if the connection is lost."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                with translate_errors(self.url), self._pool.connection() as connection:
                    return work(connection)
            except Unreachable:
                if time.monotonic() > deadline:
                    raise
            time.sleep(PAUSE_SECONDS)
            self._pool.check()  # all connections are lost

    def fetch(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        return self.run(lambda connection: connection.execute(query, values, binary=True).fetchall())

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


def _new_pool(url: str) -> ConnectionPool:
    options = connection_options(url)
    from psycopg_pool import ConnectionPool

    return ConnectionPool(
        kwargs={**options, "autocommit": True},
        min_size=0,
        max_size=MOST_CONNECTIONS,
        timeout=ATTEMPT_SECONDS,
        reconnect_timeout=ATTEMPT_SECONDS / 2,
        configure=_configure,
        open=True,
    )


def _configure(connection: Connection) -> None:
    from pgvector.psycopg import register_vector

    connection.execute(_SESSION)
    register_vector(connection)
