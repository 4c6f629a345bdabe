"""Runs a function in a process of its own, within a limit of CPU time, and says what it took."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable
from typing import NamedTuple


class Run(NamedTuple):
    """What became of one call."""

    outcome: str
    """What the function returned; `killed` at the limit of CPU time, or the signal that ended the process."""
    cpu_seconds: float
    peak_bytes: int


def run_bounded(function: Callable[[], str], cpu_seconds: int) -> Run:
    """Call a function that returns a short text."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _call(function, cpu_seconds, writing)
    os.close(writing)
    with open(reading, "rb") as pipe:
        answer = pipe.read().decode()
    _, status, usage = os.wait4(child, 0)
    return Run(_outcome(status, answer), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def _call(function: Callable[[], str], cpu_seconds: int, writing: int) -> None:
    """Answer through the pipe and end the process, whatever happens: it must not go on as its parent does."""
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
        os.write(writing, function().encode()[:4000])
    except BaseException as error:
        os.write(writing, f"{type(error).__name__}: {error}".encode()[:4000])
    finally:
        os._exit(0)


def _outcome(status: int, answer: str) -> str:
    if not os.WIFSIGNALED(status):
        return answer
    ended_by = os.WTERMSIG(status)
    return "killed" if ended_by in (signal.SIGXCPU, signal.SIGKILL) else signal.Signals(ended_by).name
