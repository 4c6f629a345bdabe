"""A real server on loopback that speaks the chat protocols of OpenAI and Ollama, and follows a script.

Where CROSSHEAD_TEST_LLM names a model (`ollama:llama3.2`), tests that ask any model also ask that one.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-test-0123456789"


@dataclass
class Script:
    """How the server answers the next requests."""

    parts: Sequence[str] = ("Keys are valid ", "for 90 days [1].")
    pause_seconds: float = 0.0
    """Before each part."""
    stop_after: int | None = None
    """Break the connection off after this number of parts."""
    fail_after: int | None = None
    """Send an error after this number of parts."""
    finish: str = "stop"
    usage: tuple[int, int] | None = (321, 12)
    model: str = "scripted"
    key: str | None = None
    """The key that requests must have."""
    context_tokens: int = 100_000
    refused_fields: Sequence[str] = ()
    busy: int = 0
    """How many requests to refuse with 503 first."""
    streams: bool = True
    never_answers: bool = False


@dataclass
class Seen:
    """A request that arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    cut_off: threading.Event = field(default_factory=threading.Event)
    """Set when the client closed the connection before the answer was complete."""

    @property
    def prompt(self) -> str:
        return "\n".join(each["content"] for each in self.body["messages"])


class ChatServer(ThreadingHTTPServer):
    """Answers with its script."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = Script()
        self.seen: list[Seen] = []
        self.arrived = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        seen = Seen(self.path, dict(self.headers), body)
        self.server.seen.append(seen)
        self.server.arrived.set()
        script = self.server.script
        refusal = self._refusal(script, seen)
        if refusal:
            self._send_json(*refusal)
            return
        try:
            self._answer(script, seen)
        except (BrokenPipeError, ConnectionResetError):
            seen.cut_off.set()

    def _refusal(self, script: Script, seen: Seen) -> tuple[int, object] | None:
        if script.busy:
            script.busy -= 1
            return 503, {"error": {"message": "overloaded"}}
        if script.key and seen.headers.get("Authorization") != f"Bearer {script.key}":
            given = seen.headers.get("Authorization", "").removeprefix("Bearer ")
            return 401, {"error": {"message": f"Incorrect API key provided: {given}.", "code": "invalid_api_key"}}
        if seen.body["model"] != script.model:
            message = f"model '{seen.body['model']}' not found"
            return 404, {"error": message if self._is_ollama else {"message": message, "code": "model_not_found"}}
        for name in script.refused_fields:
            if name in seen.body:
                other = " Use 'max_completion_tokens' instead." if name == "max_tokens" else ""
                return 400, {"error": {"message": f"Unsupported parameter: '{name}'.{other}"}}
        words = len(re.findall(r"\w+|[^\w\s]", seen.prompt))
        if words > script.context_tokens:
            message = f"This model's maximum context length is {script.context_tokens} tokens; you sent {words}."
            return 400, {"error": {"message": message, "code": "context_length_exceeded"}}
        return None

    @property
    def _is_ollama(self) -> bool:
        return self.path == "/api/chat"

    def _answer(self, script: Script, seen: Seen) -> None:
        if script.never_answers:
            self._wait_for_end(seen, 30)
            return
        if not script.streams:
            self._send_json(200, self._whole(script))
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson" if self._is_ollama else "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for at, part in enumerate(script.parts):
            if at == script.stop_after:
                self.close_connection = True
                return
            if at == script.fail_after:
                self._write(self._line({"error": "the model crashed"} if self._is_ollama else _error("crashed")))
                break
            self._wait_for_end(seen, script.pause_seconds)
            if seen.cut_off.is_set():
                self.close_connection = True
                return
            self._write(self._line(self._part(part)))
        else:
            for line in self._ending(script):
                self._write(line)
        self._chunk(b"")

    def _wait_for_end(self, seen: Seen, seconds: float) -> None:
        """Wait, and note if the client goes meanwhile."""
        until = time.monotonic() + seconds
        self.connection.settimeout(0.01)
        while time.monotonic() < until:
            try:
                if not self.connection.recv(1):
                    seen.cut_off.set()
                    return
            except TimeoutError:
                continue
            except OSError:
                seen.cut_off.set()
                return
        self.connection.settimeout(None)

    def _part(self, text: str) -> dict[str, Any]:
        if self._is_ollama:
            return {"message": {"role": "assistant", "content": text}, "done": False}
        return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]}

    def _ending(self, script: Script) -> Iterator[str]:
        read, written = script.usage or (0, 0)
        if self._is_ollama:
            counts = {"prompt_eval_count": read, "eval_count": written}
            done = {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": script.finish}
            yield self._line({**done, **counts})
            return
        yield self._line({"choices": [{"index": 0, "delta": {}, "finish_reason": script.finish}]})
        if script.usage and self._wants_usage(script):
            yield self._line({"choices": [], "usage": {"prompt_tokens": read, "completion_tokens": written}})
        yield "data: [DONE]\n\n"

    def _wants_usage(self, script: Script) -> bool:
        return bool(self.server.seen[-1].body.get("stream_options", {}).get("include_usage"))

    def _whole(self, script: Script) -> object:
        text, (read, written) = "".join(script.parts), script.usage or (0, 0)
        if self._is_ollama:
            return {"message": {"content": text}, "done": True, "prompt_eval_count": read, "eval_count": written}
        usage = {"prompt_tokens": read, "completion_tokens": written}
        return {"choices": [{"message": {"content": text}, "finish_reason": script.finish}], "usage": usage}

    def _line(self, value: object) -> str:
        return f"{json.dumps(value)}\n" if self._is_ollama else f"data: {json.dumps(value)}\n\n"

    def _write(self, text: str) -> None:
        self._chunk(text.encode())

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _send_json(self, status: int, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        pass


def _error(message: str) -> dict[str, Any]:
    return {"error": {"message": message}}


@contextmanager
def chat_server() -> Iterator[ChatServer]:
    with ChatServer() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()
