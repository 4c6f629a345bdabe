from __future__ import annotations

import re
import zlib
from collections.abc import Callable

import pytest
from tests.formats.pdf.building import Sheet, build

import crosshead
from crosshead.errors import CorruptFile, ExtractError
from crosshead.formats.pdf import read_pdf, recognition
from crosshead.options import ExtractOptions

PAGE = b"%d 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents %d 0 R"
FONT = b"/Resources<</Font<</F 4 0 R>>>>>>"
WARNING = "the PDF is damaged: text may be missing on page 2; get a complete copy"


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<</Length %d%s>>stream\n%s\nendstream" % (len(data), entries, data)


def draw(text: bytes) -> bytes:
    return b"BT /F 12 Tf 50 200 Td (%s) Tj ET" % text


def deflated(text: bytes, spoil: Callable[[bytes], bytes] = bytes) -> bytes:
    return stream(spoil(zlib.compress(draw(text))), b"/Filter/FlateDecode")


def make(second: bytes | None, count: int = 3, more: bytes = b"") -> bytes:
    """Return a PDF of three pages, of which the second has these contents; its table of objects is missing."""
    contents = [deflated(b"First page."), second, deflated(b"Last page.")]
    parts = [
        b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n",
        b"2 0 obj<</Type/Pages/Count %d/Kids[11 0 R 12 0 R 13 0 R]>>endobj\n" % count,
        b"4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n",
        *[PAGE % (number, number + 10) + FONT + b"endobj\n" for number in (11, 12, 13)],
        *[b"%d 0 obj%s\nendobj\n" % (21 + n, each) for n, each in enumerate(contents) if each is not None],
        more,
        b"trailer<</Root 1 0 R/Size 40>>\nstartxref\n0\n%%EOF\n",
    ]
    return b"".join(parts)


def read(data: bytes) -> crosshead.Extracted:
    return read_pdf(data, ExtractOptions())


def test_whole_pages_are_no_reason_for_a_warning() -> None:
    found = read(make(deflated(b"Second page.")))
    assert (found.text.split("\n\n")[1], found.warnings) == ("Second page.", ())


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(deflated(b"Lost.", lambda data: data[:2] + bytes([255]) * 40), id="bad data"),
        pytest.param(deflated(b"Lost." * 99, lambda data: data[:-12]), id="cut off"),
        pytest.param(deflated(b"Lost.", lambda data: data[:-1] + b"?"), id="wrong checksum"),
        pytest.param(stream(b"abc", b"/Filter/Unknown"), id="unknown filter"),
        pytest.param(stream(bytes(range(128, 256))), id="noise"),
        pytest.param(stream(b"/Missing Do"), id="missing form"),
        pytest.param(b"<</No/Stream>>", id="not a stream"),
        pytest.param(None, id="missing object"),
    ],
)
def test_destroyed_contents_are_named_and_other_pages_kept(second: bytes | None) -> None:
    found = read(make(second))
    assert found.warnings == (WARNING,)
    assert (found.text.startswith("First page."), found.text.endswith("Last page.\n")) == (True, True)


def test_damaged_forms_on_a_page_are_named() -> None:
    entries = b"/Filter/FlateDecode/Subtype/Form/BBox[0 0 9 9]"
    form = b"30 0 obj%s\nendobj\n" % stream(b"x\x9c" + bytes([255]) * 40, entries)
    second = make(stream(draw(b"Second.") + b" /X Do"), more=form)
    page = second.index(b"12 0 obj")
    found = read(second[:page] + second[page:].replace(b"/Font<<", b"/XObject<</X 30 0 R>>/Font<<", 1))
    assert ("Second." in found.text, found.warnings) == (True, (WARNING,))


def test_blank_pages_are_not_damaged() -> None:
    assert read(make(stream(b"q 1 0 0 1 0 0 cm /GS gs Q"))).warnings == ()


def test_a_page_that_is_missing_is_named() -> None:
    assert read(make(deflated(b"Gone.")).replace(b"Kids[11 0 R 12 0 R", b"Kids[11 0 R 39 0 R")).warnings == (WARNING,)


def test_a_document_without_any_page_left_is_an_error() -> None:
    data = re.sub(rb"stream\nx\x9c.{9}", rb"stream\nx\\x9c" + b"\xff" * 9, make(None), flags=re.S)
    with pytest.raises(CorruptFile, match="the PDF is damaged: nothing can be read on pages 1-3"):
        crosshead.read(data, source="damaged.pdf")


def test_wrong_numbers_of_pages() -> None:
    second = deflated(b"Second page.")
    assert read(make(second, count=1_000_000)).text == read(make(second)).text
    cut = read(make(second, count=1))
    assert cut.text == "First page.\n"
    assert cut.warnings == ("the PDF is damaged: only 1 of its 3 pages are read; repair it",)


def test_empty_pages_are_not_recognized(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognition, "_draw_page", lambda _: pytest.fail("drawn"))

    def blank(_: Sheet) -> None:
        pass

    with pytest.raises(ExtractError, match="nothing is drawn on pages 1-2"):
        crosshead.read(build(blank, blank), source="blank.pdf", options=ExtractOptions(ocr=lambda _: "x"))
