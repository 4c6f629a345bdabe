from __future__ import annotations

import pytest
from tests.formats.office.docx.docx_files import BULLET, STYLES, convert, docx, p, pieces, run, style

COURIER = '<w:rPr><w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/></w:rPr>'


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("heading 3", "### x"),
        ("Überschrift 2", "## x"),
        ("Titre 1", "# x"),
        ("Заголовок 3", "### x"),
        ("見出し 1", "# x"),
        ("标题1", "# x"),
        ("Head 2", "## x"),
        ("HeadB", "## x"),
        ("H3", "### x"),
        ("Title", "# x"),
        ("ChapterTitle", "# x"),
        ("Subtitle", "x"),
        ("header", "x"),
        ("heading", "x"),
        ("Head 12", "x"),
        ("HeadZ", "x"),
        ("TOC Heading", "x"),
        ("Quote", "> x"),
        ("Intense Quote", "> x"),
        ("Block Text", "> x"),
        ("Source Code", "```\nx\n```"),
        ("HTML Preformatted", "```\nx\n```"),
        ("Preformatted Text", "```\nx\n```"),
        ("Code", "```\nx\n```"),
        ("CodeWide", "```\nx\n```"),
        ("Code Caption", "x"),
        ("Code of Conduct", "x"),
        ("Dress Code", "x"),
        ("Encoded", "x"),
        ("Plain Text", "x"),
    ],
)
def test_name_of_a_style_tells_what_it_is(name: str, expected: str) -> None:
    assert convert(docx(p("x", style="s"), styles=style("s", name))) == f"{expected}\n"


def test_head_a_stands_below_the_title_of_a_chapter() -> None:
    styles = style("c", "ChapterTitle") + style("a", "HeadA") + style("b", "HeadB")
    text = convert(docx(p("C", style="c") + p("A", style="a") + p("B", style="b"), styles=styles))
    assert text == "# C\n\n## A\n\n### B\n"


def test_meaning_is_inherited() -> None:
    styles = style("a", "Mine", based_on="b") + style("b", "Ours", based_on="SourceCode") + STYLES
    assert convert(docx(p("x", style="a"), styles=styles)) == "```\nx\n```\n"


def test_what_is_based_on_a_title_need_not_be_one() -> None:
    styles = STYLES + style("a", "Subtitle", based_on="Title") + style("b", "Author", based_on="a")
    styles += style("c", "Cover Title", based_on="Title")
    text = convert(docx(p("A", style="a") + p("B", style="b") + p("C", style="c"), styles=styles))
    assert text == "A\n\nB\n\n# C\n"


def test_outline_of_body_text_ends_what_is_inherited() -> None:
    styles = style("a", "Run-in", '<w:pPr><w:outlineLvl w:val="9"/></w:pPr>', based_on="Heading1") + STYLES
    assert convert(docx(p("x", style="a"), styles=styles)) == "x\n"


def test_styles_that_are_based_on_each_other() -> None:
    styles = style("a", "A", based_on="b") + style("b", "B", based_on="a")
    assert convert(docx(p("x", style="a"), styles=styles)) == "x\n"


@pytest.mark.parametrize(
    ("meaning", "expected"),
    [("1", "# x"), ("6", "###### x"), ("code", "```\nx\n```"), ("quote", "> x"), ("text", "x")],
)
@pytest.mark.parametrize("key", ["HeadA", "heada", "My Head", "MY HEAD "])
def test_user_says_what_a_style_means(key: str, meaning: str, expected: str) -> None:
    styles = style("HeadA", "My Head", '<w:pPr><w:outlineLvl w:val="3"/></w:pPr>')
    assert convert(docx(p("x", style="HeadA"), styles=styles), style_map={key: meaning}) == f"{expected}\n"


def test_user_counts_more_than_the_paragraph() -> None:
    paragraph = p("x", style="Heading1", properties='<w:outlineLvl w:val="3"/>')
    assert convert(docx(paragraph), style_map={"Heading1": "text"}) == "x\n"


def test_user_can_name_a_style_that_the_file_does_not_describe() -> None:
    assert convert(docx(p("x", style="Gone")), style_map={"Gone": "2"}) == "## x\n"


def test_style_with_a_monospace_font_is_code() -> None:
    assert convert(docx(p("x", style="s"), styles=style("s", "Shell", COURIER))) == "```\nx\n```\n"


@pytest.mark.parametrize(
    "styles",
    [
        f"<w:docDefaults><w:rPrDefault>{COURIER}</w:rPrDefault></w:docDefaults>",
        style("Normal", "Normal", COURIER).replace("<w:style ", '<w:style w:default="1" '),
    ],
)
def test_typewritten_document_is_not_code(styles: str) -> None:
    runs = run("x", '<w:rFonts w:ascii="Courier New"/>')
    assert convert(docx(pieces(runs) + p("y", style="Normal"), styles=styles)) == "x\n\ny\n"


def test_items_of_a_list_keep_their_code_in_line() -> None:
    assert convert(docx(pieces(run("x", '<w:rStyle w:val="VerbatimChar"/>'), item=(BULLET, 0)))) == "- `x`\n"


def test_marks_of_a_character_style_are_inherited() -> None:
    styles = style("a", "Loud", based_on="Strong", kind="character") + STYLES
    runs = (
        run("a ") + run("b", '<w:rStyle w:val="a"/>') + run(" c", '<w:rStyle w:val="none"/>') + run("d", "<w:rStyle/>")
    )
    assert convert(docx(pieces(runs), styles=styles)) == "a **b** cd\n"


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        ("Heading1", "# x"), ("heading 2", "## x"), ("Heading7", "###### x"), ("berschrift3", "### x"),
        ("Ttulo2", "## x"), ("Titre1", "# x"), ("Title", "# x"), ("Quote", "> x"), ("Heading", "x"), ("Heading10", "x"),
        ("1", "x"), ("", "x"),
    ],
)  # fmt: skip
def test_style_that_the_file_does_not_describe(id: str, expected: str) -> None:
    """Programs know the styles that they bring along."""
    assert convert(docx(p("x", style=id), styles="")) == f"{expected}\n"
    assert convert(docx(p("x", style=id), styles=""), style_map={id or "-": "text"}) == "x\n"
