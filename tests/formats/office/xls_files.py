"""XLS files for tests: the few records of Excel 97 that hold cells."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from tests.formats.compound_files import make_compound

Value = str | float | bool | None
DATE, MONEY, GENERAL = "yyyy\\-mm\\-dd", '"$"#,##0.00', "General"
_FORMATS = (GENERAL, DATE, MONEY)


def _record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def _string(text: str, length: str = "<H") -> bytes:
    return struct.pack(length, len(text)) + b"\x01" + text.encode("utf-16-le")


def _begin(kind: int) -> bytes:
    return _record(0x0809, struct.pack("<HHHHII", 0x0600, kind, 0x0DBB, 0x07CC, 0, 6))


def _cell(row: int, column: int, value: Value, style: int) -> bytes:
    place = struct.pack("<HHH", row, column, style)
    if isinstance(value, bool):
        return _record(0x0205, place + bytes([value, 0]))
    if isinstance(value, str):
        return _record(0x0204, place + _string(value))
    return _record(0x0203, place + struct.pack("<d", value)) if value is not None else _record(0x0201, place)


def make_xls(
    rows: Sequence[Sequence[Value | tuple[float, str]]], merged: Sequence[tuple[int, int, int, int]] = ()
) -> bytes:
    """Return a workbook with the sheet `Sales`; a cell may be a number with its format."""
    cells = [_begin(0x0010)]
    for number, row in enumerate(rows):
        for column, value in enumerate(row):
            plain, pattern = value if isinstance(value, tuple) else (value, GENERAL)
            cells.append(_cell(number, column, plain, _FORMATS.index(pattern)))
    for top, bottom, left, right in merged:
        cells.append(_record(0x00E5, struct.pack("<HHHHH", 1, top, bottom, left, right)))
    sheet = b"".join([*cells, _record(0x000A, b"")])
    head = _begin(0x0005) + _record(0x0042, struct.pack("<H", 1200))
    head += _record(0x0031, struct.pack("<HHHHHBBBB", 200, 0, 0x7FFF, 400, 0, 0, 0, 0, 0) + b"\x05\x00Arial") * 5
    head += b"".join(_record(0x041E, struct.pack("<H", 164 + at) + _string(each)) for at, each in enumerate(_FORMATS))
    head += b"".join(
        _record(0x00E0, struct.pack("<HHHBBBBIIH", 0, 164 + at, 0, 0, 0, 0, 0, 0, 0, 0)) for at in range(len(_FORMATS))
    )
    bound = b"\x00\x00" + _string("Sales", "<B")
    where = len(head) + len(_record(0x0085, bytes(4) + bound)) + 4
    head += _record(0x0085, struct.pack("<I", where) + bound) + _record(0x000A, b"")
    return make_compound({"Workbook": (head + sheet).ljust(4096, b"\0")})


XLS = make_xls([["Item", "Amount", "Day"], ["Ink", (-4.5, MONEY), (45352.0, DATE)], ["Pen", (12.0, MONEY), None]])
