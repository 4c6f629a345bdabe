"""Tables that only their alignment shows."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.formats.pdf.building import PROSE, Sheet, text_of

from crosshead.formats.pdf.layout.lines import TableLine, find_lines
from crosshead.formats.pdf.page.shapes import Segment, TextRun, TextStyle, Word
from crosshead.formats.pdf.tables.aligned.columns import Columns, find_columns
from crosshead.formats.pdf.tables.aligned.plausible import AlignedRegion, broken_rule
from crosshead.formats.pdf.tables.aligned.spanning import join_labels
from crosshead.formats.pdf.tables.aligned.splitting import split_line
from crosshead.formats.pdf.tables.cells import cell_text

Placed = tuple[float, float, str]


def table(text: str) -> list[list[str]]:
    rows = [line for line in text.split("\n") if line.startswith("|") and "---" not in line]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def place(sheet: Sheet, texts: Sequence[Placed]) -> None:
    sheet.canvas.setFont("Helvetica", 10)
    for x, y, text in texts:
        sheet.canvas.drawString(x, y, text)


def test_cells_that_are_centered_beside_taller_ones_make_rows() -> None:
    def draw(sheet: Sheet) -> None:
        place(sheet, [(72, 700, "Key"), (200, 700, "Use")])
        for number, name in enumerate(("brass", "steel", "iron")):
            y = 680 - 30 * number
            place(sheet, [(72, y - 6, name), (200, y, f"opens the {name}"), (200, y - 12, "door of the house")])

    assert table(text_of(draw)) == [
        ["Key", "Use"],
        *[[name, f"opens the {name} door of the house"] for name in ("brass", "steel", "iron")],
    ]


def test_lines_above_rows_stay_in_the_table() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.row(["Name", "Count"], [90, 250])
        for group in ("Keys of all the old wooden doors", "Locks"):
            sheet.y -= 14
            sheet.row([group], [72])
            for name in ("brass", "steel", "iron"):
                sheet.row([name, str(len(name))], [90, 250])

    rows = [["brass", "5"], ["steel", "5"], ["iron", "4"]]
    expected = [["Name", "Count"], ["Keys of all the old wooden doors", ""], *rows, ["Locks", ""], *rows]
    assert table(text_of(draw)) == expected


def test_narrow_gaps_between_cells_part_columns() -> None:
    def draw(sheet: Sheet) -> None:
        for name, kind in zip("ABCDE", ("brass", "steel", "iron", "wood", "glass"), strict=True):
            sheet.row([f"Case {name}", kind, "yes"], [72, 108, 250])

    kinds = ("brass", "steel", "iron", "wood", "glass")
    assert table(text_of(draw)) == [[f"Case {n}", kind, "yes"] for n, kind in zip("ABCDE", kinds, strict=True)]


def test_spaces_below_each_other_part_no_columns() -> None:
    def draw(sheet: Sheet) -> None:
        for name in "ABCDE":
            sheet.row([f"Case {name} is open", name * 3], [72, 250])

    assert table(text_of(draw)) == [[f"Case {name} is open", name * 3] for name in "ABCDE"]


def test_row_without_a_second_cell_is_not_joined_with_the_next() -> None:
    rows = [["get", "Read a value"], ["put", ""], ["list", "Show all names"], ["time", "Current time"]]

    def draw(sheet: Sheet) -> None:
        for row in rows:
            cells = [cell for cell in row if cell]
            sheet.row(cells, [72, 200][: len(cells)], pitch=12)

    assert table(text_of(draw)) == rows


def test_rows_that_are_drawn_by_column_are_not_joined() -> None:
    def draw(sheet: Sheet) -> None:
        place(sheet, [(72, 624, "Name"), (200, 624, "Count"), (72, 612, "wood"), (200, 612, "4")])
        place(sheet, [(72, 600, "brass"), (72, 588, "steel"), (200, 600, "five of them"), (200, 588, "six of them")])

    assert table(text_of(draw)) == [
        ["Name", "Count"],
        ["wood", "4"],
        ["brass", "five of them"],
        ["steel", "six of them"],
    ]


def test_line_across_cells_is_a_row_of_its_own() -> None:
    def draw(sheet: Sheet) -> None:
        for y, name in ((700, "Stats"), (660, "System"), (620, "Unset")):
            place(sheet, [(72, y, name), (500, y, "235"), (87, y - 12, "Name" + " ." * 82 + " 235")])

    assert "Stats Name" not in text_of(draw)


def test_rules_part_rows() -> None:
    def draw(sheet: Sheet) -> None:
        y = 700
        for name in ("brass", "steel", "iron", "wood"):
            place(sheet, [(72, y, name), (200, y, f"opens the {name}"), (200, y - 12, "door")])
            sheet.canvas.line(70, y - 16, 400, y - 16)
            y -= 28

    assert table(text_of(draw)) == [[n, f"opens the {n} door"] for n in ("brass", "steel", "iron", "wood")]


def test_cells_without_a_first_one_go_on_with_the_row_above() -> None:
    def draw(sheet: Sheet) -> None:
        for name in ("brass", "steel", "iron"):
            sheet.row([name, "house", f"opens the {name}"], [72, 150, 250], pitch=20)
            sheet.row(["door of the house"], [250], pitch=12)

    assert table(text_of(draw)) == [
        [n, "house", f"opens the {n} door of the house"] for n in ("brass", "steel", "iron")
    ]


def test_columns_of_a_page_are_no_row() -> None:
    def draw(sheet: Sheet) -> None:
        for left in (72, 310):
            column = Sheet(sheet.canvas, left)
            column.paragraph(PROSE * 4, width=200)

    assert "|" not in text_of(draw)


def test_parts_of_a_line_stay_in_order_within_a_cell() -> None:
    def segment(x: float, base: float, text: str) -> Segment:
        return Segment(Word(x, x + 20, base, (TextRun(text, TextStyle(10.0)),), ""), base)

    assert cell_text([segment(60, 100, "lock"), segment(20, 100, "door"), segment(20, 88, "key")]) == "door lock key"


def test_lines_that_stand_closer_than_rows_go_on_with_cells() -> None:
    names = ("brass", "steel", "iron")

    def draw(sheet: Sheet) -> None:
        for name in names:
            sheet.row([name, "house and", f"opens the {name}"], [72, 150, 250], pitch=20)
            sheet.row(["garden", "door"], [150, 250], pitch=12)

    assert table(text_of(draw)) == [[name, "house and garden", f"opens the {name} door"] for name in names]


@pytest.mark.parametrize("figures", [[(100.0, 140.0), (160.0, 200.0)], [(160.0, 200.0)], []])
def test_label_that_is_narrower_than_the_slack_is_kept(figures: list[tuple[float, float]]) -> None:
    word = Word(149.0, 151.0, 700.0, (TextRun("i", TextStyle(10.0)),), "")
    cells = join_labels([TableLine(0, Segment(word, 700.0))], Columns([150.0], figures), [])
    assert {segment.text for cell in cells for segment in cell} == {"i"}


@pytest.mark.parametrize(
    ("rows", "rule"),
    [
        ([("brass", "yellow"), ("steel", "grey"), ("iron", "black")], None),
        ([("brass", "yellow"), ("steel", "grey")], "enough rows"),
        ([("-", "yellow"), ("-", "grey"), ("-", "black")], "no column of bullets"),
        ([("1", "read"), ("2", "write"), ("3", "close")], "no program listing"),
        ([(f"A key of {name} that opens every door", f"A door of {name} that is never closed")
          for name in ("brass", "steel", "iron")], "no columns of prose"),
    ],
)  # fmt: skip
def test_a_region_that_is_no_table_says_which_rule_it_breaks(rows: Sequence[tuple[str, str]], rule: str | None) -> None:
    style = TextStyle(10.0)
    segments = []
    for number, row in enumerate(rows):
        for x, text in zip((72.0, 320.0), row, strict=True):
            base = 700.0 - 14 * number
            segments.append(Segment(Word(x, x + 5 * len(text), base, (TextRun(text, style),), "", len(segments)), base))
    lines = find_lines(segments, ())
    columns = find_columns(lines)._replace(figures=[])
    cells = [split_line(line, columns) for line in lines]
    assert broken_rule(AlignedRegion(cells, lines, columns, rules=0)) == rule
