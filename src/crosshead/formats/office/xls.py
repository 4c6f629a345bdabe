"""XLS, workbooks from before 2007 -> Markdown, written like XLSX.

xlrd reads the cells, also of versions before 5, which wrote their records without a container. Files that only have
this suffix are common: tables of text are read as CSV.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from crosshead.errors import CorruptFile, CrossheadError, EncryptedFile
from crosshead.formats.base import Extracted
from crosshead.formats.detection import OLD_XLS_MARKS
from crosshead.formats.office.openxml.numberformat import show_number
from crosshead.formats.office.xlsx.cells import MAX_CELLS, Area, Rows, Sheet, fill_merges, too_many_cells
from crosshead.formats.office.xlsx.writing import write_sheet
from crosshead.formats.registry import get_format
from crosshead.formats.shared.containers import compound
from crosshead.formats.shared.tables.writing import TablePart, join_parts
from crosshead.options import ExtractOptions

if TYPE_CHECKING:
    from xlrd.book import Book
    from xlrd.sheet import Cell
    from xlrd.sheet import Sheet as CellsOfXlrd

_TEXT, _NUMBER, _DATE, _BOOLEAN, _ERROR = 1, 2, 3, 4, 5
_MAC_DATES: Final = 1


def read_xls(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a workbook."""
    if not data.startswith((compound.MARK, *OLD_XLS_MARKS)):
        return get_format("csv").load_reader()(data, options)
    if "EncryptedPackage" in compound.stream_names(data):
        raise EncryptedFile("the XLS file is encrypted: save it without a password")
    import xlrd

    try:
        book = xlrd.open_workbook(
            file_contents=data, formatting_info=True, on_demand=True, ragged_rows=True, logfile=io.StringIO()
        )
        text, lines = join_parts(_parts(book))
        return Extracted(text, lines=lines)
    except CrossheadError:
        raise
    except Exception as error:  # xlrd has no common error for what it cannot read
        if "encrypted" in str(error).lower():
            raise EncryptedFile("the XLS file is encrypted: save it without a password") from error
        raise CorruptFile(f"the XLS file is damaged ({type(error).__name__}): save or download it again") from error


def _parts(book: Book) -> Iterator[TablePart]:
    count = 0
    for name in book.sheet_names():
        sheet = book.sheet_by_name(name)
        count += sum(map(sheet.row_len, range(sheet.nrows)))
        if count > MAX_CELLS:
            raise too_many_cells()
        yield from write_sheet(name, _read_sheet(book, sheet))
        book.unload_sheet(name)


def _read_sheet(book: Book, sheet: CellsOfXlrd) -> Sheet:
    rows: Rows = []
    for number in range(sheet.nrows):
        texts = [_shown(book, cell).strip() for cell in sheet.row(number)]
        row = {column: text for column, text in enumerate(texts) if text}
        if row:
            rows.append((number + 1, row))
    merges = [Area(top + 1, left, below, right - 1) for top, below, left, right in sheet.merged_cells]
    fill_merges(rows, merges)
    return Sheet(rows, merges)


def _shown(book: Book, cell: Cell) -> str:
    if cell.ctype == _TEXT:
        return str(cell.value)
    if cell.ctype in (_NUMBER, _DATE):
        return show_number(repr(cell.value), _pattern(book, cell), since_1904=book.datemode == _MAC_DATES)
    if cell.ctype == _BOOLEAN:
        return "TRUE" if cell.value else "FALSE"
    if cell.ctype == _ERROR:
        from xlrd.biffh import error_text_from_code

        return str(error_text_from_code.get(cell.value, "#ERROR"))
    return ""


def _pattern(book: Book, cell: Cell) -> str:
    index = cell.xf_index
    if index is None or not 0 <= index < len(book.xf_list):
        return ""
    found = book.format_map.get(book.xf_list[index].format_key)
    return str(found.format_str) if found is not None else ""
