from __future__ import annotations

from tests.formats.pdf.building import BODY, PROSE, Sheet, text_of


def put(sheet: Sheet, x: float, shift: float, text: str, size: float = 10) -> None:
    """Draw a part of a formula off the line that the sheet is at."""
    sheet.canvas.setFont(BODY, size)
    sheet.canvas.drawString(sheet.left + x, sheet.y + shift, text)


def test_displayed_fraction_is_one_paragraph_in_the_order_of_drawing() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        sheet.y -= 16
        put(sheet, 150, 0, "y =")
        put(sheet, 180, 7, "a + b")
        put(sheet, 185, -7, "2c")
        put(sheet, 208, 0, "+ d")
        sheet.y -= 16
        sheet.paragraph()

    before, formula, after = text_of(draw).strip().split("\n\n")
    assert before == after == PROSE.strip()
    assert formula.replace("\\", "") == "y = a + b 2c + d"


def test_line_with_a_sum_in_it_stays_whole() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        sheet.line("The weights of all members are added as")
        end = sheet.canvas.stringWidth("The weights of all members are added as", BODY, 10)
        put(sheet, end + 3, 7, "S")
        put(sheet, end + 11, 4, "K", 7)
        put(sheet, end + 11, -3, "k=1", 7)
        put(sheet, end + 25, 0, "of the parts that every one of")
        sheet.line("the lists above has had since the beginning of the year in which it was made.")

    text = text_of(draw)
    assert "are added as SK k=1 of the parts that every one of the lists above" in text


def test_lines_of_words_are_never_parts() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        sheet.line("First column of words", gap=3)
        put(sheet, 60, -8, "Other words close below")

    assert "words Other" not in text_of(draw)
