"""Reading: a document with what a search found, as somebody sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.server.page.conftest import Open
from tests.server.running import serving

from crosshead import ids
from crosshead.index import Index

QUESTION = "how do I rotate keys"
HANDBOOK = ids.document_id("docs/handbook.md")
TRICKY = """\
---
title: Tricky
---

# Tricky 😀

Before **the** part, with a [link](https://example.org/a).

> Quoted *words* and `code` here.
> More of them.

| Name | What |
|------|------|
| one  | a \\| b |
| two  | c |

1. First &amp; last
2. Second

```py
\tprint("tab")
```

[link]: https://example.org/defined
"""


def marked_text(page: Page) -> str:
    """What is marked, without white space."""
    page.locator(".cited").first.wait_for()
    return "".join("".join(page.locator(".cited").all_text_contents()).split())


def visible_outline_entry(page: Page) -> str:
    return page.locator(".outline [aria-current]").inner_text()


def test_hit_is_read_in_its_document_with_exactly_its_text_marked(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q={QUESTION}")
    page.locator(".hit .citation a").first.click()
    hit = httpx.get(f"{url}v1/search", params={"q": QUESTION}).json()["hits"][0]
    expect(page.locator(".reading-head h1")).to_have_text(hit["title"])
    expect(page.locator(".where")).to_have_text(hit["citation"])
    expect(page.locator(".cited").first).to_be_in_viewport()
    plain = re.sub(r"(?m)^[>\s]*(```.*$|\d+\. |- |#+ |(?=\S))|^>$|\]\([^)]*\)|[*`\[\s]", "", hit["content"])
    assert marked_text(page) == plain
    expect(page.locator(".cited mark").first).to_be_visible()  # the words of the question
    expect(page.locator(".outline [aria-current]")).to_have_text("Key rotation")
    assert page.locator(".block .line", has_text=re.compile(r"^\d+$")).count() > 5


def test_deep_link_survives_reload_and_the_way_back(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q={QUESTION}&per_document=1")
    page.locator(".hit .title").first.click()
    page.get_by_role("link", name="Read in document").click()
    expect(page.locator(".steps")).to_contain_text("Hit 1 of")
    before = marked_text(page)
    page.reload()
    expect(page.locator(".steps")).to_contain_text("Hit 1 of")
    assert marked_text(page) == before
    other = open_page(page.url)
    expect(other.locator(".cited").first).to_be_in_viewport()
    page.go_back()
    expect(page.locator(".hit.open")).to_be_visible()
    expect(page.get_by_label("Question")).to_have_value(QUESTION)
    page.go_forward()
    expect(page.locator(".cited").first).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator(".hit").first).to_be_visible()
    assert "per_document=1" in page.url


def test_keys_go_from_hit_to_hit_through_documents(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q={QUESTION}")
    page.locator(".hit .title").first.focus()
    page.keyboard.press("r")
    hits = httpx.get(f"{url}v1/search", params={"q": QUESTION, "limit": 20}).json()["hits"]
    good = [hit for hit in hits if not hit["is_weak"]]
    assert len({hit["source"] for hit in good}) > 1
    for at, hit in enumerate(good):
        expect(page.locator(".steps")).to_contain_text(f"Hit {at + 1} of {len(good)}")
        expect(page.locator(".where")).to_have_text(hit["citation"])
        expect(page.locator(".cited").first).to_be_in_viewport()
        page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator(".where")).to_have_text(good[-2]["citation"])
    page.keyboard.press("c")
    expect(page.locator("#status")).to_have_text("Citation copied")
    assert page.evaluate("navigator.clipboard.readText()") == good[-2]["citation"]
    page.go_back()  # the steps are not in the history
    expect(page.locator(".hit").first).to_be_visible()


def test_outline_follows_and_leads(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/read?document={HANDBOOK}")
    expect(page.locator(".outline [aria-current]")).to_have_text("Larkmq on-call handbook")
    page.locator(".reader").evaluate("element => { element.scrollTop = element.scrollHeight; }")
    last = page.locator(".outline .entry").last
    expect(page.locator(".outline [aria-current]")).not_to_have_text("Larkmq on-call handbook")
    page.get_by_role("button", name="Key rotation").click()
    expect(page.locator(".outline [aria-current]")).to_have_text("Key rotation")
    expect(page.locator(".reader .heading", has_text="Key rotation").first).to_be_in_viewport()
    address = page.url
    assert re.search(r"line=\d+", address)
    page.goto(f"{url}#/documents")
    expect(page.locator("tbody tr").first).to_be_visible()
    page.goto(address)
    expect(page.locator(".outline [aria-current]")).to_have_text("Key rotation")
    assert last.is_visible()


def test_chunks_are_one_click_away(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q={QUESTION}")
    page.locator(".hit .citation a").first.click()
    page.locator(".cited").first.wait_for()
    page.get_by_role("link", name="Chunks d").click()
    expect(page.locator(".piece.selected .label").first).to_contain_text("Key rotation")


def test_documents_and_links_between_them_are_read(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/documents")
    page.get_by_role("link", name="Larkmq API").click()
    expect(page.locator(".reader")).to_contain_text("Larkmq API")
    page.locator(".reader a", has_text="handbook").first.click()
    expect(page.locator(".reading-head h1")).to_have_text("Larkmq on-call handbook")
    assert f"document={HANDBOOK}" in page.url
    page.goto(f"{url}#/read?path=docs/missing.md")
    expect(page.get_by_role("alert")).to_have_text("docs/missing.md is not indexed.")


@pytest.fixture
def changing(tmp_path: Path) -> Iterator[tuple[str, Index]]:
    """The address of a server, and its index."""
    (tmp_path / "tricky.md").write_text(TRICKY)
    (tmp_path / "page.html").write_text("<h1>Page</h1><p>Some text.<script>alert(1)</script>")
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path)
        with serving(index) as url:
            yield url, index


@pytest.mark.parametrize(
    "part",
    ["part, with a [link", "*words* and `code", "two  | c", "First &amp; last", 'print("tab")', "Tricky 😀", "More of"],
)
def test_any_part_of_a_text_is_marked(changing: tuple[str, Index], open_page: Open, part: str) -> None:
    url, index = changing
    document = index.document(ids.document_id("tricky.md"))
    assert document
    start = document.text.index(part)
    page = open_page(f"{url}#/read?document={document.id}&span={start}-{start + len(part)}")
    plain = re.sub(r"[*`|\s\[]", "", part).replace("&amp;", "&")
    assert marked_text(page) == plain
    page.close()


def test_changed_file_is_called_so(changing: tuple[str, Index], open_page: Open, tmp_path: Path) -> None:
    url, index = changing
    page = open_page(f"{url}#/read?document={ids.document_id('tricky.md')}&span=20-40")
    expect(page.get_by_role("link", name="Original o")).to_be_visible()
    expect(page.get_by_role("note")).to_be_hidden()
    (tmp_path / "tricky.md").write_text("# Another text\n\nWords that nobody indexed.\n")
    page.reload()
    expect(page.get_by_role("note")).to_contain_text("its file has changed since it was indexed")
    expect(page.get_by_role("link", name="Original o")).to_have_count(0)
    expect(page.locator(".reader")).to_contain_text("Tricky")
    index.add(tmp_path / "tricky.md")
    page.reload()
    expect(page.get_by_role("note")).to_contain_text("indexed again after this link was made")
    page.close()


def test_original_is_never_run_by_the_browser(changing: tuple[str, Index], open_page: Open) -> None:
    url, _ = changing
    page = open_page(f"{url}#/read?document={ids.document_id('page.html')}")
    expect(page.locator(".reader")).to_contain_text("Some text.")
    with page.expect_download() as download:
        page.get_by_role("link", name="Original o").click()
    assert download.value.suggested_filename == "page.html"
    assert Path(download.value.path()).read_text().startswith("<h1>Page</h1>")
    page.close()


def test_document_of_five_megabytes_stays_smooth(tmp_path: Path, open_page: Open) -> None:
    part = "## Part {0}\n\n" + "Words that go on and on, for part {0}. " * 30 + "\n\n```\ncode {0}\n```\n\n"
    text = "# Large 😀\n\n" + "".join(part.format(number) for number in range(4200))
    assert len(text) > 5_000_000
    (tmp_path / "large.md").write_text(text)
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path / "large.md")
        with serving(index) as url:
            start = text.index("part 3000. ")
            page = open_page(f"{url}#/read?document={ids.document_id('large.md')}&span={start}-{start + 9}")
            expect(page.locator(".cited")).to_have_text("part 3000", timeout=60_000)
            expect(page.locator(".cited")).to_be_in_viewport()
            expect(page.locator(".outline [aria-current]")).to_have_text("Part 3000")
            for share in (0.2, 1, 0.6):
                page.locator(".reader").evaluate(
                    "(element, share) => { element.scrollTop = share * element.scrollHeight; }", share
                )
                page.wait_for_timeout(100)
                assert 0 < page.locator(".block").count() < 150
                assert 0 < page.locator(".outline .entry").count() < 150
                headings = page.locator(".reader .heading p").all_text_contents()
                assert headings
                assert headings == sorted(headings, key=lambda title: int(title.split()[1]))
            expect(page.locator(".outline [aria-current]")).to_have_text(re.compile("Part 2[45]"))
            assert page.evaluate("document.documentElement.outerHTML.length") < 500_000
            page.close()


def test_links_of_the_section_that_is_read(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/read?document={HANDBOOK}")
    page.get_by_text("Links", exact=True).click()
    to = page.locator(".link-lists section", has_text="Links to")
    expect(to.locator("li").first).to_contain_text("docs/api-reference.md")
    expect(page.locator(".link-lists section", has_text="Linked from").locator("li").first).to_contain_text(
        "docs/api-reference.md:"
    )
    to.locator("a", has_text="API reference").nth(1).click()
    expect(page.locator(".where")).to_contain_text("docs/api-reference.md")
    expect(page.locator(".outline [aria-current]")).to_have_text("Retry schedule")
