"""Documents are read in processes, which end when they take too long."""

from __future__ import annotations

import multiprocessing
import os
import threading
from functools import partial

import httpx
import pytest
from tests.server.running import GUIDE, serving

import crosshead
from crosshead.formats import registry as formats
from crosshead.index import Index

LONG = "# A\n\n" + "Words that take a while to be counted, and nothing else.\n\n## B\n\n" * 120_000


def processes() -> set[int]:
    return {each.pid or 0 for each in multiprocessing.active_children() if each.name == "crosshead-worker"}


def shout(data: bytes, _: object) -> crosshead.Extracted:
    return crosshead.Extracted(f"# {data.decode().upper()} {os.getpid()}\n")


def test_document_that_takes_too_long_leaves_no_process(index: Index) -> None:
    with serving(index, request_seconds=2) as url:
        assert httpx.post(f"{url}v1/chunk", content=GUIDE, timeout=30).status_code == 200
        before = processes()
        response = httpx.post(f"{url}v1/check", content=LONG, timeout=60)
        assert (response.status_code, response.json()["type"]) == (504, "urn:crosshead:took-too-long")
        while before and before <= processes():  # one of them is ended in the moment of the answer
            threading.Event().wait(0.05)
        assert httpx.post(f"{url}v1/chunk", content=GUIDE, timeout=30).status_code == 200


def test_search_goes_on_while_documents_are_read(index: Index) -> None:
    with serving(index, threads=1) as url:
        reading = threading.Thread(target=partial(httpx.post, f"{url}v1/check", content=LONG, timeout=60))
        reading.start()
        while not processes():
            threading.Event().wait(0.05)
        assert httpx.get(f"{url}v1/search", params={"q": "keys"}, timeout=30).json()["hits"]
        assert reading.is_alive()
        reading.join()


def test_registered_format_is_read_by_workers(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_FORMATS", "_SUFFIXES", "_ALIASES"):
        monkeypatch.setattr(formats, name, dict(getattr(formats, name)))
    crosshead.register_format(crosshead.Format("shout", shout, (".shout",)))
    with serving(index) as url:
        asked = {"source": "a.shout"}
        text = httpx.post(f"{url}v1/extract", params=asked, content="hello", timeout=30).json()["text"]
    assert text.startswith("# HELLO ")
    assert int(text.split()[-1]) != os.getpid()
