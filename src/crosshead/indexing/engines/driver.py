"""Ray in a separate process.

Ray silently ends a process whose cluster is lost, and waits forever for a head that hangs. Neither may happen to the
process that commits.

1. `Driver` starts a process that joins the cluster, receives work through a pipe and sends back the results.
2. Every few seconds that process asks the head of the cluster whether the node is alive, and reports it.
3. If the process ends, or does not report for too long, that is an error here.
4. It ends when the pipe is closed, and when this process ends.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Event, Lock, Thread
from traceback import format_exception
from typing import Any, Final, Literal

from crosshead.errors import CrossheadError, IngestError
from crosshead.indexing.engines.cluster import (
    CONNECTED,
    HERE,
    advice,
    cluster_address,
    cluster_parent,
    connected,
    import_ray,
    mapped,
)
from crosshead.runtime.scratch import scratch_folder
from crosshead.runtime.workers import hidden_main_module, interrupts_blocked, start_worker

START_SECONDS: Final = 180
LOST_SECONDS: Final = 60
"""A cluster that does not answer for this long is lost."""
SIGN_SECONDS: Final = 5
END_SECONDS: Final = 20
"""Time to leave a cluster before the process is killed."""

Work = Callable[..., Iterator[bytes]]
"""Its first argument is the package `ray`."""
Kind = Literal["alive", "result", "done", "failed"]


class RayCluster:
    """Runs work on a cluster: the one that this process is connected to, or one that a `Driver` joins when needed."""

    def __init__(self, address: str | None, jobs: int | None) -> None:
        self._address = address
        self._jobs = jobs
        self._driver: Driver | None = None

    def run(self, work: Work, *args: Any) -> Iterator[bytes]:
        """Run work on the cluster and yield its results as they come."""
        ray = import_ray()
        if ray.is_initialized():
            with mapped(CONNECTED):
                yield from work(ray, *args)
            return
        self._driver = self._driver or Driver(cluster_address(self._address), self._jobs)
        yield from self._driver.run(work, *args)

    def close(self) -> None:
        """Leave the cluster if a driver joined it."""
        if self._driver:
            self._driver.close()
            self._driver = None


class Driver:
    """A process that is connected to a cluster."""

    def __init__(self, address: str, jobs: int | None, target: Callable[..., None] | None = None) -> None:
        """`target` is what the process does, by default `run`."""
        self._target = target or _serve
        self._address = address
        self._is_idle = True
        self._open = ExitStack()
        with mapped(address):
            folder = self._open.enter_context(scratch_folder(cluster_parent())) if address == HERE else None
            self._start(jobs, str(folder or ""))

    def run(self, work: Work, *args: Any) -> Iterator[bytes]:
        """Run work on the cluster and yield its results as they come."""
        self._is_idle = False
        try:
            self._connection.send_bytes(import_ray().cloudpickle.dumps((work, args)))
        except OSError as error:
            raise self._lost() from error
        while True:
            kind, value = self._receive(LOST_SECONDS)
            if kind == "done":
                self._is_idle = True
                return
            if kind == "result":
                yield value

    def close(self) -> None:
        """Leave the cluster."""
        self._open.close()

    def _start(self, jobs: int | None, folder: str) -> None:
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=self._target, args=(theirs, self._address, jobs, folder), daemon=True)
        try:
            with hidden_main_module(), interrupts_blocked(context):
                self._process.start()
            self._open.callback(self._end)
            theirs.close()
            self._receive(START_SECONDS)
        except BaseException:
            self.close()
            raise

    def _receive(self, most_seconds: float) -> tuple[Kind, Any]:
        try:
            if not self._connection.poll(most_seconds):
                self._process.kill()
                raise IngestError(
                    f"Ray at {self._address}: no answer for {most_seconds:g} seconds: {advice(self._address)}"
                )
            kind, value = pickle.loads(self._connection.recv_bytes())
        except (EOFError, OSError) as error:
            raise self._lost() from error
        if kind == "failed":
            message, traceback = value
            raise IngestError(message) from RuntimeError(traceback)
        return kind, value

    def _lost(self) -> IngestError:
        return IngestError(f"Ray at {self._address}: the connection to the cluster was lost: {advice(self._address)}")

    def _end(self) -> None:
        self._connection.close()
        if not self._is_idle:  # it would only notice when it sends a result
            self._process.kill()
        self._process.join(END_SECONDS)
        self._process.kill()
        self._process.join()


def _serve(connection: Connection, address: str, jobs: int | None, folder: str) -> None:
    """Run work on a cluster until the pipe is closed."""
    start_worker()
    send = partial(send_message, connection, Lock())
    try:
        ray = import_ray()
        with connected(ray, address, jobs, folder), signs_of_life(ray, send), mapped(address):
            send("alive")
            for request in read_requests(connection):
                work, args = ray.cloudpickle.loads(request)
                for result in work(ray, *args):
                    send("result", result)
                send("done")
    except CrossheadError as error:
        send("failed", (str(error), "".join(format_exception(error))))


def send_message(connection: Connection, lock: AbstractContextManager[Any], kind: Kind, value: object = None) -> None:
    """Send a result, or a sign of life, from any thread."""
    try:
        with lock:
            connection.send_bytes(pickle.dumps((kind, value)))
    except OSError:  # the other process has closed the pipe or ended
        raise SystemExit from None


def read_requests(connection: Connection) -> Iterator[bytes]:
    """Yield requests until the pipe is closed."""
    while True:
        try:
            yield connection.recv_bytes()
        except EOFError:
            return


@contextmanager
def signs_of_life(ray: Any, send: Callable[..., None]) -> Iterator[None]:
    """Report every few seconds that the head of the cluster answers and knows this node as alive."""
    node, is_over = ray.get_runtime_context().get_node_id(), Event()

    def report() -> None:
        with suppress(Exception):  # without these reports the cluster counts as lost
            while not is_over.wait(SIGN_SECONDS):
                if any(each["Alive"] and each["NodeID"] == node for each in ray.nodes()):
                    send("alive")

    Thread(target=report, name="crosshead-ray", daemon=True).start()
    try:
        yield
    finally:
        is_over.set()
