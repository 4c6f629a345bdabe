"""A limit of CPU time, so that a quadratic path fails instead of taking forever."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

CPU_SECONDS = 30
"""What is limited takes well under three seconds; coverage and a busy machine make that more."""


@contextmanager
def _limit_cpu(seconds: float = CPU_SECONDS) -> Iterator[None]:
    started = time.process_time()
    if not hasattr(signal, "ITIMER_PROF"):  # Windows: late, but not silent
        yield
        assert time.process_time() - started < seconds
        return

    def stop(*_: object) -> None:
        raise TimeoutError(f"took more than {seconds} seconds of CPU time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.fixture
def cpu_limit() -> AbstractContextManager[None]:
    return _limit_cpu()
