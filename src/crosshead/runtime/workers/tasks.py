"""A step over many items, in batches, by several workers at once."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from itertools import islice
from queue import SimpleQueue
from typing import Final, Generic, NamedTuple, TypeVar

from crosshead.errors import ReaderCrashed, ReadingTimedOut
from crosshead.runtime.workers.limits import Limits
from crosshead.runtime.workers.pool import POOL, Worker

T = TypeVar("T")
Item = TypeVar("Item")

MAX_BATCH: Final = 16
BATCHES_AHEAD: Final = 4
"""Batches per worker in flight: results that wait for the caller fill the memory."""
TRIES: Final = 2


class PoolRun(Generic[Item, T]):
    """One step over all items, by threads that each feed one worker."""

    def __init__(self, task: Task[Item, T], items: Sequence[Item], jobs: int) -> None:
        self._task = task
        self._jobs = jobs
        self._queue: SimpleQueue[Batch[Item, T] | None] = SimpleQueue()
        size = max(1, min(MAX_BATCH, len(items) // (4 * jobs)))
        self._batches: Iterator[Batch[Item, T]] = (
            Batch(items[at : at + size], Future()) for at in range(0, len(items), size)
        )

    def values(self) -> Iterator[T]:
        """Yield the results in the order of the items."""
        running: deque[Batch[Item, T]] = deque()
        for _ in range(self._jobs):
            threading.Thread(target=self._feed, name="crosshead-batches", daemon=True).start()
        try:
            self._submit(running, BATCHES_AHEAD * self._jobs)
            while running:
                values = running.popleft().future.result()
                self._submit(running, 1)
                yield from values
        finally:  # the caller does not want the rest
            self._task.stop()
            for _ in range(self._jobs):
                self._queue.put(None)

    def _submit(self, running: deque[Batch[Item, T]], count: int) -> None:
        for batch in islice(self._batches, count):
            running.append(batch)
            self._queue.put(batch)

    def _feed(self) -> None:
        while batch := self._queue.get():
            try:
                batch.future.set_result(self._task.do(batch.items))
            except BaseException as error:
                batch.future.set_exception(error)


class Task(Generic[Item, T]):
    """A step, its limits, and how to give up on an item; several threads may use it at once."""

    def __init__(
        self,
        step: Callable[[Item], T],
        give_up: Callable[[Item, Exception], T] | None,
        limits_of: Callable[[Item], Limits],
    ) -> None:
        self._step = step
        self._give_up = give_up
        self._limits_of = limits_of
        self._busy: set[Worker] = set()
        self._is_stopped = False

    def stop(self) -> None:
        """Kill the workers that are busy with it."""
        self._is_stopped = True
        for worker in [*self._busy]:
            worker.end()

    def do(self, items: Sequence[Item]) -> list[T]:
        """Return the results of a batch."""
        values: list[T] = []
        tries = 0
        while len(values) < len(items):
            if self._is_stopped:
                raise ReaderCrashed("it was cancelled")
            try:
                for value in self._in_worker(items[len(values) :]):
                    values.append(value)
                    tries = 0
            except (ReaderCrashed, ReadingTimedOut) as error:
                tries += 1
                if not self._is_stopped and (tries == TRIES or isinstance(error, ReadingTimedOut)):
                    values.append(self._lose(items[len(values)], error))
                    tries = 0
        return values

    def _in_worker(self, items: Sequence[Item]) -> Iterator[T]:
        worker = POOL.take()
        self._busy.add(worker)
        is_free = False
        try:
            answers = worker.do(self._step, items, self._limits_of)
            for item, answer in zip(items, answers, strict=True):
                yield answer.value if answer.error is None else self._lose(item, answer.error)
            is_free = True
        finally:
            self._busy.discard(worker)
            POOL.give_back(worker) if is_free else worker.end()

    def _lose(self, item: Item, error: Exception) -> T:
        if self._give_up is None:
            raise error
        return self._give_up(item, error)


class Batch(NamedTuple, Generic[Item, T]):
    items: Sequence[Item]
    future: Future[list[T]]
