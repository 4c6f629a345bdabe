from __future__ import annotations

import re
import threading
import time
from dataclasses import replace

import pytest
from tests.answering.conftest import QUESTION
from tests.support.language_models import KEY, ChatServer, Script

from crosshead import ids
from crosshead.errors import AnswerError, OptionsError
from crosshead.index import Index


def test_answer_cites_the_exact_span_of_its_source(index: Index, llm: str) -> None:
    answer = index.ask(QUESTION, llm=llm)
    assert answer.text == "Keys are valid for 90 days [1]."
    (cited,) = answer.citations
    document = index.document(ids.document_id("guide.md"))
    assert document
    span = document.text[cited.start : cited.end]
    assert "API keys are valid for 90 days." in span
    assert (cited.document_hash, cited.span_hash) == (document.content_hash, ids.content_hash(span))
    assert answer.complete
    assert (answer.usage.prompt_tokens, answer.usage.answer_tokens) == (321, 12)


def test_any_model_answers_from_the_sources(index: Index, any_llm: str) -> None:
    parts: list[str] = []
    answer = index.ask(QUESTION, llm=any_llm, on_text=parts.append)
    assert "90" in answer.text
    assert "".join(parts).strip() == answer.text
    assert [each.source for each in answer.citations] == ["guide.md"]


def test_any_model_is_proved_and_told_in_tokens(index: Index, any_llm: str) -> None:
    answer = index.ask(QUESTION, llm=any_llm)
    assert answer.complete, answer.note
    assert answer.usage.answer_tokens > 0
    assert index.verify(answer).count("not found") == 0


def test_any_model_stops_when_the_answer_is_closed(index: Index, any_llm: str, server: ChatServer) -> None:
    server.script = Script(parts=["Keys "] * 500, pause_seconds=0.02)
    stream = index.stream_answer("describe all about API keys and queues", llm=any_llm, all=True)
    for _ in stream:
        stream.close()
    assert not stream.answer.complete
    assert stream.answer.note == "it was cancelled"


def test_any_model_may_be_missing(index: Index, any_llm: str) -> None:
    with pytest.raises(AnswerError, match="crosshead-no-such-model"):
        index.ask(QUESTION, llm=f"{any_llm.partition(':')[0]}:crosshead-no-such-model")


def test_prompt_has_the_question_and_numbered_sources_only(index: Index, llm: str, server: ChatServer) -> None:
    stream = index.stream_answer(QUESTION, llm=llm)
    assert not server.seen, "nothing is sent before the answer is read"
    assert list(stream)
    (seen,) = server.seen
    assert seen.prompt == stream.prompt
    assert "[1] guide.md:" in seen.prompt
    assert seen.prompt.endswith(f"Question: {QUESTION}")


def test_question_that_nothing_answers_asks_no_model(index: Index, llm: str, server: ChatServer) -> None:
    answer = index.ask("zyxw quux", llm=llm)
    assert not answer.text
    assert answer.note == "no good match; all=True returns weak ones"
    assert not server.seen


def test_function_is_a_model(index: Index) -> None:
    assert index.ask(QUESTION, llm=lambda prompt: "Ninety [1].").text == "Ninety [1]."
    streamed = index.ask(QUESTION, llm=lambda prompt: iter(["Nine", "ty [1]."]))
    assert streamed.text == "Ninety [1]."


@pytest.mark.parametrize("name", ["gpt", "openai:", "other:x", ""])
def test_wrong_name_of_a_model_is_refused(index: Index, name: str) -> None:
    with pytest.raises(OptionsError, match=r"ollama:llama3\.2 or openai:"):
        index.ask(QUESTION, llm=name)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (Script(key="another"), "status 401"),
        (Script(model="another"), "not found|does not have this model: ollama pull scripted"),
        (Script(context_tokens=10), "the model's context is full; use a smaller --budget"),
        (Script(parts=[""]), "gave an empty answer"),
        (Script(parts=["<think>hm, "], finish="length"), "gave an empty answer: it reached the limit of tokens"),
        (Script(stop_after=0), "stopped in the middle|broke off"),
        (Script(busy=9), r"status 503 \(overloaded\) after 5 attempts"),
    ],
)
def test_failure_before_any_text_says_what_to_do(
    index: Index, llm: str, server: ChatServer, script: Script, reason: str
) -> None:
    server.script = replace(script)
    with pytest.raises(AnswerError, match=reason) as raised:
        index.ask(QUESTION, llm=llm)
    assert "\n" not in str(raised.value)


def test_missing_server_is_named(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    with pytest.raises(AnswerError, match=r"no server at http://127\.0\.0\.1:9 .*ollama serve"):
        index.ask(QUESTION, llm="ollama:scripted")


@pytest.mark.parametrize(
    "script",
    [
        Script(busy=2),
        Script(streams=False),
        Script(refused_fields=["max_tokens"]),
        Script(refused_fields=["stream_options", "temperature"]),
        Script(parts=["<thi", "nk>90 or ", "91?</thi", "nk>\n\n", "Keys are valid ", "for 90 days [1]."]),
    ],
)
def test_servers_that_differ_are_understood(index: Index, llm: str, server: ChatServer, script: Script) -> None:
    server.script = replace(script)
    answer = index.ask(QUESTION, llm=llm)
    assert answer.text == "Keys are valid for 90 days [1]."
    assert answer.complete


@pytest.mark.parametrize(
    ("script", "note"),
    [
        (Script(stop_after=1), "stopped in the middle|broke off"),
        (Script(fail_after=1), r"an error \((the model )?crashed\)"),
        (Script(finish="length"), "it reached the limit of tokens"),
    ],
)
def test_what_came_is_kept_and_marked_unfinished(
    index: Index, llm: str, server: ChatServer, script: Script, note: str
) -> None:
    server.script = replace(script)
    answer = index.ask(QUESTION, llm=llm)
    assert answer.text.startswith("Keys are valid")
    assert not answer.complete
    assert re.search(note, answer.note)


def test_limits_reach_the_server(index: Index, llm: str, server: ChatServer) -> None:
    index.ask(QUESTION, llm=llm, max_answer_tokens=77)
    body = server.seen[0].body
    assert 77 in (body.get("max_tokens"), body.get("options", {}).get("num_predict"))


def test_ollama_gets_room_for_the_whole_prompt(index: Index, server: ChatServer, llm: str) -> None:
    index.ask(QUESTION, llm=llm, budget_tokens=9_000, max_answer_tokens=5_000)
    options = server.seen[0].body.get("options")
    assert options is None or options["num_ctx"] >= 5_000 + len(server.seen[0].prompt) // 6


def test_answer_that_takes_too_long_is_cut(index: Index, llm: str, server: ChatServer) -> None:
    server.script = Script(parts=["Keys ", "are ", "valid "] * 50, pause_seconds=0.1)
    answer = index.ask(QUESTION, llm=llm, max_answer_seconds=1)
    assert "did not finish within 1 seconds" in answer.note
    assert not answer.complete


@pytest.mark.parametrize("never", [True, False])
def test_closing_from_another_thread_stops_the_model(index: Index, llm: str, server: ChatServer, never: bool) -> None:
    server.script = Script(parts=["Keys "] * 600, pause_seconds=0.05, never_answers=never)
    stream = index.stream_answer(QUESTION, llm=llm)

    def close() -> None:
        assert server.arrived.wait(20)
        time.sleep(0.2)
        stream.close()

    closing = threading.Thread(target=close)
    closing.start()
    list(stream)
    closing.join()
    assert server.seen[0].cut_off.wait(20)
    assert not stream.answer.complete
    assert stream.answer.note == "it was cancelled"


def test_key_is_sent_to_the_server_and_stays_out_of_errors(index: Index, server: ChatServer, llm: str) -> None:
    server.script = Script(key=KEY if llm.startswith("openai") else None)
    assert index.ask(QUESTION, llm=llm).complete
    server.script = Script(key="another")  # the server repeats the key that it got
    with pytest.raises(AnswerError, match="401") as raised:
        index.ask(QUESTION, llm=llm)
    assert KEY not in str(raised.value)
