"""Workbooks, made with XlsxWriter."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date, datetime, time
from typing import Any

import pytest
from tests.formats.archives import change_zip, make_zip, read_part
from tests.formats.office.xlsx_files import book, sheet
from tests.formats.sound import headings, kinds, read_soundly

from crosshead.errors import CorruptFile, ExtractError, TooLarge, UnsupportedFormat
from crosshead.formats import extract
from crosshead.formats.office.openxml.numberformat import show_number
from crosshead.formats.office.xlsx import cells, writing

SHEET = "xl/worksheets/sheet1.xml"


def test_sheets_are_sections_with_tables() -> None:
    def fill(workbook: Any) -> None:
        for name in ("First_", "Empty", "Second"):
            made = workbook.add_worksheet(name)
            if name != "Empty":
                made.write_row(0, 0, ["name", "price"])
                made.write_row(1, 0, ["a|b", 1.5])

    document = read_soundly(book(fill), "xlsx")
    assert headings(document) == [(2, "First_"), (2, "Second")]
    assert kinds(document) == ["heading", "table", "heading", "table"]
    assert "| name | price |\n| --- | --- |\n| a\\|b | 1.5 |" in document.text


def test_values_as_they_are_shown() -> None:
    def fill(workbook: Any) -> None:
        made = workbook.add_worksheet()
        formats = {pattern: workbook.add_format({"num_format": pattern}) for pattern in ("0.0%", "$#,##0.00", "0.00")}
        days = workbook.add_format({"num_format": "dd.mm.yyyy"})
        made.write_row(0, 0, ["a", "b", "c", "d", "e", "f", "g", "h"])
        made.write(1, 0, 0.256, formats["0.0%"])
        made.write(1, 1, -1234.5, formats["$#,##0.00"])
        made.write(1, 2, date(2024, 2, 29), days)
        made.write_formula(1, 3, "=1+1", None, 2)
        made.write(1, 4, True)
        made.write(1, 5, 0.1 + 0.2)
        made.write_rich_string(1, 6, "so ", formats["0.00"], "rich")
        made.write(1, 7, 1000000)

    assert "| 25.6% | -$1,234.50 | 2024-02-29 | 2 | TRUE | 0.3 | so rich | 1000000 |" in extract(book(fill), "xlsx")


@pytest.mark.parametrize(
    ("number", "pattern", "shown"),
    [
        ("45351", "yyyy-mm-dd", "2024-02-29"), ("45351.5", "m/d/yy h:mm", "2024-02-29 12:00"),
        ("0.75", "h:mm AM/PM", "18:00"), ("0.000011574", "h:mm:ss", "00:00:01"), ("1.5", "[h]:mm", "36:00:00"),
        ("45351", '[$-409]d\\-mmm\\-yyyy;@', "2024-02-29"), ("45351", "mmm yy", "2024-02-29"),
        ("3.14159", "0.00", "3.14"), ("1234567", "#,##0", "1,234,567"), ("0.5", "0%", "50%"), ("12", '0" kg"', "12 kg"),
        ("5", "[$€-2] #,##0.00", "€ 5.00"), ("-5", "#,##0;[Red]-#,##0", "-5"), ("1E+20", "General", "1E+20"),
        ("12.50", "", "12.5"), ("7", "@", "7"), ("7", "0.00E+00", "7"), ("abc", "0", "abc"), ("nan", "0", "nan"),
        ("99999999999", "yyyy", "99999999999"), ("-1", "yyyy", "-1"), ("1e400", "0.0", "1e400"), ("7", "# ?/?", "7"),
    ],
)  # fmt: skip
def test_number_formats(number: str, pattern: str, shown: str) -> None:
    assert show_number(number, pattern) == shown


def test_years_may_begin_in_1904() -> None:
    assert show_number("0", "yyyy-mm-dd", since_1904=True) == "1904-01-01"

    def fill(workbook: Any) -> None:
        made = workbook.add_worksheet()
        made.write_row(0, 0, ["when", "what"])
        made.write_datetime(1, 0, datetime(2024, 5, 6, 7, 8), workbook.add_format({"num_format": "yyyy-mm-dd hh:mm"}))
        made.write(1, 1, "x")

    assert "| 2024-05-06 07:08 | x |" in extract(book(fill, date_1904=True), "xlsx")


def test_blank_rows_part_tables_and_titles_become_text() -> None:
    data = sheet(["Prices of 2024"], [], ["name", "price"], ["a", 1], ["b", 2], [], ["who", "what"], ["x", "y"])
    document = read_soundly(data, "xlsx")
    assert kinds(document) == ["heading", "paragraph", "table", "table"]
    assert "Prices of 2024\n\n| name | price |" in document.text


def test_blank_row_inside_of_a_table_does_not_part_it() -> None:
    assert kinds(read_soundly(sheet(["name", "n"], ["a", 1], [], ["b", 2]), "xlsx")) == ["heading", "table"]


def test_column_without_a_header_is_named_by_its_letter() -> None:
    assert "| B | C |" in extract(book(lambda each: each.add_worksheet().write_row(1, 1, [1, 2])), "xlsx")


def test_cells_of_one_column_are_text() -> None:
    assert extract(sheet(["Some text"], ["# more\ntext"]), "xlsx") == "## Prices\n\nSome text\n\n\\# more\ntext\n"


def test_merged_cells_are_filled() -> None:
    def fill(workbook: Any) -> None:
        made = workbook.add_worksheet()
        made.merge_range("A1:C1", "Title")
        made.write_row(1, 0, ["group", "x", "y"])
        made.merge_range("A3:A4", "g")
        made.write_row(2, 1, [1, 2])
        made.write_row(3, 1, [3, 4])

    text = extract(book(fill), "xlsx")
    assert "Title\n\n| group | x | y |" in text
    assert "| g | 1 | 2 |\n| g | 3 | 4 |" in text


def test_long_sheet_is_cut_into_parts() -> None:
    document = read_soundly(sheet(["id", "name"], *[[row, f"name {row}"] for row in range(300)]), "xlsx")
    assert kinds(document).count("table") > 3


def test_odd_cells() -> None:
    rows = (
        '<row><c t="inlineStr"><is><t>in_x0041_line_x0007_</t></is></c><c t="inlineStr"/><c t="e"><v>#N/A</v></c></row>'
        '<row r="2"><c r="A2"><f>SUM(A1)</f></c><c r="B2" t="s"><v>99</v></c><c r="C2" t="b"><v>0</v></c></row>'
        '<row r="3"><c r="A3"><f/></c><c r="ZZZZ3"><v>1</v></c>'
        '<c r="C3" t="d"><v>2024-01-01</v></c><c r="D3" s="77"><v>5</v></c></row>'
    )
    data = sheet(["a"])
    namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    merges = '<mergeCells><mergeCell ref="A1"/></mergeCells>'
    xml = f'<worksheet xmlns="{namespace}"><sheetData>{rows}</sheetData>{merges}</worksheet>'
    text = extract(change_zip(data, {SHEET: xml}), "xlsx")
    assert "inAline" in text
    assert "=SUM(A1)" in text
    assert "2024-01-01" in text
    assert "FALSE" in text


def test_broken_files_say_what_to_do() -> None:
    data = sheet(["a", "b"], [1, 2])
    for broken in (b"", data[: len(data) // 2], make_zip({"a": "b"})):
        with pytest.raises(CorruptFile):
            extract(broken, "xlsx")
    with pytest.raises(CorruptFile, match="not valid XML"):
        extract(change_zip(data, {SHEET: read_part(data, SHEET)[:-30]}), "xlsx")
    with pytest.raises(CorruptFile, match="entities"):
        extract(change_zip(data, {SHEET: '<!DOCTYPE a [<!ENTITY b "x">]><a>&b;</a>'}), "xlsx")


def test_parts_are_found_without_relationships() -> None:
    data = sheet(["name", "price"], ["a", 1.5])
    rest = read_part(data, "xl/_rels/workbook.xml.rels").replace("/sharedStrings", "/other")
    damaged = change_zip(data, {"_rels/.rels": None, "xl/_rels/workbook.xml.rels": rest})
    assert extract(damaged, "xlsx") == extract(data, "xlsx")


def test_sheet_that_is_missing_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    def fill(workbook: Any) -> None:
        for name in ("First", "Second"):
            workbook.add_worksheet(name).write(0, 0, "text")
        workbook.add_chartsheet("Third")

    assert "## Second" in extract(change_zip(book(fill), {SHEET: None}), "xlsx")
    assert caplog.messages == ["the sheet First is missing from the file and left out"]


def test_strict_open_xml() -> None:
    data = sheet(["name", "price"], ["a", 1.5])
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        parts = {name: opened.read(name) for name in opened.namelist()}
    usual = re.compile(rb"http://schemas\.openxmlformats\.org/(spreadsheetml|officeDocument)/2006/")
    strict = {name: usual.sub(rb"http://purl.oclc.org/ooxml/\1/", part) for name, part in parts.items()}
    assert strict[SHEET] != parts[SHEET]
    assert extract(make_zip(strict), "xlsx") == extract(data, "xlsx")


def test_binary_workbook_says_what_to_do() -> None:
    related = '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>'
    with pytest.raises(UnsupportedFormat, match="save it as XLSX"):
        extract(make_zip({"_rels/.rels": related, "xl/workbook.bin": b"\x83\x01\0"}), "xlsx")


def test_workbook_without_text_is_an_error() -> None:
    with pytest.raises(ExtractError, match="no text found"):
        extract(sheet(), "xlsx")


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    data = sheet(["a", "b"], *[[1, 2]] * 20)
    monkeypatch.setattr(writing, "MAX_GRID", 10)
    with pytest.raises(TooLarge, match="split the workbook"):
        extract(data, "xlsx")
    monkeypatch.setattr(cells, "MAX_CELLS", 10)
    with pytest.raises(TooLarge, match="split the workbook"):
        extract(data, "xlsx")


def test_text_of_many_cells_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "MAX_CHARACTERS", 1 << 20)
    with pytest.raises(TooLarge, match="the cells hold more than 1 million characters: split the workbook"):
        extract(sheet(*[["brass " * 5000]] * 40), "xlsx")


def test_cells_of_all_sheets_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(workbook: Any) -> None:
        for _ in range(3):
            made = workbook.add_worksheet()
            made.write_row(0, 0, [1, 2, 3, 4])

    data = book(fill)
    monkeypatch.setattr(cells, "MAX_CELLS", 12)
    assert "4" in extract(data, "xlsx")
    monkeypatch.setattr(cells, "MAX_CELLS", 11)
    with pytest.raises(TooLarge, match="more than 11 cells: split the workbook"):
        extract(data, "xlsx")


def test_far_cells_cost_nothing() -> None:
    def fill(workbook: Any) -> None:
        made = workbook.add_worksheet()
        made.write(0, 0, "first")
        made.write(1_048_575, 16_383, "last")

    data = book(fill)
    merged = '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>'
    text = extract(change_zip(data, {SHEET: read_part(data, SHEET).replace("</worksheet>", merged)}), "xlsx")
    assert "first" in text
    assert "last" in text


def test_time_alone() -> None:
    def fill(workbook: Any) -> None:
        made = workbook.add_worksheet()
        made.write_row(0, 0, ["start", "what"])
        made.write_datetime(1, 0, time(9, 30), workbook.add_format({"num_format": "hh:mm"}))
        made.write(1, 1, "x")

    assert "| 09:30 | x |" in extract(book(fill), "xlsx")
