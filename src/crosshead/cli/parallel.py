"""Many documents, each on its own, in order: here or in several processes.

1. `process` reads every document and hands it to `work`; the values come back in the order of the inputs.
2. A document that cannot be read becomes a failure and the others go on; any other exception ends the run.
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
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from crosshead.cli.inputs import Input, read_input, size_of
from crosshead.cli.outcomes import Outcome
from crosshead.errors import CrossheadError, OptionsError
from crosshead.model import Document

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

T = TypeVar("T")

FEW_FILES: Final = 16
"""Up to here one process is quicker, unless the files are large."""
LARGE_BYTES: Final = 3_000_000
FILES_PER_JOB: Final = 8
MAX_BATCH: Final = 16
PROGRESS_FROM: Final = 20
"""Above this many files a progress bar is worth its flicker."""


def process(
    work: Callable[[Document], T], inputs: Sequence[Input], jobs: int | None = None, *, streams: bool = False
) -> Iterator[Outcome[T]]:
    """Do the work on every input; `work` must be a function of a module, so that other processes find it.

    `streams` says that results are printed while others are made: on a terminal a progress bar would be in their way.
    """
    count = min(jobs or _useful_jobs(inputs), len(inputs))
    step = partial(_process_one, work)
    outcomes = map(step, inputs) if count <= 1 else _in_processes(step, inputs, count)
    in_the_way = streams and sys.stdout.isatty()
    if len(inputs) > PROGRESS_FROM and sys.stderr.isatty() and not in_the_way:
        return _with_progress(outcomes, len(inputs))
    return outcomes


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


def _process_one(work: Callable[[Document], T], given: Input) -> Outcome[T]:
    with collected_notes(given.source) as notes:
        try:
            return Outcome(work(read_input(given)), notes=tuple(notes))
        except OptionsError:
            raise
        except CrossheadError as error:
            return Outcome(None, str(error), tuple(notes))
        except Exception as error:
            error.add_note(f"in {given.source}")
            raise


def _useful_jobs(inputs: Sequence[Input]) -> int:
    if len(inputs) <= FEW_FILES and sum(map(size_of, inputs)) < LARGE_BYTES:
        return 1
    by_count = len(inputs) if len(inputs) <= FEW_FILES else len(inputs) // FILES_PER_JOB + 1
    return min(os.cpu_count() or 1, by_count)


def _in_processes(step: Callable[[Input], Outcome[T]], inputs: Sequence[Input], jobs: int) -> Iterator[Outcome[T]]:
    """Start the processes now, before a progress bar starts its thread: a fork with threads is asking for trouble."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    executor = ProcessPoolExecutor(jobs, context, _start_worker)
    size = max(1, min(MAX_BATCH, len(inputs) // (4 * jobs)))
    batches = [inputs[at : at + size] for at in range(0, len(inputs), size)]
    return _drain(executor, deque(executor.submit(_process_batch, step, batch) for batch in batches))


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


def _process_batch(step: Callable[[Input], Outcome[T]], inputs: Sequence[Input]) -> list[Outcome[T]]:
    return list(map(step, inputs))


def _drain(executor: ProcessPoolExecutor, batches: deque[Future[list[Outcome[T]]]]) -> Iterator[Outcome[T]]:
    """Yield in order. After an error the processes are left alone: `leave` ends them."""
    while batches:
        yield from batches.popleft().result()
    executor.shutdown()


def _with_progress(outcomes: Iterator[Outcome[T]], total: int) -> Iterator[Outcome[T]]:
    from rich.progress import track

    from crosshead.cli.views.layout import make_console

    yield from track(outcomes, "reading", total, console=make_console(stderr=True), transient=True)
