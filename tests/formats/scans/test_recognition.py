"""Text of images and of PDF pages without any, by a command or a function that the user names."""

from __future__ import annotations

import io
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pypdfium2
import pytest
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from tests.formats.archives import make_zip

import crosshead
from crosshead import ExtractOptions, Index
from crosshead.errors import ExtractError, MissingExtra, OptionsError, TooLarge, UnsupportedFormat
from crosshead.formats import extract
from crosshead.formats.scans import engine, program
from crosshead.formats.scans.program import recognize, write_png

PIXEL = write_png(b"\xff", 1, 1, 1)
SAID = "Rotate the keys.\n\n- once a year\n\f"


def make_pdf(pages: Sequence[list[str] | bytes]) -> bytes:
    """Return a PDF; a page is lines of text, or a picture."""
    file = io.BytesIO()
    canvas = Canvas(file)
    for page in pages:
        if isinstance(page, bytes):
            canvas.drawImage(ImageReader(io.BytesIO(page)), 0, 0, 595, 842)
        for number, line in enumerate(page if isinstance(page, list) else []):
            canvas.drawString(72, 760 - 18 * number, line)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def draw(lines: list[str]) -> bytes:
    """Return a picture of lines of text."""
    document = pypdfium2.PdfDocument(make_pdf([lines]))
    bitmap = document[0].render(scale=3, grayscale=True)
    drawn = write_png(bytes(bitmap.buffer), bitmap.width, bitmap.height, bitmap.stride)
    document.close()
    return drawn


def says(text: str) -> str:
    """Return a command that says the same of every picture."""
    code = f"import sys; assert sys.stdin.buffer.read(4) == b'\\x89PNG'; print({text!r})"
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"


@pytest.mark.parametrize("ocr", [says(SAID), lambda picture: SAID])
def test_image_by_a_command_or_a_function(ocr: str) -> None:
    assert extract(PIXEL, "image", ocr=ocr) == "Rotate the keys.\n\n- once a year\n"


def test_image_of_several_pages() -> None:
    document = crosshead.read(PIXEL, options=ExtractOptions(ocr=lambda _: "One.\n\fTwo.\n\f"))
    assert (document.text, document.pages) == ("One.\n\nTwo.\n", ((1, 1), (3, 2)))


def test_scanned_pages_between_others_keep_their_numbers() -> None:
    pages = [["First page of text."], PIXEL, PIXEL, ["Fourth page of text."], PIXEL]
    seen: list[bytes] = []

    def ocr(picture: bytes) -> str:
        seen.append(picture)
        return f"Picture {len(seen)}.\n"

    document = crosshead.read(make_pdf(pages), options=ExtractOptions(ocr=ocr))
    assert document.text == "First page of text.\n\nPicture 1.\n\nPicture 2.\n\nFourth page of text.\n\nPicture 3.\n"
    assert document.pages == ((1, 1), (3, 2), (5, 3), (7, 4), (9, 5))
    assert all(picture.startswith(b"\x89PNG") for picture in seen)


def test_nobody_is_told_that_recognized_pages_have_no_text(caplog: pytest.LogCaptureFixture) -> None:
    pdf = make_pdf([["Text on the first page."], PIXEL])
    extract(pdf, "pdf", ocr=lambda _: "x")
    assert not caplog.text
    document = crosshead.read(pdf, "pdf", options=ExtractOptions(ocr="never"))
    assert document.unread_pages == (2,)
    assert "no text on page 2 of the PDF, only images: use --ocr auto to read them" in caplog.text


def test_scanned_document() -> None:
    document = crosshead.read(make_pdf([PIXEL, PIXEL]), options=ExtractOptions(ocr=lambda _: "Said.\n"))
    assert (document.text, document.pages) == ("Said.\n\nSaid.\n", ((1, 1), (3, 2)))


def test_text_of_a_pdf_is_not_recognized_again() -> None:
    def ocr(_: bytes) -> str:
        raise AssertionError

    assert extract(make_pdf([["Some text on it."]]), "pdf", ocr=ocr) == "Some text on it.\n"


def test_text_goes_between_blocks_and_never_into_one() -> None:
    from crosshead.formats.base import Extracted
    from crosshead.formats.pdf.recognition import _join

    found = Extracted("```\na\n\nb\n```\n\nlast\n", pages=((1, 1), (4, 3)))
    joined = _join(found, {2: "inner"})
    assert joined.text == "```\na\n\nb\n```\n\ninner\n\nlast\n"
    assert joined.pages[-2:] == ((7, 2), (9, 3))


def test_without_it_the_errors_say_what_to_do() -> None:
    with pytest.raises(UnsupportedFormat, match=r"an image: .*--ocr auto"):
        extract(PIXEL, "image", ocr="never")
    with pytest.raises(ExtractError, match=r"no text on page 1: .*--ocr auto"):
        extract(make_pdf([PIXEL]), "pdf", ocr="never")


def test_without_the_extra_the_errors_name_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(engine, "_MODULES", ("no_such_module",))
    install = r"needs an optional package: pip install 'crosshead\[ocr\]'$"
    with pytest.raises(MissingExtra, match=f"^Reading scanned pages and images {install}"):
        extract(PIXEL, "image")
    with pytest.raises(MissingExtra, match=f"^The PDF has no text on page 1: reading scanned pages {install}"):
        extract(make_pdf([PIXEL]), "pdf")
    mixed = crosshead.read(make_pdf([["Text on the first page."], PIXEL, PIXEL]), "pdf")
    assert (mixed.text, mixed.unread_pages) == ("Text on the first page.\n", (2, 3))
    assert "no text on pages 2-3 of the PDF, only images: pip install 'crosshead[ocr]' to read them" in caplog.text


@pytest.mark.parametrize("format", ["image", "pdf"])
def test_nothing_recognized_is_an_error(format: str) -> None:
    with pytest.raises(ExtractError, match="no text was recognized"):
        extract(PIXEL if format == "image" else make_pdf([PIXEL]), format, ocr=lambda _: " \f")


def test_commands_that_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ExtractError, match="'no-such-program' does not start"):
        recognize(PIXEL, "no-such-program -")
    with pytest.raises(ExtractError, match="failed: out of paper"):
        recognize(PIXEL, f"{sys.executable} -c 'import sys; sys.exit(\"out of paper\")'")
    monkeypatch.setattr(program, "TIMEOUT_SECONDS", 0.2)
    with pytest.raises(TooLarge, match="seconds"):
        recognize(PIXEL, f"{sys.executable} -c 'import time; time.sleep(9)'")
    with pytest.raises(OptionsError, match="must be auto, never, a command, or a function"):
        ExtractOptions(ocr=3)  # type: ignore[arg-type]


@pytest.mark.usefixtures("_in_process")
def test_index_reads_scanned_pages_once_they_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_MODULES", ("no_such_module",))
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "mixed.pdf").write_bytes(make_pdf([["Text on the first page."], PIXEL]))
    (docs / "plain.pdf").write_bytes(make_pdf([["Text on the only page."]]))
    where = {"location": tmp_path / "index", "root": docs, "embedder": "static"}
    with Index(**where) as index:
        assert index.add(docs).added == 2
        assert index.add(docs).unchanged == 2
    for expected in ((1, 1), (0, 2)):
        with Index(**where, extract=ExtractOptions(ocr=lambda _: "Rotate the keys.\n")) as index:
            report = index.add(docs)
            assert (report.updated, report.unchanged) == expected
    with Index(**where) as index:  # what was recognized stays
        assert index.add(docs).unchanged == 2


def test_folders_are_searched_for_images_only_where_they_are_recognized(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "scan.png").write_bytes(PIXEL)
    (docs / "a.zip").write_bytes(make_zip({"page.png": PIXEL}))
    (docs / "a.md").write_text("# A\n")
    where = {"location": tmp_path / "index", "root": docs, "embedder": "static"}
    with Index(**where) as index:
        assert index.add(docs).skipped == ("a.zip/page.png", "scan.png")
    with Index(**where, extract=ExtractOptions(ocr=lambda _: "Rotate the keys.\n")) as index:
        assert index.add(docs).added == 2
        assert index.search("rotate keys")[0].chunk.document_title in ("page.png", "scan.png")
    with Index(**where) as index:  # what was recognized stays
        assert index.add(docs).unchanged == 3
        assert "ocr" not in str(index._store.settings)


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is missing: apt-get install tesseract-ocr")
def test_tesseract(tmp_path: Path) -> None:
    scan = draw(["Rotate the access keys once a year.", "The total is 1,234.50 EUR."])
    text = extract(scan, "image", ocr="tesseract - -")
    assert "Rotate the access keys once a year." in text
    assert "1,234.50" in text
    (tmp_path / "scan.pdf").write_bytes(make_pdf([["A page with text."], scan]))
    document = crosshead.read(tmp_path / "scan.pdf", options=ExtractOptions(ocr="tesseract - -"))
    assert "access keys" in document.text
    assert crosshead.chunk(document)[-1].citation.endswith("p. 1-2")
