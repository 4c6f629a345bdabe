"""Documents are read in processes, which end when they take too long."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from functools import partial

import httpx
import pytest
from tests.server.running import GUIDE, serving

import crosshead
from crosshead.errors import ExtractError, MissingExtra
from crosshead.extract import formats
from crosshead.index import Index
from crosshead.server.errors import Refusal
from crosshead.server.readers import Readers

LONG = "# A\n\n" + "Words that take a while to be counted, and nothing else.\n\n## B\n\n" * 120_000


def processes() -> set[int]:
    return {each.pid or 0 for each in multiprocessing.active_children() if each.name == "crosshead-reader"}


def raise_missing() -> None:
    raise MissingExtra("server", "Serving")


def shout(data: bytes, _: object) -> crosshead.Extracted:
    return crosshead.Extracted(f"# {data.decode().upper()}\n")


def in_a_minute() -> float:
    return time.monotonic() + 60


def test_document_that_takes_too_long_leaves_no_process(index: Index) -> None:
    with serving(index, request_seconds=2) as url:
        assert httpx.post(f"{url}v1/chunk", content=GUIDE, timeout=30).status_code == 200
        before = processes()
        response = httpx.post(f"{url}v1/check", content=LONG, timeout=60)
        assert (response.status_code, response.json()["type"]) == (504, "urn:crosshead:took-too-long")
        while before & processes():  # it is ended in the moment of the answer
            threading.Event().wait(0.05)
        assert httpx.post(f"{url}v1/chunk", content=GUIDE, timeout=30).status_code == 200
    assert not processes()


def test_search_goes_on_while_documents_are_read(index: Index) -> None:
    with serving(index, threads=1) as url:
        reading = threading.Thread(target=partial(httpx.post, f"{url}v1/check", content=LONG, timeout=60))
        reading.start()
        while not processes():
            threading.Event().wait(0.05)
        assert httpx.get(f"{url}v1/search", params={"q": "keys"}, timeout=30).json()["hits"]
        assert reading.is_alive()
        reading.join()


def test_process_that_the_system_ends_is_replaced() -> None:
    readers = Readers()
    try:
        assert readers.do(os.getpid, in_a_minute()) == str(*processes()).encode()
        with pytest.raises(ExtractError, match="more memory"):
            readers.do(partial(signal.raise_signal, signal.SIGKILL), in_a_minute())
        assert readers.do(partial(int, "7"), in_a_minute()) == b"7"
    finally:
        readers.close()
    assert not processes()


def test_process_that_took_much_memory_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crosshead.server.readers.LARGE_ANSWER", 10)
    readers = Readers()
    try:
        assert readers.do(partial(str, "short"), in_a_minute()) == b'"short"'
        assert len(processes()) == 1
        assert readers.do(partial(str, "longer than that"), in_a_minute()) == b'"longer than that"'
        assert not processes()
    finally:
        readers.close()


def test_errors_come_back() -> None:
    readers = Readers()
    try:
        with pytest.raises(Refusal, match="pip install") as refused:
            readers.do(raise_missing, in_a_minute())
        assert (refused.value.status, refused.value.name) == (501, "missing-extra")
        with pytest.raises(RuntimeError, match=r"Traceback(.|\n)*invalid literal"):
            readers.do(partial(int, "seven"), in_a_minute())
        assert len(processes()) == 1
    finally:
        readers.close()


def test_registered_format_is_read_here(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_FORMATS", "_SUFFIXES", "_ALIASES"):
        monkeypatch.setattr(formats, name, dict(getattr(formats, name)))
    crosshead.register_format(crosshead.Format("shout", shout, (".shout",)))
    with serving(index) as url:
        asked = {"source": "a.shout"}
        assert httpx.post(f"{url}v1/extract", params=asked, content="hello").json()["text"] == "# HELLO\n"
        assert not processes()
