"""A real server on a port of its own, inside this process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from starlette.types import ASGIApp

from crosshead.index import Index
from crosshead.server.app import create_app
from crosshead.server.run import ReadyServer, listen
from crosshead.server.settings import ServerSettings

GUIDE = """\
# Guide

Words before the first section.

## Install

Run this on every machine:

```sh
pip install crosshead
```

## Keys

Keys open doors.

### Rotate keys

Rotate keys once a year. Ask the infra team to do it.

### Lose keys

Tell the desk at once.
"""
NOTES = "# Notes\n\n## Backups\n\nBackups run every night at two. They are kept for thirty days.\n"


@contextmanager
def serving(index: Index, **settings: Any) -> Iterator[str]:
    """Serve an index and return the address."""
    chosen = ServerSettings(port=0, **settings)
    with running(create_app(index, chosen), chosen) as url:
        yield url


@contextmanager
def running(app: ASGIApp, settings: ServerSettings) -> Iterator[str]:
    """Run an application and return its address."""
    ready, urls = threading.Event(), []

    def on_start(url: str) -> None:
        urls.append(url)
        ready.set()

    with listen(settings) as listening:
        server = ReadyServer(app, settings, on_start)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            assert ready.wait(30)
            yield urls[0]
        finally:
            server.should_exit = True
            thread.join(30)
            assert not thread.is_alive()


def write_documents(root: Path) -> None:
    """Put two documents into a folder."""
    (root / "docs").mkdir()
    (root / "docs/guide.md").write_text(GUIDE)
    (root / "docs/notes.md").write_text(NOTES)


def finished(client: httpx.Client, response: httpx.Response) -> dict[str, Any]:
    """Wait for the job that a request started."""
    assert response.status_code == 202, response.text
    while True:
        job: dict[str, Any] = client.get(response.headers["location"]).json()
        if job["state"] in ("done", "failed"):
            return job
        threading.Event().wait(0.02)
