from __future__ import annotations

import io
import threading

import pytest
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from tests.formats.pdf.building import MONO, PROSE, Sheet, bookmark, build, lines_of, read, text_of

import crosshead
from crosshead.errors import CorruptFile, EncryptedFile, ExtractError
from crosshead.formats.pdf import has_pdf_mark, read_pdf, recognition
from crosshead.options import ExtractOptions
from crosshead.pipeline import parse_document

OPTIONS = ExtractOptions()


def guide(sheet: Sheet) -> None:
    sheet.heading("Guide to keys", 24)
    sheet.paragraph()
    sheet.heading("Storing", 16)
    sheet.paragraph()
    sheet.item("•", "in a drawer")
    sheet.item("•", "on a hook")
    sheet.y -= 10
    sheet.line("key = find(drawer)", MONO)
    sheet.line("    turn(key)", MONO)
    sheet.y -= 10
    sheet.grid([["Key", "Door"], ["brass", "front"], ["steel", "back"]], [72, 172, 272])
    sheet.paragraph()


def test_every_structure_comes_back_as_markdown() -> None:
    kinds = [block.kind for block in crosshead.parse_blocks(text_of(guide))]
    assert kinds == ["heading", "paragraph", "heading", "paragraph", "list", "code", "table", "paragraph"]


def test_the_markdown_passes_the_check() -> None:
    document = parse_document(text_of(guide, guide, guide))
    assert crosshead.check(document, crosshead.chunk(document)).ok


def test_every_page_says_where_it_begins() -> None:
    found = read(lines_of(["one."]), lines_of(["two."]), lines_of([""]), lines_of(["four."]))
    lines = found.text.split("\n")
    assert [(lines[line - 1], page) for line, page in found.pages] == [("one.", 1), ("two.", 2), ("four.", 4)]


def test_code_across_pages_keeps_the_page_of_its_lines() -> None:
    def code(name: str) -> crosshead.formats.pdf.building.Draw:  # type: ignore[name-defined]
        def draw(sheet: Sheet) -> None:
            for number in range(3):
                sheet.line(f"{name}({number})", MONO)

        return draw

    found = read(lines_of([PROSE, PROSE, PROSE]), code("first"), code("second"))
    lines = found.text.split("\n")
    assert [(lines[line - 1], page) for line, page in found.pages[1:]] == [("```", 2), ("second(0)", 3)]


@pytest.mark.parametrize(
    ("title", "expected"),
    [("Annual report", "Annual report"), ("report.docx", ""), ("Microsoft Word - draft 3", ""), ("untitled", "")],
)
def test_title_of_the_metadata_is_taken_if_it_is_one(title: str, expected: str) -> None:
    assert read_pdf(build(lines_of(["text"]), title=title), OPTIONS).title == expected


@pytest.mark.parametrize(
    "data",
    [b"", b"hello", b"%PDF-1.7\n" + bytes(range(256)) * 50, build(lines_of(["text"]))[:400]],
    ids=["empty", "text", "garbage", "truncated"],
)
def test_what_is_no_pdf_is_an_error(data: bytes) -> None:
    with pytest.raises(CorruptFile):
        read_pdf(data, OPTIONS)


def test_password_is_an_error_of_its_own() -> None:
    with pytest.raises(EncryptedFile):
        read_pdf(build(lines_of(["secret"]), password="owner", user_password="user"), OPTIONS)


def test_password_for_changes_does_not_hinder_reading() -> None:
    assert read_pdf(build(lines_of(["open"]), password="owner"), OPTIONS).text == "open\n"


TEXT_ONLY = ExtractOptions(ocr="never")


def picture(sheet: Sheet) -> None:
    png = bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
        "0000000a49444154789c6360000000020001e221bc330000000049454e44ae426082"
    )
    sheet.canvas.drawImage(ImageReader(io.BytesIO(png)), 100, 100, 300, 300)


def test_document_without_text_is_an_error_that_names_the_pages() -> None:
    with pytest.raises(ExtractError, match=r"pages 1-3: .*--ocr auto"):
        recognition.read_pdf(build(picture, picture, picture), TEXT_ONLY)


def test_scanned_pages_among_others_are_named_in_a_warning() -> None:
    text = lines_of(["text"])
    found = recognition.read_pdf(build(text, picture, text, picture, picture), TEXT_ONLY)
    assert found.unread_pages == (2, 4, 5)
    assert found.warnings[0].startswith("no text on pages 2, 4-5 of the PDF")


def test_blank_pages_are_no_reason_for_a_warning() -> None:
    found = recognition.read_pdf(build(lines_of(["text"]), lambda sheet: None), TEXT_ONLY)
    assert (found.text, found.unread_pages, found.warnings) == ("text\n", (), ())


@pytest.mark.parametrize(("data", "expected"), [(b"%PDF-1.4\n", True), (b"\n\n%PDF-2.0", True), (b"# PDF", False)])
def test_bytes_show_the_format(data: bytes, expected: bool) -> None:
    assert has_pdf_mark(data) is expected


def test_threads_may_read_at_the_same_time() -> None:
    data = build(*[guide] * 5)
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(read_pdf(data, OPTIONS).text)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1


def test_reading_twice_gives_the_same() -> None:
    data = build(guide, guide)
    assert read_pdf(data, OPTIONS) == read_pdf(data, OPTIONS)


def test_two_thousand_pages_lose_nothing() -> None:
    def page(number: int) -> None:
        pass

    out = io.BytesIO()
    canvas = Canvas(out)
    for number in range(2000):
        sheet = Sheet(canvas)
        bookmark(sheet, f"Topic {number}")
        sheet.heading(f"Topic {number}")
        sheet.line(f"word{number}")
        canvas.showPage()
    canvas.save()
    found = read_pdf(out.getvalue(), OPTIONS)
    assert len(found.pages) == 2000
    assert all(f"word{number}\n" in found.text for number in range(2000))
    assert found.text.count("# Topic") == 2000


def test_page_with_200_000_characters() -> None:
    def draw(sheet: Sheet) -> None:
        for number in range(200):
            sheet.line(" ".join([f"w{number}x{word}" for word in range(125)]), size=3)

    text = text_of(draw)
    assert len(text) > 150_000
    assert "w199x124" in text


def test_page_with_many_lines_is_a_drawing() -> None:
    def draw(sheet: Sheet) -> None:
        for number in range(5000):
            sheet.canvas.line(number % 600, 0, number % 600, 800)
        sheet.line("needle")

    assert text_of(draw) == "needle\n"


def test_outline_that_goes_in_circles_ends() -> None:
    def draw(sheet: Sheet) -> None:
        for title in ("First", "Second"):
            bookmark(sheet, title)
            sheet.heading(title)
            sheet.paragraph()

    data = build(draw)
    marks = [line for line in data.split(b"\n") if b"/Next" in line and b"/Title" in line]
    target = marks[0].split(b"/Next ")[1].split(b" ")[0]
    looped = data.replace(b"/Prev ", b"/Next " + target + b" 0 R /Prex ", 1)
    assert "# First" in read_pdf(looped, OPTIONS).text


def test_title_that_is_not_unicode_is_read_as_far_as_it_is() -> None:
    data = build(lines_of(["text"]), title="Report XY")
    broken = data.replace(b"Report XY", b"\xfe\xff\0R\0e\xd8\0\0p", 1)
    assert broken != data
    assert read_pdf(broken, OPTIONS).title == "Re\ufffdp"
