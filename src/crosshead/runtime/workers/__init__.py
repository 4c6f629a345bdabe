"""Worker processes that may die: a document that crashes, hangs or eats memory fails alone.

1. Work goes to an idle worker, or to a new one. A worker exits after a minute without work.
2. A worker gets a step and a batch of items and answers item by item, so that we know which item crashed it.
3. A worker is killed if an item takes too long. An item whose worker died is tried once more in another worker: the
   system may have killed the first one because another process took all memory.
4. A worker limits its own memory, and one that stays large is replaced.

Work that cannot be sent, such as a function that the user's script defines, is done in this process.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, Generic, TypeVar

from crosshead.runtime.workers.inside import start_worker
from crosshead.runtime.workers.limits import UNLIMITED, Limits
from crosshead.runtime.workers.pool import POOL, crash, hidden_main_module, interrupts_blocked
from crosshead.runtime.workers.tasks import PoolRun, Task

__all__ = [
    "IN_PROCESS",
    "Limits",
    "Work",
    "can_be_sent",
    "crash",
    "hidden_main_module",
    "in_order",
    "interrupts_blocked",
    "run",
    "start_worker",
]

T = TypeVar("T")
Item = TypeVar("Item")

IN_PROCESS: Final = "CROSSHEAD_IN_PROCESS"
"""Environment variable: if it is set, no workers are started, for debuggers and systems that forbid them."""


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
    POOL.fill(jobs)  # now, because a fork is safe only as long as no other thread runs
    return PoolRun(Task(step, give_up, limits_of), items, jobs).values()


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
        self._task: Task[Callable[[], T], T] = Task(_call, None, lambda _: limits)

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
