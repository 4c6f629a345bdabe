"""Processes that read and cut documents, and can be ended.

1. A process is started when the first document comes, and goes on with the next one; it knows only what it is sent.
2. What it answers is the body of a response, or what went wrong.
3. One that takes too long, or much memory, is ended, and another one takes its place when it is needed.
"""

from __future__ import annotations

import logging
import multiprocessing
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from threading import Lock
from traceback import format_exc
from typing import Final

from crosshead.errors import CrossheadError, ExtractError
from crosshead.jsonlines import json_bytes
from crosshead.processes import hidden_main_module, start_worker
from crosshead.server.errors import Refusal, problem_parts

LARGE_ANSWER: Final = 16_000_000
"""Bytes; the memory that it took comes back with the end of its process."""

Work = Callable[[], object]
"""Returns what is answered as JSON; another process must be able to find it, and what it is given, by name."""


class Readers:
    """The processes of one server; as many as threads ask at once."""

    def __init__(self) -> None:
        self._all: set[Reader] = set()
        self._idle: SimpleQueue[Reader] = SimpleQueue()
        self._lock = Lock()
        self._closed = False

    def do(self, work: Work, deadline: float) -> bytes:
        """Have work done until a moment of the monotonic clock, and return its answer."""
        reader = self._take()
        try:
            answer = reader.do(work, deadline)
        except BaseException:
            self._end(reader)
            raise
        if len(answer) > LARGE_ANSWER:
            self._end(reader)
        else:
            self._idle.put(reader)
        return _body(answer)

    def _end(self, reader: Reader) -> None:
        with self._lock:
            self._all.discard(reader)
        reader.end()

    def _take(self) -> Reader:
        with suppress(Empty):
            return self._idle.get_nowait()
        with self._lock:
            if self._closed:
                raise Refusal(503, "server-stopped", "the server ends")
            reader = Reader()
            self._all.add(reader)
        return reader

    def close(self) -> None:
        """End all processes, whatever they are at."""
        with self._lock:
            self._closed = True
            for reader in self._all:
                reader.end()


class Reader:
    """One process."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")  # a fork of a process with threads is asking for trouble
        self._connection, other_end = context.Pipe()
        self._process = context.Process(target=_answer, args=(other_end,), name="crosshead-reader", daemon=True)
        with hidden_main_module():
            self._process.start()
        other_end.close()

    def do(self, work: Work, deadline: float) -> Answer:
        """Have work done in time."""
        try:
            self._connection.send(work)
            if not self._connection.poll(max(0.0, deadline - time.monotonic())):
                raise TimeoutError
            answer: Answer = self._connection.recv()
        except (EOFError, ConnectionError) as error:
            raise ExtractError(
                "the system ended the process that read the document: probably it needs more memory than there is"
            ) from error
        return answer

    def end(self) -> None:
        """End the process, whatever it is at."""
        self._process.kill()
        self._process.join()
        self._connection.close()


Answer = bytes | tuple[int, str, str] | str
"""A body; the status, the name and the words of a refusal; or where a fault of ours is."""


def _body(answer: Answer) -> bytes:
    if isinstance(answer, bytes):
        return answer
    if isinstance(answer, str):
        raise RuntimeError(answer)
    raise Refusal(*answer)


def _answer(connection: Connection) -> None:
    """Do one piece of work after the other, as long as there is somebody who asks."""
    start_worker()
    logging.getLogger("crosshead").addHandler(logging.NullHandler())  # the log is for requests, not for documents
    with suppress(EOFError, ConnectionError):
        while True:
            connection.send(_try(connection.recv()))


def _try(work: Work) -> Answer:
    try:
        return json_bytes(work())
    except CrossheadError as error:  # some cannot be sent as they are
        return problem_parts(error)
    except Exception:
        return format_exc()
