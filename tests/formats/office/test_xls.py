"""Workbooks of before 2007."""

from __future__ import annotations

import struct
import sys
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.compound_files import make_compound
from tests.formats.office.xls_files import XLS, make_xls
from tests.formats.sound import read_soundly

from crosshead.errors import CorruptFile, CrossheadError, EncryptedFile, MissingExtra, TooLarge
from crosshead.formats import extract
from crosshead.formats.registry import choose_format


def test_numbers_and_dates_as_they_are_shown() -> None:
    assert read_soundly(XLS, "xls").text == (
        "## Sales\n\n| Item | Amount | Day |\n| --- | --- | --- |\n| Ink | -$4.50 | 2024-03-01 |\n| Pen | $12.00 |  |\n"
    )


def test_booleans_merged_cells_and_several_tables() -> None:
    data = make_xls(
        [["a", "b"], ["x", True], [None, 2.0], [], ["Title"], ["c", "d"], ["1", "2"]], merged=[(1, 2, 0, 0)]
    )
    assert read_soundly(data, "xls").text == (
        "## Sales\n\n| a | b |\n| --- | --- |\n| x | TRUE |\n| x | 2 |\n\n"
        "Title\n\n| c | d |\n| --- | --- |\n| 1 | 2 |\n"
    )


def test_table_of_text_that_only_has_the_suffix() -> None:
    assert extract(b"name\tamount\nInk\t5\n", "xls") == "| name | amount |\n| --- | --- |\n| Ink | 5 |\n"


def record(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


@pytest.mark.parametrize("version", [2, 3, 4])
def test_workbooks_of_the_first_versions(version: int) -> None:
    cells = [["Tea", 2.5], ["Kaffee", 3.0]]
    high = (version > 2) << 9
    data = record(0x09 + (max(0, version - 2) << 9), struct.pack("<HHH", version, 0x10, 0)[: 4 if version == 2 else 6])
    for row, (name, price) in enumerate(cells):
        attributes, size = (b"\0\0\0", "B") if version == 2 else (b"\0\0", "H")
        text = struct.pack(f"<{size}", len(str(name))) + str(name).encode()
        data += record(0x04 + high, struct.pack("<HH", row, 0) + attributes + text)
        data += record(0x03 + high, struct.pack("<HH", row, 1) + attributes + struct.pack("<d", price))
    data += record(0x0A, b"")
    assert choose_format("prices", data).format == "xls"
    assert extract(data, "xls") == "## Sheet 1\n\n| A | B |\n| --- | --- |\n| Tea | 2.5 |\n| Kaffee | 3 |\n"


def test_what_cannot_be_read_is_a_typed_error() -> None:
    with pytest.raises(CorruptFile, match="damaged"):
        extract(make_compound({"Workbook": b"x" * 5000}), "xls")
    with pytest.raises(CorruptFile, match="damaged"):
        extract(XLS[:2000], "xls")
    with pytest.raises(EncryptedFile, match="password"):
        extract(make_compound({"EncryptedPackage": b"x"}), "xls")


def test_too_many_cells_are_refused() -> None:
    with pytest.raises(TooLarge, match="cells"):
        extract(make_xls([["x"] * 256] * 1000), "xls")


def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xlrd", None)
    with pytest.raises(MissingExtra, match=r"pip install 'crosshead\[xls\]'"):
        extract(XLS, "xls")


@settings(max_examples=50)
@given(st.data())
def test_damage_is_a_typed_error(data: st.DataObject) -> None:
    changed = bytearray(XLS)
    for at in data.draw(st.lists(st.integers(0, len(XLS) - 1), max_size=8)):
        changed[at] = data.draw(st.integers(0, 255))
    with suppress(CrossheadError):
        extract(bytes(changed), "xls")
