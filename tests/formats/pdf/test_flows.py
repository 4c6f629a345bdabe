from __future__ import annotations

from tests.formats.pdf.building import BOLD, Sheet, text_of, wrap

LEFT = "The left column has a story of its own that fills a number of lines, and it goes on for quite a while. " * 3
RIGHT = "What the right column tells is not the same at all, and nobody should ever mix up one with the other. " * 3
ROWS = (("Method", "Mean", "Share"), ("Plain", "12.5", "40%"), ("Fancy", "17.25", "61%"), ("Other", "9.75", "18%"))


def column(sheet: Sheet, text: str, left: float, top: float, width: float = 200) -> None:
    sheet.left, sheet.y = left, top
    for line in wrap(sheet.canvas, text, width, 10):
        sheet.line(line)


def table(sheet: Sheet, left: float) -> None:
    for row in ROWS:
        sheet.row(row, [left, left + 90, left + 150], pitch=12)


def test_table_in_a_column_stays_apart_from_the_other_column() -> None:
    def draw(sheet: Sheet) -> None:
        column(sheet, LEFT, 60, 700)
        sheet.y -= 12
        table(sheet, 60)
        sheet.y -= 12
        column(sheet, LEFT, 60, sheet.y)
        column(sheet, RIGHT * 2, 320, 700)

    text = text_of(draw)
    assert "| Plain | 12.5 | 40% |" in text
    for whole in (LEFT, RIGHT):
        assert whole.strip() in text
    assert text.rindex("left column") < text.index("right column")


def test_title_across_the_page_comes_before_the_columns() -> None:
    def draw(sheet: Sheet) -> None:
        column(sheet, LEFT, 60, 680)
        column(sheet, RIGHT, 320, 680)
        sheet.canvas.setFont(BOLD, 20)
        sheet.canvas.drawString(60, 720, "A title that goes across both columns of the page")

    text = text_of(draw)
    assert text.startswith("# A title that goes across both columns of the page\n")
    assert text.index("left column") < text.index("right column")


def test_table_across_the_page_is_no_pair_of_columns() -> None:
    def draw(sheet: Sheet) -> None:
        for number in range(8):
            cells = (f"A line of words that is long enough {number}", f"and another one beside it, too {number}")
            sheet.row(cells, [60, 320], pitch=14)

    text = text_of(draw)
    assert text.index("enough 0") < text.index("too 0") < text.index("enough 7")
