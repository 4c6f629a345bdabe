"""Which cells of a sheet are a table, and what lies over them: charts, text boxes, comments."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
import xlsxwriter
from tests.formats.archives import change_zip, read_part
from tests.formats.sound import read_soundly

from crosshead.errors import TooLarge
from crosshead.formats import extract
from crosshead.formats.office.xlsx import comments

Fill = Callable[[Any, Any], None]
SHEET, RELATIONS = "xl/worksheets/sheet1.xml", "xl/worksheets/_rels/sheet1.xml.rels"


def book(fill: Fill) -> bytes:
    """A workbook with a sheet that is filled."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as workbook:
        fill(workbook, workbook.add_worksheet("S"))
    return file.getvalue()


def rows_at(*blocks: tuple[str, list[list[Any]]]) -> bytes:
    """A workbook with rows of values from these cells on."""

    def fill(_workbook: Any, sheet: Any) -> None:
        for cell, rows in blocks:
            for number, row in enumerate(rows):
                at, column = xlsxwriter.utility.xl_cell_to_rowcol(cell)
                sheet.write_row(at + number, column, row)

    return book(fill)


def headers(data: bytes) -> list[str]:
    """The header rows of all tables, and the paragraphs."""
    found = read_soundly(data, "xlsx").text.split("\n\n")[1:]
    return [block.partition("\n")[0].strip("| ") for block in found]


FRUITS = [["name", "price"], ["apple", 1], ["pear", 2], ["plum", 3]]
CITIES = [["city", "people"], ["Rome", 10], ["Oslo", 20], ["Bern", 30]]


def test_tables_side_by_side_are_two() -> None:
    assert headers(rows_at(("A1", FRUITS), ("D1", CITIES))) == ["name | price", "city | people"]


def test_tables_of_other_rows_are_two_even_without_labels() -> None:
    years = [["year", "sum"], [2020, 1], [2021, 2], [2022, 3], [2023, 4], [2024, 5]]
    assert headers(rows_at(("A1", FRUITS), ("D1", years))) == ["name | price", "year | sum"]


def test_tables_beside_and_below_each_other() -> None:
    data = rows_at(("A1", [["Report"]]), ("A3", FRUITS), ("D3", CITIES), ("D8", [["x", "y", "z"], ["k", 2, 3]]))
    assert headers(data) == ["Report", "name | price", "city | people", "x | y | z"]


def test_long_table_beside_two_short_ones() -> None:
    long = [["id", "what"], *[[f"n{row}", row] for row in range(12)]]
    data = rows_at(("A1", FRUITS), ("A7", CITIES), ("E1", long))
    assert headers(data) == ["name | price", "id | what", "city | people"]


@pytest.mark.parametrize(
    "rows",
    [
        [["", None, "2023", None, "2022"], ["Revenue", None, 10, None, 9], ["Cost", None, -5, None, -4]],
        [["Item", "2023", None, "2022", "Change"], ["Revenue", 10, None, 9, "10%"], ["Cost", -5, None, -4, "5%"]],
        [["Item", "2023", None, "Remark", "By"], ["A", 1], ["B", 2], ["C", 3, None, "check", "Bo"], ["D", 4], ["E", 5]],
    ],
)  # fmt: skip
def test_columns_that_are_only_set_apart_stay_in_their_table(rows: list[list[Any]]) -> None:
    assert len(headers(rows_at(("A1", rows)))) == 1


def test_list_beside_a_table() -> None:
    listed = [["Status"], ["open"], ["done"]]
    assert headers(rows_at(("A1", [*FRUITS, ["fig", 4]]), ("E1", listed))) == ["name | price", "Status", "open", "done"]


def test_merged_titles_above_tables_side_by_side() -> None:
    def fill(_workbook: Any, sheet: Any) -> None:
        sheet.merge_range("A1:B1", "Fruits")
        sheet.merge_range("D1:E1", "Cities")
        for number, (left, right) in enumerate(zip(FRUITS, CITIES, strict=True), 1):
            sheet.write_row(number, 0, left)
            sheet.write_row(number, 3, right)

    assert headers(book(fill)) == ["Fruits", "name | price", "Cities", "city | people"]


def test_real_tables_with_their_names() -> None:
    def fill(_workbook: Any, sheet: Any) -> None:
        columns = [{"header": "Region"}, {"header": "Sum"}]
        sheet.write(0, 0, "Above")
        sheet.add_table("A2:B4", {"name": "Regional_Sales", "columns": columns, "data": [["N", 1], ["S", 2]]})
        sheet.add_table("C2:D4", {"name": "Table7", "columns": [{"header": "P"}, {"header": "Q"}], "data": [["a", 1]]})
        sheet.add_table(
            "F2:G3", {"name": "Bare", "header_row": False, "columns": columns, "data": [["a", 1], ["b", 2]]}
        )
        sheet.write(4, 0, "Below")

    text = read_soundly(book(fill), "xlsx").text
    assert text == (
        "## S\n\nAbove\n\nRegional_Sales\n\n| Region | Sum |\n| --- | --- |\n| N | 1 |\n| S | 2 |\n\n"
        "| P | Q |\n| --- | --- |\n| a | 1 |\n\n"
        "Bare\n\n| Region | Sum |\n| --- | --- |\n| a | 1 |\n| b | 2 |\n\nBelow\n"
    )


def test_chart_of_cells_and_sheets_of_charts() -> None:
    def fill(workbook: Any, sheet: Any) -> None:
        for number, row in enumerate(FRUITS):
            sheet.write_row(number, 0, row)
        for add in (lambda chart: sheet.insert_chart("D2", chart), workbook.add_chartsheet("Only").set_chart):
            chart = workbook.add_chart({"type": "column"})
            chart.add_series({"name": "=S!$B$1", "categories": "=S!$A$2:$A$4", "values": "=S!$B$2:$B$4"})
            chart.set_title({"name": "Prices"})
            add(chart)

    data = book(fill)
    table = "Chart: Prices\n\n|  | price |\n| --- | --- |\n| apple | 1 |\n| pear | 2 |\n| plum | 3 |\n"
    text = extract(data, "xlsx")
    assert text.endswith(f"{table}\n## Only\n\n{table}")
    chart = "xl/charts/chart1.xml"
    bare = read_part(data, chart).replace("Cache>", "Gone>")
    assert extract(change_zip(data, {chart: bare}), "xlsx") == text


def test_text_boxes_and_pictures(caplog: pytest.LogCaptureFixture) -> None:
    pixel = bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c020000000b4944415478da6364f80f00010501012718e366"
        "0000000049454e44ae426082"
    )

    def fill(_workbook: Any, sheet: Any) -> None:
        sheet.insert_textbox("A1", "# A box")
        for scale, more in ((100, {}), (100, {"description": "A red dot"}), (1, {}), (100, {"decorative": True})):
            sheet.insert_image(
                "A9", "x.png", {"image_data": io.BytesIO(pixel), "x_scale": scale, "y_scale": scale, **more}
            )

    assert extract(book(fill), "xlsx") == "## S\n\nA red dot\n\n\\# A box\n"
    assert caplog.messages == ["1 picture without alternative text is left out"]


def commented() -> bytes:
    def fill(_workbook: Any, sheet: Any) -> None:
        for number, row in enumerate(FRUITS):
            sheet.write_row(number, 0, row)
        sheet.write_comment("B2", "Really?\nYes", {"author": "Ann"})
        sheet.write_comment("B1", "Yes", {"author": ""})
        sheet.write_comment("K9", "Empty", {"author": "Bo"})

    return book(fill)


def test_comments_are_footnotes_of_cells() -> None:
    text = extract(commented(), "xlsx", comments=True)
    assert "| name | price[^1] |\n| --- | --- |\n| apple | 1[^2] |\n| pear | 2 |" in text
    assert text.endswith("[^1]: – Yes\n\n[^2]: Ann: Really?\n    Yes\n\n> Comment on K9: Bo: Empty\n")


def test_comments_that_nobody_asked_for_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    assert extract(commented(), "xlsx") == extract(rows_at(("A1", FRUITS)), "xlsx")
    assert caplog.messages == ["3 comments are left out: keep them with the option comments"]


def test_threads_stand_for_the_notes_that_repeat_them() -> None:
    data = commented()
    threads = (
        '<t:ThreadedComments xmlns:t="x"><t:threadedComment ref="B2" personId="{A}" id="1"><t:text>Why?</t:text>'
        '</t:threadedComment><t:threadedComment ref="B2" personId="{B}" parentId="1"><t:text>Because</t:text>'
        "</t:threadedComment></t:ThreadedComments>"
    )
    person = '<t:person id="{{{}}}" displayName="{}"/>'
    people = f'<t:personList xmlns:t="x">{person.format("A", "Ann")}{person.format("B", "Bo")}</t:personList>'
    workbook = "xl/_rels/workbook.xml.rels"

    def with_relation(part: str, kind: str, target: str) -> str:
        added = f'<Relationship Id="rId99" Type="x/{kind}" Target="{target}"/></Relationships>'
        return read_part(data, part).replace("</Relationships>", added)

    changed = change_zip(data, {
        RELATIONS: with_relation(RELATIONS, "threadedComment", "../t.xml"), "xl/t.xml": threads,
        workbook: with_relation(workbook, "person", "people.xml"), "xl/people.xml": people,
    })  # fmt: skip
    assert "[^2]: Ann: Why?\n\n    Bo: Because\n" in extract(changed, "xlsx", comments=True)


def test_many_columns_set_apart_cost_little() -> None:
    wide = [[f"c{column}" if column % 2 else None for column in range(2_000)] for _ in range(20)]
    assert "c1999" in extract(rows_at(("A1", wide)), "xlsx")


def test_tables_and_merges_that_overlap_everywhere() -> None:
    data = rows_at(("A1", FRUITS))
    table = '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" displayName="T" ref="{}"/>'
    relation = '<Relationship Id="r{0}" Type="x/table" Target="../t{0}.xml"/>'
    areas = ["A1:XFD1048576", "B2:A1", "nonsense", "A1:A1:A1", "B1:B9"]
    parts = {f"xl/t{at}.xml": table.format(area) for at, area in enumerate(areas)}
    relations = f"<Relationships>{''.join([relation.format(at) for at in range(len(areas) + 1)])}</Relationships>"
    assert "| apple | 1 |" in extract(change_zip(data, {**parts, RELATIONS: relations}), "xlsx")


def test_too_many_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comments, "MAX_COMMENTS", 2)
    with pytest.raises(TooLarge, match="more than 2 comments"):
        extract(commented(), "xlsx")
