"""Indexes that actors of a Ray cluster keep open, to be searched from any thread of this process.

1. a process joins the cluster (`driver`), passes calls on to actors, many at a time, and sends back what they return
2. an actor opens one index and stays; Ray starts it again, on any node, when its process or node is lost
3. what is lost or does not answer is a `StoreError`: a joined index names the part as missing, and asks it again with
   the next search
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from contextlib import suppress
from dataclasses import fields
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from threading import Lock, Thread
from traceback import format_exception
from typing import Any, Final, Literal, cast

from crosshead.errors import CorruptIndex, CrossheadError, IndexNotFound, IndexReplaced, IngestError, StoreError
from crosshead.indexing.engines.cluster import cluster_address, connected, import_ray, mapped
from crosshead.indexing.engines.driver import (
    END_SECONDS,
    LOST_SECONDS,
    START_SECONDS,
    Driver,
    read_requests,
    send_message,
    signs_of_life,
)
from crosshead.runtime.workers import start_worker
from crosshead.store import open_store
from crosshead.types import Filter, ReadableStore, Store

MOST_CALLS: Final = 64
"""Calls that are passed on at the same time."""
CALLS_OF_AN_ACTOR: Final = 8
RETRY_SECONDS: Final = 10.0
"""How long to wait before a cluster that was lost is joined again."""
GRACE_SECONDS: Final = 2.0
"""Time for an answer to come back, after the time of the actor."""
STOP: Final = b""

Outcome = tuple[Literal["value", "error"], Any]


class StoreActor:
    """Keeps an index open in a process of the cluster."""

    def __init__(self, location: str) -> None:
        self._location = location
        self._opening = Lock()
        self._store: Store | None = None

    def read(self, call: bytes) -> bytes:
        """Return what a method or property of the store returns, or the error that it raises."""
        name, arguments, options = pickle.loads(call)
        try:
            found = getattr(self._opened(), name)
            value = found(*arguments, **options) if callable(found) else found
            return pickle.dumps(("value", value if isinstance(value, list | Mapping) else _sendable(value)))
        except CrossheadError as error:
            if isinstance(error, IndexReplaced | IndexNotFound | CorruptIndex):
                self._store = None  # opened again by the next call
            return _packed(error)
        except Exception as error:
            return _packed(StoreError(f"{type(error).__name__}: {error}"))

    def _opened(self) -> Store:
        with self._opening:
            self._store = self._store or open_store(self._location)
            return self._store


class StoreCluster:
    """Opens indexes on a cluster, which is joined when the first of them is read, and again after it was lost."""

    def __init__(self, address: str | None, seconds: float) -> None:
        """`seconds`: how long a call may take."""
        self._address = cluster_address(address)
        self._seconds = seconds
        self._joining = Lock()
        self._gateway: Gateway | None = None
        self._lost = ""
        self._next_try = 0.0

    def start(self, locations: Sequence[str]) -> None:
        """Join the cluster, and let actors open indexes: that takes longer than a search may."""
        self._joined()
        with ThreadPoolExecutor(MOST_CALLS) as pool:
            for location in locations:
                pool.submit(self._joined().call, location, "location", (), {}, START_SECONDS)

    def open(self, location: str) -> ReadableStore:
        """Return the store of an index, whose methods an actor executes."""
        return cast(ReadableStore, RemoteStore(partial(self._call, location)))

    def close(self) -> None:
        """Leave the cluster; its actors end."""
        if self._gateway:
            self._gateway.close()
            self._gateway = None

    def _call(self, location: str, name: str, *arguments: Any, **options: Any) -> Any:
        return self._joined().call(location, name, arguments, options, self._seconds)

    def _joined(self) -> Gateway:
        with self._joining:
            if self._gateway and self._gateway.is_lost:
                self.close()
            if self._gateway is None:
                if time.monotonic() < self._next_try:
                    raise StoreError(self._lost)
                try:
                    self._gateway = Gateway(self._address, None)
                except CrossheadError as error:
                    self._next_try, self._lost = time.monotonic() + RETRY_SECONDS, error.reason
                    raise StoreError(error.reason) from error
            return self._gateway


class RemoteStore:
    """The reading half of a store that an actor keeps open."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call
        self.settings: Mapping[str, Any] = call("settings")
        self.location: str = call("location")

    def close(self) -> None:
        """Do nothing: the actor stays for the next search."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *arguments, **options: self._call(name, *map(_plain, arguments), **options)


class Gateway(Driver):
    """A process that is connected to a cluster, and passes on many calls at a time."""

    def __init__(self, address: str, jobs: int | None) -> None:
        self.is_lost = False
        self._numbers = count()
        self._sending = Lock()
        self._pending: dict[int, Future[bytes]] = {}
        super().__init__(address, jobs, target=_pass_calls)
        self._reader = Thread(target=self._read, name="crosshead-gateway", daemon=True)
        self._reader.start()

    def call(
        self, location: str, name: str, arguments: tuple[Any, ...], options: Mapping[str, Any], seconds: float
    ) -> Any:
        """Return what the store at a location returns, or raise its error."""
        number, future = next(self._numbers), Future[bytes]()
        self._pending[number] = future
        try:
            request = pickle.dumps((number, location, pickle.dumps((name, arguments, options)), seconds))
            with self._sending:
                self._connection.send_bytes(request)
            kind, value = pickle.loads(future.result(seconds + GRACE_SECONDS))
        except TooSlow as error:
            raise StoreError(f"no answer within {seconds:g} seconds") from error
        except OSError as error:
            raise StoreError(self._lost().reason) from error
        finally:
            self._pending.pop(number, None)
        if kind == "error":
            raise value
        return value

    def close(self) -> None:
        """Leave the cluster."""
        with suppress(OSError), self._sending:
            self._connection.send_bytes(STOP)
        self._process.join(END_SECONDS)
        self._process.kill()
        self._reader.join(END_SECONDS)
        super().close()

    def _read(self) -> None:
        """Hand results to the calls that wait for them, until the process ends."""
        try:
            while True:
                kind, value = self._receive(LOST_SECONDS)
                if kind == "result":
                    number, outcome = value
                    future = self._pending.get(number)
                    if future:
                        future.set_result(outcome)
        except IngestError as error:
            self.is_lost = True
            for future in [*self._pending.values()]:
                with suppress(Exception):  # it has its result
                    future.set_result(_packed(StoreError(error.reason)))


def _pass_calls(connection: Connection, address: str, jobs: int | None, folder: str) -> None:
    """Pass calls on to actors until the pipe is closed."""
    start_worker()
    send = partial(send_message, connection, Lock())
    try:
        ray = import_ray()
        with connected(ray, address, jobs, folder), signs_of_life(ray, send), mapped(address):
            actors, making = dict[str, Any](), Lock()
            send("alive")
            with ThreadPoolExecutor(MOST_CALLS) as pool:
                for request in read_requests(connection):
                    if request == STOP:
                        break
                    pool.submit(_pass_on, ray, actors, making, request, send)
    except CrossheadError as error:
        send("failed", (str(error), "".join(format_exception(error))))


def _pass_on(ray: Any, actors: dict[str, Any], making: Any, request: bytes, send: Callable[..., None]) -> None:
    number, location, call, seconds = pickle.loads(request)
    try:
        with making:
            if location not in actors:
                actors[location] = _make_actor(ray, location)
        outcome = ray.get(actors[location].read.remote(call), timeout=seconds)
    except ray.exceptions.GetTimeoutError:
        outcome = _packed(StoreError(f"no answer within {seconds:g} seconds"))
    except Exception:  # a RayError, or any other of Ray: its messages are long and name no cause
        outcome = _packed(StoreError("its process or node on the cluster was lost; Ray starts it again"))
    send("result", (number, outcome))


def _make_actor(ray: Any, location: str) -> Any:
    """Start an actor on any node; it claims no core, because it works only while it is asked."""
    options = {"max_restarts": -1, "max_concurrency": CALLS_OF_AN_ACTOR, "scheduling_strategy": "SPREAD"}
    return ray.remote(num_cpus=0)(StoreActor).options(**options).remote(location)


def _plain(argument: Any) -> Any:
    """Return an argument as it can be sent: of a request, the filter."""
    if isinstance(argument, Filter):
        return Filter(**{each.name: getattr(argument, each.name) for each in fields(Filter)})
    return argument


def _sendable(value: Any) -> Any:
    """Return a value that can be sent: the keys of a mapping cannot."""
    return [*value] if type(value).__name__ == "dict_keys" else value


def _packed(error: CrossheadError) -> bytes:
    """Return an error that every process can read."""
    try:
        packed = pickle.dumps(("error", error))
        pickle.loads(packed)
    except Exception:
        return pickle.dumps(("error", StoreError(str(error))))
    return packed
