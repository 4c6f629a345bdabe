"""The description of the API, as a reader sees it."""

from __future__ import annotations

import httpx
from playwright.sync_api import expect
from tests.server.page.conftest import Open


def test_every_route_is_described(url: str, open_page: Open) -> None:
    described = httpx.get(f"{url}openapi.json").json()
    page = open_page(f"{url}docs")
    routes = page.locator("summary:has(.method)")
    expect(routes).to_have_count(sum(map(len, described["paths"].values())))
    routes.filter(has_text="/v1/search").filter(has_text="POST").click()
    opened = page.locator("details[open]")
    expect(opened.locator("pre").first).to_contain_text('curl --json \'{"q":"how do I rotate keys"')
    expect(opened.get_by_role("row", name="section_filter")).to_contain_text("Only sections whose title or breadcrumb")
    expect(opened.get_by_role("row", name="mode hybrid")).to_contain_text(
        'hybrid or dense or lexical, by default "hybrid"'
    )
    opened.get_by_role("link", name="Hits").click()
    expect(page.locator("details#Hits[open]")).to_be_in_viewport()
