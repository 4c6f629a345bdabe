"""The pages of a PDF with what a search found, as somebody sees them."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
from playwright.sync_api import Page, expect
from reportlab.pdfgen.canvas import Canvas
from tests.server.page.conftest import Open
from tests.server.running import serving

from crosshead import ids
from crosshead.index import Index

QUESTION = "when do we rotate certificates before they expire"
REPORT = ids.document_id("docs/incident-report.pdf")
YELLOW = """
async () => {
  const image = document.querySelector(".sheet img");
  await image.decode();
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let colored = 0;
  for (let at = 0; at < data.length; at += 4) colored += data[at] - data[at + 2] > 60;
  return colored;
}"""
"""The number of pixels of the page that a marker has colored."""


def printed(path: Path, pages: int) -> None:
    """Print a PDF of several pages, each with a heading and a sentence."""
    canvas = Canvas(str(path))
    for number in range(1, pages + 1):
        canvas.setFont("Helvetica-Bold", 18)
        canvas.drawString(72, 760, f"Chapter {number}")
        canvas.setFont("Helvetica", 11)
        canvas.drawString(72, 720, f"The valve number {number} is opened by the engineer on duty.")
        canvas.showPage()
    canvas.save()


def shown_page(page: Page) -> None:
    page.locator(".sheet img:not([hidden])").wait_for()


def test_hit_opens_its_page_with_the_cited_lines_marked(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q={QUESTION}&format=pdf")
    page.locator(".hit .citation a").first.click()
    hit = httpx.get(f"{url}v1/search", params={"q": QUESTION, "format": "pdf"}).json()["hits"][0]
    shown_page(page)
    expect(page.locator(".pages-bar")).to_contain_text(f"Page {hit['pages'][0]} of ")
    expect(page.locator(".sheet img")).to_have_attribute("alt", re.compile("with the cited text marked"))
    assert page.evaluate(YELLOW) > 500
    expect(page.locator(".reader .cited").first).to_be_in_viewport()  # the text next to it
    address = f"{url}v1/documents/{REPORT}/pages/{hit['pages'][0]}"
    box = httpx.get(address, params={"highlight": f"{hit['start']}-{hit['end']}"}).json()["boxes"][0]
    sheets = page.locator(".sheets").evaluate("element => [element.scrollTop, element.clientHeight]")
    scale = page.locator(".sheet").evaluate("element => element.clientWidth") / 612
    assert sheets[0] <= box["top"] * scale < sheets[0] + sheets[1]


def test_pages_are_turned_and_enlarged(tmp_path: Path, open_page: Open) -> None:
    printed(tmp_path / "valves.pdf", 5)
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path / "valves.pdf")
        with serving(index) as url:
            page = open_page(f"{url}#/read?document={ids.document_id('valves.pdf')}")
            shown_page(page)
            expect(page.locator(".pages-bar")).to_contain_text("Page 1 of 5")
            expect(page.get_by_role("button", name="Previous page")).to_be_disabled()
            assert page.evaluate(YELLOW) == 0
            page.get_by_role("button", name="Next page").click()
            page.keyboard.press("ArrowRight")
            expect(page.locator(".pages-bar")).to_contain_text("Page 3 of 5")
            expect(page.locator(".reader p", has_text="Chapter 3")).to_be_in_viewport()
            assert "page=3" in page.url
            page.reload()
            expect(page.locator(".pages-bar")).to_contain_text("Page 3 of 5")
            shown_page(page)
            expect(page.locator(".reader p", has_text="Chapter 3")).to_be_in_viewport()
            width = page.locator(".sheet").evaluate("element => element.clientWidth")
            page.get_by_role("button", name="Larger").click()
            page.keyboard.press("+")
            assert page.locator(".sheet").evaluate("element => element.clientWidth") >= 1.45 * width
            sharp = "element => element.naturalWidth >= element.clientWidth"
            picture = page.locator(".sheet img")
            assert any(picture.evaluate(sharp) or page.wait_for_timeout(50) for _ in range(400))
            page.get_by_role("button", name="Smaller").click()
            page.keyboard.press("-")
            assert page.locator(".sheet").evaluate("element => element.clientWidth") == width
            (tmp_path / "valves.pdf").unlink()
            page.reload()
            expect(page.get_by_role("note")).to_contain_text("its file is gone")
            expect(page.locator(".reader")).to_contain_text("The valve number 2")
            expect(page.locator(".pages")).to_have_count(0)
            page.close()


def test_page_follows_the_text(tmp_path: Path, open_page: Open) -> None:
    printed(tmp_path / "valves.pdf", 40)
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path / "valves.pdf")
        with serving(index) as url:
            page = open_page(f"{url}#/read?document={ids.document_id('valves.pdf')}")
            shown_page(page)
            page.wait_for_timeout(300)  # the user scrolls after that
            page.locator(".reader").evaluate("element => { element.scrollTop = element.scrollHeight / 2; }")
            expect(page.locator(".pages-bar")).to_contain_text(re.compile(r"Page (19|2\d) of 40"))
            page.close()


def test_hit_on_the_second_page_of_a_block(tmp_path: Path, open_page: Open) -> None:
    canvas = Canvas(str(tmp_path / "log.pdf"))
    for first in (0, 40):
        canvas.setFont("Courier", 11)
        for line in range(first, first + 40):
            canvas.drawString(
                72, 760 - 16 * (line - first), f"{line:02}:15 valve {line} opened, pressure {line * 7} kPa"
            )
        canvas.showPage()
    canvas.save()
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path / "log.pdf")
        document = index.document(ids.document_id("log.pdf"))
        assert document
        start = document.text.index("60:15")
        with serving(index) as url:
            page = open_page(f"{url}#/read?document={document.id}&span={start}-{document.text.index('61:15')}")
            shown_page(page)
            expect(page.locator(".pages-bar")).to_contain_text("Page 2 of 2")
            assert page.evaluate(YELLOW) > 200
            page.close()


def test_page_or_text_on_a_phone(url: str, open_page: Open) -> None:
    address = f"{url}#/search?q={QUESTION}&format=pdf"
    page = open_page(address, viewport={"width": 390, "height": 844})
    page.locator(".hit .citation a").first.click()
    shown_page(page)
    expect(page.locator(".reader")).to_be_hidden()
    page.get_by_text("Text", exact=True).click()
    expect(page.locator(".pages")).to_be_hidden()
    expect(page.locator(".cited").first).to_be_in_viewport()
    page.reload()
    expect(page.locator(".cited").first).to_be_in_viewport()
    page.get_by_text("Page", exact=True).click()
    shown_page(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_token_is_sent_for_pages_and_originals(tmp_path: Path, open_page: Open) -> None:
    printed(tmp_path / "valves.pdf", 1)
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path / "valves.pdf")
        with serving(index, token="secret") as url:
            page = open_page(f"{url}#/read?document={ids.document_id('valves.pdf')}", refused=401)
            page.get_by_role("textbox", name="Token").fill("secret")
            page.get_by_role("button", name="Continue").click()
            shown_page(page)
            with page.expect_download() as download:
                page.get_by_role("button", name="Original").click()
            assert Path(download.value.path()).read_bytes() == (tmp_path / "valves.pdf").read_bytes()
            page.close()
