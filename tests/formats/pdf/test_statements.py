"""Tables of amounts: labels of several lines, groups of rows, signs that are drawn apart."""

from __future__ import annotations

from collections.abc import Sequence

from tests.formats.pdf.building import PROSE, Draw, Sheet, table, text_of

import crosshead

RIGHTS = (330, 420, 510)


def write(sheet: Sheet, label: str, amounts: Sequence[str] = (), *, indent: float = 0, pitch: float = 14) -> None:
    """Draw a row: a label, and amounts that end where their columns do."""
    sheet.y -= pitch
    sheet.canvas.setFont("Helvetica", 10)
    sheet.canvas.drawString(72 + indent, sheet.y, label)
    for right, amount in zip(RIGHTS, amounts, strict=False):
        sheet.canvas.drawRightString(right, sheet.y, amount)


def test_years_are_labels_and_groups_are_rows() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        write(sheet, "(in millions)", ["2021", "2020"], pitch=20)
        write(sheet, "Revenue:")
        write(sheet, "Lamps", ["1,200", "1,100"], indent=10)
        write(sheet, "Candles", ["(30)", "—"], indent=10)
        write(sheet, "Costs:")
        write(sheet, "Glass", ["400", "390"], indent=10)
        sheet.y -= 20
        sheet.paragraph()

    assert table(text_of(draw)) == [
        ["(in millions)", "2021", "2020"],
        ["Revenue:", "", ""],
        ["Lamps", "1,200", "1,100"],
        ["Candles", "(30)", "—"],
        ["Costs:", "", ""],
        ["Glass", "400", "390"],
    ]


def test_label_that_spans_columns_is_repeated() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.y = 700
        sheet.canvas.setFont("Helvetica", 10)
        sheet.canvas.drawCentredString(360, 714, "Year Ended December 31,")
        sheet.canvas.drawRightString(510, 714, "Change")
        write(sheet, "", ["2021", "2020", "in %"], pitch=0)
        for name, amounts in (("Sales", ("900", "800", "12.5")), ("Costs", ("700", "650", "7.7"))):
            write(sheet, name, amounts)

    found = table(text_of(draw))
    assert found[0] == ["", "Year Ended December 31, 2021", "Year Ended December 31, 2020", "Change in %"]
    assert found[1] == ["Sales", "900", "800", "12.5"]


def test_rule_shows_what_a_label_spans() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.y = 700
        sheet.canvas.setFont("Helvetica", 10)
        sheet.canvas.drawString(380, 714, "Restated")
        sheet.canvas.line(370, 711, 512, 711)
        write(sheet, "", ["2021", "2020", "2019"], pitch=0)
        for name in ("Sales", "Costs"):
            write(sheet, name, ["900", "800", "750"])

    assert table(text_of(draw))[0] == ["", "2021", "Restated 2020", "Restated 2019"]


def test_signs_that_are_drawn_apart_belong_to_their_amounts() -> None:
    def draw(sheet: Sheet) -> None:
        write(sheet, "", ["2021", "2020"])
        for name, first, second in (("Sales", "1,200", "(35"), ("Costs", "90", "(1,100")):
            write(sheet, name, [first, second])
            for right in RIGHTS[:2]:
                sheet.canvas.drawString(right - 60, sheet.y, "$")
            sheet.canvas.drawString(RIGHTS[1] + 4, sheet.y, ")")

    assert table(text_of(draw))[1:] == [["Sales", "$1,200", "$(35)"], ["Costs", "$90", "$(1,100)"]]


def test_label_of_two_lines_is_one_row() -> None:
    def draw(sheet: Sheet) -> None:
        write(sheet, "", ["2021", "2020"])
        write(sheet, "Sales", ["1,200", "1,100"], pitch=18)
        write(sheet, "General expenses, including those of offices", pitch=18)
        write(sheet, "and of the people in them", ["55", "44"], pitch=12)
        write(sheet, "Taxes", ["10", "9"], pitch=18)

    found = table(text_of(draw))
    assert found[2] == ["General expenses, including those of offices and of the people in them", "55", "44"]
    assert len(found) == 4


def test_long_label_that_runs_into_a_column_stays_whole() -> None:
    def draw(sheet: Sheet) -> None:
        write(sheet, "", ["2021", "2020", "2019"])
        write(sheet, "Adjustments to reconcile net income to the cash that is provided by operations:")
        for name in ("Sales", "Costs", "Taxes"):
            write(sheet, name, ["900", "800", "750"])

    assert table(text_of(draw))[1][0].startswith("Adjustments to reconcile net income to the cash that is provided")


def test_amounts_never_share_a_cell() -> None:
    def draw(sheet: Sheet) -> None:
        for number in range(6):
            sheet.line(f"Town {number}")
            for column in range(4):
                sheet.canvas.drawRightString(200 + 50 * column, sheet.y, f"{column + 1}{number},{500 + number}.25")

    found = table(text_of(draw))
    assert len(found[0]) == 5
    assert all(" " not in cell for row in found for cell in row[1:])


def test_table_without_labels_has_an_empty_header() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        for name, amount in (("2021", "$ 1,200"), ("2022", "900"), ("Thereafter", "4,000"), ("Total", "$ 6,100")):
            write(sheet, name, [amount])

    assert table(text_of(draw))[:2] == [["", ""], ["2021", "$1,200"]]


def test_labels_stay_on_top_when_a_table_goes_on_over_pages() -> None:
    def page(names: Sequence[str], *, labels: bool) -> Draw:
        def draw(sheet: Sheet) -> None:
            if labels:
                write(sheet, "", ["2021", "2020"])
            for name in names:
                write(sheet, name, ["1,200", "(35)"] if not name.endswith(":") else [])

        return draw

    first, second = ("Assets:", "Cash", "Glass", "Debts:"), ("Loans", "Leases", "Total")
    for again in (False, True):
        found = table(text_of(page(first, labels=True), page(second, labels=again)))
        assert [row[0] for row in found] == ["", *first, *second]


def test_another_table_on_the_next_page_is_another_one() -> None:
    def page(*years: str) -> Draw:
        def draw(sheet: Sheet) -> None:
            write(sheet, "", years)
            for name in ("Cash", "Glass", "Lamps"):
                write(sheet, name, ["1,200", "(35)"])

        return draw

    assert text_of(page("2021", "2020"), page("Bern", "Basel")).count("--- |\n") == 2


def test_every_piece_of_a_long_table_has_the_labels() -> None:
    def draw(sheet: Sheet) -> None:
        write(sheet, "(in millions)", ["2021", "2020"])
        for number in range(40):
            write(sheet, f"Sales of lamps of the kind {number}", ["1,200", "(35)"])

    text = text_of(draw)
    chunks = [each.render() for each in crosshead.chunk(text, max_tokens=120, oversize="split")]
    pieces = [each for each in chunks if "Sales of lamps" in each]
    assert len(pieces) > 3
    assert all("2021 | 2020" in each for each in pieces)
    assert sum(each.count("Sales of lamps") for each in pieces) == 40


def test_prose_with_numbers_is_no_table() -> None:
    def draw(sheet: Sheet) -> None:
        for _ in range(4):
            sheet.paragraph("In 2019 there were 1,204 shops, 12 % more than the 1,075 of 2018. " + PROSE)

    assert "|" not in text_of(draw)


def test_dots_that_lead_to_amounts_are_no_contents() -> None:
    def draw(sheet: Sheet) -> None:
        for name, amount in (("Salaries", "900"), ("Rent", "310"), ("Heating", "61"), ("Light", "72"), ("Tax", "5")):
            sheet.line(name + " " + "." * 60)
            sheet.canvas.drawRightString(RIGHTS[1], sheet.y, amount)

    assert table(text_of(draw))[1:3] == [["Salaries", "900"], ["Rent", "310"]]


def test_numbered_lines_of_a_program_are_no_table() -> None:
    def draw(sheet: Sheet) -> None:
        for number, line in enumerate(("let a be b", "if a then", "call c with a", "end if"), 11):
            sheet.line(str(number), size=10)
            sheet.canvas.drawString(110, sheet.y, line)

    assert "|" not in text_of(draw)


def test_telephone_number_is_one_cell() -> None:
    def draw(sheet: Sheet) -> None:
        for name, number in (("Oak", "(415) 555-0199"), ("Elm", "(416) 555-0100"), ("Fir", "(417) 555-0177")):
            sheet.row([name, number], [72, 200])

    assert table(text_of(draw))[-1] == ["Fir", "(417) 555-0177"]


def test_labels_and_values_in_two_boxes_are_rows() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.rect(72, 640, 150, 60)
        sheet.canvas.rect(222, 640, 200, 60)
        for number, (label, value) in enumerate(
            (("Name", "Oak & Sons"), ("Paid", "$32,948"), ("Call", "(415) 555-0199"))
        ):
            sheet.canvas.drawString(78, 684 - 16 * number, label)
            sheet.canvas.drawString(228, 684 - 16 * number, value)

    assert table(text_of(draw)) == [["Name", "Oak & Sons"], ["Paid", "$32,948"], ["Call", "(415) 555-0199"]]


def test_merged_cells_are_repeated_beside_their_rows_and_above_their_columns() -> None:
    def draw(sheet: Sheet) -> None:
        canvas = sheet.canvas
        for x0, y0, width, height, text in (
            (72, 660, 80, 40, "Region"), (152, 660, 80, 40, "Town"), (232, 680, 120, 20, "Sales"),
            (232, 660, 60, 20, "2020"), (292, 660, 60, 20, "2021"), (72, 620, 80, 40, "North"),
            (152, 640, 80, 20, "Bern"), (232, 640, 60, 20, "10"), (292, 640, 60, 20, "12"),
            (152, 620, 80, 20, "Basel"), (232, 620, 60, 20, "20"), (292, 620, 60, 20, "22"),
        ):  # fmt: skip
            canvas.rect(x0, y0, width, height)
            canvas.drawString(x0 + 4, y0 + height - 14, text)

    assert table(text_of(draw)) == [
        ["Region", "Town", "Sales 2020", "Sales 2021"],
        ["North", "Bern", "10", "12"],
        ["North", "Basel", "20", "22"],
    ]


def test_frame_around_the_labels_alone_belongs_to_the_figures_below_it() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.y = 700
        for right in (72, 270, 360, 450, 510):
            sheet.canvas.line(right, 690, right, 730)
        for height in (690, 710, 730):
            sheet.canvas.line(72, height, 510, height)
        sheet.canvas.setFont("Helvetica", 10)
        sheet.canvas.drawCentredString(400, 715, "Arrests")
        write(sheet, "Offense", ["Total", "Male", "Female"], pitch=4)
        for name, amounts in (("Robbery", ("102.1", "90.0", "12.1")), ("Arson", ("9.8", "8.1", "1.7"))):
            write(sheet, name, amounts, pitch=18)

    found = table(text_of(draw))
    assert [row[0] for row in found[-3:]] == ["Offense", "Robbery", "Arson"]
    assert [row[1:] for row in found[-2:]] == [["102.1", "90.0", "12.1"], ["9.8", "8.1", "1.7"]]
    assert found[-3][1:] == ["Arrests Total", "Arrests Male", "Arrests Female"]
