"""Prompts from the passages of real documents, and what answers to them cite."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
import tiktoken

import crosshead
from crosshead import Index, Passages
from crosshead.errors import OptionsError

DOCS = Path(__file__).parents[2] / "examples/docs"
QUESTIONS = ["how do I rotate keys", "why was the service slow", "what does it cost", "POST /v1/queues", "zzz qqq"]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    with Index(tmp_path_factory.mktemp("index") / "index", root=DOCS, embedder="static") as index:
        index.add(DOCS)
        yield index


@pytest.mark.parametrize("query", QUESTIONS)
@pytest.mark.parametrize("budget", [150, 250, 400, 1000, 2000, 8000])
def test_prompt_is_within_the_budget(index: Index, query: str, budget: int) -> None:
    encoding = tiktoken.get_encoding("cl100k_base")
    prompt = index.passages(query, budget, all=True).prompt()
    assert len(encoding.encode(prompt, disallowed_special=())) <= budget
    assert prompt.endswith(f"\n\nQuestion: {query}")


@pytest.mark.parametrize("query", QUESTIONS)
def test_sources_are_numbered_and_cited(index: Index, query: str) -> None:
    passages = index.passages(query, 2000, all=True)
    prompt = passages.prompt("What about it?")
    assert list(prompt.passages) == passages[: len(prompt.passages)]
    assert len(prompt.passages) > len(passages) / 2
    at = 0
    for number, passage in enumerate(prompt.passages, 1):
        at = prompt.index(f"\n\n[{number}] {passage.citation} | {' > '.join(passage.heading_chain)}".rstrip(" |"), at)
        is_last = number == len(prompt.passages)
        assert is_last or prompt.find(passage.content, at) > at
    assert prompt.endswith("\n\nQuestion: What about it?")


def test_most_of_the_budget_is_used(index: Index) -> None:
    encoding = tiktoken.get_encoding("cl100k_base")
    for budget in (500, 1000, 2000):
        prompt = index.passages("how do I rotate keys", budget).prompt()
        assert len(encoding.encode(prompt)) > 0.75 * budget


def test_last_source_is_cut_after_a_block(index: Index) -> None:
    passages = index.passages("how do I rotate keys", 2000)
    whole = passages.prompt(budget_tokens=4000)
    assert len(whole.passages) == len(passages)
    cut = passages.prompt(budget_tokens=250)
    assert "\n...\n\nQuestion: " in cut
    shown = cut.partition("\n\n[1] ")[2].partition("\n\n")[2].partition("\n...\n\nQuestion: ")[0]
    assert passages[0].content.startswith(shown)
    assert passages[0].content[len(shown)] == "\n"


def test_budget_without_room_for_a_source_is_an_error(index: Index) -> None:
    passages = index.passages("how do I rotate keys")
    for budget in (0, -1, 20, 80):
        with pytest.raises(OptionsError, match=rf"budget_tokens={budget} is too small: .* take \d+ tokens"):
            passages.prompt(budget_tokens=budget)
    with pytest.raises(OptionsError, match=r"take 1[0-9]{3} tokens"):
        passages.prompt("why " * 1500, budget_tokens=1000)
    with pytest.raises(OptionsError, match="question=5 must be a string"):
        passages.prompt(5)  # type: ignore[arg-type]


def test_prompt_without_passages_says_so(index: Index) -> None:
    passages = index.passages("keys", metadata={"no": "such"})
    assert passages == []
    prompt = passages.prompt()
    assert "There are no sources." in prompt
    assert prompt.citations("It is so [1].") == [crosshead.CitedSource(1, None, ((9, 12),))]


def test_instructions_can_be_replaced(index: Index) -> None:
    prompt = index.passages("rotate keys").prompt(instructions="Reply in one word. Cite as [n].")
    assert prompt.startswith("Reply in one word. Cite as [n].\n\n[1] ")
    assert index.passages("rotate keys").prompt(instructions="").startswith("[1] ")


def test_numbers_in_an_answer_lead_back_to_the_passages(index: Index) -> None:
    passages = index.passages("how do I rotate keys")
    prompt = passages.prompt()
    answer = "Every 90 days [1][2], in an emergency at once [1]. See `keys[3]`. Or weekly [99]."
    cited = prompt.citations(answer)
    assert [each.number for each in cited] == [1, 2, 99]
    assert [each.passage for each in cited] == [passages[0], passages[1], None]
    assert [each.citation for each in cited] == [passages[0].citation, passages[1].citation, ""]
    assert [[answer[start:end] for start, end in each.spans] for each in cited] == [["[1]", "[1]"], ["[2]"], ["[99]"]]
    assert passages.citations(answer) == cited
    with pytest.raises(OptionsError, match="answer=None must be a string"):
        prompt.citations(None)  # type: ignore[arg-type]


def test_source_that_was_left_out_is_not_cited(index: Index) -> None:
    passages = index.passages("how do I rotate keys")
    prompt = passages.prompt(budget_tokens=300)
    assert len(prompt.passages) < len(passages)
    (cited,) = prompt.citations(f"It is so [{len(passages)}].")
    assert cited.passage is None


def test_passages_are_a_list_for_programs(index: Index) -> None:
    passages = index.passages("how do I rotate keys")
    assert isinstance(passages, list)
    assert sum(each.token_count for each in passages) <= passages.budget_tokens == 2000
    assert json.loads(json.dumps([each.to_json() for each in passages]))[0]["citation"] == passages[0].citation


@pytest.mark.parametrize("same", [copy.copy, copy.deepcopy, lambda given: pickle.loads(pickle.dumps(given))])
def test_passages_and_prompts_can_be_copied(index: Index, same: object) -> None:
    assert callable(same)
    passages = index.passages("how do I rotate keys")
    again = same(passages)
    assert isinstance(again, Passages)
    assert again.prompt() == passages.prompt()
    prompt = same(passages.prompt())
    assert prompt.citations("So [1].") == passages.prompt().citations("So [1].")
