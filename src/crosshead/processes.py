"""Many pieces of work, each on its own, in order: here or in several processes.

1. `in_order` hands every item to `step`; the values come back in the order of the items.
2. `guarded` turns whatever one item raises into its failure, so that the others go on, also where the fault is ours.
3. A process that the system ended is replaced. What it was at is tried once more alone, and so is a batch whose results
   cannot be sent; an item that fails again is given up.
4. What the library logs on the way is collected, so that no process writes over another one's lines.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import get_ident
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from crosshead.errors import CrossheadError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.context import BaseContext

T = TypeVar("T")
Item = TypeVar("Item")
Running: TypeAlias = "tuple[Sequence[Item], Future[list[T]]]"
"""A batch of items, and what will come of it."""

Start = Literal["fork", "spawn"]
"""A forked process is there at once; but where other threads run, as those of Lance do, only a new one is safe."""

_LOGGER: Final = logging.getLogger("crosshead")

FEW_ITEMS: Final = 16
"""Up to here one process is quicker, unless the items are large."""
LARGE_BYTES: Final = 3_000_000
ITEMS_PER_JOB: Final = 8
MAX_BATCH: Final = 16
CPU_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")
"""Microseconds of work in a period and the length of the period, in a container on Linux."""
BATCHES_AHEAD: Final = 4
"""Batches per process that may be under way: results that nobody has taken yet fill the memory."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What became of one item."""

    value: T | None
    """None if it failed."""
    failure: str = ""
    notes: tuple[str, ...] = ()
    traceback: str = ""
    """Where it failed, if the fault is ours."""


def in_order(
    step: Callable[[Item], T],
    items: Sequence[Item],
    jobs: int,
    *,
    give_up: Callable[[Item, Exception], T] | None = None,
    start: Start = "fork",
) -> Iterator[T]:
    """Do a step on every item; with several jobs it must be a function of a module, so that other processes find it.

    `give_up` returns what comes of an item that fails again when it is done alone; without it that is an error.
    """
    jobs = min(jobs, len(items))
    return map(step, items) if jobs <= 1 else _in_processes(step, items, jobs, start, give_up)


def useful_jobs(items: Sequence[Item], size_of: Callable[[Item], int]) -> int:
    """Return how many processes pay off for items; their sizes in bytes are asked for only where there are few."""
    count = len(items)
    if count <= FEW_ITEMS and sum(map(size_of, items)) < LARGE_BYTES:
        return 1
    return min(usable_cores(), count if count <= FEW_ITEMS else count // ITEMS_PER_JOB + 1)


def usable_cores(quota: Path = CPU_QUOTA) -> int:
    """Return how many cores this process may use: those that it is bound to, or fewer where a container limits it."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        limit, period = quota.read_text(encoding="ascii").split()
        return max(1, min(cores, int(limit) // int(period)))
    except (OSError, ValueError):  # no such file, or the limit is "max"
        return cores


class Failure(NamedTuple):
    """Why work on one item failed."""

    reason: str
    """In one line; names the exception unless we raise it on purpose."""
    traceback: str = ""
    """Where it failed, if the fault is ours."""


def failure_of(error: BaseException) -> Failure:
    """Return why work on one item failed; what ends a program, as Ctrl-C does, is raised again.

    A library in Rust panics with an exception that is not an `Exception`.
    """
    name = type(error).__name__
    if not isinstance(error, Exception) and name != "PanicException":
        raise error
    if isinstance(error, CrossheadError):
        return Failure(str(error))
    if isinstance(error, OSError):
        return Failure(f"{name}: {error.strerror or error}" + (f": {error.filename}" if error.filename else ""))
    from traceback import format_exception

    where = "".join(format_exception(error))
    if isinstance(error, MemoryError):
        return Failure(f"{name}: there is not enough memory for it", where)
    return Failure(f"a fault of Crosshead, please report it: {name}: {_first_line(error)}", where)


def _first_line(error: BaseException) -> str:
    try:
        return str(error).partition("\n")[0]
    except Exception:
        return "the exception has no text"


def guarded(source: str, work: Callable[[], T]) -> Outcome[T]:
    """Do work on a source; whatever it raises is the failure of this source, and nothing is printed."""
    with collected_notes(source) as notes:
        try:
            return Outcome(work(), notes=tuple(notes))
        except BaseException as error:
            return failed(source, error, notes)


def failed(source: str, error: BaseException, notes: Iterable[str] = ()) -> Outcome[Any]:
    """Return the outcome of a source whose work ended with an error."""
    reason, traceback = failure_of(error)
    return Outcome(None, reason if reason.startswith(source) else f"{source}: {reason}", tuple(notes), traceback)


def given_up(source: str, error: Exception) -> Outcome[Any]:
    """Return the outcome of a source that failed in another process, and again when it was tried alone."""
    from concurrent.futures.process import BrokenProcessPool

    return ended(source) if isinstance(error, BrokenProcessPool) else failed(source, error)


def ended(source: str) -> Outcome[Any]:
    """Return the outcome of a source whose process was ended by the system, and again when it was tried alone."""
    return Outcome(
        None, f"{source}: the system ended the process that read it, twice: probably it needs more memory than there is"
    )


@contextmanager
def collected_notes(source: str) -> Iterator[list[str]]:
    """Collect what the library logs about a source instead of printing it."""
    notes: list[str] = []
    handler = _Collector(source, notes)
    propagate, _LOGGER.propagate = _LOGGER.propagate, False
    _LOGGER.addHandler(handler)
    try:
        yield notes
    finally:
        _LOGGER.removeHandler(handler)
        _LOGGER.propagate = propagate


class _Collector(logging.Handler):
    """A document that is parsed twice, once for each syntax, is worth one note."""

    def __init__(self, source: str, notes: list[str]) -> None:
        super().__init__()
        self.source = source
        self.notes = notes
        self.thread = get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread != self.thread or not self._is_innermost():  # it is about another document, or told by another
            return
        message = record.getMessage()
        note = message if message.startswith(self.source) else f"{self.source}: {message}"
        if note not in self.notes:
            self.notes.append(note)

    def _is_innermost(self) -> bool:
        """Whoever collects around this one would tell the same without the source."""
        others = (each for each in reversed(_LOGGER.handlers) if isinstance(each, _Collector))
        return next(each for each in others if each.thread == self.thread) is self


def _in_processes(
    step: Callable[[Item], T],
    items: Sequence[Item],
    jobs: int,
    start: Start,
    give_up: Callable[[Item, Exception], T] | None,
) -> Iterator[T]:
    """Start the processes now, before a progress bar starts its thread: a fork with threads is asking for trouble."""
    size = max(1, min(MAX_BATCH, len(items) // (4 * jobs)))
    waiting = deque(items[at : at + size] for at in range(0, len(items), size))
    pool = _Pool(step, jobs, start, give_up)
    running = deque(pool.submit(waiting.popleft()) for _ in range(min(BATCHES_AHEAD * jobs, len(waiting))))
    return _drain(pool, waiting, running)


class _Pool(Generic[Item, T]):
    """Processes that do batches of items; new ones take the place of those that the system ended."""

    def __init__(
        self, step: Callable[[Item], T], jobs: int, start: Start, give_up: Callable[[Item, Exception], T] | None
    ) -> None:
        self._step = step
        self._jobs = jobs
        self._start = start
        self._give_up = give_up
        self._executor = self._make(jobs)

    def submit(self, items: Sequence[Item]) -> Running[Item, T]:
        """Have a batch done."""
        from concurrent.futures.process import BrokenProcessPool

        try:
            return items, self._submit(self._executor, items)
        except BrokenProcessPool:
            self._executor = self._make(self._jobs)
            return items, self._submit(self._executor, items)

    def take(self, running: Running[Item, T]) -> Iterator[T]:
        """Return what came of a batch; where its process ended, or cannot send it, its items are done one by one."""
        items, future = running
        try:
            yield from future.result()
        except Exception:
            yield from self._one_by_one(items)

    def shutdown(self, *, wait: bool) -> None:
        """After an error nobody waits for the processes: one that hangs would hang this one too."""
        self._executor.shutdown(wait=wait, cancel_futures=True)

    def _one_by_one(self, items: Sequence[Item]) -> Iterator[T]:
        from concurrent.futures.process import BrokenProcessPool

        alone = self._make(1)
        try:
            for item in items:
                try:
                    yield from self._submit(alone, [item]).result()
                except Exception as error:
                    if self._give_up is None:
                        raise
                    yield self._give_up(item, error)
                    alone = self._make(1) if isinstance(error, BrokenProcessPool) else alone
        finally:
            alone.shutdown(wait=False, cancel_futures=True)

    def _make(self, jobs: int) -> ProcessPoolExecutor:
        from concurrent.futures import ProcessPoolExecutor

        return ProcessPoolExecutor(jobs, _context(self._start), start_worker)

    def _submit(self, executor: ProcessPoolExecutor, items: Sequence[Item]) -> Future[list[T]]:
        with hidden_main_module():  # a process may be started now
            return executor.submit(_do_batch, self._step, items)


def _context(start: Start) -> BaseContext:
    import multiprocessing

    can_fork = start == "fork" and sys.platform == "linux" and "lance" not in sys.modules
    return multiprocessing.get_context("fork" if can_fork else "spawn")


@contextmanager
def hidden_main_module() -> Iterator[None]:
    """A new process would run the user's script again; it needs only what is in this package."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def start_worker() -> None:
    """Ctrl-C is for the main process, and a worker does not outlive it, however it ends."""
    import threading

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _do_batch(step: Callable[[Item], T], items: Sequence[Item]) -> list[T]:
    return list(map(step, items))


def _drain(pool: _Pool[Item, T], waiting: deque[Sequence[Item]], running: deque[Running[Item, T]]) -> Iterator[T]:
    finished = False
    try:
        while running:
            values = list(pool.take(running.popleft()))
            if waiting:
                running.append(pool.submit(waiting.popleft()))
            yield from values
        finished = True
    finally:
        pool.shutdown(wait=finished)
