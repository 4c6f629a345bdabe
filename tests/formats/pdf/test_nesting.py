"""Headings of reports: one tree, whatever the headings look like."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from tests.formats.pdf.building import BODY, BOLD, Draw, Sheet, text_of

from crosshead.formats.pdf.structure.numbering import is_bare, ordinal_of, series_of

ITALIC = "Helvetica-Oblique"


def headings(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("#")]


def sections(titles: Iterable[tuple[str, float, str]]) -> Draw:
    def draw(sheet: Sheet) -> None:
        for text, size, font in titles:
            sheet.heading(text, size, font)
            sheet.paragraph()

    return draw


def test_what_is_between_two_items_is_below_them_however_large_it_is() -> None:
    draw = sections(
        [
            ("PART I", 9, BOLD),
            ("Item 1. Business", 9, BOLD),
            ("Overview", 14, BODY),
            ("Products", 11, BOLD),
            ("Item 1A. Risks", 9, BOLD),
            ("Competition", 14, BODY),
            ("PART II", 9, BOLD),
            ("Item 7. Discussion", 9, BOLD),
            ("Results", 14, BODY),
        ]
    )
    assert headings(text_of(draw)) == [
        "# PART I",
        "## Item 1. Business",
        "### Overview",
        "#### Products",
        "## Item 1A. Risks",
        "### Competition",
        "# PART II",
        "## Item 7. Discussion",
        "### Results",
    ]


def test_larger_headings_that_group_a_series_are_above_it() -> None:
    draw = sections(
        [
            ("Common rules", 14, BOLD),
            ("Article 1 Scope", 12, BOLD),
            ("Article 2 Terms", 12, BOLD),
            ("Special rules", 14, BOLD),
            ("Article 3 Fees", 12, BOLD),
        ]
    )
    levels = [heading.split()[0] for heading in headings(text_of(draw))]
    assert levels == ["#", "##", "##", "#", "##"]


@pytest.mark.parametrize("name", ["Note {}. ", "{}. "])
def test_notes_enclose_the_headings_between_them(name: str) -> None:
    draw = sections(
        [
            ("Balance sheet", 10, BOLD),
            ("Notes to the statements", 10, BOLD),
            (name.format(1) + "Cash", 10, BOLD),
            ("Deposits", 10, BOLD),
            (name.format(2) + "Debt", 10, BOLD),
            ("Bonds", 10, BOLD),
            (name.format(3) + "Taxes", 10, BOLD),
        ]
    )
    levels = [heading.split()[0] for heading in headings(text_of(draw))]
    assert levels == ["#", "#", "##", "###", "##", "###", "##"]


def test_the_title_is_above_the_series() -> None:
    draw = sections(
        [("Acme Holdings", 18, BOLD), ("PART I", 14, BOLD), ("Item 1. Work", 12, BOLD), ("PART II", 14, BOLD)]
    )
    levels = [heading.split()[0] for heading in headings(text_of(draw))]
    assert levels == ["#", "##", "###", "##"]


def test_capitals_are_above_small_letters_of_the_same_size() -> None:
    titles = ["LIQUIDITY", "Cash flows", "Debt", "CAPITAL RESOURCES", "Shares"]
    levels = [heading.split()[0] for heading in headings(text_of(sections([(text, 10, BOLD) for text in titles])))]
    assert levels == ["#", "##", "##", "#", "##"]


def test_italic_lines_with_space_above_are_headings() -> None:
    draw = sections([("Business", 12, BOLD), ("Our customers", 10, ITALIC), ("Our suppliers", 10, ITALIC)])
    assert headings(text_of(draw)) == ["# Business", "## Our customers", "## Our suppliers"]


def test_italic_sentence_is_no_heading() -> None:
    draw = sections([("Business", 12, BOLD), ("This is how we see it.", 10, ITALIC)])
    assert headings(text_of(draw)) == ["# Business"]


def test_number_and_title_in_two_lines_are_one_heading() -> None:
    def draw(sheet: Sheet) -> None:
        for number, title in enumerate(["The house", "The garden"], 1):
            sheet.heading(f"Chapter {number}", 14)
            sheet.heading(title, 18)
            sheet.paragraph()
            sheet.paragraph()

    assert headings(text_of(draw)) == ["# Chapter 1 The house", "# Chapter 2 The garden"]


@pytest.mark.parametrize("text", ["$4.2bn", "12,400 km", "1.3m", "24 %", "Name ________", "“We never sleep”"])
def test_figures_blanks_and_quotations_are_no_headings(text: str) -> None:
    assert headings(text_of(sections([("Business", 12, BOLD), (text, 22, BOLD)]))) == ["# Business"]


def test_large_sentence_is_no_heading() -> None:
    draw = sections([("Business", 12, BOLD), ("We sold more valves than in any year before.", 14, BODY)])
    assert headings(text_of(draw)) == ["# Business"]


def test_labels_side_by_side_are_no_headings() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.heading("Business", 12)
        sheet.paragraph()
        sheet.y -= 20
        sheet.canvas.setFont(BOLD, 14)
        sheet.canvas.drawString(72, sheet.y, "Europe")
        sheet.canvas.drawString(300, sheet.y, "Asia")
        sheet.y -= 10
        sheet.paragraph()

    assert headings(text_of(draw)) == ["# Business"]


def test_entries_of_a_printed_table_of_contents_are_no_headings() -> None:
    def contents(sheet: Sheet) -> None:
        sheet.heading("Table of Contents", 12)
        for number, text in enumerate(["PART I", "Item 1. Business 4", "PART II", "Item 2. Risks 9", "Appendix 12"]):
            sheet.heading(text, 12 if number % 2 or number > 3 else 14)

    draw = sections(
        [("PART I", 14, BOLD), ("Item 1. Business", 12, BOLD), ("PART II", 14, BOLD), ("Item 2. Risks", 12, BOLD)]
    )
    assert headings(text_of(contents, draw))[-4:] == [
        "# PART I",
        "## Item 1. Business",
        "# PART II",
        "## Item 2. Risks",
    ]
    assert len(headings(text_of(contents, draw))) == 5


@pytest.mark.parametrize(
    ("text", "series", "ordinal"),
    [
        ("PART IV", "part", (4, "")),
        ("Item 7A. Risks", "item", (7, "a")),
        ("Notes 12 and more", "note", (12, "")),
        ("Chapter B", "chapter", (2, "")),
        ("3.1 Costs", "", (3, "")),
    ],
)
def test_series_and_ordinals(text: str, series: str, ordinal: tuple[int, str]) -> None:
    assert (series_of(text), ordinal_of(text)) == (series, ordinal)


def test_bare_numbers() -> None:
    assert [is_bare(text) for text in ("Chapter 3", "PART II.", "Item 1. Business", "Partly")] == [
        True,
        True,
        False,
        False,
    ]
