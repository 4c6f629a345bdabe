"""An index about keys, and a scripted server of language models, spoken to in both protocols."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.language_models import KEY, ChatServer, chat_server

from crosshead.index import Index

GUIDE = (
    "# Keys\n\n## Validity\n\nAPI keys are valid for 90 days.\n\n## Rotation\n\nA queue accepts two keys at a time.\n"
)
QUESTION = "how long are API keys valid"


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as server:
        yield server


@pytest.fixture(params=["openai", "ollama"])
def llm(request: pytest.FixtureRequest, server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of the scripted model in one of the protocols; requests that fail are repeated at once."""
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    monkeypatch.setattr("crosshead.runtime.servers.http._wait_seconds", lambda *_: 0.0)
    return f"{request.param}:scripted"


@pytest.fixture(params=["scripted", "real"])
def any_llm(request: pytest.FixtureRequest, server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """The scripted model, and the one that CROSSHEAD_TEST_LLM names."""
    if request.param == "real":
        real = os.environ.get("CROSSHEAD_TEST_LLM", "")
        if not real:
            pytest.skip("CROSSHEAD_TEST_LLM names no language model")
        return real
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    return "ollama:scripted"


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    (tmp_path / "guide.md").write_text(GUIDE)
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path / "guide.md")
        yield index
