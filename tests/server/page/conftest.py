"""A real browser, and pages in it that may not complain and may not ask anybody but their server."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright
from tests.server.running import serving

from crosshead.index import Index

ROOT = Path(__file__).parents[3]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip

PATIENCE = 30_000
"""Milliseconds until something counts as missing: other tests may have all processors."""

Open = Callable[..., Page]

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, as the system has it."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("NOT TESTED: there is no browser; install chromium and run again")
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=program, args=FLAGS) as browser:
        yield browser


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the sample documents."""
    root = tmp_path_factory.mktemp("samples")
    shutil.copytree(ROOT / "examples/docs", root / "docs")
    with Index(root / ".crosshead", embedder="static") as index:
        index.add(root / "docs")
        with serving(index) as url:
            yield url


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens pages; whatever one of them complains about, or asks elsewhere, fails the test."""
    complaints: list[str] = []

    def open_at(address: str, *, refused: int | None = None, failed: str = "", **options: Any) -> Page:
        """Open a page; the browser logs an answer with the status `refused`, or an error, which the test asks for."""
        known = f"Failed to load resource: {failed or f'the server responded with a status of {refused}'}"
        server = "/".join(address.split("/")[:3])
        options = {"viewport": {"width": 1280, "height": 860}, **options}
        context = stack.enter_context(browser.new_context(**options))
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: _is_bad(message, known) and complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: _is_foreign(request.url, server) and complaints.append(request.url))
        page.goto(address)
        return page

    with ExitStack() as stack:
        yield open_at
    assert complaints == []


def tab_to(target: Locator) -> None:
    """Go on with the keyboard alone until something has the focus."""
    target.wait_for()
    for _ in range(60):
        if target.evaluate("element => element === document.activeElement"):
            return
        target.page.keyboard.press("Tab")
    raise AssertionError(f"{target} cannot be reached with the keyboard")


def _is_bad(message: ConsoleMessage, known: str) -> bool:
    return message.type in ("error", "warning") and not message.text.startswith(known)


def _is_foreign(url: str, server: str) -> bool:
    return not url.startswith((server, "blob:", "data:"))
