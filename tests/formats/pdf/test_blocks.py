from __future__ import annotations

import pytest
from tests.formats.pdf.building import BODY, BOLD, LEFT, MONO, PROSE, RIGHT, Sheet, lines_of, text_of

import crosshead
from crosshead.formats.pdf.page.shapes import SOFT_HYPHEN
from crosshead.formats.pdf.text.joining import join_lines
from crosshead.formats.pdf.text.markers import find_marker, is_contents_line, is_marker, leaderless

LONG = PROSE.strip()


def test_lines_of_a_paragraph_become_one() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        sheet.paragraph()

    assert text_of(draw) == f"{LONG}\n\n{LONG}\n"


def test_indented_first_line_opens_a_paragraph() -> None:
    def draw(sheet: Sheet) -> None:
        for indent in (15, 15):
            lines = [
                "A first line that is wide enough to reach the right side of the column, where it goes on",
                "with more words until the column is full again, as is the habit of books and of the people",
            ]
            sheet.line(lines[0], indent=indent)
            sheet.line(lines[1])

    assert text_of(draw).count("\n\n") == 1


def test_paragraph_goes_on_over_the_page() -> None:
    def first(sheet: Sheet) -> None:
        sheet.paragraph()
        for text in ("This sentence begins on one page, and as the page is full before the sentence is,",):
            sheet.line(text)

    assert "before the sentence is, it ends on the next.\n" in text_of(first, lines_of(["it ends on the next."]))


def test_new_sentence_on_the_next_page_is_a_new_paragraph() -> None:
    assert text_of(lines_of(["It ends here."]), lines_of(["Here it begins."])) == "It ends here.\n\nHere it begins.\n"


def test_lists_nest_by_indentation() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        sheet.item("•", "fruit")
        sheet.item("–", "apples, " + PROSE, indent=50)
        sheet.item("–", "pears", indent=50)
        sheet.item("•", "bread")
        sheet.y -= 8
        sheet.paragraph()

    lines = text_of(draw).split("\n")[2:7]
    assert [line[:10] for line in lines] == ["- fruit", "  - apples", "  - pears", "- bread", ""]


def test_numbers_of_a_list_are_kept() -> None:
    def draw(sheet: Sheet) -> None:
        for number in range(8, 12):
            sheet.item(f"{number}.", f"step {number}")

    assert text_of(draw) == "8. step 8\n9. step 9\n10. step 10\n11. step 11\n"


def test_marks_that_are_drawn_last_stand_before_their_items() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        places = []
        for text in ("one", "two", "three"):
            sheet.line(text, indent=25)
            places.append(sheet.y)
        sheet.paragraph()
        for y in places:
            sheet.canvas.drawString(LEFT + 10, y, "•")

    assert "- one\n- two\n- three\n" in text_of(draw)


def test_letters_stay_in_the_text_of_an_item() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.item("a)", "first")
        sheet.item("b)", "second")

    assert text_of(draw) == "- a) first\n- b) second\n"


def test_paragraph_and_code_stay_in_their_item() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.item("1.", "Open the door.")
        sheet.y -= 8
        sheet.line("It has a lock.", indent=35)
        sheet.y -= 8
        sheet.line("open(door)", MONO, indent=35)
        sheet.y -= 8
        sheet.item("2.", "Go in.")

    text = text_of(draw)
    assert text == "1. Open the door.\n\n   It has a lock.\n\n   ```\n   open(door)\n   ```\n\n2. Go in.\n"
    assert [block.kind for block in crosshead.parse_blocks(text)] == ["list"]


def test_number_inside_a_paragraph_opens_no_list() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.line("The house was built in the spring of a year that nobody remembers, by a man with 12 sons and")
        sheet.line("3. daughters, which is a strange thing to write, but it happens when lines are broken by chance")
        sheet.line("and nobody looks at them again.")

    assert "\n3" not in text_of(draw)


@pytest.mark.parametrize(
    ("text", "markdown", "length"),
    [
        ("• x", "-", 2),
        ("•x", "-", 1),
        ("\uf0b7 x", "-", 2),
        ("- x", "-", 2),
        ("12. x", "12.", 4),
        ("(3) x", "-", 0),
        ("03) x", "03)", 4),
        ("iv) x", "-", 0),
        ("a. x", "-", 0),
    ],
)
def test_marks(text: str, markdown: str, length: int) -> None:
    marker = find_marker(text)
    assert marker is not None
    assert (marker.markdown, marker.length) == (markdown, length)


@pytest.mark.parametrize("text", ["-x", "1.5 x", "1999. x", "word", "A. B.C"[3:]])
def test_no_marks(text: str) -> None:
    assert find_marker(text) is None


def test_mark_alone() -> None:
    assert is_marker("•")
    assert is_marker("12.")
    assert not is_marker("12")


def test_contents_become_a_list_without_dots() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.line("1 Introduction ................. 3")
        sheet.line("1.1 Purpose . . . . . . . . . . 4", indent=15)
        sheet.y -= 20
        sheet.paragraph()

    assert text_of(draw).startswith("- 1 Introduction 3\n  - 1.1 Purpose 4\n")


def test_dots_that_lead_nowhere_are_no_contents() -> None:
    assert is_contents_line("Index .... xii")
    assert not is_contents_line("and so on ....")
    assert leaderless("Total ........ 3") == "Total 3"


def test_code_keeps_columns_and_blank_lines() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        for text, gap in (("def f(x):", 1.2), ("    if x:", 1.2), ("        return  x   # so", 1.2), ("f(1)", 2.4)):
            bare = text.lstrip()
            sheet.line(bare, MONO, indent=6 * (len(text) - len(bare)), gap=gap)

    assert "```\ndef f(x):\n    if x:\n        return  x   # so\n\nf(1)\n```\n" in text_of(draw)


def test_code_inside_a_line_is_marked() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.line("Call ")
        sheet.canvas.setFont(MONO, 10)
        sheet.canvas.drawString(LEFT + 24, sheet.y, "open(*x)")
        sheet.canvas.setFont(BODY, 10)
        sheet.canvas.drawString(LEFT + 75, sheet.y, "to open all *doors*.")

    assert text_of(draw) == "Call `open(*x)` to open all \\*doors\\*.\n"


def test_document_in_a_typewriter_font_is_text() -> None:
    def draw(sheet: Sheet) -> None:
        for _ in range(5):
            sheet.line("This letter was written on a typewriter, and it is no program.", MONO)

    assert "`" not in text_of(draw)


def test_broken_words_are_mended() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.line("This is some text in which a word is broken at the end of its line, as in infor-")
        sheet.line("mation, and the rest of it stands on the next one, which is what books do all the time.")

    assert "as in information, and" in text_of(draw)


@pytest.mark.parametrize(
    ("lines", "vocabulary", "expected"),
    [
        ([f"infor{SOFT_HYPHEN}", "mation"], (), "information"),
        ([f"well{SOFT_HYPHEN}", "known facts"], {"well-known"}, "well-known facts"),
        ([f"well{SOFT_HYPHEN}", "known"], {"well-known", "wellknown"}, "wellknown"),
        ([f"Debian{SOFT_HYPHEN}", "Paket"], (), "Debian-Paket"),
        (["pre-", "view"], (), "preview"),
        (["2-", "fold"], (), "2- fold"),
        (["call 555-", "0199"], (), "call 555-0199"),
        (["soft\u00ad", "ware"], (), "software"),
        ([f"end{SOFT_HYPHEN}"], (), "end-"),
        (["漢字", "かな"], (), "漢字かな"),
        (["one", "", "two"], (), "one two"),
        ([], (), ""),
    ],
)
def test_seams(lines: list[str], vocabulary: set[str], expected: str) -> None:
    assert join_lines([line for line in lines if line], vocabulary) == expected


def test_special_characters_stay_text() -> None:
    source = ["1986\\. A year.", "*stars* _under_ `tick` <b> &amp;", "[1]: http://x", "> quote", "| a | b |"]

    def draw(sheet: Sheet) -> None:
        for text in source:
            sheet.line(text)
            sheet.y -= 12

    text = text_of(draw)
    assert {block.kind for block in crosshead.parse_blocks(text)} == {"paragraph"}


def test_bold_label_above_text_is_its_own_paragraph() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        sheet.line("Important:", BOLD)
        sheet.paragraph(width=RIGHT - LEFT)

    assert "\n\nImportant:\n\n" in text_of(draw)


def test_line_that_ends_early_ends_the_paragraph() -> None:
    def draw(sheet: Sheet) -> None:
        sheet.paragraph()
        sheet.y += 8
        sheet.line("Short line.")
        sheet.line("Another one.")

    assert text_of(draw).endswith("Short line.\n\nAnother one.\n")
