from __future__ import annotations

import pytest
from tests.formats.pdf.building import BOLD, Sheet, build, text_of

from crosshead.formats.pdf import read_pdf
from crosshead.formats.pdf.page import outline
from crosshead.formats.pdf.page.outline import Bookmark, mark_outline, titles_by_page
from crosshead.formats.pdf.page.shapes import PdfPage, Row, TextStyle
from crosshead.options import ExtractOptions


def row(text: str, base: float, size: float = 10.0, level: int = 0) -> Row:
    return Row([], 1, base=base, style=TextStyle(size), text=text, level=level)


def test_target_may_name_only_a_height() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.line("Usage")
        sheet.y -= 20
        sheet.paragraph()
        sheet.canvas.bookmarkPage("usage", fit="FitH", top=sheet.y)
        sheet.canvas.addOutlineEntry("Usage", "usage")
        sheet.line("Usage")
        sheet.y -= 20
        sheet.paragraph()

    text = text_of(draw)
    assert text.startswith("Usage\n")
    assert "\n# Usage\n" in text


def test_target_may_be_a_whole_page() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.bookmarkPage("usage", fit="Fit")
        sheet.canvas.addOutlineEntry("Usage", "usage")
        sheet.line("Usage", BOLD, 14)
        sheet.paragraph()

    assert text_of(draw).startswith("# Usage\n")


def test_endless_outline_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outline, "_MAX_ENTRIES", 2)

    def draw(sheet: Sheet) -> None:
        for name in ("One", "Two", "Three"):
            sheet.canvas.bookmarkPage(name)
            sheet.canvas.addOutlineEntry(name, name)
            sheet.line(name)
            sheet.paragraph()

    text = read_pdf(build(draw), ExtractOptions()).text
    assert [line for line in text.split("\n") if line.startswith("#")] == ["# One", "# Two"]


def test_entry_without_a_page_marks_nothing() -> None:
    page = PdfPage(1, [row("Usage", 700)])
    assert mark_outline([page], [Bookmark(1, "Usage", None, None)]) == 0


def test_titles_without_letters_are_not_searched_for() -> None:
    entries = [Bookmark(1, "...", 0, None), Bookmark(1, "Usage", 0, None), Bookmark(1, "Lost", None, None)]
    assert titles_by_page(entries) == {0: {"usage"}}
    assert mark_outline([PdfPage(1, [row("Usage", 700)])], entries[:1]) == 0


def test_row_is_the_heading_of_one_entry_only() -> None:
    page = PdfPage(1, [row("Usage", 700), row("Usage", 600)])
    assert mark_outline([page], [Bookmark(1, "Usage", 0, 710.0), Bookmark(2, "Usage", 0, 710.0)]) == 2
    assert [item.level for item in page.items if isinstance(item, Row)] == [1, 2]


def test_heading_that_is_marked_already_is_left_alone() -> None:
    page = PdfPage(1, [row("Usage", 700, level=3), row("Use", 600)])
    assert mark_outline([page], [Bookmark(1, "Usage", 0, None), Bookmark(1, "Usage of locks", 0, None)]) == 0
