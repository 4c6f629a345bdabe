from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.formats.pdf.building import BOLD, LEFT, MONO, PROSE, Sheet, lines_of, text_of


def table(text: str) -> list[list[str]]:
    rows = [line for line in text.split("\n") if line.startswith("|") and "---" not in line]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


ROWS = [["Key", "Door", "Count"], ["brass", "front", "12"], ["steel", "back", "3"], ["iron", "cellar", "7"]]


def test_borders_make_a_table() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        sheet.grid(ROWS, [72, 172, 272, 372])
        sheet.paragraph()

    assert table(text_of(draw)) == ROWS


def test_boxes_make_a_table() -> None:
    def draw(sheet: Sheet) -> None:
        for row in ROWS:
            sheet.y -= 20
            for number, cell in enumerate(row):
                sheet.canvas.rect(72 + 100 * number, sheet.y, 100, 20)
                sheet.canvas.drawString(76 + 100 * number, sheet.y + 6, cell)

    assert table(text_of(draw)) == ROWS


def test_lines_of_a_bordered_cell_are_joined() -> None:
    def draw(sheet: Sheet) -> None:
        for x in (72, 172, 372):
            sheet.canvas.line(x, 700, x, 620)
        for y in (700, 680, 620):
            sheet.canvas.line(72, y, 372, y)
        for x, y, text in ((76, 686, "Key"), (176, 686, "Use"), (76, 660, "brass"), (176, 666, "opens the"),
                           (176, 654, "front door")):  # fmt: skip
            sheet.canvas.drawString(x, y, text)

    assert table(text_of(draw)) == [["Key", "Use"], ["brass", "opens the front door"]]


def test_merged_cell_stays_whole() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.grid([["Key and its door", "", "Count"], *ROWS[1:]], [72, 112, 272, 372])
        sheet.canvas.setFillColorRGB(1, 1, 1)

    def without_inner_line(sheet: Sheet) -> None:
        for y in (700, 680, 660):
            sheet.canvas.line(72, y, 272, y)
        for x, top in ((72, 700), (112, 680), (272, 700)):
            sheet.canvas.line(x, top, x, 660)
        sheet.canvas.drawString(76, 686, "Key and its door")
        sheet.canvas.drawString(76, 666, "brass")
        sheet.canvas.drawString(116, 666, "front")

    assert table(text_of(without_inner_line))[0][0] == "Key and its door"
    assert table(text_of(draw))[1][0] == "brass"


def test_single_box_is_no_table() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.rect(60, 600, 480, 180)
        sheet.paragraph()

    assert "|" not in text_of(draw)


def test_alignment_makes_a_table() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        for row in ROWS:
            sheet.row(row, [72, 172, 272])
        sheet.y -= 20
        sheet.paragraph()

    assert table(text_of(draw)) == ROWS


def test_rules_above_and_below_make_a_table_of_two_rows() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.line(72, 750, 272, 750)
        for row in ROWS[:2]:
            sheet.row(row[:2], [72, 172])
            sheet.canvas.line(72, sheet.y - 4, 272, sheet.y - 4)

    assert table(text_of(draw)) == [row[:2] for row in ROWS[:2]]


def test_right_aligned_numbers_stay_in_their_columns() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        for row in (
            ["Item", "Price", "Weight"],
            ["Lamp", "1,200", "3.5"],
            ["Chair", "80", "12.25"],
            ["Bed", "9", "40"],
        ):
            sheet.y -= 16
            sheet.canvas.drawString(72, sheet.y, row[0])
            sheet.canvas.drawRightString(220, sheet.y, row[1])
            sheet.canvas.drawRightString(300, sheet.y, row[2])

    assert table(text_of(draw))[2] == ["Chair", "80", "12.25"]


def test_lines_that_go_on_with_a_cell_belong_to_its_row() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        sheet.row(["Key", "Use"], [72, 172], BOLD)
        for name in ("brass", "steel", "iron"):
            sheet.row([name, "opens the door that is"], [72, 172], pitch=20)
            sheet.row(["", f"at the {name} side"], [72, 172], pitch=12)

    assert table(text_of(draw))[2] == ["steel", "opens the door that is at the steel side"]


def test_words_that_stand_close_are_parted_by_their_column() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        rows = [["Name", "Kind"], ["PageHeaderData", "struct"], ["flags", "integer"], ["lower", "offset"], ["x", "y"]]
        for row in rows:
            sheet.row(row, [72, 155])

    assert table(text_of(draw))[1] == ["PageHeaderData", "struct"]


def test_table_goes_on_over_pages_and_repeats_no_header() -> None:
    def page(rows: Sequence[Sequence[str]]) -> object:
        return lambda sheet: sheet.grid([ROWS[0], *rows], [72, 172, 272, 372])

    found = table(text_of(page(ROWS[1:3]), page(ROWS[3:])))  # type: ignore[arg-type]
    assert found == ROWS


def test_pipes_and_marks_in_cells_are_escaped() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.grid([["a|b", "*x*"], ["c", "d"]], [72, 172, 272])

    assert "| a\\|b | \\*x\\* |" in text_of(draw)


@pytest.mark.parametrize(
    "rows",
    [
        [["•", "one"], ["•", "two"], ["•", "three"]],
        [["x = 1", "# one"], ["y = 22", "# two"], ["z = 333", "# three"]],
    ],
    ids=["list", "code"],
)
def test_what_is_aligned_but_no_table(rows: list[list[str]]) -> None:
    font = MONO if "=" in rows[0][0] else "Helvetica"

    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        for row in rows:
            sheet.row(row, [LEFT, LEFT + 60], font, pitch=12)

    assert "|" not in text_of(lines_of([PROSE[:70]] * 9), draw)


def test_formula_with_its_number_is_no_table() -> None:
    def draw(sheet: Sheet) -> None:
        for number in range(1, 4):
            sheet.paragraph()
            sheet.row(["a + b = c", f"({number})"], [200, 480])
            sheet.y -= 20

    assert "|" not in text_of(draw)


def test_labels_with_paragraphs_beside_them_are_text() -> None:
    def draw(sheet: Sheet) -> None:
        for name in ("alpha", "beta", "gamma"):
            sheet.row([name, PROSE[:60]], [72, 150], pitch=14)
            for start in (60, 120, 60):
                sheet.row(["", PROSE[start : start + 60]], [72, 150], pitch=12)

    assert "|" not in text_of(draw)
