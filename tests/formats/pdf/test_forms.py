"""Fields of forms: their values are text where they stand."""

from __future__ import annotations

import pytest

from crosshead.formats import extract
from crosshead.formats.registry import choose_format

OBJECTS = (
    "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 6 0 R 7 0 R 8 0 R]/DR<</Font<</F 4 0 R>>>>/DA(/F 12 Tf)>>>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 4 0 R>>>>/Contents 10 0 R"
    "/Annots[5 0 R 6 0 R 7 0 R 8 0 R]>>",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Ada Lovelace)/Rect[150 712 350 732]/DA(/F 12 Tf)/F 4>>",
    "<</Type/Annot/Subtype/Widget/FT/Ch/Ff 131072/T(land)/V(Norway)/Opt[(Norway)(Chile)]/Rect[150 682 350 702]"
    "/DA(/F 12 Tf)/F 4>>",
    "<</Type/Annot/Subtype/Widget/FT/Btn/T(agree)/V/Yes/AS/Yes/AP<</N<</Yes 9 0 R/Off 9 0 R>>>>/Rect[150 655 170 675]"
    "/F 4>>",
    "<</Type/Annot/Subtype/Widget/FT/Btn/T(news)/V/Off/AS/Off/AP<</N<</Yes 9 0 R/Off 9 0 R>>>>/Rect[150 625 170 645]"
    "/F 4>>",
)
LINES = "BT/F 12 Tf 72 718 Td(Name:)Tj 0 -30 Td(Country:)Tj 0 -30 Td(Agree:)Tj 0 -30 Td(News:)Tj ET"


def make_form() -> bytes:
    """Return a form without a cross-reference table, which pdfium rebuilds."""
    empty = "<</Type/XObject/Subtype/Form/BBox[0 0 20 20]/Length 0>>stream\n\nendstream"
    content = f"<</Length {len(LINES)}>>stream\n{LINES}\nendstream"
    objects = (*OBJECTS, empty, content)
    body = "".join(f"{number} 0 obj\n{each}\nendobj\n" for number, each in enumerate(objects, 1))
    return f"%PDF-1.7\n{body}trailer<</Root 1 0 R/Size 11>>\nstartxref\n0\n%%EOF\n".encode()


def test_values_are_read_where_they_stand() -> None:
    lines = [" ".join(line.replace("|", " ").split()) for line in extract(make_form(), "pdf").splitlines()]
    for line in ("Name: Ada Lovelace", "Country: Norway", "Agree: \\[x\\]", "News: \\[ \\]"):
        assert line in lines


@pytest.mark.parametrize("junk", [b"HTTP/1.1 200 OK ", b"\xff\xfe\x00junk", b"x" * 900])
def test_a_pdf_may_have_junk_before_it(junk: bytes) -> None:
    data = junk + make_form()
    assert choose_format("report.txt", data).format == "pdf"
    assert "Ada Lovelace" in extract(data, "pdf")
