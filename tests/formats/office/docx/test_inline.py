from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.formats.office.docx.docx_files import STYLES, body, convert, docx, p, pieces, run, style

from crosshead.formats import extract_document
from crosshead.formats.office.docx.paragraph.fields import link_target
from crosshead.options import ExtractOptions

BOLD, ITALIC, STRIKE = "<w:b/>", "<w:i/>", "<w:strike/>"
CODE = '<w:rStyle w:val="VerbatimChar"/>'
SUP, SUB = '<w:vertAlign w:val="superscript"/>', '<w:vertAlign w:val="subscript"/>'


MARKS = ("", "", BOLD, ITALIC, STRIKE, BOLD + ITALIC, CODE, CODE + BOLD, SUP, SUB, SUB + ITALIC)
PARTS = (
    "a", "b", " ", "  ", " word ", "3", "(", ")", ".", ",", "*", "**", "_", "`", "~", "~~", "<", "b>", "[", "]", "\\",
    "&", "amp;", "#", "!", "|", "鍵", "。", "“", "”", "-", "é", "🔑", "$",
)  # fmt: skip


def text(*content: str, **given: dict[str, str]) -> str:
    return convert(docx(pieces("".join(content)), **given)).removesuffix("\n")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([("a ", ""), ("b", BOLD), (" c", "")], "a **b** c"),
        ([("b", BOLD + ITALIC)], "***b***"),
        ([("b", STRIKE)], "~~b~~"),
        ([("b", '<w:b w:val="0"/>'), ("c", '<w:i w:val="false"/>')], "bc"),
        ([("b", '<w:b w:val="1"/>')], "**b**"),
        ([("b", '<w:rStyle w:val="Strong"/>')], "**b**"),
        ([("b", '<w:rStyle w:val="Strong"/><w:b w:val="0"/>')], "b"),
        ([("on", BOLD), ("e wor", BOLD), ("d", BOLD)], "**one word**"),
        ([(" b ", BOLD), ("c", "")], "**b** c"),
        ([("a", ""), (" ", BOLD), ("c", "")], "a c"),
        ([("a", BOLD), ("b", ITALIC)], "**a**b"),
        ([("a", ""), ("(b)", BOLD), ("c", "")], "a(b)c"),
        ([("a ", ""), ("(b)", BOLD), (" c", "")], "a **(b)** c"),
        ([("in", ""), ("ner", BOLD), ("most", "")], "in**ner**most"),
        ([("x", CODE), ("y", CODE + BOLD), (" z", "")], "`xy` z"),
        ([("a`b", CODE), (" c", "")], "``a`b`` c"),
        ([("10", ""), ("6", SUP)], "10<sup>6</sup>"),
        ([("1", ""), ("st", SUP)], "1st"),
        ([("H", ""), ("2", SUB), ("O", "")], "H<sub>2</sub>O"),
        ([("*a* _b_ [c](d) `e` <i>", "")], "\\*a\\* \\_b\\_ \\[c\\](d) \\`e\\` \\<i>"),
        ([("a  b\n\tc\u00a0d", "")], "a b c d"),
    ],
)
def test_runs(runs: list[tuple[str, str]], expected: str) -> None:
    assert text(*[run(each, properties) for each, properties in runs]) == expected


@given(
    st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from(MARKS), st.sampled_from("  l")), min_size=1, max_size=9)
)
def test_marks_never_show_up_as_text(parts: list[tuple[str, str, str]]) -> None:
    runs = [run(part, marks) if kind == " " else link(run(part, marks)) for part, marks, kind in parts]
    markdown = text(run("Begin "), *runs, run(" end"), links={"r1": "g"})
    inline = MarkdownIt("commonmark").enable("strikethrough").parse(markdown)[1]
    shown = "".join(each.content for each in inline.children or [] if each.type in ("text", "code_inline"))
    assert "".join(shown.split()) == "".join("".join(["Begin", *[part for part, _, _ in parts], "end"]).split())


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r>", "a b"),
        ("<w:r><w:t>a</w:t><w:br/><w:t>- b</w:t><w:cr/></w:r>", "a\\\n\\- b"),
        ("<w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:softHyphen/><w:t>c</w:t></w:r>", "a-bc"),
        ('<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:char="00E9"/></w:r>', "✓é"),
        ('<w:r><w:t>a</w:t><w:sym w:char="F0FF"/><w:sym w:char="zz"/><w:sym w:char="FFFFFFFFF"/><w:sym/></w:r>', "a"),
        (f"<w:ruby><w:rt>{run('きょう')}</w:rt><w:rubyBase>{run('今日')}</w:rubyBase></w:ruby>", "今日(きょう)"),
        (f"{run('a')}<w:del><w:r><w:delText>no</w:delText></w:r></w:del><w:ins>{run('b')}</w:ins>", "ab"),
        (f"<w:moveFrom>{run('no')}</w:moveFrom><w:moveTo>{run('a')}</w:moveTo>", "a"),
        (f"<w:smartTag><w:sdt><w:sdtPr/><w:sdtContent>{run('a')}</w:sdtContent></w:sdt></w:smartTag>", "a"),
        ("<w:r><w:rPr><w:rPrChange><w:rPr><w:b/></w:rPr></w:rPrChange></w:rPr><w:t>a</w:t></w:r>", "a"),
    ],
)  # fmt: skip
def test_other_content(content: str, expected: str) -> None:
    assert text(content) == expected


def link(content: str, id: str = "r1", anchor: str = "") -> str:
    attribute = f' w:anchor="{anchor}"' if anchor else ""
    return f'<w:hyperlink r:id="{id}"{attribute}>{content}</w:hyperlink>'


@pytest.mark.parametrize(
    ("target", "anchor", "expected"),
    [
        ("https://example.org/a b(c)", "", "[x](https://example.org/a%20b%28c%29)"),
        ("https://example.org/", "part", "[x](https://example.org/#part)"),
        ("#section", "", "[x](#section)"),
        ("", "", "[x]()"),
        ("javascript:alert(1)", "", "x"),
        (" JavaScript:alert(1)", "", "x"),
    ],
)
def test_hyperlinks(target: str, anchor: str, expected: str) -> None:
    assert text(link(run("x"), anchor=anchor), links={"r1": target}) == expected


def test_text_of_a_link_keeps_its_marks_and_spaces() -> None:
    content = run("see") + link(run(" the ") + run("[guide] ", BOLD)) + run("now")
    assert text(content, links={"r1": "g"}) == "see [the **\\[guide\\]**](g) now"


def test_link_without_text_is_nothing() -> None:
    assert text(run("a") + link(run(" ")) + link("") + run("b"), links={"r1": "g"}) == "a b"


def test_link_inside_of_a_link_is_text() -> None:
    assert text(link(run("a ") + link(run("b"), "r2")), links={"r1": "g", "r2": "h"}) == "[a b](g)"


def field(instruction: str, result: str, *, is_closed: bool = True) -> str:
    parts = [
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>',
        *[f"<w:r><w:instrText>{part}</w:instrText></w:r>" for part in instruction.partition("LINK")],
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>',
        result,
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>' if is_closed else "",
    ]
    return "".join(parts)


def test_hyperlink_fields() -> None:
    assert text(run("a ") + field(' HYPERLINK "https://e.org" ', run("b")) + run(" c")) == "a [b](https://e.org) c"
    assert text('<w:fldSimple w:instr="HYPERLINK https://e.org">' + run("b") + "</w:fldSimple>") == "[b](https://e.org)"


def test_fields_inside_of_fields() -> None:
    inner = field("HYPERLINK https://e.org", run("1 Scope ") + field("PAGEREF x", run("7")))
    assert text(field("TOC", inner)) == "[1 Scope 7](https://e.org)"


def test_field_that_goes_on_in_the_next_paragraph() -> None:
    first = pieces(field("HYPERLINK https://e.org", run("a"), is_closed=False))
    second = pieces(run("b") + '<w:r><w:fldChar w:fldCharType="end"/></w:r>')
    assert body(first, second) == "[a](https://e.org)\n\nb\n"


def test_stray_ends_of_fields() -> None:
    stray = "".join(f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("end", "separate", "odd"))
    assert text(stray + "<w:r><w:instrText>x</w:instrText></w:r>" + run("a")) == "a"


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ('HYPERLINK "https://e.org/a" \\l "part" \\o "tip"', "https://e.org/a#part"),
        ('hyperlink \\t "_blank" "https://e.org"', "https://e.org"),
        ('HYPERLINK \\l "_Toc1" \\h', "\0_Toc1"),
        ('HYPERLINK "C:\\\\docs\\\\a.docx"', "C:\\docs\\a.docx"),
        ("HYPERLINK", None),
        ("PAGEREF _Toc1 \\h", None),
        ('"HYPERLINK" x', None),
        ("", None),
    ],
)
def test_targets_of_fields(instruction: str, expected: str | None) -> None:
    assert link_target(instruction) == expected


def test_links_to_bookmarks_lead_to_headings() -> None:
    def bookmark(name: str) -> str:
        return f'<w:bookmarkStart w:id="1" w:name="{name}"/>'

    def to(anchor: str, text: str) -> str:
        return pieces(f'<w:hyperlink w:anchor="{anchor}">{run(text)}</w:hyperlink>')

    result = body(
        to("one", "1. First"), to("two", "second"), to("three", "third"), to("none", "1. Plain"),
        pieces(bookmark("one") + run("Scope & `limits`"), style="Heading1"),
        pieces(bookmark("two") + run("Scope & `limits`"), style="Heading1"),
        bookmark("three"), p("Third", style="Heading2"),
        pieces(bookmark("none") + run("x")),
    )  # fmt: skip
    assert result.splitlines()[:7:2] == [
        "[1\\. First](#scope--limits)", "[second](#scope--limits-1)", "[third](#third)", "1\\. Plain",
    ]  # fmt: skip


def test_links_to_bookmarks_elsewhere_are_known() -> None:
    def to(anchor: str, text: str) -> str:
        return f'<w:hyperlink w:anchor="{anchor}">{run(text)}</w:hyperlink>'

    data = docx(
        p("Top", style="Heading1")
        + pieces(run("See ") + to("here", "here") + run(" and ") + to("gone", "there"))
        + pieces('<w:bookmarkStart w:id="1" w:name="here"/>' + run("x"))
    )
    found = extract_document(data, "docx", ExtractOptions())
    assert [(found.text[each.start :].split()[0], each.text, each.target) for each in found.links] == [
        ("here", "here", "#here"),
        ("there", "there", "#gone"),
    ]
    assert [each.name for each in found.anchors] == ["here"]


def drawing(description: str, embed: str = "") -> str:
    blip = f'<a:blip r:embed="{embed}"/>' if embed else ""
    return f'<w:r><w:drawing><wp:inline><wp:docPr descr="{description}"/>{blip}</wp:inline></w:drawing></w:r>'


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("A [small] cat", "a ![A \\[small\\] cat](media/1.png) b"),
        ("A cat&#10;&#10;Description automatically generated with high confidence", "a ![A cat](media/1.png) b"),
        ("A chart. AI-generated content may be incorrect.", "a ![A chart.](media/1.png) b"),
        ("C:\\pictures\\cat.JPEG", "ab"),
        ("", "ab"),
    ],
)
def test_images_are_their_alternative_text(description: str, expected: str) -> None:
    assert text(run("a") + drawing(description, "r1") + run("b"), links={"r1": "media/1.png"}) == expected


def test_image_that_is_not_there() -> None:
    assert text(run("a") + drawing("cat") + run("b")) == "a ![cat]() b"
    assert text(run("a") + "<w:r><w:drawing/></w:r>") == "a"


def test_headings_have_no_emphasis_and_no_breaks() -> None:
    content = run("A", BOLD) + "<w:r><w:br/></w:r>" + run("b", ITALIC) + run(" c", CODE)
    assert body(pieces(content, style="Heading1")) == "# A b `c`\n"


def test_code_marks_by_font() -> None:
    styles = STYLES + style("Tele", "Teletype", kind="character")
    content = (
        run("a ") + run("b", '<w:rFonts w:hAnsi="Fira Code"/>') + run(" c ") + run("d", '<w:rStyle w:val="Tele"/>')
    )
    assert convert(docx(pieces(content), styles=styles)) == "a `b` c `d`\n"
