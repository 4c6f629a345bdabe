from __future__ import annotations

from tests.formats.pdf.building import PROSE, Sheet, lines_of, text_of

from crosshead.formats.pdf.page.words.fonts import looks


def column(sheet: Sheet, name: str, left: float, count: int = 8) -> None:
    sheet.left, sheet.y = left, 700
    for number in range(count):
        sheet.line(f"{name}{number} {PROSE[7 * number : 7 * number + 36]}")


def test_columns_are_read_one_after_the_other() -> None:
    def draw(sheet: Sheet) -> None:
        column(sheet, "left", 72)
        column(sheet, "right", 320)

    text = text_of(draw)
    assert text.index("left7") < text.index("right0")


def test_columns_that_are_drawn_line_by_line_are_read_one_after_the_other() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.y = 700
        for number in range(12):
            sheet.line(f"left{number} {PROSE[7 * number : 7 * number + 36]}")
            sheet.canvas.drawString(320, sheet.y, f"right{number} {PROSE[5 * number : 5 * number + 36]}")

    text = text_of(draw)
    assert "|" not in text
    assert text.index("left11") < text.index("right0")


def test_order_of_drawing_that_jumps_is_mended() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.y = 400
        sheet.paragraph("Last. " + PROSE)
        sheet.y = 700
        sheet.paragraph("First. " + PROSE)
        sheet.y = 550
        sheet.paragraph("Middle. " + PROSE)

    text = text_of(draw)
    assert text.index("First.") < text.index("Middle.") < text.index("Last.")


def test_wide_rows_part_bands_of_columns() -> None:
    def draw(sheet: Sheet) -> None:
        column(sheet, "lowleft", 72)
        column(sheet, "lowright", 320)
        sheet.left, sheet.y = 72, 760
        sheet.line("A title that stands above both of the columns and is as wide as both of them together are")

    text = text_of(draw)
    assert text.startswith("A title")
    assert text.index("lowleft7") < text.index("lowright0")


def test_turned_text_comes_last() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.saveState()
        sheet.canvas.translate(40, 300)
        sheet.canvas.rotate(90)
        sheet.canvas.drawString(0, 0, "stamp on the side")
        sheet.canvas.restoreState()
        sheet.paragraph()

    text = text_of(draw)
    assert text.startswith("Every section")
    assert "stamp on the side" in text


def test_turned_page_is_read_like_any_other() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.setPageRotation(90)
        sheet.canvas.translate(600, 0)
        sheet.canvas.rotate(90)
        sheet.y = 500
        sheet.paragraph()
        sheet.paragraph("Second. " + PROSE)

    text = text_of(draw)
    assert text.index("Every section") < text.index("Second.")
    assert text.count("\n\n") == 1


def test_running_heads_and_page_numbers_go() -> None:
    def page(number: int) -> object:
        def draw(sheet: Sheet) -> None:
            sheet.canvas.drawString(72, 800, "The big book of keys")
            sheet.canvas.drawString(300, 30, str(number))
            sheet.line(f"Text number {number} has some words.")
            sheet.paragraph()

        return draw

    text = text_of(*[page(number) for number in range(1, 7)])  # type: ignore[arg-type]
    assert "big book" not in text
    assert "\n4\n" not in text
    assert text.count("Text number") == 6


def test_heads_that_change_go_by_their_page_numbers() -> None:
    names = ["Locks", "Doors", "Keys", "Hooks", "Walls"]

    def page(number: int) -> object:
        def draw(sheet: Sheet) -> None:
            sheet.canvas.setFont("Helvetica", 10)
            sheet.canvas.drawString(72, 800, f"Chapter {names[number]} of this {number + 9}")
            sheet.paragraph(f"{names[number]} are described here. " + PROSE)

        return draw

    assert "Chapter" not in text_of(*[page(number) for number in range(5)])  # type: ignore[arg-type]


def test_what_is_most_of_the_text_is_no_furniture() -> None:
    text = text_of(*[lines_of([f"page {number}"]) for number in range(10)])
    assert text.count("page") == 10


def test_names_and_flags_of_fonts() -> None:
    assert looks("ABCDEF+CMBX10", 4) == (True, False, False)
    assert looks("ABCDEF+CMTT10", 4) == (False, False, True)
    assert looks("ABCDEF+CMTI10", 4) == (False, True, False)
    assert looks("NimbusRomNo9L-Medi", 4) == (True, False, False)
    assert looks("Courier-BoldOblique", 0) == (True, True, True)
    assert looks("SomeFont", 1) == (False, False, True)
    assert looks("MS-Gothic", 1) == (False, False, False)
    assert looks("Helvetica", 32) == (False, False, False)
    assert looks("MonotypeCorsiva", 0) == (False, False, False)


def test_drop_cap_belongs_to_its_word() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.setFont("Times-Bold", 36)
        sheet.canvas.drawString(72, 676, "O")
        sheet.canvas.setFont("Helvetica", 10)
        for number, text in enumerate(
            ["nce there was a firm that sold", "valves to all who wanted one,", "and it grew."]
        ):
            sheet.canvas.drawString(102, 700 - 12 * number, text)

    assert text_of(draw) == "Once there was a firm that sold valves to all who wanted one, and it grew.\n"


def test_texts_side_by_side_are_read_one_after_the_other() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        left = ["Report of the office", "for materials and", "their testing"]
        right = ["Bericht des Amtes", "für Material und", "dessen prüfung"]
        for pair in zip(left, right, strict=True):
            sheet.row(pair, [72, 330], pitch=12)
        sheet.y -= 10
        sheet.paragraph()

    text = text_of(draw)
    assert "Report of the office for materials and their testing\n" in text
    assert "Bericht des Amtes für Material und dessen prüfung\n" in text


def test_asterisk_of_a_note_is_kept() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        sheet.line("* Denotes a contract.")

    assert "\\* Denotes a contract." in text_of(draw)


def test_asterisks_of_a_list_are_bullets() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        for text in ("keys", "doors", "walls"):
            sheet.line(f"* {text}")

    assert text_of(draw).endswith("- keys\n- doors\n- walls\n")
