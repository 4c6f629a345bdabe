"""The workers of this process: start, reuse and end them."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from crosshead.errors import ReaderCrashed, ReadingTimedOut
from crosshead.runtime.processes import usable_cores
from crosshead.runtime.workers.inside import WorkerAnswer, serve, working_folder
from crosshead.runtime.workers.limits import Limits

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext, SpawnContext

Item = TypeVar("Item")


class Pool:
    """The idle workers of this process."""

    def __init__(self) -> None:
        self._idle: list[Worker] = []
        self._lock = threading.Lock()

    def fill(self, count: int) -> None:
        """Start workers until at least this many are idle."""
        while len(self._idle) < count:
            self._idle.append(Worker())

    def take(self) -> Worker:
        """Return a live worker, idle or new."""
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            if worker is None:
                return Worker()
            if worker.is_alive():
                return worker
            worker.end()

    def give_back(self, worker: Worker) -> None:
        """Keep a worker for later work, unless it has grown or there are enough."""
        with self._lock:
            if not worker.is_worn and len(self._idle) < usable_cores():
                self._idle.append(worker)
                return
        worker.end()

    def forget(self) -> None:
        """Drop all workers: after a fork, they belong to the parent process."""
        self._idle = []
        self._lock = threading.Lock()


POOL: Final = Pool()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=POOL.forget)


class Worker:
    """One worker process."""

    def __init__(self) -> None:
        context = _start_method()
        self._connection, other_end = context.Pipe()
        self._process = context.Process(target=serve, args=(other_end,), name="crosshead-worker", daemon=True)
        with hidden_main_module(), interrupts_blocked(context), existing_folder():
            self._process.start()
        other_end.close()
        self.is_worn = False

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return self._process.is_alive()

    def do(
        self, step: Callable[[Item], Any], items: Sequence[Item], limits_of: Callable[[Item], Limits]
    ) -> Iterator[WorkerAnswer]:
        """Yield the answer for each item."""
        limits = [*map(limits_of, items)]
        work = pickle.dumps((working_folder(), dict(os.environ), step, [*zip(items, limits, strict=True)]))
        try:
            self._connection.send((len(items), work))
            self._connection.recv_bytes()  # it has begun: starting and importing do not count as time of an item
            for limit in limits:
                if not self._connection.poll(limit.seconds):  # without a limit, only an answer or a death ends this
                    raise ReadingTimedOut(
                        f"it took longer than {limit.seconds:,.0f} seconds: raise max_seconds (--max-seconds)"
                    )
                answer: WorkerAnswer = self._connection.recv()
                self.is_worn |= answer.is_worn
                yield answer
        except (EOFError, OSError) as error:
            self._process.join(1)
            raise crash(self._process.exitcode or 0) from error

    def end(self) -> None:
        """Kill the process."""
        self._process.kill()  # first: it wakes a thread that waits for an answer
        self._process.join()
        with suppress(OSError):
            self._connection.close()


def crash(exit_code: int) -> ReaderCrashed:
    """Return the error for a document whose process ended with this code; a signal is negative."""
    cause = signal.Signals(-exit_code).name if exit_code < 0 else f"exit code {exit_code}"
    if cause == "SIGKILL":
        return ReaderCrashed("the system ended the process that read it: it probably needs more memory than there is")
    return ReaderCrashed(f"the process that read it crashed ({cause}): the file may be damaged")


def _start_method() -> ForkContext | SpawnContext:
    """Return how to start a process: a fork is fast, but only safe without threads, and Lance starts some."""
    can_fork = sys.platform == "linux" and threading.active_count() == 1 and "lance" not in sys.modules
    return multiprocessing.get_context("fork") if can_fork else multiprocessing.get_context("spawn")


@contextmanager
def interrupts_blocked(context: ForkContext | SpawnContext) -> Iterator[None]:
    """Keep Ctrl-C from a new process, which would print a traceback before it gets to ignore it."""
    if sys.platform == "win32":
        yield
        return
    if context.get_start_method() == "spawn":
        resource_tracker.ensure_running()  # starting it later would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def existing_folder() -> Iterator[None]:
    """Leave a working folder that was removed while a process starts: `multiprocessing` asks for its path."""
    if working_folder() or not hasattr(os, "fchdir"):
        yield
        return
    removed = os.open(".", os.O_RDONLY)
    os.chdir(os.sep)
    try:
        yield
    finally:
        os.fchdir(removed)
        os.close(removed)


@contextmanager
def hidden_main_module() -> Iterator[None]:
    """Keep a new process from running the user's script again; it only needs this package."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
