"""The cells of a workbook's sheets as texts: what each shows, and what areas merged cells cover."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from lxml import etree

from crosshead.errors import CorruptFile, TooLarge
from crosshead.formats.office.openxml.numberformat import BUILT_IN, show_number
from crosshead.formats.office.openxml.opc import OpcPackage
from crosshead.formats.shared.containers.archive import clean_xml

S: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
MAX_CELLS: Final = 250_000
MAX_COLUMNS: Final = 16_384
MAX_CHARACTERS: Final = 64 << 20
"""Of all cells of a workbook: many cells may show one long text, which the file holds only once."""
_INLINE: Final = f"{S}is"
_VALUE: Final = f"{S}v"
_FORMULA: Final = f"{S}f"
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})")
_ESCAPED_CHARACTER = re.compile(r"_x([0-9A-Fa-f]{4})_")

Row = dict[int, str]
"""The cells that are not empty, by column."""
Rows = list[tuple[int, Row]]
"""The rows that are not empty, with their numbers."""


class Area(NamedTuple):
    """A rectangle of cells; rows count from 1, columns from 0."""

    top: int
    left: int
    bottom: int
    right: int


class Sheet(NamedTuple):
    """The cells of a sheet."""

    rows: Rows
    merges: list[Area]


class Book(NamedTuple):
    """Tables that the cells of all sheets refer to."""

    strings: Sequence[str]
    formats: Sequence[str]
    since_1904: bool


def open_book(package: OpcPackage, root: etree._Element) -> Book:
    """Read what the cells of all sheets refer to."""
    properties = root.find(f"{S}workbookPr")
    since_1904 = properties is not None and properties.get("date1904") in ("1", "true")
    return Book(_shared_strings(package), _formats(package), since_1904)


def _shared_strings(package: OpcPackage) -> list[str]:
    root = package.related(package.main, "sharedStrings")
    if root is not None and len(root) > MAX_CELLS:
        raise too_many_cells()
    return [rich_text(item) for item in root.iterfind(f"{S}si")] if root is not None else []


def rich_text(item: etree._Element) -> str:
    """Text in runs; what phonetic runs add is a reading aid and no part of the text."""
    texts = [each.text or "" for each in chain(item.iterfind(f"{S}t"), item.iterfind(f"{S}r/{S}t"))]
    return _ESCAPED_CHARACTER.sub(_unescape, "".join(texts)) if texts else ""


def _unescape(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return "" if (code < 32 and code not in (9, 10)) or 0xD800 <= code < 0xE000 else chr(code)


def _formats(package: OpcPackage) -> list[str]:
    """Return the number format of every cell style."""
    root = package.related(package.main, "styles")
    if root is None:
        return []
    own = {each.get("numFmtId"): each.get("formatCode") or "" for each in root.iterfind(f"{S}numFmts/{S}numFmt")}
    ids = [each.get("numFmtId") or "0" for each in root.iterfind(f"{S}cellXfs/{S}xf")]
    return [own.get(each) or BUILT_IN.get(int(each) if each.isdecimal() else 0, "") for each in ids]


def read_sheet(package: OpcPackage, part: str, book: Book) -> Sheet:
    """Read the cells of a sheet. Sheets can be large, so no tree is kept of them."""
    data = clean_xml(package.archive.read(part), what=f"XLSX part {part}")
    if data.count(b"<v>") > MAX_CELLS:
        raise too_many_cells()
    rows: Rows = []
    merges: list[Area] = []
    count = characters = 0
    events = etree.iterparse(
        io.BytesIO(data), tag=(f"{S}row", f"{S}mergeCell"), encoding="utf-8", resolve_entities=False, huge_tree=True
    )
    try:
        for _, element in events:
            if element.tag == f"{S}row":
                number = whole_number(element.get("r")) or (rows[-1][0] + 1 if rows else 1)
                row = dict(_cells(element, book))
                count += len(row)
                characters = add_characters(characters, row)
                if row:
                    rows.append((number, row))
                if count > MAX_CELLS:
                    raise too_many_cells()
            else:
                merged = read_area(element.get("ref") or "")
                merges += [merged] if merged else []
            element.clear()
    except etree.XMLSyntaxError as error:
        raise CorruptFile(f"the XLSX part {part} is not valid XML: {str(error).partition(chr(10))[0]}") from error
    fill_merges(rows, merges)
    return Sheet(rows, merges)


def add_characters(total: int, *rows: Row) -> int:
    """Add up how much text the rows of a workbook show; refuse one that shows too much."""
    total += sum(len(text) for row in rows for text in row.values())
    if total > MAX_CHARACTERS:
        raise TooLarge(f"the cells hold more than {MAX_CHARACTERS >> 20} million characters: split the workbook")
    return total


def too_many_cells() -> TooLarge:
    """Return the error of a workbook that is too large."""
    return TooLarge(f"more than {MAX_CELLS:,} cells: split the workbook, or save its large sheets as CSV")


def _cells(row: etree._Element, book: Book) -> Iterator[tuple[int, str]]:
    column = -1
    for cell in row.iterchildren(f"{S}c"):
        letters = (cell.get("r") or "").rstrip("0123456789")
        column = column_number(letters) if letters else column + 1
        text = _cell_text(cell, book).strip()
        if text and column < MAX_COLUMNS:
            yield column, text


def _cell_text(cell: etree._Element, book: Book) -> str:
    kind = cell.get("t") or "n"
    parts = {part.tag: part for part in cell}
    if kind == "inlineStr":
        return rich_text(parts[_INLINE]) if _INLINE in parts else ""
    value = (parts[_VALUE].text or "") if _VALUE in parts else ""
    if not value and _FORMULA in parts:
        return f"={parts[_FORMULA].text}" if parts[_FORMULA].text else ""
    if kind == "s":
        at = whole_number(value)
        return book.strings[at] if at < len(book.strings) else ""
    if kind == "b":
        return {"1": "TRUE", "0": "FALSE"}.get(value, value)
    if kind == "n" and value:
        style = whole_number(cell.get("s"))
        pattern = book.formats[style] if style < len(book.formats) else ""
        return show_number(value, pattern, since_1904=book.since_1904)
    return value


def read_area(reference: str) -> Area | None:
    """Return the area that a reference such as `B2:D9` or `B2` names."""
    found = [_REFERENCE.fullmatch(corner) for corner in reference.split(":")]
    first, last = found[0], found[-1]
    if len(found) > 2 or not first or not last:
        return None
    return Area(int(first[2]), column_number(first[1]), int(last[2]), column_number(last[1]))


def fill_merges(rows: Rows, merges: Sequence[Area]) -> None:
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


@lru_cache(1000)
def column_number(letters: str) -> int:
    """Return the number of a column, or a number beyond all columns if it is invalid."""
    if len(letters) > 3 or not letters.isascii() or not letters.isalpha():
        return MAX_COLUMNS
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - 64
    return number - 1


def column_letters(column: int) -> str:
    """Return the name of a column."""
    letters, number = "", column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def whole_number(text: str | None) -> int:
    """Return a number; 0 if it is missing or absurd."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0
