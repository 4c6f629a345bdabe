"""Make the picture of the page that the README shows, from the sample documents.

usage: python bench/screenshot.py [docs/chunks.png]

Needs the test environment and a browser (chromium).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from crosshead import ids
from crosshead.index import Index
from serve import running_server

ROOT = Path(__file__).parent.parent
SIZE = {"width": 1200, "height": 720}


def main(target: str) -> None:
    """Index the samples, open the page and take the picture."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        shutil.copytree(ROOT / "examples/docs", Path(folder) / "docs")
        with Index(Path(folder) / ".crosshead", embedder="static") as index:
            index.add(Path(folder) / "docs")
        with running_server(Path(folder) / ".crosshead") as (url, _):
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_page(viewport=SIZE, color_scheme="light")
            page.goto(f"{url}#/chunks?document={ids.document_id('docs/handbook.md')}&max_tokens=100&line=7")
            page.locator(".verdict strong").wait_for()
            page.screenshot(path=target)
            browser.close()
    with Image.open(target) as picture:  # a few colors are enough, and a fourth of the size
        picture.convert("RGB").quantize(64).save(target, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "docs/chunks.png"))
