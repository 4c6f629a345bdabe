"""Whatever a document holds, the page runs nothing of it and loads nothing for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect
from tests.server.page.conftest import Open
from tests.server.running import serving

from crosshead import ids
from crosshead.index import Index
from crosshead.server.page import PAGE_HEADERS

HOSTILE = """\
# <img src=x onerror="alert('heading')"> <b>Bold</b>

<script>alert('script')</script>

[click the trap](javascript:alert('link')) ![](http://evil.example/pixel.png) <http://evil.example/>

<iframe src="http://evil.example/"></iframe><svg onload="alert('svg')"></svg>

## "><script>alert('attribute')</script> trap

- <a href="javascript:alert(1)">item of the trap</a>

```html
</pre><script>alert('fence')</script>
```

| <script>alert('cell')</script> | trap |
|---|---|
| a | b |

## \u202eעברית trap\u202c

שלום עולם, this is the trap with \u202emarks\u202c.
"""


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """The address of a server with a hostile document."""
    (tmp_path / "<img src=x onerror=alert(1)>.md").write_text(HOSTILE)
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path)
        with serving(index) as url:
            yield url


def test_hits_and_passages_hold_no_markup(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#/search?q=trap")
    expect(page.locator(".hit")).not_to_have_count(0)
    for title in page.locator(".hit .title").all():
        title.click()
    expect(page.locator(".results")).to_contain_text("<script>alert('script')</script>")
    expect(page.locator(".results")).to_contain_text("click the trap")
    links = page.locator(".results a").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    assert {link for link in links if not link.startswith(("#/chunks?", "#/read?"))} == {"http://evil.example/"}
    assert page.locator(".results :is(script, iframe, img, svg)").count() == 0
    page.get_by_text("Passages", exact=True).click()
    expect(page.locator(".passage").first).to_contain_text("<script>")
    assert page.locator("a[href^='javascript:'], .results :is(script, iframe, img)").count() == 0


def test_reading_view_holds_no_markup(url: str, open_page: Open) -> None:
    source = "<img src=x onerror=alert(1)>.md"
    page = open_page(f"{url}#/read?document={ids.document_id(source)}&span=0-{len(HOSTILE) - 1}&q=trap")
    expect(page.locator(".cited").first).to_be_visible()
    expect(page.locator(".reader")).to_contain_text("</pre><script>alert('fence')</script>")
    expect(page.locator(".outline")).to_contain_text("alert('attribute') trap")
    assert page.locator("main :is(script, iframe, img, svg, style, object, embed, form, base)").count() == 0
    links = page.locator(".reader a").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    assert set(links) == {"http://evil.example/"}
    names = "root => [...root.querySelectorAll('*')].flatMap((each) => each.getAttributeNames())"
    assert not [name for name in page.locator("main").evaluate(names) if name.startswith("on") or name == "src"]
    for address in ("#/read?document=" + "x" * 16, "#/read?path=<img src=x onerror=alert(1)>", "#/read"):
        page = open_page(url + address, refused=422)
        expect(page.get_by_role("alert")).to_be_visible()


def test_chunks_and_lists_are_text(url: str, open_page: Open) -> None:
    source = "<img src=x onerror=alert(1)>.md"
    page = open_page(f"{url}#/chunks?document={ids.document_id(source)}&max_tokens=40")
    expect(page.locator(".verdict")).to_contain_text("0 violations")
    for label in page.locator(".piece .label").all():
        label.click()
    expect(page.locator(".outline")).to_contain_text("\">alert('attribute') trap")
    expect(page.locator(".document").first).to_contain_text("שלום עולם")
    page.get_by_role("link", name="Documents").click()
    expect(page.locator("tbody")).to_contain_text(source)
    assert page.locator("main :is(script, iframe, img)").count() == 0


def test_five_megabytes_are_shown_in_pieces(url: str, open_page: Open) -> None:
    trap = "<script>alert(1)</script> "
    text = "# Large\n\n" + trap * 8_000 + "\n\n" + "".join(f"## {at} {trap}\n\n{trap * 40}\n\n" for at in range(4_600))
    assert len(text) > 5_000_000
    page = open_page(f"{url}#/chunks")
    page.locator("#file").set_input_files({"name": "long.md", "mimeType": "text/markdown", "buffer": text.encode()})
    expect(page.locator(".verdict")).to_contain_text("0 violations", timeout=90_000)
    assert 0 < page.locator(".piece").count() < 100
    page.locator(".document").first.evaluate("element => { element.scrollTop = element.scrollHeight / 2; }")
    expect(page.locator(".piece", has_text="<script>alert(1)</script>").first).to_be_visible()
    assert 0 < page.locator(".piece").count() < 100


def test_policy_lets_nothing_in_or_out(url: str) -> None:
    for path in ("", "docs", "page/main.js", "page/shared/style.css", "page/icon.svg"):
        headers = httpx.get(url + path).headers
        for name, value in PAGE_HEADERS.items():
            assert headers[name] == value
    policy = PAGE_HEADERS["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
