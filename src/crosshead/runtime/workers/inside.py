"""Inside a worker: receive a step and a batch of items, and answer item by item."""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice, repeat
from multiprocessing.connection import Connection
from traceback import format_exc
from typing import Any, Final, NamedTuple, TypeVar

from crosshead.runtime.processes import limit_memory, out_of_memory
from crosshead.runtime.workers.limits import Limits

Item = TypeVar("Item")

IDLE_SECONDS: Final = 60.0
WORN_BYTES: Final = 512_000_000
"""A worker that holds more memory than this after its work is replaced."""


class WorkerAnswer(NamedTuple):
    """The result of one item."""

    value: Any = None
    error: Exception | None = None
    is_worn: bool = False


def serve(connection: Connection) -> None:
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
        yield from repeat(_packed(WorkerAnswer(error=_sendable(error))))
    yield b""
    for item, limits in items:
        yield _packed(_try(step, item, limits))


def _move_to(folder: str, environment: dict[str, str]) -> None:
    """Take over the working folder and the environment, which the main process may have changed."""
    if os.environ != environment:
        os.environ.clear()
        os.environ.update(environment)
    if folder and folder != working_folder():
        os.chdir(folder)


def working_folder() -> str:
    """Return the working folder, or an empty string if it was removed."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return ""


def _try(step: Callable[[Item], Any], item: Item, limits: Limits) -> WorkerAnswer:
    limit_memory(limits.memory_bytes)
    try:
        return WorkerAnswer(step(item))
    except MemoryError:
        return WorkerAnswer(error=out_of_memory())
    except Exception as error:
        return WorkerAnswer(error=_sendable(error))


def _packed(answer: WorkerAnswer) -> bytes:
    try:
        return pickle.dumps(answer._replace(is_worn=_own_bytes() > WORN_BYTES))
    except Exception as error:
        return pickle.dumps(WorkerAnswer(error=_sendable(error)))


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
