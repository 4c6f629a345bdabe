"""Warnings about documents of every kind reach every door, under the name of the document, without the logger."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest
import xlsxwriter
from pptx import Presentation
from tests.formats.archives import change_zip, make_zip
from tests.formats.office.docx.docx_files import docx, p
from tests.formats.office.opendocument_files import make_odt
from tests.formats.pdf.building import build
from tests.server.running import finished, serving
from typer.testing import CliRunner

import crosshead
from crosshead import Index
from crosshead.adapters.langchain import CrossheadLoader
from crosshead.cli import app
from crosshead.mcp.projects import Projects
from crosshead.mcp.server import create_server
from mcp import Client

FENCE = "the fence that line 3 opens is never closed: the rest is read as code"
OPEN = "# A\n\n```\ntext\n"
RAGGED = b"a,b\n1,2\n3\n4,5\n"
RAGGED_WARNING = "expected 2 cells in line 3: kept as is"
CUT = b'MIME-Version: 1.0\nSubject: Cut\nContent-Type: multipart/mixed; boundary="x"\n\n--x\n\nThe text.\n'
LATIN = "# Résumé\n\nL'été dernier, à Genève, nous avons mangé des crêpes très sucrées.\n".encode("latin-1")
HIDDEN = f"<p>{'A sentence for readers. ' * 300}<div hidden><p>{'A sentence for nobody. ' * 100}</div>"
CONTAINER = '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>'
PACKAGE = (
    '<package><manifest><item id="a" href="a.xhtml"/><item id="b" href="b.xhtml"/></manifest>'
    '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>'
)


def workbook() -> bytes:
    """A workbook of which a sheet is missing."""
    file = BytesIO()
    with xlsxwriter.Workbook(file) as book:
        for name in ("First", "Second"):
            book.add_worksheet(name).write(0, 0, "text")
    return change_zip(file.getvalue(), {"xl/worksheets/sheet1.xml": None})


def deck() -> bytes:
    """A presentation of which a slide is missing."""
    file, presentation = BytesIO(), Presentation()
    for _ in range(2):
        presentation.slides.add_slide(presentation.slide_layouts[5]).shapes.title.text = "Title"
    presentation.save(file)
    return change_zip(file.getvalue(), {"ppt/slides/slide2.xml": None})


def letter() -> bytes:
    """A message with an attachment."""
    message = EmailMessage()
    message["Subject"] = "Letter"
    message.set_content("See the table.\n")
    message.add_attachment(RAGGED, maintype="text", subtype="csv", filename="table.csv")
    return message.as_bytes()


def damaged_pdf() -> bytes:
    """A PDF without its table of objects."""
    data = build(lambda sheet: sheet.line("Read this."))
    return data[: data.rindex(b"xref\n", 0, data.rindex(b"trailer"))]


FILES: dict[str, bytes] = {
    "book.epub": make_zip(
        {"META-INF/container.xml": CONTAINER, "book.opf": PACKAGE, "a.xhtml": "<html><body><p>Text.</p></body></html>"}
    ),
    "cells.ipynb": json.dumps(
        {"nbformat": 4, "cells": [5, {"cell_type": "markdown", "source": "Text."}, None], "metadata": {}}
    ).encode(),
    "cut.eml": CUT,
    "deck.pptx": deck(),
    "drawn.odt": make_odt('<text:p>x<draw:frame><draw:object xlink:href="../../etc"/></draw:frame></text:p>'),
    "file.pdf": damaged_pdf(),
    "guide.adoc": b"= A\n\ninclude::b.adoc[]\n\nText.\n",
    "guide.md": OPEN.encode(),
    "guide.org": b"* A\n#+include: b.org\nText.\n",
    "guide.rst": b"A\n=\n\n+---+\n| a\n+---+\n",
    "inner.docx": docx(p("x") + '<w:altChunk r:id="r1"/>'),
    "latin.txt": LATIN,
    "letter.eml": letter(),
    "math.rtf": rb"{\rtf1\ansi {\mmath{\*\moMath x}}\pard text\par}",
    "page.html": HIDDEN.encode(),
    "paper.tex": rb"\section{A}\input{b.tex}Text.",
    "sheet.xlsx": workbook(),
    "table.csv": RAGGED,
    "zipped.zip": make_zip({"inner/table.csv": RAGGED, "letter.eml": letter()}),
}
WARNINGS: dict[str, str] = {
    "book.epub": "b.xhtml is missing from the book and left out",
    "cells.ipynb": "2 malformed cells are left out",
    "cut.eml": "the message is cut off in its last part: something may be missing",
    "deck.pptx": "slide 2 is missing from the file and left out",
    "drawn.odt": "1 embedded object is left out: save them as separate files",
    "file.pdf": "the PDF is damaged and was repaired: pages or parts of them may be missing",
    "guide.adoc": "includes are not followed: line 3",
    "guide.md": FENCE,
    "guide.org": "includes are not followed: line 2",
    "guide.rst": "line 4: malformed table is kept as is",
    "inner.docx": "1 embedded document is left out: open and save the file in Word",
    "latin.txt": "not valid UTF-8 (byte 3): read as cp1252",
    "letter.eml/table.csv": RAGGED_WARNING,
    "math.rtf": "1 formula is left out: save the file as DOCX",
    "page.html": "hidden text is left out: 24 % of the page",
    "paper.tex": "included files are not read: \\input{b.tex}",
    "sheet.xlsx": "the sheet First is missing from the file and left out",
    "table.csv": RAGGED_WARNING,
    "zipped.zip/inner/table.csv": RAGGED_WARNING,
    "zipped.zip/letter.eml/table.csv": RAGGED_WARNING,
}
"""By the source below the folder."""
NOTES = {f"docs/{source}: {warning}" for source, warning in WARNINGS.items()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a file of every kind in `docs`."""
    for name in ("CROSSHEAD_CACHE", "CROSSHEAD_INDEX"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "docs").mkdir()
    for name, data in FILES.items():
        (tmp_path / "docs" / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """What the library logs."""
    messages: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("crosshead").addHandler(handler)
    yield messages
    logging.getLogger("crosshead").removeHandler(handler)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("source", WARNINGS)
def test_read_returns_and_logs_them(source: str, logged: list[str]) -> None:
    document = crosshead.read(f"docs/{source}")
    assert document.warnings == (WARNINGS[source],)
    assert logged == [f"docs/{source}: {WARNINGS[source]}"]


@pytest.mark.usefixtures("folder")
def test_extract_logs_them(logged: list[str]) -> None:
    crosshead.extract(RAGGED, "csv")
    assert logged == [RAGGED_WARNING]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("jobs", [1, 3])
def test_add_returns_them(jobs: int, logged: list[str]) -> None:
    with Index(embedder="static") as index:
        result = index.add("docs", jobs=jobs)
        assert not result.failed
        assert len(result.notes) == len(NOTES)
        assert {*result.notes} == NOTES
        text = index.add_text(OPEN, source="wiki/A")
        assert text.notes == (f"wiki/A: {FENCE}",)
    assert logged == []


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_commands_print_them(jobs: str, logged: list[str]) -> None:
    for command in (
        ("index", "docs", "--embedder", "static"),
        ("chunk", "docs", "--json"),
        ("extract", "docs", "-o", "out"),
    ):
        lines = CliRunner().invoke(app, [*command, "--jobs", jobs]).stderr.splitlines()
        warnings = [line for line in lines if not line.startswith("indexing: ")]  # how far it is, if it takes long
        assert sorted(warnings) == sorted(f"warning: {note}" for note in NOTES), command
    assert logged == []


@pytest.mark.usefixtures("folder")
def test_extract_as_json_tells_the_warnings_of_each_document() -> None:
    lines = CliRunner().invoke(app, ["extract", "docs", "-o", "out", "--json"]).stdout.splitlines()
    outcomes = {line["source"]: line["warnings"] for line in map(json.loads, lines)}
    silent = {"docs/letter.eml", "docs/zipped.zip/letter.eml"}
    assert {source for source, warnings in outcomes.items() if not warnings} == silent
    assert {note for warnings in outcomes.values() for note in warnings} == NOTES


def test_http_answers_with_them(folder: Path, logged: list[str]) -> None:
    with (
        Index(folder / ".crosshead", embedder="static") as index,
        serving(index) as url,
        httpx.Client(base_url=url, timeout=30) as client,
    ):
        answer = client.post("/v1/chunk", params={"source": "table.csv"}, content=RAGGED).json()
        assert answer["warnings"] == [RAGGED_WARNING]
        job = finished(client, client.post("/v1/documents", params={"source": "table.csv"}, content=RAGGED))
        assert job["result"]["notes"] == [f"uploads/table.csv: {RAGGED_WARNING}"]
    assert [each for each in logged if RAGGED_WARNING in each] == []


def test_assistants_get_them(folder: Path, monkeypatch: pytest.MonkeyPatch, logged: list[str]) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(folder / "cache"))

    async def index() -> Any:
        async with Client(create_server(Projects(folder), 20_000)) as client:
            return await client.call_tool("rag_index", {"path": "docs", "project_path": "."})

    assert {*asyncio.run(index()).structured_content["notes"]} >= NOTES
    assert logged == []


@pytest.mark.usefixtures("folder")
def test_loaders_log_them(logged: list[str]) -> None:
    CrossheadLoader("docs").load()
    assert len(logged) == len(NOTES)
    assert {*logged} == NOTES


@pytest.mark.usefixtures("folder")
def test_threads_do_not_mix_them() -> None:
    sources = [*WARNINGS] * 5
    with ThreadPoolExecutor(4) as threads:
        documents = [*threads.map(crosshead.read, [f"docs/{source}" for source in sources])]
    assert [document.warnings for document in documents] == [(WARNINGS[source],) for source in sources]
