"""An answer of a language model -> server-sent events, while it is written.

1. a thread reads the model, because reading waits
2. its parts come to the event loop through a queue
3. the model is stopped as soon as the client is gone, also before it has said anything
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Executor
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from crosshead.answering import AnswerStream
from crosshead.runtime.json_output import json_bytes
from crosshead.server.errors import problem

EVENTS: Final = "text/event-stream"


class AnswerEvents(StreamingResponse):
    """Sends `sources`, then `text` for each part, then `answer` with all of it, or `error`."""

    def __init__(
        self,
        stream: AnswerStream,
        parts: AsyncIterator[str],
        describe: Callable[[], Awaitable[object]],
        place: AbstractAsyncContextManager[object],
    ) -> None:
        """`describe` returns the whole answer at the end; `place` is left then."""
        super().__init__(_events(stream, parts, describe), media_type=EVENTS, headers={"Cache-Control": "no-store"})
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events, and leave the place among the answers that are written at once."""
        async with self._place:
            await super().__call__(scope, receive, send)


async def _events(
    stream: AnswerStream, parts: AsyncIterator[str], describe: Callable[[], Awaitable[object]]
) -> AsyncIterator[bytes]:
    yield _event("sources", {"passages": [each.to_json() for each in stream.passages]})
    try:
        async for text in parts:
            yield _event("text", {"text": text})
        yield _event("answer", await describe())
    except Exception as error:  # the response has begun, so that it cannot have another status
        yield _event("error", problem(error))


def _event(name: str, value: object) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), json_bytes(value))


async def read_parts(stream: AnswerStream, request: Request, threads: Executor) -> AsyncIterator[str]:
    """Yield the parts of an answer; stop the model when the client goes, or the caller stops."""
    loop = asyncio.get_running_loop()
    parts: asyncio.Queue[str | Exception | None] = asyncio.Queue()

    def put(part: str | Exception | None) -> None:
        loop.call_soon_threadsafe(parts.put_nowait, part)

    def read() -> None:
        try:
            for text in stream:
                put(text)
        except Exception as error:
            put(error)
        else:
            put(None)

    reading = loop.run_in_executor(threads, read)
    watching = asyncio.create_task(_stop_without_client(request, stream))
    try:
        while (part := await parts.get()) is not None:
            if isinstance(part, Exception):
                raise part
            yield part
    finally:
        stream.close()
        watching.cancel()
        reading.cancel()


async def _stop_without_client(request: Request, stream: AnswerStream) -> None:
    message: Any = {}
    while message.get("type") != "http.disconnect":
        message = await request.receive()
    stream.close()
