"""A real S3 server for tests, in a process of its own: python tests/support/s3_server.py prints how to use it.

One request is answered after the other: moto looks at conditions and writes in two steps, which threads could mix up.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

KEYS = {"AWS_ACCESS_KEY_ID": "test-key", "AWS_SECRET_ACCESS_KEY": "hunter2", "AWS_REGION": "us-east-1"}
REQUESTS = "/requests-so-far"


class Server:
    """A server that runs."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment

    def make_bucket(self) -> str:
        """Return the name of a new bucket."""
        name = f"bucket-{uuid.uuid4().hex}"
        self.ask(f"/{name}", "PUT")
        return name

    def take_requests(self) -> list[str]:
        """Return the requests since the last time, as GET /bucket/name."""
        return json.loads(self.ask(REQUESTS))

    def ask(self, path: str, method: str = "GET", data: bytes | None = None) -> bytes:
        request = urllib.request.Request(self.environment["AWS_ENDPOINT"] + path, data, method=method)
        with urllib.request.urlopen(request) as response:
            return response.read()


@contextmanager
def running(*how: str) -> Iterator[Server]:
    """Start a server and end it.

    One that is `strict` lets nobody in after the first request, which may make a bucket; it knows one user, who may do
    nothing. One that is `careless` does not look at conditions.
    """
    command = [sys.executable, __file__, *how]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment) as it:
        try:
            assert it.stdout
            yield Server(json.loads(it.stdout.readline()))
        finally:
            it.kill()


def main(*how: str) -> None:
    if "strict" in how:
        os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "1"
    from moto.core import DEFAULT_ACCOUNT_ID
    from moto.iam.models import iam_backends
    from moto.moto_server.werkzeug_app import create_backend_app
    from werkzeug.serving import WSGIRequestHandler, make_server

    keys = dict(KEYS)
    if "strict" in how:
        iam = iam_backends[DEFAULT_ACCOUNT_ID]["aws"]
        iam.create_user("us-east-1", "nobody")
        key = iam.create_access_key("nobody")
        keys |= {"AWS_ACCESS_KEY_ID": key.access_key_id, "AWS_SECRET_ACCESS_KEY": key.secret_access_key}
    moto = create_backend_app("s3").wsgi_app
    seen: list[str] = []
    lock = Lock()

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == REQUESTS:
            start("200 OK", [])
            body = json.dumps(seen).encode()
            seen.clear()
            return [body]
        seen.append(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}")
        if "careless" in how:
            environ.pop("HTTP_IF_MATCH", None)
            environ.pop("HTTP_IF_NONE_MATCH", None)
        with lock:
            return [b"".join(moto(environ, start))]

    class Quiet(WSGIRequestHandler):
        protocol_version = "HTTP/1.1"  # connections are used again

        def log(self, type: str, message: str, *args: Any) -> None:
            pass

    server = make_server("127.0.0.1", 0, answer, threaded=True, request_handler=Quiet)
    print(json.dumps({**keys, "AWS_ENDPOINT": f"http://127.0.0.1:{server.server_port}"}), flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
