from __future__ import annotations

import pytest
from tests.formats.office.docx.docx_files import (
    BULLET,
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
    tbl,
)

W14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'


def control(checked: str) -> str:
    """A box as a content control, which shows a sign that the control itself decides about."""
    return (
        f"<w:sdt><w:sdtPr><w14:checkbox {W14}>{checked}</w14:checkbox></w:sdtPr>"
        "<w:sdtContent><w:r><w:t>?</w:t></w:r></w:sdtContent></w:sdt>"
    )


def field(*state: str) -> str:
    """A box as a form field of older programs."""
    states = "".join(f"<w:{each}/>" if "=" not in each else f"<w:{each.replace('=', ' w:val=')}/>" for each in state)
    return (
        f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox>{states}</w:checkBox></w:ffData></w:fldChar>'
        '</w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


DONE, OPEN = control('<w14:checked w14:val="1"/>'), control('<w14:checked w14:val="0"/>')


@pytest.mark.parametrize(
    ("box", "shown"),
    [
        (DONE, "[x]"), (OPEN, "[ ]"), (control(""), "[ ]"), (control('<w14:checked w14:val="true"/>'), "[x]"),
        (field("default=\"1\""), "[x]"), (field("default=\"1\"", "checked=\"0\""), "[ ]"), (field("checked"), "[x]"),
        (field(), "[ ]"), (run("☐"), "[ ]"), (run("☒"), "[x]"), (run("☑"), "[x]"),
        ('<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>', "[x]"),
        ('<w:r><w:sym w:font="Wingdings" w:char="F0A8"/></w:r>', "[ ]"),
    ],
)  # fmt: skip
def test_box_at_the_beginning_makes_a_task(box: str, shown: str) -> None:
    paragraphs = [pieces(box + run(" Buy *milk*"), item=(BULLET, 0)), p("b", item=(BULLET, 1))]
    assert body(*paragraphs) == f"- {shown} Buy \\*milk\\*\n  - b\n"
    assert body(pieces(box + run("\tBuy")), pieces(OPEN + run("Sell"))) == f"- {shown} Buy\n- [ ] Sell\n"


def test_several_boxes_in_a_line_are_a_form() -> None:
    assert body(pieces(DONE + run(" yes ") + OPEN + run(" no"))) == "☒ yes ☐ no\n"
    assert body(pieces(run("Done: ") + DONE)) == "Done: ☒\n"
    assert body(pieces(OPEN)) == "☐\n"


def test_boxes_in_cells_are_signs() -> None:
    assert "| ☒ a | ☐ |" in body(tbl(row(cell(pieces(DONE + run(" a"))), cell(pieces(OPEN))), row(cell(p("b")))))


def test_bullets_may_be_boxes() -> None:
    boxes = numbering({0: level(0, "bullet", "\uf0a8"), 1: level(0, "bullet", "☑")}, {1: (0, ""), 2: (1, "")})
    assert convert(docx(p("a", item=(1, 0)) + p("b", item=(2, 0)), numbering=boxes)) == "- [ ] a\n- [x] b\n"
