from __future__ import annotations

import pytest
from tests.formats.pdf.building import Sheet, build

from crosshead.formats.pdf import read_pdf
from crosshead.options import ExtractOptions


def add_box(sheet: Sheet, text: str, flags: int = 4) -> None:
    sheet.line("Above the box.")
    sheet.canvas.freeTextAnnotation(text, DA="(/Helv 12 Tf 0 g)", Rect=[72, 500, 300, 560], F=flags)


@pytest.mark.parametrize("flags", [4, 2])
def test_text_boxes_are_read_unless_they_are_hidden(flags: int) -> None:
    text = read_pdf(build(lambda sheet: add_box(sheet, "Please pay größere Beträge", flags)), ExtractOptions()).text
    assert text == ("Above the box.\n\nPlease pay größere Beträge\n" if flags == 4 else "Above the box.\n")


def test_attached_files_are_named() -> None:
    data = build(lambda sheet: sheet.line("Read this."))
    names = b"/Names<</EmbeddedFiles<</Names[(a.csv)<</Type/Filespec/F(a.csv)/EF<</F 900 0 R>>>>]>>>>/Type /Catalog"
    file = b"900 0 obj<</Type/EmbeddedFile/Length 3>>stream\n1,2\nendstream endobj\n"
    data = data.replace(b"/Type /Catalog", names)
    at = data.rindex(b"xref\n", 0, data.rindex(b"trailer"))
    found = read_pdf(data[:at] + file + data[data.rindex(b"trailer") :], ExtractOptions())
    assert found.warnings == ("the PDF carries 1 attached files, which are not read: a.csv",)
