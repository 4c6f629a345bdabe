"""XLSX -> Markdown.

Every sheet is a section. Its cells are read as texts (cells.py), found to be tables (regions.py) and written
(writing.py); charts and whatever else is drawn on the sheet follow (drawings.py), and comments, if asked for, are
footnotes to the cells (comments.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from lxml import etree

from crosshead.errors import UnsupportedFormat
from crosshead.formats.base import Extracted
from crosshead.formats.office.openxml.graphics import Graphics
from crosshead.formats.office.openxml.opc import RELATIONSHIP, OpcPackage
from crosshead.formats.office.xlsx import cells
from crosshead.formats.office.xlsx.cells import Row, S, Sheet, open_book, read_area, read_sheet
from crosshead.formats.office.xlsx.comments import Comment, SheetComments
from crosshead.formats.office.xlsx.drawings import drawing_blocks
from crosshead.formats.office.xlsx.regions import SheetTable, find_regions
from crosshead.formats.office.xlsx.writing import SHEET_LEVEL, under_heading, write_region
from crosshead.formats.shared import gfm
from crosshead.formats.shared.omissions import COMMENTS, OBJECTS
from crosshead.formats.shared.tables.writing import TablePart, join_parts
from crosshead.options import ExtractOptions

_MAX_LOOKED_UP: Final = 1_000_000
"""Cells that charts refer to, where the file keeps no values with the chart."""
_REFERENCE = re.compile(r"(?:'((?:[^']|'')+)'|([^'!(),]+))!([$A-Z0-9:]+)")


class _NamedSheet(NamedTuple):
    name: str
    part: str
    cells: Sheet


def read_xlsx(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a workbook."""
    package = OpcPackage(data, what="XLSX", main="xl/workbook.xml")
    if package.main.endswith(".bin"):
        raise UnsupportedFormat("a binary workbook (XLSB): open it and save it as XLSX")
    sheets = _read_sheets(package)
    graphics = Graphics(package, level=SHEET_LEVEL + 1, lookup=_Lookup(sheets))
    comments = SheetComments(package)
    footnotes = 0
    parts: list[TablePart] = []
    for sheet in sheets:
        said = comments.of_sheet(sheet.part)
        if not options.comments:
            package.left_out.add(COMMENTS, len(said))
            said = []
        others = [*drawing_blocks(package, sheet.part, graphics), *_comment_blocks(sheet, said, footnotes)]
        parts += under_heading(sheet.name, [*_table_parts(package, sheet, said, footnotes), *map(TablePart, others)])
        footnotes += len(said)
        package.left_out.add(OBJECTS, package.count_embedded(sheet.part))
    text, lines = join_parts(parts)
    return Extracted(text, title=package.title(), lines=lines, warnings=package.left_out.warnings())


def _read_sheets(package: OpcPackage) -> list[_NamedSheet]:
    root = package.main_root(S)
    book = open_book(package, root)
    sheets = []
    count = characters = 0
    for name, part, kind in _sheet_parts(package, root):
        sheet = read_sheet(package, part, book) if kind == "worksheet" else Sheet([], [])
        count += sum(len(row) for _, row in sheet.rows)
        if count > cells.MAX_CELLS:
            raise cells.too_many_cells()
        characters = cells.add_characters(characters, *(row for _, row in sheet.rows))
        sheets.append(_NamedSheet(name, part, sheet))
    return sheets


def _sheet_parts(package: OpcPackage, root: etree._Element) -> Iterator[tuple[str, str, str]]:
    """Yield the names of the sheets with their parts and kinds; other than a worksheet, a sheet holds only a chart."""
    for sheet in root.iterfind(f"{S}sheets/{S}sheet"):
        name = sheet.get("name") or "Sheet"
        found = package.relationships(package.main).get(sheet.get(f"{RELATIONSHIP}id") or "")
        if not found or not found.part or found.part not in package.archive:
            package.left_out.warn(f"the sheet {name} is missing from the file and left out")
        elif found.kind in ("worksheet", "chartsheet"):
            yield name, found.part, found.kind


def _table_parts(package: OpcPackage, sheet: _NamedSheet, said: Sequence[Comment], before: int) -> Iterator[TablePart]:
    labels = {each.cell[:2]: str(number) for number, each in enumerate(said, before + 1)}
    for region in find_regions(sheet.cells, list(_tables(package, sheet.part))):
        yield from write_region(sheet.name, region, labels)


def _tables(package: OpcPackage, part: str) -> Iterator[SheetTable]:
    for root in package.related_roots(part, "table"):
        area = read_area(root.get("ref") or "")
        if area:
            names = [each.get("name") or "" for each in root.iterfind(f"{S}tableColumns/{S}tableColumn")]
            is_hidden = root.get("headerRowCount") == "0"
            yield SheetTable(root.get("displayName") or "", area, names if is_hidden else [])


def _comment_blocks(sheet: _NamedSheet, said: Sequence[Comment], before: int) -> Iterator[str]:
    """Define the footnotes, including comments on empty cells, which nothing refers to."""
    rows = dict(sheet.cells.rows)
    for number, each in enumerate(said, before + 1):
        if each.cell.left in rows.get(each.cell.top, {}):
            yield gfm.footnote(str(number), gfm.guard_note(each.text))
        else:
            yield gfm.quote(f"Comment on {each.reference}: {each.text}")


class _Lookup:
    """Finds the cells that charts refer to."""

    def __init__(self, sheets: Sequence[_NamedSheet]) -> None:
        self._sheets = {sheet.name.lower(): sheet.cells for sheet in sheets}
        self._rows: dict[str, dict[int, Row]] = {}
        self._left = _MAX_LOOKED_UP

    def __call__(self, formula: str) -> Sequence[str]:
        found = _REFERENCE.fullmatch(formula.strip())
        area = read_area(found[3]) if found else None
        name = (found[1] or found[2]).replace("''", "'").lower() if found else ""
        if area is None or name not in self._sheets:
            return ()
        self._left -= max(0, area.bottom - area.top + 1) * max(0, area.right - area.left + 1)
        if self._left < 0:
            return ()
        if name not in self._rows:
            self._rows[name] = dict(self._sheets[name].rows)
        rows = [self._rows[name].get(number, {}) for number in range(area.top, area.bottom + 1)]
        return [row.get(column, "") for row in rows for column in range(area.left, area.right + 1)]
