"""Make the pictures of the page that the README and the documentation show, from the sample documents.

usage: python -m docs.images.screenshots [docs/images]

Needs the test environment and a browser (chromium).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Literal, NamedTuple

from bench.serving.server import running_server
from PIL import Image
from playwright.sync_api import Browser, ViewportSize, sync_playwright

from crosshead import ids
from crosshead.index import Index

ROOT = Path(__file__).resolve().parents[2]
DESK, PHONE = ViewportSize(width=1200, height=720), ViewportSize(width=390, height=780)
ASKED = "#/search?q=how+do+I+rotate+keys"
IN_REPORT = "#/search?q=when+are+certificates+rotated&format=pdf"
CUT = f"#/chunks?document={ids.document_id('docs/handbook.md')}"
COLORS = 64
"""A few are enough, and a fourth of the size."""


class Picture(NamedTuple):
    """What to open, what to wait for and click on, and what shows that all is there."""

    name: str
    address: str
    shown: str
    click: str = ""
    size: ViewportSize = DESK
    scheme: Literal["light", "dark"] = "light"


PICTURES = (
    Picture("search", ASKED, shown=".hit .snippet"),
    Picture("hit", ASKED, click=".hit .title", shown=".hit.open .answer", scheme="dark"),
    Picture("reading", ASKED, click=".hit .citation a", shown=".steps:not([hidden])"),
    Picture("page", IN_REPORT, click=".hit .citation a", shown=".sheet img:not([hidden])"),
    Picture("phone", ASKED, shown=".hit .snippet", size=PHONE),
    Picture("chunks", f"{CUT}&max_tokens=100&line=7", shown=".verdict strong"),
    Picture("compare", f"{CUT}&max_tokens=200&compare=yes", shown=".label.differs .only"),
    Picture("documents", "#/documents", shown="tbody tr"),
)


def take(browser: Browser, url: str, picture: Picture, target: Path) -> None:
    page = browser.new_page(viewport=picture.size, color_scheme=picture.scheme)
    page.goto(f"{url}{picture.address}")
    if picture.click:
        page.locator(picture.click).first.click()
    page.locator(picture.shown).first.wait_for()
    page.wait_for_load_state("networkidle")
    page.screenshot(path=target)
    with Image.open(target) as taken:
        taken.convert("RGB").quantize(COLORS).save(target, optimize=True)


def main(target: Path) -> None:
    """Index the samples, serve them and take the pictures."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder), sync_playwright() as playwright:
        shutil.copytree(ROOT / "examples/docs", "docs")
        with Index(embedder="static") as index:
            index.add("docs")
        with running_server(Path(".crosshead")) as (url, _):
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            for picture in PICTURES:
                take(browser, url, picture, target / f"{picture.name}.png")
            browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs/images").resolve())
