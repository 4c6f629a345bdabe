from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.formats.pdf.building import PROSE, RIGHT, Sheet, headings, text_of

from crosshead.formats.pdf.page.shapes import TextStyle
from crosshead.formats.pdf.structure.contents.levels import Printed, rank_entries

Entry = tuple[str, int, int]
"""Title, level and page."""

ENTRIES: Sequence[Entry] = (
    ("Opening words", 0, 2),
    ("Who should read this", 1, 2),
    ("What is left out", 1, 3),
    ("Daily work", 0, 4),
    ("Mornings", 1, 5),
)


def contents(entries: Sequence[Entry], leader: str = "") -> Callable[[Sheet], None]:
    def draw(sheet: Sheet) -> None:
        sheet.heading("Contents")
        for title, level, page in entries:
            *first, last = title.split("\n")
            for line in first:
                sheet.line(line, indent=20 * level, gap=1.6)
            sheet.line(f"{last} {leader}".strip(), indent=20 * level, gap=1.6)
            sheet.canvas.drawRightString(RIGHT, sheet.y, str(page))

    return draw


def body(titles: Sequence[str]) -> Callable[[Sheet], None]:
    """Headings look like the text, and are as near to it as its lines are."""

    def draw(sheet: Sheet) -> None:
        for title in titles:
            sheet.line(title)
            sheet.paragraph(PROSE * 2)

    return draw


NUMBERS = ("1", "1.1", "1.2", "2", "2.1")
PAGES = (
    body(["Opening words", "Who should read this"]),
    body(["What is left out"]),
    body(["Daily work"]),
    body(["Mornings"]),
)


def test_contents_show_headings_that_look_like_the_text_and_their_levels() -> None:
    text = text_of(contents(ENTRIES), *PAGES)
    assert headings(text)[1:] == [
        "# Opening words",
        "## Who should read this",
        "## What is left out",
        "# Daily work",
        "## Mornings",
    ]


def test_printed_numbers_may_begin_on_another_page() -> None:
    shifted = [(title, level, page + 6) for title, level, page in ENTRIES]
    assert "## Mornings" in headings(text_of(contents(shifted), *PAGES))


def test_entries_may_go_on_in_the_next_line_and_lack_numbers() -> None:
    entries = [("WHO SHOULD\nREAD THIS", level, page) if level and page == 2 else (title, level, page)
               for title, level, page in ENTRIES]  # fmt: skip
    first = body(["1 Opening words", "1.1 Who should read this"])
    found = headings(text_of(contents(entries, ". " * 60), first, *PAGES[1:]))
    assert "# 1 Opening words" in found
    assert "## 1.1 Who should read this" in found


def test_contents_with_wrong_pages_make_no_headings() -> None:
    wrong = [(title, level, page) for (title, level, _), page in zip(ENTRIES, (3, 9, 17, 41, 80), strict=True)]
    assert headings(text_of(contents(wrong), *PAGES)) == ["# Contents"]


def test_contents_may_be_read_as_a_table() -> None:
    entries = [(f"{number} {title}", 0, page) for number, (title, _, page) in zip(NUMBERS, ENTRIES, strict=True)]
    entries[2] = (entries[2][0], 0, 2)  # so few pages are no evidence for contents
    text = text_of(contents(entries), *PAGES)
    assert "| 1 Opening words | 2 |" in text
    assert headings(text)[1:] == [
        "# Opening words",
        "## Who should read this",
        "## What is left out",
        "# Daily work",
        "## Mornings",
    ]


def test_contents_invent_nothing() -> None:
    more = [*ENTRIES, ("Evenings", 1, 5), ("Nights", 0, 6)]
    text = text_of(contents(more), *PAGES)
    assert not [line for line in headings(text) if "Evenings" in line or "Nights" in line]
    assert text.count("Evenings") == text.count("Nights") == 1
    assert text.count("Every section of a document") == 2 * 5


def test_line_of_a_paragraph_that_reads_like_an_entry_stays_text() -> None:
    def last(sheet: Sheet) -> None:
        sheet.line("Nothing that anybody does at any time of the day or the night is as good as those")
        sheet.line("Mornings")
        sheet.line("in which the work is done before it can be put off until later than it should be.")

    assert "## Mornings" not in headings(text_of(contents(ENTRIES), *PAGES[:3], last))


def test_levels_of_entries_come_from_indents_looks_and_numbers() -> None:
    plain, bold = TextStyle(10.0), TextStyle(10.0, bold=True)
    assert rank_entries([Printed("Birds", 0, plain), Printed("Owls", 12, plain), Printed("Fish", 1, plain)]) == [
        1,
        2,
        1,
    ]
    assert rank_entries([Printed("Birds", 0, bold), Printed("Owls", 0, plain), Printed("Fish", 0, bold)]) == [1, 2, 1]
    numbered = ["Preface", "1 Birds", "1.1 Owls", "10.1 Eagles", "Index"]
    assert rank_entries([Printed(text, 0, plain) for text in numbered]) == [1, 1, 2, 2, 1]
    parts = [Printed("PART I", 90, bold), Printed("Item 1. Business", 0, plain), Printed("Item 2. Risks", 0, plain)]
    assert rank_entries(parts) == [1, 2, 2]
