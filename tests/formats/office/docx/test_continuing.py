"""Paragraphs that go on: with an item of a list, or with a letter that was set apart."""

from __future__ import annotations

import pytest
from tests.formats.office.docx.docx_files import (
    BULLET,
    NUMBER,
    STYLES,
    body,
    cell,
    convert,
    docx,
    level,
    numbering,
    p,
    pieces,
    row,
    run,
    style,
    tbl,
)
from tests.formats.sound import read_soundly


def indented(left: int, hanging: int = 0) -> str:
    return f'<w:ind w:left="{left}" w:hanging="{hanging}"/>'


def list_level(at: int) -> str:
    """A level whose text begins half an inch to the right of the one above."""
    return level(at, "decimal", f"%{at + 1}.").replace(
        "</w:lvl>", f"<w:pPr>{indented(720 * (at + 1), 360)}</w:pPr></w:lvl>"
    )


LISTS = numbering({0: "".join(map(list_level, range(3)))}, {1: (0, "")})


def convert_list(*blocks: str, styles: str = STYLES) -> str:
    data = docx("".join(blocks), numbering=LISTS, styles=styles)
    read_soundly(data, "docx")
    return convert(data)


def test_paragraphs_indented_as_an_item_belong_to_it() -> None:
    text = convert_list(
        p("one", item=(1, 0)), p("more", properties=indented(720)), p("deep", item=(1, 1)),
        p("deeper", properties=indented(1440)), p("one again", properties=indented(725)),
        p("two", item=(1, 0)), p("after"), p("three", item=(1, 0)),
    )  # fmt: skip
    assert text == ("1. one\n\n   more\n   1. deep\n\n      deeper\n\n   one again\n2. two\n\nafter\n\n3. three\n")


def test_code_quotes_and_tables_go_on_too() -> None:
    mono = '<w:rFonts w:ascii="Courier New"/>'
    table = tbl(row(cell(p("a")), cell(p("b"))), row(cell(p("c")), cell(p("d"))))
    text = convert_list(
        p("one", item=(1, 0)), pieces(run("x = 1", mono), properties=indented(720)),
        pieces(run("y = 2", mono), properties=indented(720)), p("said", style="Quote", properties=indented(720)),
        table.replace("<w:tblPr/>", '<w:tblPr><w:tblInd w:w="720"/></w:tblPr>'), p("two", item=(1, 0)),
    )  # fmt: skip
    assert text == (
        "1. one\n\n   ```\n   x = 1\n   y = 2\n   ```\n\n   > said\n\n"
        "   | a | b |\n   | --- | --- |\n   | c | d |\n2. two\n"
    )


def test_indent_of_a_style_counts() -> None:
    styles = STYLES + style("More", "List Continue", f"<w:pPr>{indented(720)}</w:pPr>")
    assert convert_list(p("one", item=(1, 0)), p("more", style="More"), styles=styles) == "1. one\n\n   more\n"


def test_text_that_is_always_indented_goes_on_with_nothing() -> None:
    normal = style("Normal", "Normal", f"<w:pPr>{indented(720)}</w:pPr>").replace(
        "<w:style ", '<w:style w:default="1" '
    )
    styles = STYLES + normal
    assert convert_list(p("one", item=(1, 0)), p("x", properties=indented(720)), styles=styles) == "1. one\n\nx\n"


def test_hanging_lines_begin_at_the_left() -> None:
    assert convert_list(p("one", item=(1, 0)), p("[1] A source", properties=indented(720, 720))) == (
        "1. one\n\n[1\\] A source\n"
    )


def test_item_without_a_bullet_goes_on_with_the_one_above() -> None:
    lists = numbering({0: level(0, "decimal", "%1."), 1: level(0, "bullet", " ")}, {1: (0, ""), 2: (1, "")})
    blocks = p("one", item=(1, 0)) + p("more", item=(2, 0)) + p("two", item=(1, 0))
    assert convert(docx(blocks, numbering=lists)) == "1. one\n\n   more\n2. two\n"
    assert convert(docx(p("a", item=(2, 0)) + p("b", item=(2, 0)), numbering=lists)) == "- a\n- b\n"


def initial(text: str, kind: str = "drop") -> str:
    return pieces(run(text, "<w:b/>"), properties=f'<w:framePr w:dropCap="{kind}" w:lines="3"/>')


@pytest.mark.parametrize("kind", ["drop", "margin"])
def test_large_initial_is_part_of_its_word(kind: str) -> None:
    assert body(p("x"), initial("O", kind), p("nce upon"), p("y")) == "x\n\nOnce upon\n\ny\n"
    assert body(initial("O", kind), pieces(run("nce", "<w:i/>") + run(" upon"))) == "*Once* upon\n"


def test_large_initial_before_nothing_is_kept() -> None:
    assert body(p("x"), initial("O")) == "x\n\nO\n"
    assert body(initial("O"), p(), p("nce")) == "Once\n"
    assert body(pieces(run("frame"), properties='<w:framePr w:dropCap="none"/>'), p("d")) == "frame\n\nd\n"
    assert body(initial("O"), p("nce", item=(BULLET, 0)), p("b", item=(NUMBER, 0))) == "- Once\n1. b\n"
