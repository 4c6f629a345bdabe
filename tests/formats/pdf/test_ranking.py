"""Headings without an outline: which rows are some, and how they nest."""

from __future__ import annotations

import pytest
from tests.formats.pdf.building import BODY, BOLD, PROSE, Sheet, bookmark, text_of

from crosshead.formats.pdf.structure.numbering import (
    APPENDIX,
    CHAPTER,
    DECIMAL,
    LETTER,
    NOTE,
    PART,
    ROMAN,
    UNNUMBERED,
    kind_of,
)


def headings(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("#")]


def spaced(sheet: Sheet, text: str, font: str = BODY, size: float = 10) -> None:
    """Draw a heading with more room above it than paragraphs have."""
    sheet.y -= 12
    sheet.line(text, font, size)
    sheet.y -= 3


def test_cover_does_not_use_up_the_levels() -> None:
    def cover(sheet: Sheet) -> None:
        for text, size in (("Acme Holdings", 30), ("Annual report", 24), ("For our shareholders", 18), ("Salem", 14)):
            sheet.line(text, BOLD if size == 30 else BODY, size, gap=2)

    def body(sheet: Sheet) -> None:
        sheet.heading("Business", 14)
        sheet.paragraph()
        sheet.heading("Products", 12)
        sheet.paragraph()
        sheet.heading("Services", 12)
        sheet.paragraph()

    assert headings(text_of(cover, body)) == ["# Acme Holdings", "## Business", "### Products", "### Services"]


def test_numbers_nest_headings_that_look_the_same() -> None:
    def draw(sheet: Sheet) -> None:
        for text in ("PART I", "Item 1. Business", "Overview", "Item 2. Risks", "PART II", "Item 3. Costs"):
            sheet.heading(text, 10)
            sheet.paragraph()

    assert headings(text_of(draw)) == [
        "# PART I", "## Item 1. Business", "### Overview", "## Item 2. Risks", "# PART II", "## Item 3. Costs",
    ]  # fmt: skip


def test_depth_of_numbers_is_the_depth_of_headings() -> None:
    def draw(sheet: Sheet) -> None:
        for text in ("1 Start", "1.1 First", "1.1.1 Detail", "1.2 Second", "2 End", "References"):
            sheet.heading(text, 10)
            sheet.paragraph()

    levels = [heading.split()[0] for heading in headings(text_of(draw))]
    assert levels == ["#", "##", "###", "##", "#", "#"]


def test_items_of_lists_are_no_chapters() -> None:
    def draw(sheet: Sheet) -> None:
        for text in ("1 Start", "1.1 First", "1.2 Second"):
            sheet.heading(text, 14)
            sheet.paragraph()
        for number in (7, 8):
            sheet.heading(f"{number}. A bold item", 10)
            sheet.paragraph()

    assert headings(text_of(draw))[:3] == ["# 1 Start", "## 1.1 First", "## 1.2 Second"]
    assert headings(text_of(draw))[3:] == ["### 7. A bold item", "### 8. A bold item"]


def test_notes_stand_below_their_heading() -> None:
    def draw(sheet: Sheet) -> None:
        for text in ("Balance", "Notes to the statements", "Note 1. Cash", "Note 2. Debt"):
            sheet.heading(text, 10)
            sheet.paragraph()

    assert headings(text_of(draw)) == ["# Balance", "# Notes to the statements", "## Note 1. Cash", "## Note 2. Debt"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("PART II", PART),
        ("Item 1A. Risks", CHAPTER),
        ("Chapter 3 Ends", CHAPTER),
        ("Appendix B", APPENDIX),
        ("Note 12. Debt", NOTE),
        ("3 Ends", (DECIMAL, 0)),
        ("3.2.1 Ends", (DECIMAL, 2)),
        ("A.1 More", (DECIMAL, 1)),
        ("IV. Ends", ROMAN),
        ("C. Ends", LETTER),
        ("2024 in review", UNNUMBERED),
        ("Part of the plan", UNNUMBERED),
        ("Itemized costs", UNNUMBERED),
    ],
)
def test_kinds_of_numbers(text: str, place: tuple[int, int]) -> None:
    assert kind_of(text) == place


def test_space_makes_headings_of_regular_weight() -> None:
    def draw(sheet: Sheet) -> None:
        for text in ("Where to begin", "What to do next", "When it is over"):
            spaced(sheet, text)
            sheet.paragraph()
            sheet.paragraph()

    assert headings(text_of(draw)) == ["# Where to begin", "# What to do next", "# When it is over"]


def test_short_paragraphs_are_no_headings() -> None:
    def draw(sheet: Sheet) -> None:
        for text in ("Call the office", "Ask for the key", "Open the door"):
            sheet.paragraph(text)
            sheet.paragraph()

    assert headings(text_of(draw)) == []


def test_bold_phrase_that_opens_a_paragraph_is_none() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        sheet.line("Recognition of revenue from contracts with customers of all regions and their agents", BOLD)
        sheet.line("in the period follows the terms of each contract as far as they are known to us.")
        sheet.y -= 10
        sheet.paragraph()

    assert headings(text_of(draw)) == []


def test_two_headings_in_a_row_stay_two() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.line("PART I", BOLD, 12)
        sheet.line("Item 1. Business", BOLD, 12)
        sheet.y -= 8
        sheet.paragraph()
        sheet.line("Costs", BOLD, 12, gap=2)
        sheet.line("Rent and energy", BOLD, 12)
        sheet.y -= 8
        for _ in range(3):
            sheet.paragraph()

    assert [each.lstrip("# ") for each in headings(text_of(draw))] == [
        "PART I", "Item 1. Business", "Costs", "Rent and energy",
    ]  # fmt: skip


def test_lines_that_say_continued_go() -> None:
    def page(head: str, text: str) -> object:
        def draw(sheet: Sheet) -> None:
            sheet.heading(head, 12)
            sheet.paragraph(f"{text} {PROSE}")

        return draw

    text = text_of(
        page("Notes to Statements", "One."),  # type: ignore[arg-type]
        page("Notes to Statements (Continued)", "Two."),  # type: ignore[arg-type]
        page("Never said before (continued)", "Three."),  # type: ignore[arg-type]
    )
    assert headings(text) == ["# Notes to Statements", "# Never said before (continued)"]
    assert "Two." in text


def test_heading_outside_of_the_outline_never_stands_above_its_entry() -> None:
    def draw(sheet: Sheet) -> None:
        for title, level in (("Start", 0), ("Deep", 1), ("Deeper", 2)):
            bookmark(sheet, title, level)
            sheet.heading(title, 12)
            sheet.paragraph()
        sheet.heading("A large line", 30)
        sheet.paragraph()

    assert headings(text_of(draw)) == ["# Start", "## Deep", "### Deeper", "#### A large line"]


def test_small_capitals_are_as_large_as_their_capitals() -> None:
    def draw(sheet: Sheet) -> None:
        for first, rest in (("S", "mall"), ("C", "apitals")):
            sheet.y -= 24
            sheet.canvas.setFont(BODY, 14)
            sheet.canvas.drawString(sheet.left, sheet.y, first)
            width = sheet.canvas.stringWidth(first, BODY, 14)
            sheet.canvas.setFont(BODY, 9.8)
            sheet.canvas.drawString(sheet.left + width, sheet.y, rest)
            sheet.y -= 8
            sheet.paragraph()

    assert headings(text_of(draw)) == ["# Small", "# Capitals"]
