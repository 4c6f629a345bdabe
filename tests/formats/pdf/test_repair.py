from __future__ import annotations

import re
import zlib

import pytest
from tests.formats.pdf.building import PROSE, Sheet, build

from crosshead.errors import CorruptFile, EncryptedFile
from crosshead.formats.pdf import read_pdf
from crosshead.formats.pdf.page.repair import repair
from crosshead.options import ExtractOptions

SENTENCES = ("The first page begins.", "So does the second one.", "Here is the last.")


def page(number: int) -> object:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph(f"{SENTENCES[number - 1]} {PROSE}")

    return draw


WHOLE = build(page(1), page(2), page(3))  # type: ignore[arg-type]


def text_of(data: bytes) -> str:
    return read_pdf(data, ExtractOptions()).text


def packed(data: bytes) -> bytes:
    """Put the objects without streams into an object stream, and leave out what tells where it is."""
    found = re.findall(rb"(?s)(\d+) 0 obj\s(.*?)endobj", data)
    plain = [(number, body.strip()) for number, body in found if b"stream" not in body]
    numbers, bodies = b"", b""
    for number, body in plain:
        numbers += b"%s %d " % (number, len(bodies))
        bodies += body + b"\n"
    stream = zlib.compress(numbers + bodies)
    head = b"/Type/ObjStm/Filter/FlateDecode/N %d/First %d/Length %d" % (len(plain), len(numbers), len(stream))
    rest = [b"%s 0 obj\n%s\nendobj" % (number, body) for number, body in found if b"stream" in body]
    return b"%PDF-1.5\n" + b"\n".join(rest) + b"\n90 0 obj\n<<%s>>\nstream\n%s\nendstream\nendobj\n" % (head, stream)


@pytest.mark.parametrize(
    "damaged",
    [
        re.sub(rb"startxref\s+\d+", b"startxref\n7", WHOLE),
        re.sub(rb"(?m)^\d{10} ", b"0000000000 ", WHOLE),
        WHOLE[: WHOLE.rindex(b"xref\n0")],
        re.sub(rb"/Root \d+ 0 R", b"/Root 999 0 R", WHOLE),
        packed(WHOLE),
    ],
    ids=["offset of the table", "offsets in the table", "no table and no trailer", "wrong root", "object stream"],
)
def test_damaged_tables_are_rebuilt(damaged: bytes) -> None:
    assert text_of(damaged) == text_of(WHOLE)


def test_pages_of_a_file_that_is_cut_off_are_read() -> None:
    assert b"/Catalog" in WHOLE
    start = WHOLE.index(b"/Catalog")
    cut = WHOLE[: WHOLE.rindex(b" 0 obj", 0, start)]
    streams = re.findall(rb"(?s)\d+ 0 obj\s<<[^>]*>>\s*stream.*?endobj", WHOLE)
    document = read_pdf(cut + b"\n" + b"\n".join(streams), ExtractOptions())
    assert all(sentence in document.text for sentence in SENTENCES)
    assert document.warnings == ("the PDF is damaged and was repaired: pages or parts of them may be missing",)


def test_what_holds_no_page_is_refused() -> None:
    with pytest.raises(CorruptFile):
        text_of(WHOLE[:200])


def test_an_encrypted_file_is_not_repaired() -> None:
    data = build(page(1), password="owner", user_password="secret")  # type: ignore[arg-type]
    with pytest.raises(EncryptedFile):
        text_of(data)
    assert repair(data) is None


def test_object_streams_are_inflated_within_limits() -> None:
    bomb = zlib.compress(b"1 0 " + b"<</Type/Page>>" + bytes(60_000_000), 9)
    objects = [b"%d 0 obj\n<</Type/ObjStm>>\nstream\n%s\nendstream\nendobj\n" % (n, bomb) for n in range(2, 40)]
    repaired = repair(b"%PDF-1.5\n" + b"".join(objects))
    assert repaired is None or len(repaired) < 20_000_000
