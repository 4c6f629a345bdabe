"""Where the words of a PDF's Markdown are drawn on its pages."""

from __future__ import annotations

import io
from collections.abc import Callable

import pypdfium2
import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from tests.formats.pdf.building import PROSE, Sheet, build

from crosshead.errors import NoSuchPage
from crosshead.formats import draw_page, locate_on_pages, view_page
from crosshead.pipeline import read
from crosshead.types import Document, Location, PageBox, PictureSize, StoredDocument

SIZE = 612, 792


def stored(document: Document) -> StoredDocument:
    return StoredDocument(document.id, document.source, "pdf", "", document.text, "", "", "", {}, pages=document.pages)


def locate(data: bytes, text: str) -> Location:
    """Return where the first occurrence of a part of the Markdown is seen."""
    document = stored(read(data, "pdf", source="a.pdf"))
    start = document.text.index(text)
    return locate_on_pages(data, document, start, start + len(text))


def words_in(data: bytes, location: Location) -> list[str]:
    """Return what pdfium sees in each rectangle."""
    found = []
    with pypdfium2.PdfDocument(data) as document:
        for shown in location.pages:
            page = document[shown.page - 1]
            textpage = page.get_textpage()
            for box in shown.boxes:
                left, bottom = box.left, shown.height - box.top - box.height
                text = textpage.get_text_bounded(left, bottom, left + box.width, bottom + box.height)
                found.append(" ".join(text.split()).replace("\x02", "-"))
            textpage.close()
            page.close()
    return found


def page_of(*drawings: Callable[[Canvas], None], size: tuple[int, int] = SIZE) -> bytes:
    """Draw one page after another."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=size)
    for each in drawings:
        each(canvas)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def test_a_sentence_gets_a_rectangle_for_each_of_its_lines() -> None:
    data = build(lambda sheet: sheet.paragraph())
    location = locate(data, "the structure must survive when the text is taken out of the page on which it was set.")
    assert location.share == 1
    assert " ".join(words_in(data, location)) == (
        "the structure must survive when the text is taken out of the page on which it was set."
    )
    assert len(location.pages[0].boxes) == 2
    first, second = location.pages[0].boxes
    assert first.top < second.top


def test_a_row_of_a_table_is_marked_cell_by_cell() -> None:
    def rows(sheet: Sheet) -> None:
        sheet.heading("Costs")
        for cells in (("Item", "2023", "2024"), ("Rent", "15", "12"), ("Heating", "15", "12"), ("Water", "15", "12")):
            sheet.row(cells, (72, 250, 350))

    data = build(rows)
    location = locate(data, "| Heating | 15 | 12 |")
    assert words_in(data, location) == ["Heating", "15", "12"]
    assert len({box.top for box in location.pages[0].boxes}) == 1


def test_a_table_that_is_drawn_column_by_column() -> None:
    table = ("Item", "Rent", "Heating", "Water"), ("2023", "15.10", "7.50", "15.10"), ("2024", "7.50", "15.10", "7.50")

    def columns(canvas: Canvas) -> None:
        for x, cells in zip((72, 250, 350), table, strict=True):
            for row, cell in enumerate(cells):
                canvas.drawString(x, 700 - 20 * row, cell)

    data = page_of(columns)
    assert words_in(data, locate(data, "| Heating | 7.50 | 15.10 |")) == ["Heating", "7.50", "15.10"]
    assert words_in(data, locate(data, "| Water | 15.10 | 7.50 |")) == ["Water", "15.10", "7.50"]


def test_a_text_that_goes_on_in_the_next_column_and_on_the_next_page() -> None:
    words = [f"word{number}" for number in range(900)]

    def column(part: list[str], x: float) -> Callable[[Canvas], None]:
        def lines(canvas: Canvas) -> None:
            for row in range(0, len(part), 5):
                canvas.drawString(x, 740 - 14 * (row // 5), " ".join(part[row : row + 5]))

        return lines

    def page(part: list[str]) -> Callable[[Canvas], None]:
        def both(canvas: Canvas) -> None:
            canvas.setFont("Helvetica", 9)
            column(part[: len(part) // 2], 60)(canvas)
            column(part[len(part) // 2 :], 330)(canvas)

        return both

    data = page_of(page(words[:480]), page(words[480:]))
    over_column = locate(data, " ".join(words[236:244]))
    assert (over_column.share, len(over_column.pages)) == (1, 1)
    assert " ".join(words_in(data, over_column)) == " ".join(words[236:244])
    document = stored(read(data, "pdf", source="a.pdf"))
    start = document.text.index("word476 ")
    over_page = locate_on_pages(data, document, start, document.text.index("word484 "))
    assert (over_page.share, [page.page for page in over_page.pages]) == (1, [1, 2])
    assert " ".join(words_in(data, over_page)) == " ".join(words[476:484])


def test_a_word_that_is_broken_at_the_end_of_a_line() -> None:
    def lines(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "The report describes the under-")
        canvas.drawString(72, 686, "standing of both owners, and their under-")
        canvas.drawString(72, 672, "takings in the following year of business.")

    data = page_of(lines)
    location = locate(data, "understanding of both")
    assert location.share == 1
    assert words_in(data, location) == ["under-", "standing of both"]


def test_a_text_that_occurs_again_is_marked_where_it_was_cited() -> None:
    def twice(sheet: Sheet) -> None:
        sheet.heading("First")
        sheet.line("See the notes.")
        sheet.heading("Second")
        sheet.line("See the notes.")

    data = build(twice)
    document = stored(read(data, "pdf", source="a.pdf"))
    starts = [document.text.index("See the"), document.text.rindex("See the")]
    tops = [locate_on_pages(data, document, start, start + 14).pages[0].boxes[0].top for start in starts]
    assert tops[0] + 20 < tops[1]


def test_what_is_not_on_the_page_is_not_marked() -> None:
    data = build(lambda sheet: sheet.paragraph())
    other = "Nothing of this was printed. Every section of a document has a purpose"
    document = stored(read(data, "pdf", source="a.pdf"))._replace(text=f"{other}\n", pages=((1, 1),))
    location = locate_on_pages(data, document, 0, len(other))
    assert " ".join(words_in(data, location)) == "Every section of a document has a purpose"
    assert 0.5 < location.share < 0.7
    lost = locate_on_pages(data, document, 0, len("Nothing of this was printed."))
    assert (lost.pages, lost.share) == ((), 0)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_and_cropped_page_is_measured_as_it_is_shown(turn: int) -> None:
    def line(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 20)
        canvas.drawString(150, 400, "Only this line")

    with pypdfium2.PdfDocument(page_of(line)) as document:
        page = document[0]
        page.set_cropbox(100, 300, 400, 700)
        page.set_rotation(turn)
        file = io.BytesIO()
        document.save(file)
    data = file.getvalue()
    shown = view_page(data, stored(read(data, "pdf", source="a.pdf")), 1, 0, 14)
    assert (shown.width, shown.height) == ((300, 400) if turn % 180 == 0 else (400, 300))
    width = stringWidth("Only this line", "Helvetica", 20)
    corner = {0: (50, 300), 90: (100, 50), 180: (250, 100), 270: (300, 250)}[turn]
    """The left end of the baseline, in points from the upper left corner of the page as it is shown."""
    direction = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[turn]
    left, top, right, bottom = bounds(shown.boxes)
    for share in (0.1, 0.5, 0.9):
        x, y = (corner[axis] + share * width * direction[axis] for axis in (0, 1))
        assert left - 1 <= x <= right + 1
        assert top - 1 <= y <= bottom + 1
    long, short = sorted((right - left, bottom - top), reverse=True)
    assert long == pytest.approx(width, abs=3)
    assert short < 30


def bounds(boxes: tuple[PageBox, ...]) -> tuple[float, float, float, float]:
    return (
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.left + box.width for box in boxes),
        max(box.top + box.height for box in boxes),
    )


def test_a_text_over_many_pages_is_found_on_each_of_them() -> None:
    def page(number: int) -> Callable[[Sheet], None]:
        return lambda sheet: sheet.paragraph(f"Page {number} of the report says this. {PROSE}")

    data = build(*(page(number) for number in range(1, 8)))
    text = read(data, "pdf", source="a.pdf").text
    location = locate(data, text[text.index("Page 2") : text.index("Page 7")])
    assert (location.share, [page.page for page in location.pages]) == (1, [2, 3, 4, 5, 6])
    found = " ".join(words_in(data, location))
    assert (found.count("of the report says this"), found[:6], "Page 7" in found) == (5, "Page 2", False)


def test_marks_of_markdown_are_not_looked_for() -> None:
    def page(sheet: Sheet) -> None:
        sheet.heading("Rates * and [notes]")
        sheet.item("•", "The item costs 12 % of the price_list.")

    data = build(page)
    text = read(data, "pdf", source="a.pdf").text
    location = locate(data, text.rstrip())
    assert location.share == 1
    assert "Rates * and [notes]" in words_in(data, location)


def test_a_page_that_does_not_exist() -> None:
    data = build(lambda sheet: sheet.line(PROSE[:40]))
    document = stored(read(data, "pdf", source="a.pdf"))
    with pytest.raises(NoSuchPage, match="it has no page 2: it has 1 page"):
        view_page(data, document, 2)
    with pytest.raises(NoSuchPage, match="it has no page 2: it has 1 page"):
        draw_page(data, document, 2, PictureSize())


def test_the_picture_of_a_huge_page_is_bounded() -> None:
    data = page_of(lambda canvas: canvas.drawString(72, 700, "A large sheet of paper"), size=(9000, 9000))
    picture = draw_page(data, stored(read(data, "pdf", source="a.pdf")), 1, PictureSize(4.0))
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    assert 1_000_000 < width * height < 8_100_000
