from __future__ import annotations

from collections.abc import Sequence

from tests.formats.pdf.building import PROSE, Draw, Sheet, read, text_of

FACTS = (
    "Keys open doors.",
    "Doors have locks.",
    "Walls have none.",
    "Roofs are dry.",
    "Windows are of glass.",
    "Ends.",
)


def pages(*, top: Sequence[str] = (), bottom: Sequence[str] = (), body: str = PROSE, y: float = 760) -> list[Draw]:
    def page(fact: str) -> Draw:
        def draw(sheet: Sheet) -> None:
            sheet.canvas.setFont("Helvetica", 10)
            for number, text in enumerate(top):
                sheet.canvas.drawString(72, 800 - 12 * number, text)
            for number, text in enumerate(bottom):
                sheet.canvas.drawString(72, 42 - 12 * number, text)
            sheet.y = y
            sheet.paragraph(fact + " " + body)
            sheet.paragraph(fact + " " + PROSE * 3)

        return draw

    return [page(fact) for fact in FACTS]


def test_heads_and_feet_of_several_lines_go() -> None:
    text = text_of(*pages(top=["The book of keys", "Second edition"], bottom=["Keys Ltd", "All rights reserved"]))
    assert "edition" not in text
    assert "Ltd" not in text


def test_paragraph_that_is_repeated_is_text() -> None:
    def page(number: int) -> Draw:
        def draw(sheet: Sheet) -> None:
            sheet.canvas.drawString(300, 30, str(number))
            sheet.paragraph("Turn off the power before you open the door, and wait until the lamp is dark. " * 2)
            sheet.paragraph(f"{FACTS[number]} {PROSE * 3}")

        return draw

    assert text_of(*[page(number) for number in range(6)]).count("Turn off the power") == 12


def test_line_that_some_pages_begin_with_is_text() -> None:
    def page(number: int) -> Draw:
        def draw(sheet: Sheet) -> None:
            if number % 3 == 0:
                sheet.line("Before you begin, turn off the power.")
                sheet.y -= 12
            sheet.paragraph(f"{number} {FACTS[number % 6]} {PROSE * 3}")

        return draw

    assert text_of(*[page(number) for number in range(12)]).count("Before you begin") == 4


def test_line_in_the_middle_of_the_page_is_text() -> None:
    def page(number: int) -> Draw:
        def draw(sheet: Sheet) -> None:
            sheet.paragraph(f"{FACTS[number]} {PROSE}")
            sheet.y = 600
            sheet.line("See the chapter on doors.")

        return draw

    assert text_of(*[page(number) for number in range(6)], *pages()).count("See the chapter") == 6


def test_warning_says_how_much_is_left_out() -> None:
    head = "A running head that says much more than running heads should say about the book of keys"
    [warning] = read(*pages(top=[head])).warnings
    assert "words (9 %) were left out as running heads" in warning


def test_little_that_is_left_out_is_no_reason_for_a_warning() -> None:
    document = read(*pages(bottom=["Keys Ltd"]))
    assert "Keys Ltd" not in document.text
    assert not document.warnings


def test_heads_of_turned_pages_go() -> None:
    def wide(number: int) -> Draw:
        def draw(sheet: Sheet) -> None:
            sheet.canvas.setPageSize((842, 595))
            sheet.canvas.drawString(72, 560, "The book of keys")
            sheet.y = 500
            sheet.paragraph(f"{FACTS[number]} {PROSE * 3}")

        return draw

    text = text_of(*pages(top=["The book of keys"]), *[wide(number) for number in range(4)])
    assert "book of keys" not in text


def numbered_in_the_text(count: int, link: str = "") -> list[Draw]:
    """Pages of a web page that was printed: each has a number above a rule, at another height."""

    def page(number: int) -> Draw:
        def draw(sheet: Sheet) -> None:
            sheet.y -= 30 + 70 * (number % 4)
            sheet.paragraph(PROSE * 2)
            sheet.paragraph(f"{FACTS[number % 6]} The sentence number {number} goes on over")
            sheet.line(str(number), indent=220)
            sheet.y -= 6
            sheet.canvas.line(72, sheet.y, 520, sheet.y)
            sheet.y -= 10
            if link:
                sheet.line(link)
            sheet.y -= 8
            sheet.paragraph("the rule and ends here. " + PROSE * 2)

        return draw

    return [page(number) for number in range(11, 11 + count)]


def test_page_numbers_above_rules_go_wherever_they_are() -> None:
    text = text_of(*numbered_in_the_text(6))
    assert not [line for line in text.split("\n") if line.strip().isdecimal()]
    assert "The sentence number 13 goes on over" in text


def test_links_beside_page_numbers_go_with_them() -> None:
    assert "Table of Contents" not in text_of(*numbered_in_the_text(6, "Table of Contents"))


def test_numbers_that_do_not_count_stay() -> None:
    drawn = [numbered_in_the_text(9)[number] for number in (0, 8, 3)]
    assert [line for line in text_of(*drawn).split("\n") if line.strip().isdecimal()] == ["11", "19", "14"]


def test_running_heads_of_two_pages_go() -> None:
    assert "Keys Ltd" not in text_of(*pages(top=["Keys Ltd and its doors"])[:2])


def test_page_number_of_a_single_page_goes() -> None:
    text = text_of(pages(bottom=["187"])[0])
    assert "187" not in text
    assert "Box 187" in text_of(pages(bottom=["Box 187"])[0])


def test_running_heads_that_name_sections_go() -> None:
    titles = ["Doors of wood", "Windows of glass", "Roofs of slate", "Walls of stone"]

    def page(title: str) -> Draw:
        def draw(sheet: Sheet) -> None:
            sheet.canvas.setFont("Helvetica", 10)
            sheet.canvas.drawString(72, 800, title.upper())
            sheet.paragraph(PROSE * 4)
            sheet.heading(title)
            sheet.paragraph(PROSE * 4)

        return draw

    text = text_of(*[page(title) for title in titles])
    assert not [title for title in titles if title.upper() in text]
    assert all(f"# {title}" in text for title in titles)


def test_foot_on_a_colored_band_goes() -> None:
    def banded(page: Draw) -> Draw:
        def draw(sheet: Sheet) -> None:
            sheet.canvas.setFillGray(0.85)
            sheet.canvas.rect(60, 30, 400, 24, stroke=0, fill=1)
            sheet.canvas.setFillGray(0)
            page(sheet)

        return draw

    assert "Ltd" not in text_of(*[banded(page) for page in pages(bottom=["Keys Ltd"])])
