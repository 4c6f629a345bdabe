"""Two tables side by side, and one wide table that looks like two."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.formats.pdf.building import PROSE, Draw, Sheet, text_of

Rows = Sequence[Sequence[str]]
LEFT = [
    ["Assets", "2021", "2020"],
    ["Cash", "1,200", "1,100"],
    ["Receivables", "(300)", "450"],
    ["Inventories", "3,456", "2,345"],
    ["Total assets", "4,356", "3,895"],
]
RIGHT = [
    ["Liabilities", "2021", "2020"],
    ["Payables", "700", "650"],
    ["Accruals", "56", "45"],
    ["Total liabilities", "756", "695"],
]
HALVES = ((72, 230, 280), (320, 480, 530))


def tables(text: str) -> list[list[list[str]]]:
    """Return the cells of each table."""
    blocks = [block.split("\n") for block in text.strip().split("\n\n") if block.startswith("|")]
    return [
        [[cell.strip() for cell in row[1:-1].split("|")] for number, row in enumerate(rows) if number != 1]
        for rows in blocks
    ]


def write(sheet: Sheet, y: float, cells: Sequence[str], places: Sequence[float]) -> None:
    """Draw a row: words begin where their columns do, figures end there."""
    sheet.canvas.setFont("Helvetica", 9)
    for cell, x in zip(cells, places, strict=True):
        draw = sheet.canvas.drawString if x in (72, 320) else sheet.canvas.drawRightString
        draw(x, y, cell)


def draw_rows(sheet: Sheet, rows: Rows, places: Sequence[float], top: float = 600) -> None:
    for number, row in enumerate(rows):
        write(sheet, top - 14 * number, row, places)


def lines_of(sheet: Sheet, left: Rows, right: Rows) -> None:
    """Draw two tables line by line."""
    for number in range(max(len(left), len(right))):
        for rows, places in zip((left, right), HALVES, strict=True):
            if number < len(rows):
                write(sheet, 600 - 14 * number, rows[number], places)


@pytest.mark.parametrize("top", [600, 605, 632])
def test_tables_that_are_drawn_one_after_the_other_are_two(top: float) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        draw_rows(sheet, LEFT, HALVES[0])
        draw_rows(sheet, RIGHT, HALVES[1], top)
        sheet.y = 500
        sheet.paragraph()

    assert tables(text_of(draw)) == [LEFT, RIGHT]


def test_tables_whose_labels_are_the_same_are_two() -> None:
    assert tables(text_of(lambda sheet: lines_of(sheet, LEFT, RIGHT))) == [LEFT, RIGHT]


def test_tables_that_have_rows_of_their_own_are_two() -> None:
    left = [["", "Amount", "Share"], *LEFT[1:], ["", "", ""], ["", "", ""]]
    right = [["", "Target", "Result"], ["", "", ""], *RIGHT[1:], ["Reserves", "12", "24"], ["Equity", "31", "42"]]

    found = tables(text_of(lambda sheet: lines_of(sheet, left, right)))
    assert found == [left[:-2], [right[0], *right[2:]]]


def test_titles_stay_with_their_tables() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        for title, rows, places in (("What we own", LEFT, HALVES[0]), ("What we owe", RIGHT, HALVES[1])):
            sheet.canvas.setFont("Helvetica-Bold", 9)
            sheet.canvas.drawString(places[0] + 60, 625, title)
            draw_rows(sheet, rows, places)

    text = text_of(draw)
    found = [text.index(each) for each in ("What we own", "| Cash", "What we owe", "| Payables")]
    assert found == sorted(found)


def test_wide_table_with_words_between_its_figures_is_one() -> None:
    rows = [
        ["Site", "Staff", "Cost", "Manager", "Rooms", "Rent"],
        ["Kelso", "12", "1,200", "Ann Reed", "3", "450"],
        ["Perth", "7", "900", "Jo Mills", "2", "380"],
        ["Leith", "31", "4,120", "Sam Weir", "9", "1,240"],
        ["Largs", "5", "610", "Kim Boyd", "1", "200"],
    ]
    places = [place for half in HALVES for place in half]

    assert tables(text_of(lambda sheet: draw_rows(sheet, rows, places))) == [rows]


def test_wide_table_with_merged_cells_is_one() -> None:
    rows = [
        ["Region", "Staff", "Total", "Product", "Units", "Sales"],
        ["North", "12", "1,650", "Lamps", "3", "450"],
        ["", "", "", "Candles", "8", "1,200"],
        ["South", "31", "1,440", "Lamps", "9", "1,240"],
        ["", "", "", "Candles", "1", "200"],
    ]
    places = [place for half in HALVES for place in half]

    assert len(tables(text_of(lambda sheet: draw_rows(sheet, rows, places)))) == 1


def draw_columns(*, repeats: bool) -> Draw:
    """Return a page in two columns, with a table that begins at the end of the first and goes on in the second."""

    def draw(sheet: Sheet) -> None:
        sheet.y = 500
        sheet.paragraph(PROSE * 3, width=208)
        draw_rows(sheet, LEFT[:3], HALVES[0], sheet.y - 10)
        draw_rows(sheet, [*LEFT[:1], *LEFT[3:]] if repeats else LEFT[3:], HALVES[1], 490)
        sheet.left, sheet.y = 320, 440
        sheet.paragraph(PROSE * 2, width=208)

    return draw


@pytest.mark.parametrize("repeats", [True, False])
def test_table_goes_on_in_the_next_column_of_text(repeats: bool) -> None:
    assert tables(text_of(draw_columns(repeats=repeats))) == [LEFT]


def test_tables_side_by_side_below_text_are_two_though_their_labels_are_the_same() -> None:
    right = [["Assets", "2021", "2020"], *RIGHT[1:]]

    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        draw_rows(sheet, LEFT, HALVES[0])
        draw_rows(sheet, right, HALVES[1])
        sheet.y = 500
        sheet.paragraph()

    assert tables(text_of(draw)) == [LEFT, right]


def test_tables_side_by_side_go_on_over_the_page() -> None:
    def page(sheet: Sheet) -> None:
        draw_rows(sheet, LEFT, HALVES[0])
        draw_rows(sheet, RIGHT, HALVES[1])

    assert tables(text_of(page, page)) == [[*LEFT, *LEFT[1:]], [*RIGHT, *RIGHT[1:]]]
