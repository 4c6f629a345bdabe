"""Answers of a language model on the page, and what people think of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.server.page.conftest import ROOT, Open
from tests.server.running import serving
from tests.support.language_models import ChatServer, Script, chat_server

from crosshead.evaluation import load_questions
from crosshead.index import Index

ASKED = "#/search?q=how+long+are+API+keys+valid&as=answer"
PARTS = (
    "API keys are valid ",
    "for **90 days** [1].\n\n- Check that only one ",
    "key is active [1].\n- They cost 17 EUR.",
)


@pytest.fixture(scope="module")
def model() -> Iterator[ChatServer]:
    with chat_server() as server:
        yield server


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory, model: ChatServer) -> Iterator[tuple[str, Index]]:
    """The address of a server that answers questions about the samples, and its index."""
    root: Path = tmp_path_factory.mktemp("asked")
    shutil.copytree(ROOT / "examples/docs", root / "docs")
    with pytest.MonkeyPatch.context() as patch, Index(root / ".crosshead", embedder="static") as index:
        patch.setenv("OLLAMA_HOST", model.url)
        index.add(root / "docs")
        with serving(index, llm="ollama:scripted") as url:
            yield url, index


@pytest.fixture(autouse=True)
def _script(model: ChatServer) -> None:
    model.script = Script(parts=PARTS)
    model.seen.clear()


def test_numbers_of_an_answer_lead_to_the_lines_it_rests_on(
    asked: tuple[str, Index], model: ChatServer, open_page: Open
) -> None:
    page = open_page(asked[0] + ASKED)
    ask = page.get_by_role("button", name="Ask Enter")
    expect(ask).to_be_visible()
    assert not model.seen, "a link alone asks no model"
    ask.click()
    expect(page.locator(".answer-text strong")).to_have_text("90 days")
    expect(page.locator(".answer-facts")).to_contain_text("ollama:scripted · 321 + 12 tokens")
    page.get_by_role("button", name="Source 1").first.click()
    expect(page.locator(".source.selected .cited").first).to_contain_text("API keys are valid for 90 days.")
    page.get_by_role("button", name="Source 1").nth(1).click()
    expect(page.locator(".source.selected .cited").first).to_contain_text("Check that only one key is active.")


def test_sentences_that_are_not_proved_are_marked(asked: tuple[str, Index], model: ChatServer, open_page: Open) -> None:
    page = open_page(asked[0] + ASKED)
    page.get_by_role("button", name="Ask Enter").click()
    expect(page.locator(".verdict")).to_contain_text("2 sentences proved, 1 without citation")
    expect(page.locator(".doubted")).to_have_text("They cost 17 EUR.")
    model.script = Script(parts=["API keys are valid for 80 days [1]."])
    page.get_by_label("Question").press("Enter")
    expect(page.locator(".doubt")).to_contain_text("80 days")


def test_answers_and_hits_are_rated(asked: tuple[str, Index], open_page: Open) -> None:
    url, index = asked
    page = open_page(url + ASKED)
    page.get_by_role("button", name="Ask Enter").click()
    page.locator(".answer-facts").get_by_role("button", name="Good").click()
    expect(page.locator("#status")).to_have_text("Rated good")
    page.goto(url + "#/search?q=which+keys+are+rotated")
    page.locator(".hit .title").first.click()
    page.keyboard.press("g")
    expect(page.locator('.hit.open [data-key="g"]')).to_have_attribute("aria-pressed", "true")
    questions = load_questions(index.questions_file)
    assert {each.text for each in questions} == {"how long are API keys valid", "which keys are rotated"}
    assert {item.file for each in questions for item in each.evidence} == {"docs/handbook.md"}


def test_question_that_nothing_answers_says_so(asked: tuple[str, Index], model: ChatServer, open_page: Open) -> None:
    page = open_page(asked[0] + "#/search?q=zyxw+quux&as=answer")
    page.get_by_role("button", name="Ask Enter").click()
    expect(page.locator(".empty")).to_contain_text("Nothing in the index answers this")
    assert not model.seen


def test_failure_of_the_model_is_shown(asked: tuple[str, Index], model: ChatServer, open_page: Open) -> None:
    model.script = Script(model="another")
    page = open_page(asked[0] + ASKED)
    page.get_by_role("button", name="Ask Enter").click()
    expect(page.get_by_role("alert")).to_contain_text("ollama pull scripted")


def test_unfinished_answer_is_marked(asked: tuple[str, Index], model: ChatServer, open_page: Open) -> None:
    model.script = Script(parts=PARTS, stop_after=2)
    page = open_page(asked[0] + ASKED)
    page.get_by_role("button", name="Ask Enter").click()
    expect(page.get_by_role("alert")).to_contain_text("Not complete: ")
    expect(page.locator(".answer-text")).to_contain_text("API keys are valid for 90 days")


def test_model_stops_when_the_question_changes(asked: tuple[str, Index], model: ChatServer, open_page: Open) -> None:
    model.script = Script(parts=["word "] * 2_000, pause_seconds=0.05)
    page = open_page(asked[0] + ASKED)
    page.get_by_role("button", name="Ask Enter").click()
    expect(page.locator(".answer-text")).to_contain_text("word")
    page.get_by_label("Question").fill("something else")
    assert model.seen[0].cut_off.wait(20)


def test_server_without_a_model_offers_no_answers(url: str, open_page: Open) -> None:
    page = open_page(url + "#/search?q=keys")
    expect(page.locator(".hit").first).to_be_visible()
    expect(page.get_by_label("Answer")).to_have_count(0)


def test_answer_fits_a_phone(asked: tuple[str, Index], open_page: Open) -> None:
    page = open_page(asked[0] + ASKED, viewport={"width": 390, "height": 800})
    page.get_by_role("button", name="Ask Enter").click()
    expect(page.locator(".answer-facts")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
