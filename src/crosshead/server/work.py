"""Threads and processes for what would block the event loop.

Searching has threads of its own, so that nobody who reads or cuts a large document makes others wait. Documents come
from anywhere, so they are read in processes, which are ended if they take too long. Formats that were registered are
known in this process only: there a thread reads, which goes on to its end, because nothing can end a thread.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TypeVar

from starlette.responses import Response

from crosshead.jsonlines import json_bytes
from crosshead.pipeline import has_own_formats
from crosshead.server.errors import Refusal
from crosshead.server.readers import Readers
from crosshead.server.settings import ServerSettings

T = TypeVar("T")


class Workers:
    """The threads and processes of one server."""

    def __init__(self, settings: ServerSettings) -> None:
        self._seconds = settings.request_seconds
        self._searching = ThreadPoolExecutor(settings.threads, "crosshead-search")
        self._reading = ThreadPoolExecutor(settings.threads, "crosshead-read")
        self._readers = Readers()

    async def search(self, work: Callable[[], object]) -> Response:
        """Answer with what the index says."""
        return _json(await self._run(self._searching, lambda: json_bytes(work())))

    async def read(self, work: Callable[[], object]) -> Response:
        """Answer with what becomes of a document; the work is done in another process, so it must be found by name."""
        deadline = time.monotonic() + self._seconds
        if has_own_formats():
            return _json(await self._run(self._reading, lambda: json_bytes(work())))
        return _json(await self._run(self._reading, lambda: self._readers.do(work, deadline)))

    async def ask(self, work: Callable[[], T]) -> T:
        """Return what the index says."""
        return await self._run(self._searching, work)

    async def _run(self, threads: Executor, work: Callable[[], T]) -> T:
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.get_running_loop().run_in_executor(threads, work)
        except TimeoutError as error:
            raise Refusal(504, "took-too-long", f"there was no answer within {self._seconds:g} seconds") from error

    def close(self) -> None:
        """End processes, and let threads end; nobody waits for them."""
        self._readers.close()
        self._searching.shutdown(wait=False, cancel_futures=True)
        self._reading.shutdown(wait=False, cancel_futures=True)


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json")
