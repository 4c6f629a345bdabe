"""The evaluation of what people rated."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.server.page.conftest import Open
from tests.server.running import serving, write_documents

from crosshead.evaluation import Evidence, rate
from crosshead.index import Index


@pytest.fixture
def rated(tmp_path: Path) -> Iterator[tuple[str, Index]]:
    write_documents(tmp_path)
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path / "docs")
        with serving(index) as url:
            yield url, index


def test_two_settings_are_compared_on_rated_questions(rated: tuple[str, Index], open_page: Open) -> None:
    url, index = rated
    page = open_page(f"{url}#/evaluation")
    expect(page.locator(".empty")).to_contain_text("No ratings yet")
    rate(index.questions_file, "how long are backups kept", [Evidence("docs/notes.md", 5, 5)], good=True)
    rate(index.questions_file, "zyxw quux", [Evidence("docs/guide.md", 1, 3)], good=True)
    page.get_by_label("Mode").select_option("lexical")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("tbody tr").first).to_contain_text("first good hit (MRR@10)")
    expect(page.locator("thead th")).to_have_text(["", "now", "other settings", "difference of now"])
    expect(page.locator(".worst")).to_contain_text(", not within ten with the other settings")
    assert "mode=lexical" in page.url
    page.locator(".worst a").first.click()
    expect(page.get_by_label("Question")).to_have_value("zyxw quux")
