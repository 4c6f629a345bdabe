"""Search, as somebody sees it."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
from playwright.sync_api import expect
from tests.server.page.conftest import Open
from tests.server.running import serving

from crosshead.index import Index

KEYS = """\
# Keys 😀

Keys are given out by the desk. 😀

## Rotation

Keys are changed every year.

## Lost badges 😀

The desk answers for lost badges.

## Visitors

Visitors get a badge for a day.
"""
QUESTION = "how do I rotate keys"


def test_question_gets_hits_with_breadcrumb_citation_snippet_and_scores(url: str, open_page: Open) -> None:
    page = open_page(url)
    page.get_by_label("Question").fill(QUESTION)
    hit = page.locator(".hit").first
    expect(hit.locator(".title")).to_have_text("Larkmq on-call handbook › Key rotation")
    expect(hit.locator(".citation")).to_contain_text("docs/handbook.md:")
    expect(hit.locator("mark").first).to_be_visible()
    expect(hit.locator(".scores dt")).to_have_text(["score", "words", "meaning"])


def test_hit_opens_in_place_between_its_neighbors(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q={QUESTION}")
    page.locator(".hit .title").first.click()
    hit = page.locator(".hit.open")
    expect(hit.locator(".answer")).to_contain_text("API keys are valid for 90 days")
    expect(hit.locator(".answer mark").first).to_be_visible()
    expect(hit.locator(".neighbor.after")).to_be_visible()
    before = hit.locator(".neighbor.before")
    expect(before).to_be_hidden()  # an opened hit begins with the section that answers
    page.keyboard.press("n")
    expect(before).to_contain_text("Handing over")
    expect(before).to_be_visible()


def test_section_that_answers_is_opened_inside_its_chunk(tmp_path: Path, open_page: Open) -> None:
    (tmp_path / "keys.md").write_text(KEYS)
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path / "keys.md")
        with serving(index) as url:
            page = open_page(f"{url}#/search?q=who answers for lost badges")
            expect(page.locator(".hit .citation")).to_have_text("keys.md:9-11")
            page.locator(".hit .title").click()
            expect(page.locator(".answer")).to_have_text("Lost badges 😀The desk answers for lost badges.")
            expect(page.locator(".answer mark")).to_have_text(["Lost", "badges", "answers", "lost", "badges"])
            beside = [re.compile("Keys 😀.*every year"), re.compile("^Visitors")]
            expect(page.locator(".neighbor")).to_have_text(beside)
            page.keyboard.press("n")
            expect(page.locator(".reading")).to_have_class(re.compile("whole"))
            page.keyboard.press("d")
            expect(page.locator(".piece.selected")).to_be_visible()
            assert "line=9" in page.url
            page.close()  # before the server ends


def test_address_holds_the_state(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q={QUESTION}")
    page.get_by_label("Format").select_option("pdf")
    page.get_by_label("Section").fill("meas*")
    expect(page.locator(".hit .citation")).to_have_text(["docs/incident-report.pdf p. 1"])
    page.locator(".hit .title").click()
    expect(page.locator(".answer")).to_be_visible()
    other = open_page(page.url)
    expect(other.locator(".hit.open .answer")).to_contain_text("thirty days before they expire")
    expect(other.get_by_label("Section")).to_have_value("meas*")


def test_sections_and_sources_are_completed_from_the_whole_index(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q={QUESTION}")
    expect(page.locator("#sections option[value='Key rotation']")).to_have_count(1)
    expect(page.locator("#sources option[value='docs/handbook.md']")).to_have_count(1)
    page.get_by_label("Section").press_sequentially("emerg")
    expect(page.locator("#sections option")).to_have_count(1)
    expect(page.locator("#sections option")).to_have_attribute("value", "Emergency rotation")
    page.get_by_label("Source").press_sequentially("price")
    expect(page.locator("#sources option")).to_have_count(1)
    expect(page.locator("#sources option")).to_have_attribute("value", "docs/prices.csv")


def test_filters_are_those_of_the_server(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q={QUESTION}", refused=400)
    page.get_by_text("More filters").click()
    described = httpx.get(f"{url}openapi.json").json()["paths"]["/v1/search"]["get"]["parameters"]
    elsewhere = {"q", "limit", "expand_context", "enriched"}
    expect(page.locator(".fields label")).to_have_count(len({each["name"] for each in described} - elsewhere))
    page.get_by_label("Per document").fill("1")
    sources = page.locator(".hit .citation")
    page.get_by_label("Section").fill("ROTATION")  # a part of a title, in any case
    expect(sources).to_have_text([re.compile("docs/handbook.md")])
    assert "per_document=1" in page.url
    page.get_by_label("Metadata").fill("nothing")
    expect(page.get_by_role("alert")).to_contain_text("KEY=VALUE")
    page.reload()
    expect(page.get_by_label("Per document")).to_have_value("1")
    formats = page.get_by_label("Format").locator("option")
    expect(formats).to_have_text(["any", "csv", "docx", "html", "markdown", "mdx", "pdf"])
    page.get_by_label("Metadata").fill("team=web")
    expect(page.locator(".empty")).to_contain_text("Nothing found: no document has the key")


def test_passages_are_copied_for_a_prompt(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q={QUESTION}")
    page.get_by_text("Passages", exact=True).click()
    page.get_by_label("Tokens").fill("600")
    expect(page.locator(".passages-head p")).to_contain_text("of 600 tokens")
    page.get_by_role("button", name="Copy for a language model").click()
    expect(page.locator("#status")).to_have_text("Passages copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("[1] docs/handbook.md:")
    assert "API keys are valid for 90 days" in copied


def test_keyboard_alone_finds_opens_and_goes_to_the_document(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/documents")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.get_by_role("link", name="Search").focus()
    page.keyboard.press("Enter")
    question = page.get_by_label("Question")
    expect(question).to_be_focused()
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    titles = page.locator(".hit .title")
    expect(titles.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(titles.nth(1)).to_be_focused()
    page.keyboard.press("k")
    page.keyboard.press("ArrowUp")
    expect(question).to_be_focused()
    page.keyboard.press("Escape")
    expect(question).not_to_be_focused()
    expect(question).to_have_value(QUESTION)
    page.keyboard.press("j")
    expect(titles.first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".hit.open .answer")).to_be_visible()
    page.keyboard.press("p")
    expect(page.locator(".around h3")).to_have_text([re.compile("Parent: Larkmq on-call handbook")])
    page.keyboard.press("s")
    expect(page.locator(".around h3").first).to_contain_text("Siblings: ")
    page.keyboard.press("Escape")
    expect(page.locator(".opened")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("d")
    expect(page.locator(".piece.selected .label").first).to_contain_text("Key rotation")
    page.keyboard.press("/")
    expect(page.get_by_label("Question")).to_be_focused()


def test_keys_are_listed(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/documents")
    expect(page.locator("tbody tr").first).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("copy the citation of a hit")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_citation_and_text_are_copied(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q={QUESTION}")
    page.locator(".hit .title").first.click()
    citation = page.locator(".hit .citation").first.text_content()
    page.get_by_role("button", name="Copy citation").click()
    expect(page.locator("#status")).to_have_text("Citation copied")
    assert page.evaluate("navigator.clipboard.readText()") == citation
    page.keyboard.press("m")
    expect(page.locator("#status")).to_have_text("Text and citation copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"[1] {citation}\n\n## Key rotation")


def test_weak_match_is_called_so_and_nothing_is_said_plainly(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q=zeppelin upholstery")
    expect(page.locator(".results")).to_contain_text("No good match")
    expect(page.locator(".hit")).to_have_count(3)
    page.get_by_role("button", name=re.compile(r"^Show \d+ weaker matches$")).click()
    expect(page.locator(".hit").nth(3).locator(".title")).to_be_focused()
    page.get_by_label("Source").fill("nowhere/*")
    expect(page.locator(".results")).to_contain_text("Nothing found")


def test_impossible_question_shows_what_to_do(url: str, open_page: Open) -> None:
    page = open_page(url)
    page.get_by_label("Question").fill("-keys")
    expect(page.locator(".results")).not_to_be_empty()


def test_weaker_matches_are_folded(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q={QUESTION}")
    fold = page.get_by_role("button", name=re.compile("weaker match"))
    expect(fold).to_be_visible()
    shown = page.locator(".hit").count()
    fold.click()
    hits = httpx.get(f"{url}v1/search", params={"q": QUESTION, "limit": 20}).json()["hits"]
    expect(page.locator(".hit")).to_have_count(len(hits))
    assert shown == sum(not hit["is_weak"] for hit in hits) < len(hits)
    expect(fold).to_have_count(0)


def test_passages_are_folded_if_no_match_is_good(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q=zeppelin upholstery&as=passages")
    expect(page.locator(".results")).to_contain_text("No good match.")
    expect(page.locator(".passage")).to_have_count(0)
    page.get_by_role("button", name=re.compile(r"^Show \d+ weaker passages?$")).click()
    expect(page.locator(".passage a").first).to_be_focused()
    page.get_by_label("Question").fill(QUESTION)
    expect(page.locator(".passage").first).to_contain_text("Key rotation")
    expect(page.locator(".more")).to_have_count(0)


def test_server_that_has_ended_is_named(tmp_path: Path, open_page: Open) -> None:
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        with serving(index) as url:
            page = open_page(f"{url}#/search", failed="net::ERR_")
            expect(page.locator(".keys")).to_be_visible()
        page.get_by_label("Question").fill(QUESTION)
        expect(page.get_by_role("alert")).to_contain_text("The server does not answer.")


def test_hits_of_several_indexes_name_theirs_and_what_is_missing(open_page: Open, tmp_path: Path) -> None:
    for name in ("team", "notes"):
        with Index(tmp_path / name, embedder="static") as index:
            index.add_text(KEYS, source=f"{name}.md")
    with Index.join([tmp_path / name for name in ("team", "notes", "none")]) as joined, serving(joined) as url:
        page = open_page(url)
        page.get_by_label("Question").fill("rotation of keys")
        for name in ("team", "notes"):
            expect(page.locator(".hit .citation", has_text=f"{tmp_path / name}: {name}.md:").first).to_be_visible()
        expect(page.locator(".note").first).to_contain_text(
            f"Not searched: {tmp_path / 'none'}: there is no index here"
        )
