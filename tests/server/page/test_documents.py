"""Documents, as somebody sees them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.server.page.conftest import Open, tab_to
from tests.server.running import serving, write_documents

from crosshead.index import Index


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """The address of a server with an empty index."""
    write_documents(tmp_path)
    with Index(tmp_path / ".crosshead", embedder="static") as index, serving(index) as url:
        yield url


def test_first_run_says_what_to_do_and_does_it(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/documents")
    expect(page.locator(".first-run")).to_contain_text("Nothing is indexed yet.")
    expect(page.locator(".first-run pre")).to_contain_text("crosshead index docs/")
    page.get_by_label("A file or folder below the root").fill("docs")
    page.get_by_role("button", name="Index").click()
    expect(page.locator("tbody tr")).to_have_count(2)
    expect(page.locator("tbody tr").first).to_contain_text("docs/guide.md")
    expect(page.locator("tbody tr").first).to_contain_text("ready")


def test_upload_search_and_remove(url: str, open_page: Open, tmp_path: Path) -> None:
    page = open_page(f"{url}#/documents")
    upload = {
        "name": "coffee.md",
        "mimeType": "text/markdown",
        "buffer": b"# Coffee\n\nThe machine is cleaned on Fridays.\n",
    }
    page.locator("#files").set_input_files(upload)
    expect(page.locator("tbody th")).to_contain_text("uploads/coffee.md")
    assert (tmp_path / "uploads/coffee.md").exists()
    page.get_by_role("link", name="Search").click()
    page.get_by_label("Question").fill("when is the machine cleaned")
    expect(page.locator(".hit .citation").first).to_have_text("uploads/coffee.md:1-3")
    page.get_by_role("link", name="Documents").click()
    page.get_by_role("button", name="Re-index uploads/coffee.md").click()
    page.get_by_role("button", name="Remove uploads/coffee.md").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_role("button", name="Remove uploads/coffee.md").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.locator(".first-run")).to_be_visible()
    assert not (tmp_path / "uploads/coffee.md").exists()


def test_uploads_carry_metadata_and_searches_filter_by_it(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/documents")
    page.get_by_label("Metadata of uploads").fill("team=infra; tags=a,b; year=2026")
    for name in ("coffee.md", "tea.md"):
        file = {"name": name, "mimeType": "text/markdown", "buffer": b"# Drinks\n\nServed on Fridays.\n"}
        page.locator("#files").set_input_files(file)
        expect(page.get_by_role("link", name="Drinks")).to_have_count(1 if name == "coffee.md" else 2)
        page.get_by_label("Metadata of uploads").fill("")
    expect(page.locator("tbody .metadata")).to_have_text(['tags=["a","b"]; team=infra; year=2026'])
    page.get_by_role("link", name="Search").click()
    page.get_by_label("Question").fill("drinks on fridays")
    expect(page.locator(".hit .citation")).to_have_count(2)
    page.get_by_text("More filters").click()
    page.get_by_label("Metadata").fill("tags=b; year>=2026")
    expect(page.locator(".hit .citation")).to_have_text(["uploads/coffee.md:1-3"])
    page.get_by_label("Metadata").fill("tags=c; year>=2026")
    expect(page.locator(".results")).to_contain_text("no document has tags=c; known tags: a, b")


def test_keyboard_alone_indexes_and_removes(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/documents")
    tab_to(page.get_by_label("A file or folder below the root"))
    page.keyboard.type("docs")
    page.keyboard.press("Enter")
    expect(page.locator("tbody tr")).to_have_count(2)
    tab_to(page.get_by_role("button", name="Remove docs/guide.md"))
    page.keyboard.press("Enter")
    tab_to(page.get_by_role("button", name="Remove", exact=True))
    page.keyboard.press("Enter")
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody tr")).to_contain_text("docs/notes.md")


def test_failures_are_shown_with_their_reasons(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/documents")
    broken = {"name": "broken.docx", "mimeType": "application/octet-stream", "buffer": b"PK\x03\x04 no archive"}
    page.locator("#files").set_input_files(broken)
    expect(page.locator(".jobs .failed")).to_contain_text("uploads/broken.docx")
    expect(page.locator(".jobs .failed .state")).to_have_text(re.compile("^(?!uploads).*not DOCX"))
    page.get_by_role("button", name="Dismiss uploads/broken.docx").click()
    expect(page.locator(".jobs li")).to_have_count(0)
    page.reload()
    expect(page.locator(".first-run")).to_be_visible()
    expect(page.locator(".jobs li")).to_have_count(0)


def test_many_failures_are_folded(url: str, open_page: Open, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"docs/{name}.docx").write_bytes(b"PK\x03\x04 no archive")
    page = open_page(f"{url}#/documents")
    page.get_by_label("A file or folder below the root").fill("docs")
    page.get_by_role("button", name="Index").click()
    failed = page.locator(".jobs .failed")
    expect(failed.locator("summary")).to_have_text("2 documents failed")
    expect(failed.locator("p").first).to_be_hidden()
    failed.locator("summary").click()
    expect(failed.locator("p").first).to_contain_text("docs/one.docx: ")


def test_search_of_an_empty_index_shows_how_to_fill_it(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q=backups")
    expect(page.locator(".first-run pre")).to_contain_text("crosshead index docs/")
    upload = {"name": "coffee.md", "mimeType": "text/markdown", "buffer": b"# Coffee\n\nThe machine is cleaned.\n"}
    page.locator("#files").set_input_files(upload)
    expect(page.locator("tbody th")).to_contain_text("uploads/coffee.md")


def test_many_documents_come_page_by_page(url: str, open_page: Open, tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"docs/{number:02}.md").write_text(f"# Page {number}\n\nWords.\n")
    page = open_page(f"{url}#/documents")
    page.get_by_label("A file or folder below the root").fill("docs")
    page.get_by_role("button", name="Index").click()
    expect(page.locator("tbody tr")).to_have_count(50)
    page.get_by_role("button", name="Show more").click()
    expect(page.locator("tbody tr")).to_have_count(62)
    page.get_by_label("Filter by source").fill("GUIDE")
    expect(page.locator("tbody tr")).to_have_count(1)
