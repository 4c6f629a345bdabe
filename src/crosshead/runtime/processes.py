"""What becomes of one document, and what this process may use.

1. `guarded` turns whatever work on a document raises into its failure, so that the others go on, also where the fault
   is ours.
2. What the library logs on the way is collected, so that no process writes over another one's lines.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import get_ident
from typing import Any, Final, Generic, NamedTuple, TypeVar

from crosshead.errors import CrossheadError, TooLarge

T = TypeVar("T")
Item = TypeVar("Item")

_LOGGER: Final = logging.getLogger("crosshead")

FEW_ITEMS: Final = 16
"""Up to here one process is quicker, unless the items are large."""
LARGE_BYTES: Final = 3_000_000
ITEMS_PER_JOB: Final = 8
CPU_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")
"""Microseconds of work in a period and the length of the period, in a container on Linux."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What became of one item."""

    value: T | None
    """None if it failed."""
    failure: str = ""
    notes: tuple[str, ...] = ()
    traceback: str = ""
    """Where it failed, if the fault is ours."""


def useful_jobs(items: Sequence[Item], size_of: Callable[[Item], int]) -> int:
    """Return how many processes pay off for items; their sizes in bytes are asked for only where there are few."""
    count = len(items)
    if count <= FEW_ITEMS and sum(map(size_of, items)) < LARGE_BYTES:
        return 1
    return min(usable_cores(), count if count <= FEW_ITEMS else count // ITEMS_PER_JOB + 1)


def file_size(path: str) -> int:
    """Return the bytes of a file, 0 if that cannot be known."""
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


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
        return Failure(str(out_of_memory())) if _memory_limit() else Failure(f"{name}: {out_of_memory()}", where)
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


def limit_memory(limit: int) -> None:
    """Let this process take at most this many bytes, where the system can limit it; 0 is no limit."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (limit or hard, hard))


def out_of_memory() -> TooLarge:
    """Return the error for a document that takes more memory than this process may use, or than there is."""
    limit = _memory_limit()
    if not limit:
        return TooLarge("there is not enough memory for it")
    return TooLarge(f"it needs more than {limit / 1e9:,.1f} GB of memory: raise max_memory (--max-memory)")


def _memory_limit() -> int:
    """Return the bytes that this process may take, 0 if that is not limited."""
    try:
        import resource
    except ImportError:
        return 0
    limit, hard = resource.getrlimit(resource.RLIMIT_DATA)
    return 0 if limit == hard else limit


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
