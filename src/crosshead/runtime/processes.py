"""The outcome of work on one document, and the cores and memory that this process may use.

`guarded` turns any error of work on a document into the failure of this document, also where the fault is ours, so that
the other documents are processed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar

from crosshead.errors import CrossheadError, TooLarge

T = TypeVar("T")
Item = TypeVar("Item")

FEW_ITEMS: Final = 16
"""Up to this many items, one process is faster, unless they are large."""
LARGE_BYTES: Final = 3_000_000
ITEMS_PER_JOB: Final = 8
CPU_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")
"""Of a container on Linux: the CPU time that it may use per period, and the period, in microseconds."""


class Failure(NamedTuple):
    """Why work on one document failed."""

    reason: str
    """In one line, without the document; names the exception unless we raise it on purpose."""
    traceback: str = ""
    """Where it failed, if the fault is ours."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What became of one document."""

    source: str
    value: T | None = None
    """None if it failed."""
    failure: Failure | None = None
    warnings: tuple[str, ...] = ()

    def holding(self, value: Item | None) -> Outcome[Item]:
        """Return the outcome with another value, which was made of this one."""
        return Outcome(self.source, value, self.failure, self.warnings)

    @property
    def error(self) -> str:
        """The failure in one line that names the document; empty if it did not fail."""
        return f"{self.source}: {self.failure.reason}" if self.failure else ""

    @property
    def notes(self) -> tuple[str, ...]:
        """The warnings as lines that name the document."""
        return tuple(f"{self.source}: {warning}" for warning in self.warnings)


def useful_jobs(items: Sequence[Item], size_of: Callable[[Item], int]) -> int:
    """Return how many processes pay off for items; `size_of`, in bytes, is only called if there are few."""
    count = len(items)
    if count <= FEW_ITEMS and sum(map(size_of, items)) < LARGE_BYTES:
        return 1
    return min(usable_cores(), count if count <= FEW_ITEMS else count // ITEMS_PER_JOB + 1)


def file_size(path: str) -> int:
    """Return the size of a file in bytes, 0 if it is unknown."""
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def usable_cores(quota: Path = CPU_QUOTA) -> int:
    """Return how many cores this process may use: those it is bound to, or fewer if its container limits it."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        limit, period = quota.read_text(encoding="ascii").split()
        return max(1, min(cores, int(limit) // int(period)))
    except (OSError, ValueError):  # no such file, or the limit is "max"
        return cores


def failure_of(error: BaseException, source: str = "") -> Failure:
    """Return why work on a document failed; an exception that ends the program, such as Ctrl-C, is raised again.

    A library in Rust panics with an exception that is not an `Exception`.
    """
    name = type(error).__name__
    if not isinstance(error, Exception) and name != "PanicException":
        raise error
    if isinstance(error, CrossheadError):
        return Failure(error.reason if error.source in ("", source) else str(error))
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


def guarded(source: str, work: Callable[[], tuple[T, Sequence[str]]]) -> Outcome[T]:
    """Do work that returns a value and warnings about a document; an error becomes the failure of this document."""
    try:
        value, warnings = work()
    except BaseException as error:
        return failed(source, error)
    return Outcome(source, value, warnings=tuple(warnings))


def failed(source: str, error: BaseException) -> Outcome[Any]:
    """Return the outcome of a document whose work ended with an error."""
    return Outcome(source, failure=failure_of(error, source))


def limit_memory(limit: int) -> None:
    """Limit the memory of this process, where the system can; 0 removes the limit."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (limit or hard, hard))


def out_of_memory() -> TooLarge:
    """Return the error for a document that needs more memory than this process may use, or than is available."""
    limit = _memory_limit()
    if not limit:
        return TooLarge("there is not enough memory for it")
    return TooLarge(f"it needs more than {limit / 1e9:,.1f} GB of memory: raise max_memory (--max-memory)")


def _memory_limit() -> int:
    """Return the memory limit of this process in bytes, 0 if there is none."""
    try:
        import resource
    except ImportError:
        return 0
    limit, hard = resource.getrlimit(resource.RLIMIT_DATA)
    return 0 if limit == hard else limit
