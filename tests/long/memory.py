"""The memory that readers take for files that are small on the disk but large inside.

Each file is read in a process of its own. What counts is the largest memory of that process, less what it has before
it reads. The files are as large inside as the limits of today let them be, and a bit beyond.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from tests.formats.archives import change_zip, make_zip
from tests.formats.compound_files import make_compound
from tests.formats.office.docx.docx_files import docx
from tests.formats.office.opendocument_files import make_odt, make_opendocument
from tests.formats.samples import SAMPLES as MADE
from tests.long.bounded import run_bounded
from tests.long.hostile_texts import page_of_book

import crosshead
from crosshead.errors import CrossheadError
from crosshead.formats import get_format

CPU_SECONDS: Final = 60
MAX_BYTES: Final = 1_500_000_000
SHEET: Final = "xl/worksheets/sheet1.xml"
_SHEET_NAMES: Final = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_ROW: Final = "<table:table-row{}><table:table-cell{}><text:p>a</text:p></table:table-cell></table:table-row>"


def _sheet(inside: str, after: str = "") -> bytes:
    return change_zip(
        MADE["xlsx"], {SHEET: f"<worksheet {_SHEET_NAMES}><sheetData>{inside}</sheetData>{after}</worksheet>"}
    )


def _shared_strings(text: str, times: int) -> bytes:
    cells = '<row><c t="s"><v>0</v></c></row>' * times
    strings = f"<sst {_SHEET_NAMES}><si><t>{text}</t></si></sst>"
    sheet = f"<worksheet {_SHEET_NAMES}><sheetData>{cells}</sheetData></worksheet>"
    return change_zip(MADE["xlsx"], {SHEET: sheet, "xl/sharedStrings.xml": strings})


def _slide(shapes: str) -> bytes:
    names = (
        'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    )
    tree = f"<p:sld {names}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
    return change_zip(MADE["pptx"], {"ppt/slides/slide1.xml": tree})


def _open_sheet(rows: str) -> bytes:
    return make_opendocument("spreadsheet", f'<table:table table:name="a">{rows}</table:table>')


def _pdf(content: bytes, pages: int = 1) -> bytes:
    """Pages that share one content stream."""
    packed = zlib.compress(content, 9)
    kids = " ".join(f"{number} 0 R" for number in range(5, 5 + pages))
    page = (
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 3 0 R >> >> >>"
    )
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    parts = [f"{number} 0 obj\n{text}\nendobj\n".encode() for number, text in enumerate(objects, 1)]
    parts.append(
        b"4 0 obj\n<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream\nendobj\n" % (len(packed), packed)
    )
    parts += [f"{number} 0 obj\n{page}\nendobj\n".encode() for number in range(5, 5 + pages)]
    return b"%PDF-1.7\n" + b"".join(parts) + b"trailer\n<< /Root 1 0 R >>\n%%EOF\n"


def _message(text: bytes) -> bytes:
    return make_compound({"__properties_version1.0": bytes(32), "__substg1.0_1000001F": text})


def _repeat(rows: int = 1, columns: int = 1, what: str = "repeated") -> str:
    """One row with one cell, both repeated or spanned."""
    return _ROW.format(
        f' table:number-rows-{what}="{rows}"' if what == "repeated" else "",
        f' table:number-columns-{what}="{columns}" table:number-rows-{what}="{rows}"'
        if what == "spanned"
        else f' table:number-columns-{what}="{columns}"',
    )


def _merges(count: int) -> bytes:
    rows = "".join(f"<row r='{n}'><c r='A{n}'><v>1</v></c></row>" for n in range(1, count + 1))
    areas = "".join(f"<mergeCell ref='A{n}:XFD1048576'/>" for n in range(1, count + 1))
    return _sheet(rows, f"<mergeCells>{areas}</mergeCells>")


_TEXT: Final = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
_CELLS: Final = f"<w:tr>{'<w:tc><w:p/></w:tc>' * 50}</w:tr>"
_SHAPE: Final = "<p:sp><p:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></p:txBody></p:sp>"
_SPACES: Final = '<text:s text:c="999999999"/>'
_WRITING: Final = b"BT /F 9 Tf 9 9 Td (a b c) Tj ET\n"
BOMBS: Final[Mapping[str, Mapping[str, Callable[[], bytes]]]] = {
    "docx": {
        "330,000 paragraphs": lambda: docx(_TEXT.format("a") * 330_000),
        "one text of 100 MB": lambda: docx(_TEXT.format("a " * 50_000_000)),
        "1,900,000 empty paragraphs": lambda: docx("<w:p/>" * 1_900_000),
        "a table of 600,000 cells": lambda: docx(f"<w:tbl>{_CELLS * 12_000}</w:tbl>"),
    },
    "xlsx": {
        "a cell far away": lambda: _sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
        "2,000,000 cells": lambda: _sheet(f"<row>{'<c><v>1</v></c>' * 50}</row>" * 40_000),
        "a merge over all cells": lambda: _merges(1),
        "1,000 merges over all cells": lambda: _merges(1000),
        "100,000 times a string of 30 kB": lambda: _shared_strings("a " * 15_000, 100_000),
    },
    "pptx": {
        "200,000 shapes": lambda: _slide(_SHAPE * 200_000),
        "1,000,000 shapes": lambda: _slide(_SHAPE * 1_000_000),
    },
    "odt": {
        "450,000 paragraphs": lambda: make_odt("<text:p>a</text:p>" * 450_000),
        "repeated spaces": lambda: make_odt(f"<text:p>a{_SPACES * 1000}b</text:p>"),
        "a table of repeated cells": lambda: make_odt(f"<table:table>{_repeat(1_000_000, 1000)}</table:table>"),
    },
    "ods": {
        "a row repeated 1,000,000 times": lambda: _open_sheet(_repeat(1_000_000)),
        "1,000 by 1,000 repeated cells": lambda: _open_sheet(_repeat(1000, 1000)),
        "a cell that spans 1,000,000 rows": lambda: _open_sheet(_repeat(1_000_000, 1000, "spanned")),
    },
    "epub": {
        "a page of 1,900,000 tags": lambda: page_of_book("<p>a</p>" * 950_000),
        "a text of 200 MB": lambda: page_of_book("a " * 100_000_000),
    },
    "zip": {
        "a member of 60 MB": lambda: make_zip({"a.md": "a\n\n" * 20_000_000}),
        "a member of 1 GB": lambda: make_zip({"a.md": bytes(1_000_000_000)}),
    },
    "msg": {"a text of 50 MB": lambda: _message(("a \n" * 8_000_000).encode("utf-16-le"))},
    "pdf": {
        "a content stream of 100 MB": lambda: _pdf(_WRITING * 3_000_000),
        "20,000 pages with one stream": lambda: _pdf(_WRITING * 20, 20_000),
    },
    "html": {"1,900,000 tags": lambda: b"<p>a" * 1_900_000},
    "man": {"30 MB unpacked": lambda: gzip.compress(b".TH A 1\n.SH A\n" + b".B a\n" * 6_000_000)},
}


def read_file(data: bytes, format: str) -> str:
    """Read a file, or the documents in it."""
    known = get_format(format)
    try:
        if known.members:
            for member in known.load_members()(data):
                crosshead.read(member.read(), "markdown")
        if known.kind != "archive":
            crosshead.read(data, format)
    except CrossheadError as error:
        return f"refused: {error}"
    return "read"


def run_memory(formats: Sequence[str]) -> int:
    """Print the memory of each file; return how many took too much."""
    chosen = [format for format in BOMBS if not formats or format in formats]
    return sum(_run(format, name, make) for format in chosen for name, make in BOMBS[format].items())


def _run(format: str, name: str, make: Callable[[], bytes]) -> bool:
    data = make()
    baseline = run_bounded(lambda: "", CPU_SECONDS).peak_bytes
    run = run_bounded(partial(read_file, data, format), CPU_SECONDS)
    taken = max(0, run.peak_bytes - baseline)
    is_fault = taken > MAX_BYTES or not run.outcome.startswith(("read", "refused"))
    print(
        f"{format} {name}: {len(data) / 1e6:.2f} MB, {taken / 1e6:,.0f} MB of memory, "
        f"{taken / len(data):,.0f} times the file, {run.cpu_seconds:.1f} CPU s; {run.outcome[:160]}"
        f"{'; TOO MUCH' if is_fault else ''}",
        flush=True,
    )
    return is_fault
