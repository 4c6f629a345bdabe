"""Text of scanned pages and images, by the models of the extra `ocr`."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from reportlab.lib import colors
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

import crosshead

pytest.importorskip("rapidocr", reason="rapidocr is missing: pip install 'crosshead[ocr]'")

import pypdfium2
from PIL import Image

from crosshead.formats.scans import ink, pages, reporting
from crosshead.formats.scans.drawing import draw_pages
from crosshead.formats.scans.engine import LineReading
from crosshead.formats.scans.loading import load_pictures
from crosshead.formats.scans.pages import ScannedLine, ScannedPage, ScannedWord, part_words

ROWS = [["Item", "2021", "2020"], ["Cost of sales", "(800.1)", "(712.3)"], ["Employees", "1", "42"]]
PROSE = "Rotate the access keys once a year."


@pytest.fixture(scope="module")
def page() -> Image.Image:
    """A page with a heading, prose and a ruled table, at 120 dots per inch."""
    style = getSampleStyleSheet()
    table = Table(ROWS, colWidths=[120, 60, 60], style=[("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
    file = io.BytesIO()
    heading = Paragraph("Annual report", style["Heading1"])
    SimpleDocTemplate(file, pagesize=(420, 260), topMargin=20, bottomMargin=20).build(
        [heading, Paragraph(f"{PROSE} " * 2, style["Normal"]), Spacer(1, 12), table]
    )
    document = pypdfium2.PdfDocument(file.getvalue())
    picture: Image.Image = document[0].render(scale=120 / 72, grayscale=True).to_pil()
    document.close()
    return picture


def save(picture: Image.Image, format: str = "PNG", **settings: Any) -> bytes:
    file = io.BytesIO()
    picture.save(file, format, **settings)
    return file.getvalue()


def make_pdf(*pictures: Image.Image | str) -> bytes:
    """Return a PDF whose pages are pictures, or a line of text."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(420, 260))
    for each in pictures:
        if isinstance(each, str):
            canvas.setFont("Helvetica", 10)
            canvas.drawString(40, 200, each)
        else:
            canvas.setPageSize((each.width * 0.6, each.height * 0.6))
            canvas.drawImage(ImageReader(each), 0, 0, each.width * 0.6, each.height * 0.6)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def has_all(text: str) -> bool:
    """Are the heading, the prose and the cells there, in the structure that was printed?"""
    rows = ["| " + " | ".join(row) + " |" for row in ROWS]
    return text.startswith("# Annual report\n\n") and text.count(PROSE) == 2 and all(row in text for row in rows)


def test_scanned_pdf_keeps_headings_and_tables(page: Image.Image, caplog: pytest.LogCaptureFixture) -> None:
    document = crosshead.read(make_pdf("A page with text.", page), source="mixed.pdf")
    first, _, rest = document.text.partition("\n\n")
    assert first == "A page with text."
    assert has_all(rest)
    assert [number for _, number in document.pages] == [1, 2]
    ((number, confidence),) = document.recognized
    assert (number, confidence > 0.95) == (2, True)
    assert not caplog.text


def test_image_upside_down(page: Image.Image) -> None:
    assert has_all(crosshead.read(save(page.rotate(180)), source="page.png").text)


def test_scanned_page_that_is_turned_and_tilted(page: Image.Image) -> None:
    tilted = page.rotate(1.5, Image.Resampling.BICUBIC, fillcolor=255)
    assert has_all(crosshead.read(make_pdf(tilted.rotate(90, expand=True)), source="page.pdf").text)


def test_never_reads_no_picture(page: Image.Image, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "read_page", lambda _: pytest.fail("read"))
    text = crosshead.read(make_pdf("With text.", page), options=crosshead.ExtractOptions(ocr="never")).text
    assert text == "With text.\n"


def test_blank_page_has_no_text() -> None:
    with pytest.raises(crosshead.errors.ExtractError, match="no text was recognized in the image"):
        crosshead.read(save(Image.new("L", (300, 200), 255)), source="blank.png")


def test_narrow_strip_is_not_enlarged_without_bounds() -> None:
    shapes: list[tuple[int, ...]] = []

    class Finding:
        def find_lines(self, picture: Any) -> Any:
            shapes.append(picture.shape)
            return ink.np.empty((0, 4, 2))

    for width, height in ((9000, 9), (400, 80), (3000, 2000)):
        pages._find_lines(Finding(), ink.np.zeros((height, width, 3), ink.np.uint8))
    assert shapes == [(2, 1920, 3), (384, 1920, 3), (1280, 1920, 3)]


def test_low_confidence_is_a_warning() -> None:
    line = ScannedLine((ScannedWord("dlm", 0, 9),), 10, 10, 1, 0.62)
    scans = {
        3: ScannedPage(99, 99, (line,), confidence=0.62),
        4: ScannedPage(99, 99, (line,), confidence=0.99, is_whole=False),
    }
    found = reporting.report(crosshead.Extracted("x"), scans)
    assert found.recognized == ((3, 0.62), (4, 0.99))
    assert found.warnings[0].startswith("the text of page 3 was recognized with low confidence (0.62)")
    assert found.warnings[1] == "recognition took too long on page 4: part of the text is missing"


def test_warnings_reach_the_document_and_the_log(
    page: Image.Image, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(reporting, "LOW_CONFIDENCE", 1.0)
    document = crosshead.read(save(page.crop((0, 0, page.width, 100))), source="page.png")
    assert "low confidence" in document.warnings[0]
    assert "page.png: the text of page 1 was recognized with low confidence" in caplog.text


def test_page_that_takes_too_long_keeps_what_was_read(page: Image.Image, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks: Iterator[int] = iter([0, 1, pages.TIMEOUT_SECONDS + 1])
    monkeypatch.setattr(pages, "thread_time", lambda: next(ticks))
    found = pages.read_page(next(load_pictures(save(page))))
    assert (len(found.lines), found.is_whole) == (1, False)


@pytest.mark.parametrize(
    "make",
    [
        lambda page: save(page.convert("RGBA"), "PNG"),
        lambda page: save(page.convert("RGB"), "JPEG", quality=80),
        lambda page: save(page.convert("1"), "TIFF"),
        lambda page: save(page.convert("P"), "GIF"),
        lambda page: save(page.convert("I;16").point(lambda value: value * 200), "PNG"),
    ],
    ids=["transparent", "jpeg", "bilevel tiff", "gif", "16 bits"],
)
def test_pictures_of_all_kinds_are_loaded(page: Image.Image, make: Callable[[Image.Image], bytes]) -> None:
    (picture,) = load_pictures(make(page))
    assert picture.shape == (page.height, page.width, 3)
    assert picture.max() > 190
    assert picture.min() < 60


def test_pages_of_a_tiff_and_the_turn_of_a_camera() -> None:
    small = Image.new("L", (40, 20), 255)
    assert len(list(load_pictures(save(small, "TIFF", save_all=True, append_images=[small, small])))) == 3
    turned = Image.Exif()
    turned[0x0112] = 6
    (picture,) = load_pictures(save(small, "JPEG", exif=turned))
    assert picture.shape[:2] == (40, 20)


def test_images_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = save(Image.effect_noise((64, 64), 90))
    with pytest.raises(crosshead.errors.CorruptFile, match="damaged"):
        list(load_pictures(whole[: len(whole) // 2]))
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1000)
    with pytest.raises(crosshead.errors.TooLarge, match="too many pixels"):
        list(load_pictures(whole))


def test_words_are_parted_by_their_ink() -> None:
    mask = ink.np.zeros((10, 100), bool)
    for start, end in ((5, 20), (22, 40), (60, 75), (77, 95)):
        mask[2:8, start:end] = True
    read_as_one = LineReading("abcd", (0.12, 0.31, 0.67, 0.86), 0.9)
    assert [tuple(word) for word in part_words(read_as_one, mask, 10)] == [("ab", 5, 40), ("cd", 60, 95)]
    ideographs = read_as_one._replace(text="\u6587\u5b57\u6587\u5b57")
    assert len(part_words(ideographs, mask, 10)) == 1


def test_letters_that_the_model_skips_lower_the_confidence(page: Image.Image) -> None:
    class Skipping:
        def read_line(self, _: Any) -> LineReading:
            return LineReading(".", (0.9,), 0.99)

    picture = next(load_pictures(save(page)))
    gray = picture[:, :, 0]
    box = ink.np.array([[60, 90], [600, 90], [600, 115], [60, 115]], ink.np.float32)
    line = pages._read_line(Skipping(), picture, gray, gray < 0, box, 15)
    assert line is not None
    assert line.confidence < 0.5


def test_columns_are_read_one_after_the_other() -> None:
    def column(x: float, name: str) -> list[ScannedLine]:
        words = [[f"{name}{number}", "is", "a", "line", "of", "long", "prose"] for number in range(6)]
        return [
            ScannedLine(
                tuple([ScannedWord(word, x + 25 * at, x + 25 * at + 20) for at, word in enumerate(line)]), y, 10, 1, 1
            )
            for y, line in zip(range(100, 220, 20), words, strict=True)
        ]

    lines = [line for both in zip(column(0, "left"), column(300, "right"), strict=True) for line in both]
    drawn = draw_pages({1: ScannedPage(500, 400, tuple(lines))})[1]
    firsts = [segment.text.split()[0] for segment in drawn.segments]
    assert firsts == [*[f"left{n}" for n in range(6)], *[f"right{n}" for n in range(6)]]


def test_nothing_is_printed_written_or_downloaded(tmp_path: Path) -> None:
    code = """
import socket, sys
def refuse(*_): raise AssertionError("network")
socket.socket.connect = socket.getaddrinfo = refuse
from crosshead.formats.scans.engine import load_engine
import numpy as np
engine = load_engine()
picture = np.full((64, 320, 3), 255, np.uint8)
engine.find_lines(picture), engine.is_upside_down(picture), engine.read_line(picture)
"""
    home = {**os.environ, "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    home.pop("ORT_DISABLE_TELEMETRY", None)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, env=home)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not list(tmp_path.iterdir())
