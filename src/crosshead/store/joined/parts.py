"""The parts of a joined index: each is opened when it is first asked, and all of them are asked at once."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooSlow
from queue import SimpleQueue
from threading import Lock, Semaphore, Thread
from typing import Any, Final, NamedTuple, TypeVar

from crosshead.errors import IndexChanged, MissingExtra, StoreError
from crosshead.types import ReadableStore

T = TypeVar("T")


class _Threads:
    """Threads that answer for parts; they do not keep the program from ending while a part is silent."""

    def __init__(self) -> None:
        self.reset()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.reset)

    def reset(self) -> None:
        """Begin without threads, as a new process does."""
        self._tasks: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._idle = Semaphore(0)

    def start(self, work: Callable[[], T]) -> Future[T]:
        """Run some work in a thread."""
        future: Future[T] = Future()
        self._tasks.put((future, work))
        if not self._idle.acquire(blocking=False):
            Thread(target=self._run, name="crosshead-part", daemon=True).start()
        return future

    def _run(self) -> None:
        while True:
            future, work = self._tasks.get()
            try:
                future.set_result(work())
            except BaseException as error:  # whoever waits for the result gets it
                future.set_exception(error)
            del future, work
            self._idle.release()


_THREADS: Final = _Threads()


class Part:
    """One of several indexes. Threads may share it."""

    def __init__(self, name: str, open: Callable[[], ReadableStore], *, shown: str | None = None) -> None:
        """`open` opens the index, as it is now."""
        self.name = name
        """Where it is."""
        self.shown = name if shown is None else shown
        """The index that hits name."""
        self._open = open
        self._opening = Lock()
        self._store: ReadableStore | None = None
        self._late: Future[Any] | None = None

    def read(self, work: Callable[[ReadableStore], T]) -> T:
        """Return the result of some work; opens the index if it is not open."""
        return work(self._store or self._opened())

    def reopen(self) -> None:
        """Open the index again when it is asked next: it has changed, or could not be read."""
        with self._opening:
            self._store = None

    def start(self, work: Callable[[ReadableStore], T]) -> Future[T] | None:
        """Do some work in another thread; None while the index has not answered an earlier question in time."""
        if self._late and not self._late.done():
            return None
        return _THREADS.start(lambda: self.read(work))

    def give_up(self, late: Future[Any]) -> None:
        """Ask it nothing else until it has answered this."""
        self._late = late

    def close(self) -> None:
        """Close the index if it is open."""
        store, self._store = self._store, None
        if store:
            store.close()

    def _opened(self) -> ReadableStore:
        with self._opening:
            self._store = self._store or self._open()
            return self._store


class PartFailure(NamedTuple):
    """A part that did not answer, and why."""

    part: Part
    error: Exception

    @property
    def is_changed(self) -> bool:
        """Does it answer when it is opened again?"""
        return isinstance(self.error, IndexChanged)


class PartsFailed(Exception):
    """Some parts did not answer."""

    def __init__(self, failures: Sequence[PartFailure]) -> None:
        super().__init__(", ".join(f"{each.part.name}: {each.error}" for each in failures))
        self.failures = failures


def ask(works: Sequence[tuple[Part, Callable[[ReadableStore], T]]], seconds: float) -> list[T]:
    """Ask parts at once, and return their answers in order; raise `PartsFailed` for those that fail or are too slow."""
    started = [(part, part.start(work)) for part, work in works]
    until = time.monotonic() + seconds
    answers: list[T] = []
    failures: list[PartFailure] = []
    for part, future in started:
        try:
            if future is None:
                raise StoreError("it has not answered an earlier question yet")
            answers.append(future.result(max(until - time.monotonic(), 0.0)))
        except TooSlow:
            assert future is not None
            part.give_up(future)
            failures.append(PartFailure(part, StoreError(f"no answer within {seconds:g} seconds")))
        except (StoreError, MissingExtra, OSError) as error:
            failures.append(PartFailure(part, error))
    if failures:
        raise PartsFailed(failures)
    return answers
