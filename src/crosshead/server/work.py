"""Threads for what would block the event loop.

Searching has threads of its own, so that nobody who reads or cuts a large document makes others wait. Work that takes
too long is answered with a problem; its thread goes on until it is done, because nothing can end a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TypeVar

from starlette.responses import Response

from crosshead.jsonlines import json_bytes
from crosshead.server.errors import Refusal
from crosshead.server.settings import ServerSettings

T = TypeVar("T")


class Workers:
    """The threads of one server."""

    def __init__(self, settings: ServerSettings) -> None:
        self._seconds = settings.request_seconds
        self._searching = ThreadPoolExecutor(settings.threads, "crosshead-search")
        self._reading = ThreadPoolExecutor(settings.threads, "crosshead-read")

    async def search(self, work: Callable[[], object]) -> Response:
        """Answer with what the index says."""
        return await self._answer(self._searching, work)

    async def read(self, work: Callable[[], object]) -> Response:
        """Answer with what becomes of a document."""
        return await self._answer(self._reading, work)

    async def ask(self, work: Callable[[], T]) -> T:
        """Return what the index says."""
        return await self._run(self._searching, work)

    async def _answer(self, threads: Executor, work: Callable[[], object]) -> Response:
        body = await self._run(threads, lambda: json_bytes(work()))
        return Response(body, media_type="application/json")

    async def _run(self, threads: Executor, work: Callable[[], T]) -> T:
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.get_running_loop().run_in_executor(threads, work)
        except TimeoutError as error:
            raise Refusal(504, "took-too-long", f"there was no answer within {self._seconds:g} seconds") from error

    def close(self) -> None:
        """Let threads end; nobody waits for them."""
        self._searching.shutdown(wait=False, cancel_futures=True)
        self._reading.shutdown(wait=False, cancel_futures=True)
