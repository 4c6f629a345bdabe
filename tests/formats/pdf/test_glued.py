"""Amounts without a gap between columns, with narrow spaces in them, and with marks behind them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.formats.pdf.building import PROSE, Draw, Sheet, table, text_of

from crosshead.formats.pdf.page.words.touching_amounts import find_cuts, is_glued
from crosshead.formats.pdf.text.amounts import is_figure, part_mark

LABELS = ["(in thousands)", "2021", "2020", "2019"]
ROWS = [
    LABELS,
    ["Sales", "1,234", "2,345", "3,456"],
    ["Costs", "1,234,567", "4,567,891", "2,222,333"],
    ["Gains", "12,345", "6,789", "789"],
    ["Losses", "(1,234)", "45", "1,111"],
    ["Total", "9,876", "3,210", "(3,333)"],
]


def page(rows: Sequence[Sequence[str]], rights: Sequence[float]) -> Draw:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph(PROSE)
        for row in rows:
            sheet.y -= 14
            sheet.canvas.setFont("Helvetica", 10)
            sheet.canvas.drawString(72, sheet.y, row[0])
            for right, cell in zip(rights, row[1:], strict=True):
                sheet.canvas.drawRightString(right, sheet.y, cell)
        sheet.y -= 20
        sheet.paragraph(PROSE)

    return draw


def test_amounts_that_touch_are_parted_where_those_of_other_rows_end() -> None:
    assert table(text_of(page(ROWS, (330, 374.5, 419)))) == ROWS


def test_odd_number_without_rows_stays_whole() -> None:
    assert "is 1,2343,456 here" in text_of(lambda sheet: sheet.line("The number is 1,2343,456 here."))


@pytest.mark.parametrize("text", ["1,2343,456", "12,345(1,234)", "1.234.5673.456", "1,234.563,456.78"])
def test_numbers_that_are_none_may_be_several(text: str) -> None:
    assert is_glued(text)


@pytest.mark.parametrize("text", ["1,234,567", "1.234.567,89", "(1,234.5)", "$12,345", "2021-03-04", "3.14159265"])
def test_numbers_are_whole(text: str) -> None:
    assert not is_glued(text)


def test_cut_needs_two_rows_with_the_same_edges() -> None:
    ends = [float(number) for number in range(1, 11)]
    assert find_cuts("1,2343,456", ends, [5.0, 5.0, 10.0, 10.0]) == [5]
    assert find_cuts("1,2343,456", ends, [5.0, 10.0, 10.0]) == []


@pytest.mark.parametrize("apart", [True, False])
def test_thousands_that_are_parted_by_spaces_are_one_amount(apart: bool) -> None:
    rows = [LABELS, *[[name, *(text.replace(",", " ") for text in cells)] for name, *cells in ROWS[1:]]]

    def draw(sheet: Sheet) -> None:
        for row in rows:
            sheet.y -= 14
            sheet.canvas.setFont("Helvetica", 10)
            sheet.canvas.drawString(72, sheet.y, row[0])
            for right, cell in zip((330, 420, 510), row[1:], strict=True):
                parts = cell.split(" ") if apart else [cell]
                widths = [sheet.canvas.stringWidth(part, "Helvetica", 10) for part in parts]
                x = right - sum(widths) - 2.5 * (len(parts) - 1)
                for part, width in zip(parts, widths, strict=True):
                    sheet.canvas.drawString(x, sheet.y, part)
                    x += width + 2.5
        sheet.y -= 20
        sheet.paragraph(PROSE)

    assert table(text_of(draw)) == rows


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,234(1)", "1,234 (1)"),
        ("(1,562,329)(2)", "(1,562,329) (2)"),
        ("12.5%(a)", "12.5% (a)"),
        ("10(b)", "10(b)"),
        ("(1,234)", "(1,234)"),
        ("Section 3.1(2)", "Section 3.1(2)"),
    ],
)
def test_marks_of_notes_are_apart_from_amounts(text: str, expected: str) -> None:
    assert part_mark(text) == expected


def test_raised_letter_is_no_part_of_the_amount() -> None:
    def draw(sheet: Sheet) -> None:
        page(ROWS, (330, 420, 510))(sheet)
        sheet.canvas.setFont("Helvetica", 10)
        sheet.canvas.drawRightString(330, 500, "1,234")
        sheet.canvas.setFont("Helvetica", 6)
        sheet.canvas.drawString(330, 503.5, "a")

    assert "1,234^a" in text_of(draw)


@pytest.mark.parametrize("text", ["1 234 567,89", "-12 345", "(1 234)", "1 234 %"])
def test_amounts_with_spaces_are_figures(text: str) -> None:
    assert is_figure(text)


@pytest.mark.parametrize("text", ["2019 2018", "12 34", "1 2345"])
def test_other_numbers_with_spaces_are_no_figures(text: str) -> None:
    assert not is_figure(text)
