"""Threads and processes for work that would block the event loop.

Searches have separate threads, so that reading or cutting a large document never makes them wait. Documents come
from anywhere, so they are read in worker processes, which end when they take too long.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from starlette.responses import Response

from crosshead.errors import CrossheadError, ReadingTimedOut
from crosshead.formats import end_printing
from crosshead.options import ExtractOptions
from crosshead.pipeline import sendable
from crosshead.runtime.json_output import json_bytes
from crosshead.runtime.workers import Limits, Work
from crosshead.server.errors import Refusal
from crosshead.server.settings import ServerSettings

T = TypeVar("T")


class Workers:
    """The threads of one server, and the worker processes that they wait for."""

    def __init__(self, settings: ServerSettings) -> None:
        self._seconds = settings.request_seconds
        self._searching = ThreadPoolExecutor(settings.threads, "crosshead-search")
        self._reading = ThreadPoolExecutor(settings.threads, "crosshead-read")
        self._printing = ThreadPoolExecutor(1, "crosshead-print")
        self.answering = ThreadPoolExecutor(settings.max_answers, "crosshead-answer")
        """Threads that read what language models write."""
        self._running: set[Work[bytes | CrossheadError]] = set()

    async def search(self, work: Callable[[], object]) -> Response:
        """Answer with the result of work on the index."""
        return _json(await self._run(self._searching, partial(_encode, work)))

    async def read(self, work: Callable[[], object]) -> Response:
        """Answer with the result of work on a document, which runs in another process and must be importable there."""
        return _json(await self.isolate(partial(_encode, work)))

    async def isolate(self, work: Callable[[], bytes]) -> bytes:
        """Return the bytes that work on a document makes in another process."""
        deadline = time.monotonic() + self._seconds
        return await self._run(self._reading, lambda: self._isolate(work, deadline))

    def _isolate(self, work: Callable[[], bytes], deadline: float) -> bytes:
        limits = Limits(max(0.0, deadline - time.monotonic()), ExtractOptions().max_memory)
        running = Work(partial(sendable(_call), work), limits)
        self._running.add(running)
        try:
            found = running.run()
        finally:
            self._running.discard(running)
        if isinstance(found, CrossheadError):
            raise found
        return found

    async def ask(self, work: Callable[[], T]) -> T:
        """Return the result of work on the index."""
        return await self._run(self._searching, work)

    async def fetch(self, work: Callable[[], T]) -> T:
        """Return the result of reading a file, so that searches need not wait for the disk."""
        return await self._run(self._reading, work)

    async def print(self, work: Callable[[], T]) -> T:
        """Return the result of printing a file: one at a time, and reading need not wait for it."""
        return await self._run(self._printing, work)

    async def _run(self, threads: Executor, work: Callable[[], T]) -> T:
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.get_running_loop().run_in_executor(threads, work)
        except (TimeoutError, ReadingTimedOut) as error:
            raise Refusal(504, "took-too-long", f"no answer within {self._seconds:g} seconds") from error

    def close(self) -> None:
        """Cancel the worker processes, and let the threads end without waiting for them."""
        self._searching.shutdown(wait=False, cancel_futures=True)
        self._reading.shutdown(wait=False, cancel_futures=True)
        self._printing.shutdown(wait=False, cancel_futures=True)
        self.answering.shutdown(wait=False, cancel_futures=True)
        end_printing()
        for work in [*self._running]:
            work.cancel()


def _call(work: Callable[[], bytes]) -> bytes | CrossheadError:
    """Return the result, or the error: a worker whose work raises one is replaced, which takes a second."""
    try:
        return work()
    except CrossheadError as error:
        return error


def _encode(work: Callable[[], object]) -> bytes:
    return json_bytes(work())


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json")
