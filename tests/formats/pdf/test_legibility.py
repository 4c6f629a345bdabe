from __future__ import annotations

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from tests.formats.pdf.building import LEFT, PROSE, Sheet, build

import crosshead
from crosshead.formats.scans import engine

SCAN = ImageReader(Image.new("L", (60, 80), 200))
TABLE = (
    b"/CIDInit/ProcSet findresource begin begincmap 1 begincodespacerange<00><ff>endcodespacerange\n"
    b"1 beginbfrange<20><7e><e020>endbfrange endcmap end"
)


def with_private_letters(data: bytes) -> bytes:
    """Let the fonts of a PDF map all characters to private ones, as some programs do."""
    stream = b"900 0 obj<</Length %d>>stream\n%s\nendstream endobj\n" % (len(TABLE), TABLE)
    data = data.replace(b"/Subtype /Type1", b"/ToUnicode 900 0 R/Subtype /Type1")
    return data[: data.rindex(b"xref\n", 0, data.rindex(b"trailer"))] + stream + data[data.rindex(b"trailer") :]


def scan(text: str, *, is_invisible: bool = False) -> bytes:
    def draw(sheet: Sheet) -> None:
        width, height = sheet.canvas._pagesize
        sheet.canvas.drawImage(SCAN, 0, 0, width, height)
        line = sheet.canvas.beginText(LEFT, 300)
        line.setTextRenderMode(3 if is_invisible else 0)
        line.textLine(text)
        sheet.canvas.drawText(line)

    return build(lambda sheet: sheet.paragraph(), draw)


def recognize(data: bytes, text: str) -> crosshead.Document:
    return crosshead.read(data, source="a.pdf", options=crosshead.ExtractOptions(ocr=lambda _: text))


def test_letters_without_a_meaning_are_recognized() -> None:
    data = with_private_letters(build(lambda sheet: sheet.paragraph()))
    assert recognize(data, "What the page shows.").text == "What the page shows.\n"


def test_without_recognition_such_letters_are_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "is_installed", lambda: False)
    document = crosshead.read(with_private_letters(build(lambda sheet: sheet.paragraph())), source="a.pdf")
    assert document.warnings[0].startswith("the fonts on page 1 of the PDF do not say which letters they draw")
    assert "crosshead[ocr]" in document.warnings[0]


def test_letters_with_a_meaning_are_taken_as_they_are() -> None:
    assert recognize(build(lambda sheet: sheet.paragraph()), "no").text == f"{PROSE.strip()}\n"


def test_a_stamp_on_a_scan_does_not_hide_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "A letter of six words, scanned" in recognize(scan("Received 3 May"), "A letter of six words, scanned").text
    monkeypatch.setattr(engine, "is_installed", lambda: False)
    document = crosshead.read(scan("Received 3 May"), source="a.pdf")
    assert "Received 3 May" in document.text
    assert document.warnings[0].startswith("an image and hardly any text on page 2 of the PDF")


def test_text_on_an_image_stays_if_recognition_finds_no_more() -> None:
    assert "A title on a photo" in recognize(scan("A title on a photo"), "A titIe on a photo").text


def test_invisible_text_over_a_scan_is_used() -> None:
    document = crosshead.read(
        scan("What a scanner read", is_invisible=True),
        source="a.pdf",
        options=crosshead.ExtractOptions(ocr=lambda _: pytest.fail("recognized twice")),
    )
    assert "What a scanner read" in document.text
