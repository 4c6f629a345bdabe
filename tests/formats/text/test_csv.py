"""Separated values become tables that fit chunks, and citations name the lines of the file."""

from __future__ import annotations

import csv
import io
import logging
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.sound import headings, kinds, read_soundly

import crosshead
from crosshead.errors import CorruptFile, TooLarge
from crosshead.formats import extract
from crosshead.formats.shared.tables import writing as tables
from crosshead.formats.shared.tables.writing import PART_TOKENS
from crosshead.tokens import get_counter

PRICES = "name,price,note\nApple,1.5,red\nPear,2,green\n"


def cells(text: str) -> list[list[str]]:
    """The rows of all tables in Markdown, without delimiter rows."""
    rows = [line for line in text.split("\n") if line.startswith("|") and not line.startswith("| ---")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


def test_table_with_header() -> None:
    document = read_soundly(PRICES, "csv")
    assert document.text == (
        "| name | price | note |\n| --- | --- | --- |\n| Apple | 1.5 | red |\n| Pear | 2 | green |\n"
    )
    assert kinds(document) == ["table"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiter_is_found(delimiter: str) -> None:
    assert extract(PRICES.replace(",", delimiter).encode(), "csv") == extract(PRICES.encode(), "csv")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a;b;c\n1,5;2,5;3,5\n2,5;3,5;4,5\n", ["1,5", "2,5", "3,5"]),
        ("a,b\n2024-01-01,x; y\n2024-01-02,z; w\n", ["2024-01-01", "x; y"]),
        ("sep=;\na;b\n1,5;2,5\n", ["1,5", "2,5"]),
        ("a,b\n'x, y',1\n'z',2\n", ["x, y", "1"]),
        ('a,b\n"x ""q"" y",1\n', ['x "q" y', "1"]),
        ('a,b\n"x \\"q\\" y",1\n', ['x "q" y', "1"]),
        ('a, b\n"x", "y, z"\n', ["x", "y, z"]),
        ('a,b\n"one\ntwo",1\n', ["one<br>two", "1"]),
        ("a,b\nx|y,1\n", ["x\\|y", "1"]),
        ("a,b\n*x*,_y_\n", ["\\*x\\*", "\\_y\\_"]),
        ("a,b\r\nx,1\r\n", ["x", "1"]),
    ],
)
def test_first_row_below_the_header(text: str, expected: list[str]) -> None:
    assert cells(read_soundly(text, "csv").text)[1] == expected


def test_tabs_decide_in_tsv() -> None:
    assert cells(extract(b"a\tb\nx, y\tz, w\n", "tsv"))[1] == ["x, y", "z, w"]
    assert cells(extract(b"a,b\n1,2\n", "tsv"))[1] == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("name,age\nBob,3\n", ["name", "age"]),
        ("1,2\n3,4\n", ["Column 1", "Column 2"]),
        ("country,2019,2020\nA,1,2\nB,3,4\n", ["country", "2019", "2020"]),
        ("male,Bob\nmale,Tom\nmale,Jim\nfemale,Eve\n", ["Column 1", "Column 2"]),
        ("id,,note\n1,x,y\n", ["id", "Column 2", "note"]),
        ("name\nBob\nEve\n", ["name"]),
    ],
)
def test_header_is_found_or_made(text: str, header: list[str]) -> None:
    assert cells(extract(text.encode(), "csv"))[0] == header


@pytest.mark.parametrize("title", ["Report 2024", "Report 2024,,"])
def test_title_above_the_table_becomes_text(title: str) -> None:
    document = read_soundly(f"{title}\n\nname,price,note\nApple,1,x\nPear,2,y\n", "csv", "a.csv")
    assert kinds(document) == ["paragraph", "table"]
    assert document.text.startswith("Report 2024\n\n| name |")
    assert crosshead.chunk(document)[0].citation == "a.csv:1-5"


def test_quotes_that_do_not_match_are_reported_and_kept(caplog: pytest.LogCaptureFixture) -> None:
    text = 'a,b\n1,"open\n2,say "hi"\n3,"he "said" so"\n4,"end" x\n5,fine\n'
    found = cells(read_soundly(text, "csv").text)
    assert found[1:] == [["1", '"open'], ["2", 'say "hi"'], ["3", 'he "said" so'], ["4", '"end" x'], ["5", "fine"]]
    assert "unmatched quotes in lines 2, 4, 5: kept as is" in caplog.text


def test_rows_of_another_width_are_reported_and_kept(caplog: pytest.LogCaptureFixture) -> None:
    found = cells(extract(b"a,b\n1,2\n3\n4,5,6,,7\n8,9,,\n1,2\n", "csv"))
    assert found[2:] == [["3", ""], ["4", "5, 6, 7"], ["8", "9"], ["1", "2"]]
    assert "expected 2 cells in lines 3, 4: kept as is" in caplog.text


def test_many_faults_are_one_short_warning(caplog: pytest.LogCaptureFixture) -> None:
    extract(b"a,b\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n" + b"1\n" * 9, "csv")
    assert "in lines 11, 12, 13, 14, 15 and 4 more" in caplog.text


def test_long_table_is_cut_into_parts_that_fit_a_chunk() -> None:
    text = "id,name,price\n" + "".join(f"{number},Product {number},{number}.50\n" for number in range(500))
    document = read_soundly(text, "csv", "prices.csv")
    chunks = crosshead.chunk(document)
    count = get_counter("cl100k_base")
    assert set(kinds(document)) == {"table"}
    assert len(chunks) == len(document.blocks) > 10
    assert all(count(part) <= PART_TOKENS for part in document.text.split("\n\n"))
    assert all(chunk.content.startswith("| id | name | price |\n| --- |") for chunk in chunks)
    assert not any(chunk.oversize_reason for chunk in chunks)


def test_citation_names_the_lines_of_the_file() -> None:
    lines = ["id,name,text", *[f"{number},Product {number},some words" for number in range(200)]]
    lines[50] = '49,"Product\n49",some words'
    document = read_soundly("\n".join(lines) + "\n", "csv", "prices.csv")
    source = "\n".join(lines).split("\n")
    spans = []
    for chunk in crosshead.chunk(document):
        assert chunk.citation == f"prices.csv:{chunk.source_start_line}-{chunk.source_end_line}"
        first, last = chunk.source_start_line or 0, chunk.source_end_line or 0
        rows = cells(chunk.content)[1:]
        assert rows[0][0] in source[first - 1 if first > 1 else 1]
        assert rows[-1][0] in source[last - 1] or rows[-1][0] in source[last - 2]
        spans.append((first, last))
    assert spans[0][0] == 1
    assert spans[-1][1] == len(source)
    assert all(after[0] == before[1] + 1 for before, after in pairwise(spans))


def test_wide_rows_become_records_under_their_key() -> None:
    names = [f"a rather long name of column {number}" for number in range(60)]
    rows = [",".join(["7", f"key {row}", *[f"value {row} {column}" for column in range(59)]]) for row in range(3)]
    document = read_soundly("\n".join([",".join(["same", *names]), *rows]), "csv", "wide.csv")
    assert headings(document) == [(2, "key 0"), (2, "key 1"), (2, "key 2")]
    assert "- a rather long name of column 5: value 1 4\n" in document.text
    assert {chunk.citation for chunk in crosshead.chunk(document)} == {"wide.csv:2", "wide.csv:3", "wide.csv:4"}


def test_one_long_row_does_not_change_the_others() -> None:
    long = "word " * 2000
    document = read_soundly(f"id,text,n\n1,a,2\n2,{long},3\n3,b,4\n", "csv", "a.csv")
    assert kinds(document) == ["table", "list", "table"]
    assert [chunk.citation for chunk in crosshead.chunk(document)][-1] == "a.csv:3-4"
    assert all(chunk.oversize_reason is None for chunk in crosshead.chunk(document))


def test_long_names_of_columns_are_told_once() -> None:
    name = "name " * 400
    document = read_soundly(f"id,{name}\n1,x\n2,y\n", "csv")
    assert document.text.count(name.strip()) == 1
    assert headings(document) == [(2, "1"), (2, "2")]


def test_wide_header_without_rows_is_kept() -> None:
    names = [f"column number {number}" for number in range(400)]
    text = extract(",".join(names).encode(), "csv")
    assert all(name in text for name in names)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf", b"   \n"])
def test_nothing_in_the_file_is_nothing_found(data: bytes) -> None:
    assert extract(data, "csv") == ""


def test_zero_bytes() -> None:
    assert "\ufffd" in extract(b"a,b\n" + b"1,2\n" * 50 + b"x\0,3\n", "csv")
    with pytest.raises(CorruptFile, match="zero bytes"):
        extract(b"a,b\n\0\0\0\0\n", "csv")


def test_long_names_beside_short_values_are_refused_where_they_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_CHARACTERS", 1 << 20)
    names = ",".join(f"{'long name ' * 7}{number}" for number in range(300))
    with pytest.raises(TooLarge, match="characters of Markdown: split it"):
        extract(f"{names}\n{('1,' * 299 + '1' + chr(10)) * 100}".encode(), "csv")


def test_rows_in_quotes_are_all_read() -> None:
    text = extract(b"name,price\n" + b'"a","b"\n' * 5_000, "csv")
    assert text.count("| a | b |") == 5_000


def test_many_columns_and_rows_become_records() -> None:
    header = ",".join(f"c{number}" for number in range(5_000))
    row = ",".join(map(str, range(5_000)))
    text = extract(f"{header}\n{row}\n{row}\n{row}\n".encode(), "csv")
    assert text.count("- c4999: 4999\n") == 3


def test_values_of_records_are_escaped_where_they_need_it() -> None:
    names = [f"a rather long name of column {number}" for number in range(60)]
    row = ",".join([f"k{{}},*x*, 7 ,- y,1. z,{'v,' * 55}"])
    text = read_soundly("\n".join([",".join(names), *[row.format(number) for number in range(3)]]), "csv").text
    assert "column 1: \\*x\\*\n" in text
    assert "column 2: 7\n" in text
    assert "column 4: 1" in text


def test_one_endless_line_is_refused() -> None:
    with pytest.raises(TooLarge, match="line 1 has more than 100,000 cells"):
        extract(b"a,b " * 200_000, "csv")
    with pytest.raises(TooLarge, match="line 1 has more than 100,000 cells"):
        extract(b'"a",b "' * 200_000, "csv")


def test_twenty_thousand_columns_are_read() -> None:
    header = ",".join(f"c{number}" for number in range(20_000))
    text = extract(f"{header}\n{','.join(map(str, range(20_000)))}\n".encode(), "csv")
    assert "- c19999: 19999\n" in text


def test_quotes_that_never_close_are_read_in_linear_time(caplog: pytest.LogCaptureFixture) -> None:
    text = extract(b"a,b\n" + b'"x,2\n' * 20_000, "csv")
    assert text.count('"x') == 20_000
    assert "19995 more" in caplog.text


ANY_CELL = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n,;|\"'\t"), max_size=12)


@given(st.lists(st.lists(ANY_CELL, min_size=3, max_size=3), min_size=1, max_size=8))
def test_every_word_of_a_table_comes_back(rows: list[list[str]]) -> None:
    file = io.StringIO()
    csv.writer(file).writerows([["alpha", "beta", "gamma"], *rows])
    logging.disable()
    try:
        document = read_soundly(file.getvalue().encode(), "csv")
    finally:
        logging.disable(logging.NOTSET)
    found = re.sub(r"\\(?=[!-/:-@\[-`{-~])", "", document.text)
    for word in re.findall(r"\w+", " ".join(cell for row in rows for cell in row)):
        assert word in found


PLAIN_ROW = st.lists(st.from_regex(r"[a-z]{1,8}( [a-z]{1,8})?", fullmatch=True), min_size=4, max_size=4)


@given(st.lists(PLAIN_ROW, min_size=3, max_size=9), st.sampled_from(",;\t|"))
def test_plain_tables_come_back_cell_by_cell(rows: list[list[str]], delimiter: str) -> None:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerows([["1A", "1B", "1C", "1D"], *rows])
    assert [row for row in cells(extract(file.getvalue().encode(), "csv")) if row[0] != "1A"] == rows
