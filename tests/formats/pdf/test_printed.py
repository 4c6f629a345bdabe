"""Which line each page begins with, of a PDF that was printed from a document without pages."""

from __future__ import annotations

from collections.abc import Callable

from tests.formats.pdf.building import Sheet, build

from crosshead.formats.pdf.locate import pages_of


def page(*blocks: str) -> Callable[[Sheet], None]:
    """Print headings and paragraphs."""

    def draw(sheet: Sheet) -> None:
        for block in blocks:
            if block.startswith("# "):
                sheet.heading(block[2:])
            else:
                sheet.paragraph(block)

    return draw


def sentence(number: int) -> str:
    return f"The valve number {number} is opened by the engineer on duty, and closed again by the next one."


def test_each_page_begins_with_its_heading() -> None:
    pages = [("# Notes", sentence(number)) for number in range(1, 6)]
    text = "\n\n".join(block for each in pages for block in each)
    assert pages_of(build(*[page(*each) for each in pages]), text) == ((1, 1), (5, 2), (9, 3), (13, 4), (17, 5))


def test_a_paragraph_over_two_pages_belongs_to_the_first() -> None:
    whole = f"{sentence(1)} Then it is cleaned, and its seat is ground until it is tight for a year."
    pdf = build(page("# Start", sentence(1)), page("Then it is cleaned, and its seat is ground", sentence(2)))
    assert pages_of(pdf, f"# Start\n\n{whole}\n\n{sentence(2)}\n") == ((1, 1), (5, 2))


def test_a_table_of_contents_does_not_move_the_chapters() -> None:
    titles = [f"How to repair the pump of kind {number}" for number in range(1, 4)]
    pdf = build(page(*titles), *[page(f"# {title}", sentence(at)) for at, title in enumerate(titles)])
    text = "\n\n".join(block for at, title in enumerate(titles) for block in (f"# {title}", sentence(at)))
    assert pages_of(pdf, text) == ((1, 1), (1, 2), (5, 3), (9, 4))


def test_without_a_common_text_all_is_on_the_first_page() -> None:
    assert pages_of(build(page(sentence(1)), page(sentence(2))), "Something else, which is on no page.\n") == ((1, 1),)
