"""Many pieces of work, each on its own, in order: here or in several processes.

1. `in_order` hands every item to `step`; the values come back in the order of the items.
2. `guarded` turns what is wrong with one item into a failure, so that the others go on; a fault of ours ends the run.
3. What the library logs on the way is collected, so that no process writes over another one's lines.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Final, Generic, Literal, TypeVar

from crosshead.errors import CrossheadError, OptionsError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.context import BaseContext

T = TypeVar("T")
Item = TypeVar("Item")

Start = Literal["fork", "spawn"]
"""A forked process is there at once; but where other threads run, as those of Lance do, only a new one is safe."""

FEW_ITEMS: Final = 16
"""Up to here one process is quicker, unless the items are large."""
LARGE_BYTES: Final = 3_000_000
ITEMS_PER_JOB: Final = 8
MAX_BATCH: Final = 16
BATCHES_AHEAD: Final = 4
"""Batches per process that may be under way: results that nobody has taken yet fill the memory."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What became of one item."""

    value: T | None
    """None if it failed."""
    failure: str = ""
    notes: tuple[str, ...] = ()


def in_order(step: Callable[[Item], T], items: Sequence[Item], jobs: int, *, start: Start = "fork") -> Iterator[T]:
    """Do a step on every item; with several jobs it must be a function of a module, so that other processes find it."""
    jobs = min(jobs, len(items))
    return map(step, items) if jobs <= 1 else _in_processes(step, items, jobs, start)


def useful_jobs(sizes: Sequence[int]) -> int:
    """Return how many processes pay off for items of these sizes in bytes."""
    count = len(sizes)
    if count <= FEW_ITEMS and sum(sizes) < LARGE_BYTES:
        return 1
    return min(os.cpu_count() or 1, count if count <= FEW_ITEMS else count // ITEMS_PER_JOB + 1)


def guarded(source: str, work: Callable[[], T]) -> Outcome[T]:
    """Do work on a source; what is wrong with the source is told, and nothing is printed."""
    with collected_notes(source) as notes:
        try:
            return Outcome(work(), notes=tuple(notes))
        except OptionsError:
            raise
        except CrossheadError as error:
            return Outcome(None, str(error), tuple(notes))
        except Exception as error:
            error.add_note(f"in {source}")
            raise


@contextmanager
def collected_notes(source: str) -> Iterator[list[str]]:
    """Collect what the library logs about a source instead of printing it."""
    notes: list[str] = []
    handler = _Collector(source, notes)
    logger = logging.getLogger("crosshead")
    propagate, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        yield notes
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagate


class _Collector(logging.Handler):
    """A document that is parsed twice, once for each syntax, is worth one note."""

    def __init__(self, source: str, notes: list[str]) -> None:
        super().__init__()
        self.source = source
        self.notes = notes

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        note = message if message.startswith(self.source) else f"{self.source}: {message}"
        if note not in self.notes:
            self.notes.append(note)


def _in_processes(step: Callable[[Item], T], items: Sequence[Item], jobs: int, start: Start) -> Iterator[T]:
    """Start the processes now, before a progress bar starts its thread: a fork with threads is asking for trouble."""
    from concurrent.futures import ProcessPoolExecutor

    size = max(1, min(MAX_BATCH, len(items) // (4 * jobs)))
    waiting = deque(items[at : at + size] for at in range(0, len(items), size))
    executor = ProcessPoolExecutor(jobs, _context(start), _start_worker)
    ahead = min(BATCHES_AHEAD * jobs, len(waiting))
    running = deque(_submit(executor, step, waiting.popleft()) for _ in range(ahead))
    return _drain(executor, step, waiting, running)


def _submit(executor: ProcessPoolExecutor, step: Callable[[Item], T], items: Sequence[Item]) -> Future[list[T]]:
    with _hidden_main_module():  # a process may be started now
        return executor.submit(_do_batch, step, items)


def _context(start: Start) -> BaseContext:
    import multiprocessing

    can_fork = start == "fork" and sys.platform == "linux" and "lance" not in sys.modules
    return multiprocessing.get_context("fork" if can_fork else "spawn")


@contextmanager
def _hidden_main_module() -> Iterator[None]:
    """A new process would run the user's script again; it needs only what is in this package."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _start_worker() -> None:
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


def _drain(
    executor: ProcessPoolExecutor,
    step: Callable[[Item], T],
    waiting: deque[Sequence[Item]],
    running: deque[Future[list[T]]],
) -> Iterator[T]:
    """Yield in order. After an error nobody waits for the processes: one that hangs would hang this one too."""
    finished = False
    try:
        while running:
            values = running.popleft().result()
            if waiting:
                running.append(_submit(executor, step, waiting.popleft()))
            yield from values
        finished = True
    finally:
        executor.shutdown(wait=finished, cancel_futures=True)
