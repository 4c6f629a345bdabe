"""Tables as annual reports set them: shaded, with small labels, column rules or typewriters' fonts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from reportlab.pdfgen.canvas import Canvas
from tests.formats.pdf.building import MONO, PROSE, Draw, Sheet, table, text_of

from crosshead.formats.pdf.text.markers import find_marker

RIGHTS = (330, 420, 510)
PITCH = 14
GROUPS = ["Fresh", "Frozen", "Canned", "Dried", "Baked"]
YEARS = ["(Millions)", "2018", "2017", "2016"]
ROWS = [
    ["Current assets:", "", "", ""],
    ["Cash", "1,200", "1,100", "(90)"],
    ["Receivables", "(2,300)", "450", "1,560"],
    ["Inventories", "3,456", "12,345", "789"],
    ["Total current assets", "5,671", "6,782", "7,893"],
]


def shade(canvas: Canvas, x0: float, y0: float, x1: float, y1: float) -> None:
    """Draw a background without any line around it."""
    canvas.setFillGray(0.85)
    canvas.rect(x0, y0, x1 - x0, y1 - y0, stroke=0, fill=1)
    canvas.setFillGray(0)


def write(canvas: Canvas, y: float, cells: Sequence[str], size: float = 8, font: str = "Helvetica") -> None:
    """Draw a row: a label, and amounts that end where their columns do."""
    canvas.setFont(font, size)
    canvas.drawString(72, y, cells[0])
    for right, amount in zip(RIGHTS, cells[1:], strict=True):
        canvas.drawRightString(right, y, amount)


def statement(sheet: Sheet, labels: Sequence[str] = YEARS, label_size: float = 8, font: str = "Helvetica") -> None:
    """Draw a table between paragraphs."""
    sheet.y = 600
    write(sheet.canvas, 600, labels, label_size, font)
    for number, row in enumerate(ROWS, 1):
        write(sheet.canvas, 600 - number * PITCH, row, font=font)
    sheet.y = 480
    sheet.paragraph()


def zebra(sheet: Sheet) -> None:
    for number in (1, 3, 5):
        shade(sheet.canvas, 70, 596 - number * PITCH, 515, 596 + PITCH - number * PITCH)


def zebra_of_cells(sheet: Sheet) -> None:
    for number in (1, 3, 5):
        for left, right in ((70, 270), (270, 340), (340, 430), (430, 515)):
            shade(sheet.canvas, left, 596 - number * PITCH, right, 596 + PITCH - number * PITCH)


def current_year(sheet: Sheet) -> None:
    shade(sheet.canvas, 280, 520, 335, 612)


def cells_of_current_year(sheet: Sheet) -> None:
    for number in range(6):
        shade(sheet.canvas, 280, 597 - number * PITCH, 335, 609 - number * PITCH)


def current_year_and_rules(sheet: Sheet) -> None:
    current_year(sheet)
    for number in range(7):
        sheet.canvas.line(70, 609 - number * PITCH, 515, 609 - number * PITCH)


def labels_and_first_row(sheet: Sheet) -> None:
    for number in (0, 1):
        for left, right in ((70, 270), (270, 340), (340, 430), (430, 515)):
            shade(sheet.canvas, left, 596 - number * PITCH, right, 596 + PITCH - number * PITCH)


def column_rules(sheet: Sheet) -> None:
    sheet.canvas.rect(70, 520, 445, 92)
    sheet.canvas.line(70, 597, 515, 597)
    for x in (270, 340, 430):
        sheet.canvas.line(x, 520, x, 612)


def boxes_that_miss_the_first_column(sheet: Sheet) -> None:
    for x in (70, 340, 430, 515):
        sheet.canvas.line(x, 526, x, 610)
    for number in range(7):
        sheet.canvas.line(70, 610 - number * PITCH, 515, 610 - number * PITCH)


@pytest.mark.parametrize(
    "background",
    [
        zebra,
        zebra_of_cells,
        current_year,
        cells_of_current_year,
        current_year_and_rules,
        labels_and_first_row,
        column_rules,
        boxes_that_miss_the_first_column,
    ],
)
def test_rows_and_columns_survive_shades_and_rules_that_part_no_cells(background: Draw) -> None:
    def draw(sheet: Sheet) -> None:
        background(sheet)
        statement(sheet)

    assert table(text_of(draw)) == [YEARS, *ROWS]


def test_shades_that_tile_a_table_part_its_cells() -> None:
    texts = [["Risk", "Measure"], ["Fire in a very large store", "Two alarms in every room"], ["Flood", "Walls"]]

    def draw(sheet: Sheet) -> None:
        for number, row in enumerate(texts):
            for x, text in zip((72, 172), row, strict=True):
                shade(sheet.canvas, x, 600 - number * 30, x + 98, 628 - number * 30)
                sheet.canvas.setFont("Helvetica", 9)
                for line, word in enumerate(text.rsplit(" ", 1)):
                    sheet.canvas.drawString(x + 3, 617 - number * 30 - line * 11, word)

    assert table(text_of(draw)) == texts


@pytest.mark.parametrize("size", [6, 6.5, 9])
def test_labels_may_be_smaller_or_larger_than_figures(size: float) -> None:
    assert table(text_of(lambda sheet: statement(sheet, label_size=size))) == [YEARS, *ROWS]


def test_small_text_below_a_table_is_no_part_of_it() -> None:
    def draw(sheet: Sheet) -> None:
        statement(sheet)
        sheet.canvas.setFont("Helvetica", 6)
        sheet.canvas.drawString(72, 518, "Restated.")
        sheet.canvas.drawRightString(510, 518, "See Note 4")

    assert table(text_of(draw)) == [YEARS, *ROWS]


def test_amounts_in_a_typewriters_font_are_a_table() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph(PROSE * 4)
        for y in (611, 595, 521):
            sheet.canvas.setLineWidth(3)
            sheet.canvas.line(72, y, 510, y)
        statement(sheet, font=MONO)

    assert table(text_of(draw)) == [YEARS, *ROWS]


def test_listing_in_a_typewriters_font_is_code() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph(PROSE * 4)
        for name, size in (("passwd", "2761"), ("shadow", "1695"), ("exim4", "973824")):
            sheet.line(f"-rw-r--r-- 1 root root  {size:>8}  Aug 30 10:38  /etc/{name}", MONO)
        sheet.paragraph(PROSE)

    text = text_of(draw)
    assert "|" not in text
    assert "```" in text


def test_rules_of_signs_are_no_text_of_a_table() -> None:
    def draw(sheet: Sheet) -> None:
        statement(sheet)
        sheet.canvas.drawString(72, 593, "-" * 100)
        sheet.canvas.setFont("Helvetica", 8)
        for right in RIGHTS:
            sheet.canvas.drawRightString(right, 537, "========")

    text = text_of(draw)
    assert table(text) == [YEARS, *ROWS]
    assert "====" not in text


def test_label_is_joined_with_the_line_that_its_figures_stand_beside() -> None:
    lines = [
        ["Sales of lamps, candles and", "", "", ""],
        ["other lights", "1,200", "1,100", "1,300"],
        ["Rent of stores and factories", "2,300", "2,450", "2,560"],
        ["Wages of employees, including", "", "", ""],
        ["pensions", "3,456", "3,345", "3,789"],
    ]

    def draw(sheet: Sheet) -> None:
        write(sheet.canvas, 600, YEARS)
        for number, row in enumerate(lines, 1):
            write(sheet.canvas, 600 - number * 10, row)

    assert [row[0] for row in table(text_of(draw))[1:]] == [
        "Sales of lamps, candles and other lights",
        "Rent of stores and factories",
        "Wages of employees, including pensions",
    ]


def test_label_that_is_drawn_word_by_word_spans_its_columns() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.setFont("Helvetica", 8)
        x = 355.0
        for word in ("Year", "ended", "December", "31,"):
            sheet.canvas.drawString(x, 612, word)
            x += sheet.canvas.stringWidth(f"{word} ", "Helvetica", 8)
        statement(sheet)

    years = [f"Year ended December 31, {year}" for year in YEARS[1:]]
    assert table(text_of(draw))[0] == [YEARS[0], *years]


def test_figures_that_are_drawn_column_by_column_have_a_row_each() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.setFont("Helvetica", 8)
        for column in range(4):
            for number, row in enumerate([YEARS, *ROWS]):
                y = 600 - number * PITCH
                if not column:
                    sheet.canvas.drawString(72, y, row[0])
                    continue
                if row[0].startswith("Cash"):
                    sheet.canvas.drawString(RIGHTS[column - 1] - 60, y, "$")
                sheet.canvas.drawRightString(RIGHTS[column - 1], y, row[column])

    rows = [[YEARS, *ROWS][number] for number in range(6)]
    rows[2] = ["Cash", "$1,200", "$1,100", "$(90)"]
    assert table(text_of(draw)) == rows


def test_figures_without_any_words_are_no_table() -> None:
    def draw(sheet: Sheet) -> None:
        for number in range(4):
            sheet.row([f"{number},100", f"{number},200", f"{number},300"], [72, 200, 300])

    assert "|" not in text_of(draw)


def test_labels_at_the_top_of_pages_are_no_running_heads() -> None:
    def page(number: int) -> Draw:
        def draw(sheet: Sheet) -> None:
            write(sheet.canvas, 740, YEARS)
            write(sheet.canvas, 718, [f"{GROUPS[number]} goods:", "", "", ""])
            for line in range(30):
                amount = f"{number + 1},{100 + line}"
                write(sheet.canvas, 704 - line * PITCH, [f"Line {line} of {number}", amount, amount, amount])

        return draw

    found = table(text_of(*[page(number) for number in range(len(GROUPS))]))
    assert found[0] == YEARS
    assert found.count(YEARS) == 1
    assert len(found) == 1 + len(GROUPS) * 31


@pytest.mark.parametrize("text", ["— (1,562,329)", "- (1,562,329)", "– 12 (13)"])
def test_amounts_open_no_items(text: str) -> None:
    assert find_marker(text) is None


def test_dash_before_words_opens_an_item() -> None:
    assert find_marker("– 12 lamps") is not None


def contents(numbers: Sequence[int]) -> Draw:
    titles = ["Our business", "Risks", "Properties", "Legal proceedings", "Market", "Results", "Controls"]

    def draw(sheet: Sheet) -> None:
        for title, number in zip(titles, numbers, strict=True):
            sheet.y -= 16
            sheet.canvas.drawString(72, sheet.y, title)
            sheet.canvas.drawRightString(510, sheet.y, str(number))

    return draw


def test_titles_with_rising_numbers_are_contents() -> None:
    text = text_of(contents([3, 5, 5, 18, 21, 40, 112]))
    assert "|" not in text
    assert "- Legal proceedings 18\n- Market 21\n" in text


def test_titles_with_other_numbers_are_a_table() -> None:
    assert ["Market", "21"] in table(text_of(contents([3, 55, 8, 18, 21, 40, 12])))
