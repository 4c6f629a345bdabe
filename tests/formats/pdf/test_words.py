from __future__ import annotations

import pytest
from tests.formats.pdf.building import Sheet, text_of


def draw_word(sheet: Sheet, first: str, second: str, rise: float, size: float, last: str = "") -> None:
    """Two pieces of text without a space between them, the second one raised, and one on the baseline again."""
    sheet.line(first)
    x = sheet.left + sheet.canvas.stringWidth(first)
    sheet.canvas.setFontSize(size)
    sheet.canvas.drawString(x, sheet.y + rise, second)
    x += sheet.canvas.stringWidth(second)
    sheet.canvas.setFontSize(10)
    sheet.canvas.drawString(x, sheet.y, last)


@pytest.mark.parametrize(
    ("first", "second", "rise", "size", "last", "expected"),
    [
        ("The credits", "12", 4, 6, " are due.", "The credits^12 are due."),
        ("It is due.", "1", 4, 6, "", "It is due.^1"),
        ("About 10", "6", 4, 6, " of 5", "About 10^6 of 5"),
        ("The x", "2n", 4, 6, " of it", "The x^2n of it"),
        ("Costs of 1,234", "(1)", 4, 6, " and more", "Costs of 1,234^(1) and more"),
        ("The 4", "th", 4, 6, " time", "The 4th time"),
        ("Of H", "2", -2, 6, "O and air", "Of H2O and air"),
        ("The N", "1", 0, 8, " class", "The N1 class"),
        ("The N", "1", 4, 10, " class", "The N1 class"),
    ],
    ids=["note", "after a sentence", "exponent", "term", "mark", "ordinal", "subscript", "small", "high"],
)
def test_raised_numbers_are_no_part_of_the_word_before(
    first: str, second: str, rise: float, size: float, last: str, expected: str
) -> None:
    assert text_of(lambda sheet: draw_word(sheet, first, second, rise, size, last)) == f"{expected}\n"


@pytest.mark.parametrize("size", [0.01, 0.1, -10])
def test_text_of_hardly_any_size_is_read(size: float) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.setFont("Helvetica", size)
        for number, line in enumerate(["Opening hours", "Every day from nine to five.", "Closed on Sundays."]):
            sheet.canvas.drawString(72, 700 - 20 * number, line)

    words = text_of(draw).split()
    assert {"Opening", "nine", "Sundays."} <= {word.strip("#") for word in words}


def draw_letters(sheet: Sheet, text: str, shift: float, after: str) -> None:
    """Draw letters one by one, with more room after some of them."""
    x = float(sheet.left)
    sheet.canvas.setFont("Times-Bold", 10)
    for number, letter in enumerate(text):
        if letter != " ":
            sheet.canvas.drawString(x, sheet.y, letter)
        x += sheet.canvas.stringWidth(letter, "Times-Bold", 10) + shift * (text[: number + 1].endswith(after))


def test_words_that_pdfium_splits_are_whole() -> None:
    def draw(sheet: Sheet) -> None:
        draw_letters(sheet, "LIQUIDITY", 1.9, "LIQUIDI")
        sheet.y -= 14
        draw_letters(sheet, "Cash Flows", 1.9, "Flow")
        sheet.paragraph()

    words = text_of(draw).split("Every")[0].replace("#", "").split()
    assert words == ["LIQUIDITY", "Cash", "Flows"]


def test_narrow_spaces_stay_where_no_space_is_drawn() -> None:
    def draw(sheet: Sheet) -> None:
        draw_letters(sheet, "LIQUIDITY", 1.9, "LIQUIDI")

    assert text_of(draw) == "LIQUIDI TY\n"


@pytest.mark.parametrize(("dx", "dy", "sx", "sy"), [(612, 0, -1, 1), (0, 842, 1, -1)], ids=["sideways", "upside down"])
def test_mirrored_pages_are_read_from_their_top(dx: float, dy: float, sx: float, sy: float) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.translate(dx, dy)
        sheet.canvas.scale(sx, sy)
        for text in ("First comes the start.", "Then comes the rest.", "Last comes the end."):
            sheet.paragraph(text)

    assert text_of(draw).split("\n")[::2] == ["First comes the start.", "Then comes the rest.", "Last comes the end."]
