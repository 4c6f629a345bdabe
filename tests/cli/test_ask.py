from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.cli.conftest import Run
from tests.support.language_models import ChatServer, Script, chat_server

ASK = ("ask", "how", "do", "I", "install", "--index", "ix", "--llm", "ollama:scripted")


@pytest.fixture
def model(run: Run, guide: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A scripted model, and an index of the guide."""
    assert run("index", guide, "--index", "ix", "--root", ".", "--embedder", "static").exit_code == 0
    with chat_server() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        server.script = Script(parts=["Run pip ", "install crosshead [1]."])
        yield server


def test_answer_is_printed_with_the_sources_that_it_cites(run: Run, model: ChatServer) -> None:
    result = run(*ASK)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Run pip install crosshead [1].\n\n[1] guide.md:")
    assert "ollama:scripted · 321 + 12 tokens" in result.stderr


def test_json_is_the_answer_with_its_certificate(run: Run, model: ChatServer) -> None:
    answer = json.loads(run(*ASK, "--json").stdout)
    assert answer["schema"] == "crosshead.answer/1"
    assert answer["citations"][0]["span_hash"]


def test_what_the_source_does_not_say_is_named(run: Run, model: ChatServer) -> None:
    model.script = Script(parts=["Run pip install crosshead [1]. ", "It takes 17 minutes [1]. Buy a license."])
    result = run(*ASK)
    assert "not found    It takes 17 minutes [1]." in result.stdout
    assert "17 minutes: not in guide.md" in result.stdout
    assert "no citation  Buy a license." in result.stdout
    assert "1 proved · 1 not found · 1 no citation" in result.stdout
    assert json.loads(run(*ASK, "--json").stdout)["proof"]["counts"]["not found"] == 1


def test_nothing_is_asked_where_nothing_answers(run: Run, model: ChatServer) -> None:
    result = run("ask", "zyxw quux", *ASK[5:])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "no good match; --all returns weak ones" in result.stderr
    assert not model.seen


def test_unfinished_answer_is_marked(run: Run, model: ChatServer) -> None:
    model.script = Script(finish="length")
    result = run(*ASK)
    assert result.exit_code == 1
    assert result.stdout.startswith("Keys are valid for 90 days [1].")
    assert "warning: the answer is not complete: it reached the limit of tokens" in result.stderr


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ((*ASK[:-2],), "name a language model: --llm or CROSSHEAD_LLM, as in ollama:llama3.2"),
        ((*ASK[:-1], "gpt"), "'gpt' is not the name of a language model"),
        ((*ASK, "--max-answer-tokens", "0"), "max_answer_tokens=0 must be a whole number of at least 1"),
        ((*ASK[:-1], "ollama:other"), "does not have this model: ollama pull other"),
    ],
)
def test_mistakes_are_one_line(run: Run, model: ChatServer, args: tuple[str, ...], error: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert error in result.stderr
    assert result.stderr.count("\n") == 1


def test_model_may_come_from_the_environment(run: Run, model: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_LLM", "ollama:scripted")
    assert run(*ASK[:-2]).exit_code == 0
