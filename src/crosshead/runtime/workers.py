"""Worker processes that may die: a document that crashes, hangs or eats memory fails alone.

1. Work goes to an idle worker, or to a new one. A worker exits after a minute without work.
2. A worker gets a step and a batch of items and answers item by item, so that we know which item crashed it.
3. A worker is killed if an item takes too long. An item whose worker died is tried once more in another worker: the
   system may have killed the first one because another process took all memory.
4. A worker limits its own memory, and one that stays large is replaced.

Work that cannot be sent, such as a function that the user's script defines, is done in this process.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from itertools import islice, repeat
from multiprocessing.connection import Connection
from queue import SimpleQueue
from traceback import format_exc
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from crosshead.errors import ReaderCrashed, ReadingTimedOut
from crosshead.options import ExtractOptions
from crosshead.runtime.processes import limit_memory, out_of_memory, usable_cores

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext, SpawnContext

T = TypeVar("T")
Item = TypeVar("Item")

MAX_BATCH: Final = 16
BATCHES_AHEAD: Final = 4
"""Batches per worker in flight: results that wait for the caller fill the memory."""
IDLE_SECONDS: Final = 60.0
WORN_BYTES: Final = 512_000_000
"""A worker that holds more memory than this after its work is replaced."""
TRIES: Final = 2
SECONDS_PER_MEGABYTE: Final = 60.0
"""On top of the limit that the options set: pictures of pages are large, and take long to recognize."""
IN_PROCESS: Final = "CROSSHEAD_IN_PROCESS"
"""Environment variable: if it is set, no workers are started, for debuggers and systems that forbid them."""


class Limits(NamedTuple):
    """Limits for one item."""

    seconds: float | None = None
    memory_bytes: int = 0
    """0 is no limit."""

    @classmethod
    def of(cls, options: ExtractOptions, size: int) -> Limits:
        """Return the limits for reading a document of this many bytes."""
        seconds = options.max_seconds + size / 1e6 * SECONDS_PER_MEGABYTE if options.max_seconds else None
        return cls(seconds, options.max_memory)


UNLIMITED: Final = Limits()


def in_order(
    step: Callable[[Item], T],
    items: Sequence[Item],
    jobs: int = 1,
    *,
    give_up: Callable[[Item, Exception], T] | None = None,
    limits_of: Callable[[Item], Limits] = lambda _: UNLIMITED,
) -> Iterator[T]:
    """Apply a step to every item in `jobs` workers at once, and yield the results in the order of the items.

    If an item fails, `give_up` returns the result instead: it raised an error, killed its worker, took too long, or has
    a result that cannot be sent. Without `give_up`, the error is raised here.
    """
    if not items or not can_be_sent(step):
        return map(partial(_do_here, step, give_up), items)
    jobs = min(jobs, len(items))
    _POOL.fill(jobs)  # now, because a fork is safe only as long as no other thread runs
    return _PoolRun(_Task(step, give_up, limits_of), items, jobs).values()


def _do_here(step: Callable[[Item], T], give_up: Callable[[Item, Exception], T] | None, item: Item) -> T:
    try:
        return step(item)
    except Exception as error:
        if give_up is None:
            raise
        return give_up(item, error)


def run(work: Callable[[], T], limits: Limits = UNLIMITED) -> T:
    """Do one piece of work in a worker and return its result; an error there is raised here."""
    return Work(work, limits).run()


class Work(Generic[T]):
    """One piece of work that another thread may cancel."""

    def __init__(self, work: Callable[[], T], limits: Limits = UNLIMITED) -> None:
        self._work = work
        self._task: _Task[Callable[[], T], T] = _Task(_call, None, lambda _: limits)

    def run(self) -> T:
        """Do it in a worker and return its result."""
        return self._task.do([self._work])[0] if can_be_sent(self._work) else self._work()

    def cancel(self) -> None:
        """Kill the worker that does it, so that `run` raises an error."""
        self._task.stop()


def _call(work: Callable[[], T]) -> T:
    return work()


def can_be_sent(work: object) -> bool:
    """Return whether a worker can do this work: it must be importable, not defined by the user's script."""
    if os.environ.get(IN_PROCESS) or multiprocessing.current_process().daemon:  # a worker starts no workers
        return False
    try:
        return b"__main__" not in pickle.dumps(work)
    except Exception:
        return False


class _PoolRun(Generic[Item, T]):
    """One step over all items, by threads that each feed one worker."""

    def __init__(self, task: _Task[Item, T], items: Sequence[Item], jobs: int) -> None:
        self._task = task
        self._jobs = jobs
        self._queue: SimpleQueue[_Batch[Item, T] | None] = SimpleQueue()
        size = max(1, min(MAX_BATCH, len(items) // (4 * jobs)))
        self._batches: Iterator[_Batch[Item, T]] = (
            _Batch(items[at : at + size], Future()) for at in range(0, len(items), size)
        )

    def values(self) -> Iterator[T]:
        """Yield the results in the order of the items."""
        running: deque[_Batch[Item, T]] = deque()
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

    def _submit(self, running: deque[_Batch[Item, T]], count: int) -> None:
        for batch in islice(self._batches, count):
            running.append(batch)
            self._queue.put(batch)

    def _feed(self) -> None:
        while batch := self._queue.get():
            try:
                batch.future.set_result(self._task.do(batch.items))
            except BaseException as error:
                batch.future.set_exception(error)


class _Task(Generic[Item, T]):
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
        self._busy: set[_Worker] = set()
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
        worker = _POOL.take()
        self._busy.add(worker)
        is_free = False
        try:
            answers = worker.do(self._step, items, self._limits_of)
            for item, answer in zip(items, answers, strict=True):
                yield answer.value if answer.error is None else self._lose(item, answer.error)
            is_free = True
        finally:
            self._busy.discard(worker)
            _POOL.give_back(worker) if is_free else worker.end()

    def _lose(self, item: Item, error: Exception) -> T:
        if self._give_up is None:
            raise error
        return self._give_up(item, error)


class _Batch(NamedTuple, Generic[Item, T]):
    items: Sequence[Item]
    future: Future[list[T]]


class _Answer(NamedTuple):
    """The result of one item."""

    value: Any = None
    error: Exception | None = None
    is_worn: bool = False


# ---------------------------------------------------------------------- workers, seen from here


class _Pool:
    """The idle workers of this process."""

    def __init__(self) -> None:
        self._idle: list[_Worker] = []
        self._lock = threading.Lock()

    def fill(self, count: int) -> None:
        """Start workers until at least this many are idle."""
        while len(self._idle) < count:
            self._idle.append(_Worker())

    def take(self) -> _Worker:
        """Return a live worker, idle or new."""
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            if worker is None:
                return _Worker()
            if worker.is_alive():
                return worker
            worker.end()

    def give_back(self, worker: _Worker) -> None:
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


_POOL: Final = _Pool()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_POOL.forget)


class _Worker:
    """One worker process."""

    def __init__(self) -> None:
        context = _context()
        self._connection, other_end = context.Pipe()
        self._process = context.Process(target=_serve, args=(other_end,), name="crosshead-worker", daemon=True)
        with hidden_main_module():
            self._process.start()
        other_end.close()
        self.is_worn = False

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return self._process.is_alive()

    def do(
        self, step: Callable[[Item], Any], items: Sequence[Item], limits_of: Callable[[Item], Limits]
    ) -> Iterator[_Answer]:
        """Yield the answer for each item."""
        limits = [*map(limits_of, items)]
        work = pickle.dumps((_working_folder(), dict(os.environ), step, [*zip(items, limits, strict=True)]))
        try:
            self._connection.send((len(items), work))
            self._connection.recv_bytes()  # it has begun: starting and importing do not count as time of an item
            for each in limits:
                if not self._connection.poll(each.seconds):  # without a limit, only an answer or a death ends this
                    raise ReadingTimedOut(
                        f"it took longer than {each.seconds:,.0f} seconds: raise max_seconds (--max-seconds)"
                    )
                answer: _Answer = self._connection.recv()
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


def _context() -> ForkContext | SpawnContext:
    """Return how to start a process: a fork is fast, but only safe without threads, and Lance starts some."""
    can_fork = sys.platform == "linux" and threading.active_count() == 1 and "lance" not in sys.modules
    return multiprocessing.get_context("fork") if can_fork else multiprocessing.get_context("spawn")


@contextmanager
def hidden_main_module() -> Iterator[None]:
    """Keep a new process from running the user's script again; it only needs this package."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


# ---------------------------------------------------------------------- inside of a worker


def _serve(connection: Connection) -> None:
    """Work on batches until none has come for a minute, or the pipe is closed."""
    start_worker()
    # Our warnings are part of the results, and what other packages log is not for users.
    logging.lastResort = logging.NullHandler()
    with suppress(EOFError, ConnectionError):
        while connection.poll(IDLE_SECONDS):
            count, work = connection.recv()
            for message in islice(_answers(work), 1 + count):
                connection.send_bytes(message)


def start_worker() -> None:
    """Ignore Ctrl-C, which is for the main process, and exit when the main process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _answers(work: bytes) -> Iterator[bytes]:
    """Yield a message that the work begins, then the answer for each item; work that cannot be unpickled fails all."""
    try:
        folder, environment, step, items = pickle.loads(work)
        _move_to(folder, environment)
    except Exception as error:
        yield from repeat(_packed(_Answer(error=_sendable(error))))
    yield b""
    for item, limits in items:
        yield _packed(_try(step, item, limits))


def _move_to(folder: str, environment: dict[str, str]) -> None:
    """Take over the working folder and the environment, which the main process may have changed."""
    if os.environ != environment:
        os.environ.clear()
        os.environ.update(environment)
    if folder and folder != _working_folder():
        os.chdir(folder)


def _working_folder() -> str:
    """Return the working folder, or an empty string if it was removed."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return ""


def _try(step: Callable[[Item], Any], item: Item, limits: Limits) -> _Answer:
    limit_memory(limits.memory_bytes)
    try:
        return _Answer(step(item))
    except MemoryError:
        return _Answer(error=out_of_memory())
    except Exception as error:
        return _Answer(error=_sendable(error))


def _packed(answer: _Answer) -> bytes:
    try:
        return pickle.dumps(answer._replace(is_worn=_own_bytes() > WORN_BYTES))
    except Exception as error:
        return pickle.dumps(_Answer(error=_sendable(error)))


def _sendable(error: Exception) -> Exception:
    """Return the error, or one with its traceback as text if it cannot be pickled."""
    with suppress(Exception):
        if isinstance(pickle.loads(pickle.dumps(error)), type(error)):
            return error
    return RuntimeError(format_exc())


@lru_cache
def _page_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE")


def _own_bytes() -> int:
    """Return the memory that this process holds in bytes, 0 if the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * _page_bytes()
    except OSError:
        return 0
