"""Large, many and slow requests are refused, and the server stays up."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from tests.server.running import serving

from crosshead.index import Index

GIGABYTE = 1_000_000_000


@pytest.fixture
def url(index: Index) -> Iterator[str]:
    """The address of a server that has little patience."""
    with serving(index, max_body_bytes=1024 * 1024, idle_seconds=0.5, body_seconds=2) as url:
        yield url


def talk(url: str, *pieces: bytes) -> bytes:
    """Send pieces as they are, and return all that comes back until the server closes the connection."""
    address = urlsplit(url)
    assert address.hostname
    with socket.create_connection((address.hostname, address.port or 80), timeout=20) as connection:
        for piece in pieces:
            connection.sendall(piece)
        answer = b""
        while received := connection.recv(65536):
            answer += received
        return answer


def is_up(url: str) -> bool:
    return httpx.get(f"{url}healthz").status_code == 200


@pytest.mark.parametrize("path", ["/v1/chunk", "/v1/documents?source=a.md"])
def test_gigabyte_is_refused_before_it_is_read(url: str, path: str, root: Path) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    answer = talk(url, f"{head}Content-Length: {GIGABYTE}\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"urn:crosshead:content-too-large" in answer
    assert not [path for path in root.glob("uploads/**/*") if path.is_file() and path.name != ".lock"]
    assert is_up(url)


@pytest.mark.parametrize("path", ["v1/chunk", "v1/documents?source=a.md"])
def test_body_of_unknown_size_is_refused_when_it_is_too_large(url: str, path: str, root: Path) -> None:
    pieces = (b"x" * 65536 for _ in range(32))
    assert httpx.post(url + path, content=pieces).status_code == 413
    assert not [path for path in root.glob("uploads/**/*") if path.is_file() and path.name != ".lock"]
    assert is_up(url)


def test_client_that_stops_in_the_body_is_answered(url: str) -> None:
    answer = talk(url, b"POST /v1/chunk HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc")
    assert answer.startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HT", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: "])
def test_client_that_does_not_come_to_the_point_is_left(url: str, sent: bytes) -> None:
    with suppress(ConnectionResetError):  # it may be left with a part of its request unread
        assert talk(url, sent) == b""
    assert is_up(url)


def test_client_that_does_not_take_its_answer_is_left(url: str) -> None:
    text = b"# A\n\n" + b"Words.\n\n## B\n\n" * 20_000
    head = f"POST /v1/chunk?max_tokens=20 HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(text)}\r\n\r\n".encode()
    address = urlsplit(url)
    with socket.create_connection(("127.0.0.1", address.port or 80), timeout=30) as connection:
        connection.sendall(head + text)
        received = connection.recv(65536)
        size = int(received.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
        threading.Event().wait(4)
        with suppress(ConnectionResetError):
            while piece := connection.recv(65536):
                received += piece
    assert 0 < len(received) < size
    assert is_up(url)


def test_client_that_leaves_is_no_fault(url: str, caplog: pytest.LogCaptureFixture) -> None:
    address = urlsplit(url)
    with socket.create_connection(("127.0.0.1", address.port or 80)) as connection:
        connection.sendall(b"POST /v1/chunk HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc")
    assert is_up(url)
    assert not [record for record in caplog.records if record.exc_info]


def test_too_many_at_once_are_asked_to_come_again(index: Index) -> None:
    with serving(index, max_bodies=2, max_requests=3) as url, begun_upload(url), begun_upload(url):
        refused = httpx.post(f"{url}v1/chunk", content="# A")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
        assert httpx.get(f"{url}v1/search", params={"q": "keys"}).status_code == 200


@contextmanager
def begun_upload(url: str) -> Iterator[None]:
    """Be in the middle of a body."""
    head = b"POST /v1/chunk HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
    with socket.create_connection(("127.0.0.1", urlsplit(url).port or 80), timeout=20) as connection:
        connection.sendall(head)
        assert connection.recv(65536).startswith(b"HTTP/1.1 100")  # the server waits for the body now
        yield
        connection.sendall(b"# A")
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")


def test_requests_of_all_kinds_are_counted(index: Index) -> None:
    with serving(index, max_requests=0) as url:
        assert httpx.get(f"{url}v1/search", params={"q": "keys"}).status_code == 429
