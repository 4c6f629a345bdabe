"""XLSX -> Markdown.

Every sheet is a section. Blank rows part its tables; a row of one cell above a table is its title. Dates, percentages
and amounts are written as the cells show them, formulas as their last results.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from lxml import etree

from crosshead.errors import CorruptFile, TooLarge, UnsupportedFormat
from crosshead.extract.base import Extracted
from crosshead.extract.readers.office.numberformat import BUILT_IN, show_number
from crosshead.extract.readers.office.opc import RELATIONSHIP, Package
from crosshead.extract.shared import gfm
from crosshead.extract.shared.archive import clean_xml
from crosshead.extract.shared.records import Record
from crosshead.extract.shared.shape import filled, find_shape, preamble_part, regular_rows
from crosshead.extract.shared.tables import write_table
from crosshead.options import ExtractOptions

logger = logging.getLogger("crosshead")

S: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
SHEET_LEVEL: Final = 2
MAX_CELLS: Final = 250_000
MAX_COLUMNS: Final = 16_384
MAX_GRID: Final = 20_000_000
"""Cells of a table with the empty ones between them."""
_SAMPLE: Final = 200
_INLINE: Final = f"{S}is"
_VALUE: Final = f"{S}v"
_FORMULA: Final = f"{S}f"
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})")
_ESCAPED_CHARACTER = re.compile(r"_x([0-9A-Fa-f]{4})_")

Row = dict[int, str]
"""The cells that are not empty, by column."""


class _Book(NamedTuple):
    strings: Sequence[str]
    formats: Sequence[str]
    since_1904: bool


class _Merge(NamedTuple):
    top: int
    left: int
    bottom: int
    right: int


def read_xlsx(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read a workbook."""
    package = Package(data, what="XLSX", main="xl/workbook.xml")
    if package.main.endswith(".bin"):
        raise UnsupportedFormat("a binary workbook (XLSB): open it and save it as XLSX")
    root = package.main_root(S)
    properties = root.find(f"{S}workbookPr")
    since_1904 = properties is not None and properties.get("date1904") in ("1", "true")
    book = _Book(_shared_strings(package), _formats(package), since_1904)
    blocks: list[str] = []
    count = 0
    for name, part in _sheets(package, root):
        rows = _read_sheet(package, part, book)
        count += sum(len(row) for _, row in rows)
        if count > MAX_CELLS:
            raise _too_many_cells()
        tables = list(_sheet_blocks(rows))
        if tables:
            blocks += [gfm.heading(SHEET_LEVEL, gfm.escape(name)), *tables]
    return Extracted(gfm.join_blocks(blocks), title=package.title())


def _sheets(package: Package, root: etree._Element) -> Iterator[tuple[str, str]]:
    """Yield the names of the sheets with their parts; a sheet of its own kind holds a chart or a dialog."""
    for sheet in root.iterfind(f"{S}sheets/{S}sheet"):
        name = sheet.get("name") or "Sheet"
        found = package.relationships(package.main).get(sheet.get(f"{RELATIONSHIP}id") or "")
        if not found or not found.part or found.part not in package.archive:
            logger.warning("the sheet %s is missing in the file and left out", name)
        elif found.kind == "worksheet":
            yield name, found.part


def _shared_strings(package: Package) -> list[str]:
    root = package.related(package.main, "sharedStrings")
    if root is not None and len(root) > MAX_CELLS:
        raise _too_many_cells()
    return [_string(item) for item in root.iterfind(f"{S}si")] if root is not None else []


def _string(item: etree._Element) -> str:
    """Text in runs; what phonetic runs add is a reading aid and no part of the text."""
    texts = [each.text or "" for each in chain(item.iterfind(f"{S}t"), item.iterfind(f"{S}r/{S}t"))]
    return _ESCAPED_CHARACTER.sub(_unescape, "".join(texts)) if texts else ""


def _unescape(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return "" if (code < 32 and code not in (9, 10)) or 0xD800 <= code < 0xE000 else chr(code)


def _formats(package: Package) -> list[str]:
    """Return the number format of every cell style."""
    root = package.related(package.main, "styles")
    if root is None:
        return []
    own = {each.get("numFmtId"): each.get("formatCode") or "" for each in root.iterfind(f"{S}numFmts/{S}numFmt")}
    ids = [each.get("numFmtId") or "0" for each in root.iterfind(f"{S}cellXfs/{S}xf")]
    return [own.get(each) or BUILT_IN.get(int(each) if each.isdecimal() else 0, "") for each in ids]


def _read_sheet(package: Package, part: str, book: _Book) -> list[tuple[int, Row]]:
    """Return the rows that are not empty, with their numbers. Sheets can be large, so no tree is kept of them."""
    data = clean_xml(package.archive.read(part), what=f"XLSX part {part}")
    if data.count(b"<v>") > MAX_CELLS:
        raise _too_many_cells()
    rows: list[tuple[int, Row]] = []
    merges: list[_Merge] = []
    count = 0
    events = etree.iterparse(
        io.BytesIO(data), tag=(f"{S}row", f"{S}mergeCell"), encoding="utf-8", resolve_entities=False, huge_tree=True
    )
    try:
        for _, element in events:
            if element.tag == f"{S}row":
                number = _whole(element.get("r")) or (rows[-1][0] + 1 if rows else 1)
                row = dict(_cells(element, book))
                count += len(row)
                if row:
                    rows.append((number, row))
                if count > MAX_CELLS:
                    raise _too_many_cells()
            else:
                merges += _merge(element.get("ref") or "")
            element.clear()
    except etree.XMLSyntaxError as error:
        raise CorruptFile(f"the XLSX part {part} is not valid XML: {str(error).partition(chr(10))[0]}") from error
    _fill_merges(rows, merges)
    return rows


def _too_many_cells() -> TooLarge:
    return TooLarge(f"more than {MAX_CELLS:,} cells: split the workbook, or save its large sheets as CSV")


def _cells(row: etree._Element, book: _Book) -> Iterator[tuple[int, str]]:
    column = -1
    for cell in row.iterchildren(f"{S}c"):
        letters = (cell.get("r") or "").rstrip("0123456789")
        column = _column(letters) if letters else column + 1
        text = _cell_text(cell, book).strip()
        if text and column < MAX_COLUMNS:
            yield column, text


def _cell_text(cell: etree._Element, book: _Book) -> str:
    kind = cell.get("t") or "n"
    parts = {part.tag: part for part in cell}
    if kind == "inlineStr":
        return _string(parts[_INLINE]) if _INLINE in parts else ""
    value = (parts[_VALUE].text or "") if _VALUE in parts else ""
    if not value and _FORMULA in parts:
        return f"={parts[_FORMULA].text}" if parts[_FORMULA].text else ""
    if kind == "s":
        at = _whole(value)
        return book.strings[at] if at < len(book.strings) else ""
    if kind == "b":
        return {"1": "TRUE", "0": "FALSE"}.get(value, value)
    if kind == "n" and value:
        style = _whole(cell.get("s"))
        pattern = book.formats[style] if style < len(book.formats) else ""
        return show_number(value, pattern, since_1904=book.since_1904)
    return value


def _merge(reference: str) -> list[_Merge]:
    found = [_REFERENCE.fullmatch(corner) for corner in reference.split(":")]
    if len(found) != 2 or not found[0] or not found[1]:
        return []
    first, last = found[0], found[1]
    return [_Merge(int(first[2]), _column(first[1]), int(last[2]), _column(last[1]))]


def _fill_merges(rows: Sequence[tuple[int, Row]], merges: Sequence[_Merge]) -> None:
    """Every row of a merged cell gets its value, every column only if the row holds more than this cell."""
    by_number = dict(rows)
    budget = MAX_CELLS
    for merge in merges:
        value = by_number.get(merge.top, {}).get(merge.left)
        numbers = range(merge.top, min(merge.bottom, merge.top + len(rows)) + 1)
        budget -= len(numbers) * (merge.right - merge.left + 1)
        if value is None or budget < 0:
            continue
        for row in [by_number[number] for number in numbers if number in by_number]:
            inside = range(merge.left, merge.right + 1)
            alone = not any(column not in inside for column in row)
            for column in inside[:1] if alone else inside:
                row.setdefault(column, value)


def _sheet_blocks(rows: Sequence[tuple[int, Row]]) -> Iterator[str]:
    for region in _regions(rows):
        yield from _region_blocks(region)


def _regions(rows: Sequence[tuple[int, Row]]) -> Iterator[list[tuple[int, Row]]]:
    """A blank row ends a table, unless what follows goes on in the same columns without a new header."""
    region: list[tuple[int, Row]] = []
    for number, row in rows:
        if region and number > region[-1][0] + 1 and not (len(region) > 1 and _goes_on(region[-1][1], row)):
            yield region
            region = []
        region.append((number, row))
    if region:
        yield region


def _goes_on(last: Row, row: Row) -> bool:
    """Rows of one table have the same kinds of values in the same columns."""
    return (
        last.keys() == row.keys()
        and any(map(str.isdigit, "".join(row.values())))
        and [value[:1].isdigit() for value in last.values()] == [value[:1].isdigit() for value in row.values()]
    )


def _region_blocks(region: Sequence[tuple[int, Row]]) -> Iterator[str]:
    columns = sorted({column for _, row in region for column in row})
    if len(region) * len(columns) > MAX_GRID:
        raise TooLarge(f"a table of {len(region):,} rows and {len(columns):,} columns: split the workbook")
    records = [Record(number, number, [row.get(column, "") for column in columns]) for number, row in region]
    shape = find_shape(records[:_SAMPLE])
    yield from [preamble_part(record).text for record in shape.preamble]
    rows = regular_rows(chain(shape.rows, records[_SAMPLE:]), shape.width, [])
    if len(columns) == 1 or (len(records) - len(shape.preamble) == 1 and len(columns) < 2):
        yield from [preamble_part(record).text for record in chain([shape.header] if shape.header else [], rows)]
        return
    names = filled(shape.header.cells if shape.header else [], len(columns))
    labels = [name.strip() or _letters(column) for name, column in zip(names, columns, strict=True)]
    parts = write_table(labels, rows, level=SHEET_LEVEL + 1, header_line=1 if shape.header else 0)
    yield from [part.text for part in parts]


@lru_cache(1000)
def _column(letters: str) -> int:
    """Return the number of a column, or one beyond all columns for what is none."""
    if len(letters) > 3 or not letters.isascii() or not letters.isalpha():
        return MAX_COLUMNS
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - 64
    return number - 1


def _letters(column: int) -> str:
    letters, number = "", column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _whole(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0
