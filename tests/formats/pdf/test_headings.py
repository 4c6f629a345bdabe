from __future__ import annotations

import pytest
from tests.formats.pdf.building import BODY, BOLD, PROSE, Sheet, bookmark, build, headings, text_of
from tests.formats.pdf.tagging import tagged_pdf

from crosshead.formats.pdf import read_pdf
from crosshead.formats.pdf.page.outline import Bookmark, _shift_to_numbers, letters
from crosshead.formats.pdf.page.tags import heading_level
from crosshead.options import ExtractOptions


def test_outline_gives_titles_and_levels() -> None:
    def draw(sheet: Sheet) -> None:
        for title, level in (("Start", 0), ("Middle", 1), ("Deep", 2), ("End", 0)):
            bookmark(sheet, title, level)
            sheet.heading(title, 12)
            sheet.paragraph()

    assert headings(text_of(draw)) == ["# Start", "## Middle", "### Deep", "# End"]


def test_outline_is_found_under_its_number_and_over_several_lines() -> None:
    def draw(sheet: Sheet) -> None:
        bookmark(sheet, "The long and winding title")
        sheet.line("Chapter 3", BOLD, 14)
        sheet.line("The long and", BOLD, 20)
        sheet.line("winding title", BOLD, 20)
        sheet.y -= 10
        sheet.paragraph()

    assert headings(text_of(draw)) == ["# The long and winding title"]


def test_short_line_above_a_title_is_no_label() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.line("or not.")
        bookmark(sheet, "Usage")
        sheet.line("Usage", BOLD)
        sheet.y -= 10
        sheet.paragraph()

    assert text_of(draw).startswith("or not.\n\n# Usage\n")


def test_outline_chooses_the_place_it_points_to() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.line("Usage", BODY)
        sheet.y -= 20
        sheet.paragraph()
        bookmark(sheet, "Usage")
        sheet.line("Usage", BODY)
        sheet.y -= 20
        sheet.paragraph()

    text = text_of(draw)
    assert text.startswith("Usage\n")
    assert headings(text) == ["# Usage"]
    assert text.index("# Usage") > text.index("Every section")


def test_entries_without_a_place_or_text_are_left_out() -> None:
    def draw(sheet: Sheet) -> None:
        bookmark(sheet, "Nowhere on the page")
        sheet.paragraph()

    assert headings(text_of(draw)) == []


def test_larger_styles_below_the_outline_are_headings_too() -> None:
    def draw(sheet: Sheet) -> None:
        bookmark(sheet, "Chapter")
        sheet.heading("Chapter", 20)
        sheet.paragraph()
        sheet.heading("Not in the outline", 14)
        sheet.paragraph()

    assert headings(text_of(draw)) == ["# Chapter", "## Not in the outline"]


def test_contents_are_no_headings() -> None:
    def contents(sheet: Sheet) -> None:
        for title, page in (("Alpha", 2), ("Beta", 3)):
            sheet.line(f"{title} {page}", BOLD, 14, gap=3)
        sheet.paragraph()

    def chapter(title: str) -> object:
        def draw(sheet: Sheet) -> None:
            bookmark(sheet, title)
            sheet.heading(title, 14)
            sheet.paragraph()

        return draw

    assert headings(text_of(contents, chapter("Alpha"), chapter("Beta"))) == ["# Alpha", "# Beta"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("titles", "levels"),
    [
        (["2.2. Plan", "2.2.1. Steps"], [2, 3]),
        (["1 Start", "1.1 Deep"], [1, 2]),
        (["Start", "Deep"], [1, 2]),
        (["2.2 Plan", "7 Odd"], [1, 2]),
    ],
)
def test_numbers_move_the_levels_of_a_part(titles: list[str], levels: list[int]) -> None:
    entries = [Bookmark(level, title, 0, None) for level, title in enumerate(titles, 1)]
    assert [entry.level for entry in _shift_to_numbers(entries)] == levels


def test_spellings_of_a_title_are_compared_by_letters() -> None:
    assert letters("1.2 \ufb01le_names!") == letters("12 File Names")


def test_size_and_weight_make_headings_without_an_outline() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.heading("The report", 24)
        sheet.paragraph()
        sheet.heading("Costs", 16)
        sheet.paragraph()
        sheet.heading("By month", 10)
        sheet.paragraph()

    assert headings(text_of(draw)) == ["# The report", "## Costs", "### By month"]


def test_bold_sentences_and_labels_are_text() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        sheet.line("This must never be done.", BOLD)
        sheet.y -= 10
        sheet.line("Note:", BOLD)
        sheet.y -= 10
        sheet.paragraph()

    assert headings(text_of(draw)) == []


def test_heading_over_two_lines_is_one() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.line("A title that is too long", BOLD, 20)
        sheet.line("for a single line", BOLD, 20)
        sheet.y -= 10
        sheet.paragraph()

    assert headings(text_of(draw)) == ["# A title that is too long for a single line"]


def test_text_that_looks_like_a_heading_is_escaped() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.line("# not a heading")
        sheet.y -= 20
        sheet.paragraph()

    assert text_of(draw).startswith("\\# not a heading\n")


def test_tags_make_headings() -> None:
    pages = tagged_pdf([("H1", "Top", 10), ("P", PROSE[:80], 10), ("H2", "Below", 10), ("P", PROSE[80:160], 10)])
    text = read_pdf(pages, ExtractOptions()).text
    assert headings(text) == ["# Top", "## Below"]


@pytest.mark.parametrize(
    ("tag", "level"), [("H1", 1), ("Heading 3", 3), ("heading_2", 2), ("H7", 0), ("P", 0), ("", 0)]
)
def test_levels_of_tags(tag: str, level: int) -> None:
    assert heading_level(tag) == level


def test_outline_levels_beyond_six_are_six() -> None:
    def draw(sheet: Sheet) -> None:
        for level in range(8):
            bookmark(sheet, f"Level {level}", level)
            sheet.heading(f"Level {level}", 12)
            sheet.line("text")

    assert headings(read_pdf(build(draw), ExtractOptions()).text)[-2:] == ["###### Level 6", "###### Level 7"]


def underlined(sheet: Sheet, text: str) -> None:
    sheet.y -= 6
    sheet.line(text)
    sheet.canvas.line(sheet.left, sheet.y - 1.5, sheet.left + sheet.canvas.stringWidth(text, BODY, 10), sheet.y - 1.5)
    sheet.y -= 4


def test_underlined_lines_are_headings() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        for title in ("Terms of payment", "Place of delivery"):
            underlined(sheet, title)
            sheet.paragraph()

    found = [line.lstrip("# ") for line in headings(text_of(draw))]
    assert found == ["Terms of payment", "Place of delivery"]


def test_underlined_links_and_sentences_are_text() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        for text in ("https://example.org/terms", "Nothing may be added to this text later on."):
            underlined(sheet, text)
            sheet.paragraph()

    assert not headings(text_of(draw))
