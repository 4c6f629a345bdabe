"""Chunks, as somebody sees them."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Page, expect
from tests.server.page.conftest import Open, tab_to

import crosshead
from crosshead import ids

HANDBOOK = ids.document_id("docs/handbook.md")
EMOJI = "# One 😀\n\n😀😀 First words here.\n\n# Two\n\nSecond words here.\n"


def drag(page: Page, name: str, value: int) -> None:
    page.get_by_label(name, exact=True).fill(str(value))


def test_indexed_document_shows_its_chunks_and_why(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/chunks?document={HANDBOOK}")
    expect(page.locator(".verdict")).to_have_text("8 chunks · 0 violations, 100 % covered")
    expect(page.locator(".piece .label").first).to_contain_text("lines 1–")
    page.get_by_role("button", name="Key rotation", exact=False).first.click()
    expect(page.locator(".inspector h2")).to_have_text("Key rotation")
    expect(page.locator(".notes li").first).to_contain_text("begins before a heading")
    expect(page.locator(".rendered")).to_contain_text("## Key rotation")
    page.get_by_role("button", name="Parent").click()
    expect(page.locator(".inspector .facts")).to_contain_text("chunk 1")
    expect(page.locator(".histogram svg")).to_be_visible()


def test_dragging_cuts_again(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/chunks?document={HANDBOOK}")
    expect(page.locator(".verdict")).to_contain_text("8 chunks")
    drag(page, "Max tokens", 150)
    count = len(crosshead.chunk(Path("examples/docs/handbook.md"), max_tokens=150))
    expect(page.locator(".verdict")).to_have_text(f"{count} chunks · 0 violations, 100 % covered")
    assert "max_tokens=150" in page.url
    drag(page, "Min tokens", 0)
    drag(page, "Target tokens", 300)
    page.get_by_label("Oversize").select_option("split")
    page.get_by_label("Strategy").select_option("fixed")
    expect(page.locator(".verdict")).to_contain_text("0 violations")


def test_settings_are_copied_for_everywhere(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/chunks?document={HANDBOOK}&max_tokens=150&oversize=split")
    expect(page.locator(".verdict")).to_contain_text("0 violations")
    page.get_by_role("button", name="Copy these settings").click()
    copied = {
        "Command line": "--oversize split --max-tokens 150",
        "crosshead.toml": '[chunk]\noversize = "split"\nmax_tokens = 150',
        "Python": 'oversize="split", max_tokens=150',
    }
    for name, text in copied.items():
        page.get_by_role("button", name=f"Copy for {name}").click()
        expect(page.locator("#status")).to_have_text(f"{name} copied")
        assert page.evaluate("navigator.clipboard.readText()") == text
    count = len(crosshead.chunk(Path("examples/docs/handbook.md"), oversize="split", max_tokens=150))
    expect(page.locator(".verdict")).to_contain_text(f"{count} chunks")


def test_pages_are_shown_where_there_are_pages(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/chunks?document={ids.document_id('docs/incident-report.pdf')}&line=1")
    expect(page.locator(".piece .label .facts").first).to_contain_text("p. 1 · ")
    expect(page.locator(".inspector .facts")).to_contain_text("chunk 1 · p. 1 · ")


def test_two_settings_side_by_side(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/chunks?document={HANDBOOK}&max_tokens=200")
    expect(page.locator(".document")).to_have_count(1)
    page.get_by_label("Compare two settings").check()
    told = re.compile(r"^\d+ chunks · 0 violations, 100 % covered · \d+ cuts only here$")
    expect(page.locator(".verdict")).to_have_text([told, told])
    expect(page.locator(".document")).to_have_count(2)
    expect(page.locator(".label.differs .only").first).to_have_text("cut here only")
    windows = len(crosshead.chunk(Path("examples/docs/handbook.md"), strategy="fixed", max_tokens=200))
    expect(page.locator(".verdict").last).to_contain_text(f"{windows} chunks")  # of the same size, until another is set
    page.locator(".document").first.evaluate("element => { element.scrollTop = 2000; }")
    second = page.locator(".document").last
    follows = (second.evaluate("element => element.scrollTop") > 500 or page.wait_for_timeout(20) for _ in range(250))
    assert any(follows)


def test_any_two_settings_are_compared(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/chunks?document={HANDBOOK}&compare=yes&max_tokens=200&other_strategy=section")
    other = page.get_by_role("group", name="Compared with")
    other.get_by_label("Max tokens").fill("120")
    sizes = [len(crosshead.chunk(Path("examples/docs/handbook.md"), max_tokens=each)) for each in (200, 120)]
    expect(page.locator(".verdict")).to_contain_text([f"{size} chunks · 0 violations" for size in sizes])
    expect(page.locator(".document").last.locator(".label.differs").first).to_be_visible()
    page.locator(".document").last.locator(".piece .label").first.click()
    expect(page.locator(".inspector .facts")).to_contain_text("chunk 1 ")
    assert "other_max_tokens=120" in page.url
    other.get_by_label("Max tokens").fill("200")
    expect(page.locator(".verdict").first).to_contain_text("0 cuts only here")


def test_link_goes_to_a_line_inside_a_long_chunk(url: str, open_page: Open, tmp_path: Path) -> None:
    code = "\n".join(f"line {number}" for number in range(1, 400))
    text = f"# Long\n\n```\n{code}\n```\n"
    page = open_page(f"{url}#/chunks?line=303")
    page.get_by_label("Text to cut").fill(text)
    page.get_by_role("button", name="Show its chunks").click()
    expect(page.get_by_text("line 300", exact=False).first).to_be_in_viewport()


def test_pasted_text_is_cut_and_exported(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/chunks")
    page.get_by_label("Text to cut").fill(EMOJI)
    page.get_by_role("button", name="Show its chunks").click()
    expect(page.locator(".verdict")).to_contain_text("2 chunks · 0 violations, 100 % covered")
    expect(page.locator(".piece pre").nth(1)).to_have_text("# Two\n\nSecond words here.")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export JSON").click()
    chunks = [json.loads(line) for line in Path(download.value.path()).read_text().splitlines()]
    assert [each["schema"] for each in chunks] == ["crosshead.chunk/1"] * 2
    assert [each["start"] for each in chunks] == [each.start for each in crosshead.chunk(EMOJI)]


def test_file_of_any_format_is_cut(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/chunks")
    page.locator("#file").set_input_files("examples/docs/agreement.docx")
    expect(page.locator(".document-head h2")).to_have_text("Service agreement")
    expect(page.locator(".verdict")).to_contain_text("0 violations")


def test_file_that_cannot_be_read_says_why(url: str, open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04 no archive")
    page = open_page(f"{url}#/chunks", refused=422)
    page.locator("#file").set_input_files(tmp_path / "broken.docx")
    expect(page.locator(".problem")).to_contain_text("broken.docx")


def test_keys_go_from_chunk_to_chunk(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/chunks?document={HANDBOOK}")
    expect(page.locator(".verdict")).to_contain_text("8 chunks")
    page.locator(".document").first.focus()
    for key, number in (("j", 1), ("j", 2), ("j", 3), ("k", 2)):
        page.keyboard.press(key)
        expect(page.locator(".inspector .facts")).to_contain_text(f"chunk {number} ")


def test_keyboard_alone_cuts_a_text(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/chunks")
    tab_to(page.get_by_label("Text to cut"))
    page.keyboard.insert_text(EMOJI)
    tab_to(page.get_by_role("button", name="Show its chunks"))
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_have_text("2 chunks · 0 violations, 100 % covered")
    tab_to(page.get_by_label("Max tokens"))
    page.keyboard.press("Home")
    expect(page.locator(".slider output").first).to_have_text("40")
    tab_to(page.locator(".document"))
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator(".inspector h2")).to_have_text("Two")
    tab_to(page.get_by_role("button", name="Previous"))
    page.keyboard.press("Enter")
    expect(page.locator(".inspector h2")).to_have_text("One 😀")


def test_indexed_document_is_picked_by_its_source(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/chunks")
    page.get_by_label("Indexed document").fill("docs/prices.csv")
    expect(page.locator(".verdict")).to_contain_text("1 chunk ·")


def test_large_document_is_never_in_the_page_as_a_whole(url: str, open_page: Open) -> None:
    part = "## Part {}\n\n" + "Words that go on and on. " * 60 + "\n\n"
    text = "# Large\n\n" + "".join(part.format(number) for number in range(1400))
    assert len(text) > 2_000_000
    page = open_page(f"{url}#/chunks")
    page.locator("#file").set_input_files({"name": "large.md", "mimeType": "text/markdown", "buffer": text.encode()})
    expect(page.locator(".verdict")).to_contain_text("0 violations", timeout=60_000)
    for share in (0.5, 1, 0.25):
        page.locator(".document").first.evaluate(
            "(element, share) => { element.scrollTop = share * element.scrollHeight; }", share
        )
        page.wait_for_timeout(100)
        assert 0 < page.locator(".piece").count() < 100
        visible = page.evaluate(
            "() => { const box = document.querySelector('.document').getBoundingClientRect();"
            " const middle = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
            " return middle.closest('.piece') !== null; }"
        )
        assert visible
    page.locator(".document").first.evaluate("element => { element.scrollTop = element.scrollHeight; }")
    expect(page.locator(".piece").last).to_be_visible()
    assert page.evaluate("document.documentElement.outerHTML.length") < 1_500_000
