"""Pictures in the text of a document, as somebody sees them."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from pptx import Presentation
from pptx.util import Inches
from tests.server.page.conftest import Open
from tests.server.running import serving

from crosshead import ids
from crosshead.index import Index

WORDS = "The station pumps water from the river into the canal. " * 20
TEXT = f"""# Valves

Before the first.

![A gauge](gauge.png)

Figure 3: Pressure in the valve

{WORDS}

![On the web](http://127.0.0.1:9/x.png) and ![A drawing](plan.svg)
"""


@pytest.fixture(scope="module")
def pictured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with documents that have pictures."""
    root = tmp_path_factory.mktemp("pictured")
    Image.new("RGB", (300, 200), "red").save(root / "gauge.png")
    (root / "plan.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (root / "valves.md").write_text(TEXT)
    (root / "broken.md").write_text("# Broken\n\n![A gauge](gone.png)\n")
    deck = Presentation()
    for color in ("green", "blue"):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = f"The {color} slide"
        file = io.BytesIO()
        Image.new("RGB", (200, 100), color).save(file, "JPEG")
        slide.shapes.add_picture(file, 0, 0, Inches(3))
    deck.save(str(root / "deck.pptx"))
    with Index(root / ".crosshead", embedder="static") as index:
        index.add(*root.glob("*.md"), root / "deck.pptx")
        with serving(index) as url:
            yield url


def sizes(page: Page) -> list[list[int]]:
    """The pictures that can be seen, by their own width and height."""
    return page.locator(".reader .picture img:visible").evaluate_all(
        "(images) => images.map((image) => [image.naturalWidth, image.naturalHeight])"
    )


def address(url: str, source: str, more: str = "") -> str:
    return f"{url}#/read?document={ids.document_id(source)}{more}"


@pytest.mark.parametrize("colors", ["light", "dark"])
def test_picture_is_shown_above_its_alternative_text_and_caption(pictured: str, open_page: Open, colors: str) -> None:
    page = open_page(address(pictured, "valves.md"), color_scheme=colors)
    image = page.locator(".picture img")
    expect(image).to_be_visible()
    assert sizes(page) == [[300, 200]]
    picture, alternative, caption = image.bounding_box(), *[
        page.get_by_text(text, exact=True).bounding_box() for text in ("A gauge", "Figure 3: Pressure in the valve")
    ]  # fmt: skip
    assert picture
    assert alternative
    assert caption
    assert (
        picture["y"] + picture["height"] <= alternative["y"] < alternative["y"] + alternative["height"] <= caption["y"]
    )
    expect(page.get_by_text("A drawing")).to_be_visible()
    page.close()


def test_picture_on_the_web_is_never_fetched(pictured: str, open_page: Open) -> None:
    page = open_page(address(pictured, "valves.md"))
    expect(page.locator(".picture img")).to_be_visible()
    expect(page.get_by_text("On the web")).to_have_class("image")
    page.close()


def test_pictures_of_slides_are_on_their_slides(pictured: str, open_page: Open) -> None:
    page = open_page(address(pictured, "deck.pptx", "&side=text"), viewport={"width": 390, "height": 800})
    expect(page.locator(".picture img:visible")).to_have_count(2)
    tops = page.locator(".block.heading, .picture").evaluate_all(
        "(each) => each.map((one) => [one.classList.contains('picture'), one.getBoundingClientRect().top])"
        ".sort((one, other) => one[1] - other[1]).map(([isPicture]) => isPicture)"
    )
    assert tops == [False, True, False, True]
    width = page.locator(".picture img").first.bounding_box()
    assert width
    assert width["x"] + width["width"] <= 390
    page.close()


def test_picture_that_is_missing_leaves_its_alternative_text(pictured: str, open_page: Open) -> None:
    page = open_page(address(pictured, "broken.md"), refused=404)
    expect(page.get_by_text("A gauge")).to_be_visible()
    expect(page.locator(".picture img")).to_have_count(0)
    page.close()


def test_marked_text_stays_in_view_when_a_picture_arrives(pictured: str, open_page: Open) -> None:
    start = TEXT.index("Figure 3")
    page = open_page(
        address(pictured, "valves.md", f"&span={start}-{start + 8}"), viewport={"width": 900, "height": 400}
    )
    expect(page.locator(".picture img")).to_be_visible()
    expect(page.locator(".cited")).to_have_text("Figure 3")
    expect(page.locator(".cited")).to_be_in_viewport()
    page.close()
