"""Everybody can use the page: in light and dark, on a phone, with a screen reader, and with a token."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.server.page.conftest import ROOT, Open
from tests.server.running import serving

from crosshead import ids
from crosshead.index import Index

AXE = ROOT / ".venv/axe/node_modules/axe-core/axe.min.js"
HANDBOOK = ids.document_id("docs/handbook.md")
REPORT = ids.document_id("docs/incident-report.pdf")
VIEWS = {
    "search": ("#/search?q=how do I rotate keys", ".hit"),
    "passages": ("#/search?q=how do I rotate keys&as=passages", ".passage"),
    "welcome": ("#/search", ".welcome"),
    "read": (f"#/read?q=how do I rotate keys&document={HANDBOOK}&span=200-900", ".cited"),
    "pages": (f"#/read?document={REPORT}&span=200-900", ".sheet img[alt]"),
    "chunks": (f"#/chunks?document={HANDBOOK}&line=40", ".verdict strong"),
    "compare": (f"#/chunks?document={HANDBOOK}&compare=yes", ".verdict strong"),
    "chooser": ("#/chunks", ".chooser"),
    "documents": ("#/documents", "tbody tr"),
    "evaluation": ("#/evaluation", ".evaluated .empty"),
    "docs": ("docs#Hit", "details[open]"),
}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}},
}


@pytest.fixture(params=VIEWS)
def view(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A view, and what shows that it is there."""
    return VIEWS[request.param]


@pytest.mark.parametrize("look", LOOKS)
def test_every_view_fits_and_can_be_used_by_everybody(
    url: str, open_page: Open, view: tuple[str, str], look: str
) -> None:
    address, sign = view
    page = open_page(url + address, **LOOKS[look])
    expect(page.locator(sign).first).to_be_visible()
    if sign == ".hit":
        page.locator(".hit .title").first.click()
        expect(page.locator(".answer")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.screenshot()
    assert serious_violations(page) == []


def test_long_names_and_large_numbers_fit_on_a_phone(tmp_path: Path, open_page: Open) -> None:
    name = "readableWebStreamWithOptions" * 4
    (tmp_path / f"{name}.md").write_text(f"# {name}\n\n## {name}.first\n\n" + f"Words of the {name}. " * 9_000)
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path / f"{name}.md")
        with serving(index) as url:
            document = ids.document_id(f"{name}.md")
            views = ("#/search?q=words", ".hit"), ("#/documents", "tbody tr"), (f"#/read?document={document}", ".block")
            for address, sign in views:
                page = open_page(url + address, **LOOKS["phone"])
                expect(page.locator(sign).first).to_be_visible()
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
                page.close()


def serious_violations(page: Page) -> list[str]:
    """What axe-core finds that keeps somebody from using the page."""
    if not AXE.exists():
        pytest.skip("NOT TESTED: there is no axe-core; `make test` installs it where there is npm")
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{each['id']}: {node['html'][:200]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def test_theme_can_be_chosen(url: str, open_page: Open) -> None:
    page = open_page(url, color_scheme="light")
    light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    for name in ("light", "dark"):
        page.locator("#theme").click()
        expect(page.locator("#theme")).to_have_text(f"Theme: {name}")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != light
    page.reload()
    expect(page.locator("#theme")).to_have_text("Theme: dark")


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[str]:
    """The address of a server that wants a token."""
    with Index(tmp_path / ".crosshead", embedder="static") as index, serving(index, token="secret") as url:
        yield url


def test_page_asks_for_the_token(guarded: str, browser: Any) -> None:
    assert httpx.get(f"{guarded}v1/status").status_code == 401
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{guarded}#/documents")
        for token in ("wrong", "secret"):
            page.get_by_role("textbox", name="Token").fill(token)
            page.get_by_role("button", name="Continue").click()
        expect(page.locator(".first-run")).to_be_visible()
        assert "secret" not in page.url
