"""The writer of Markdown. markdown-it-py reads what it writes: text must stay text, and markup must be markup."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from crosshead.formats.shared import gfm

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
LINES = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp", "Zs"]) | st.sampled_from(" *_`[]<>&~#-+=|:.)1!$\\")
)


def inline_text(markdown: str) -> str:
    """The text of a document that is a single paragraph."""
    tokens = MARKDOWN.parse(markdown)
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"], tokens
    assert all(child.type in ("text", "text_special") for child in tokens[1].children or []), markdown
    return "".join(child.content for child in tokens[1].children or [])


@given(LINES)
def test_escaped_text_is_read_back_as_it_is(text: str) -> None:
    text = text.strip()
    assume(text)
    assert inline_text(gfm.escape_start(gfm.escape(text))) == text


@given(st.lists(LINES, min_size=2, max_size=4))
def test_texts_that_are_escaped_at_once_can_stand_next_to_each_other(texts: list[str]) -> None:
    escaped = gfm.escape(gfm.BOUNDARY.join(texts)).split(gfm.BOUNDARY)
    whole = "".join(escaped).strip()
    assume(whole and "~" not in whole and "&" not in whole)
    assert inline_text(gfm.escape_start(whole)) == "".join(texts).strip()


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("snake_case", "snake_case"),
        ("__init__", r"\_\_init\_\_"),
        ("a__b", r"a\_\_b"),
        ("AT&T &amp; 3 < 4 <b>", r"AT&T \&amp; 3 < 4 \<b>"),
        ("[x](y) `z` *a*", r"\[x\](y) \`z\` \*a\*"),
        ("a ~ b ~~c~~", r"a ~ b \~\~c\~\~"),
    ],
)
def test_only_what_is_special_is_escaped(text: str, escaped: str) -> None:
    assert gfm.escape(text) == escaped


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("# x", r"\# x"),
        ("#x", "#x"),
        ("- x", r"\- x"),
        ("-x", "-x"),
        ("12. x", r"12\. x"),
        ("1) x", r"1\) x"),
        ("12.5", "12.5"),
        ("> x", r"\> x"),
        ("a\n===", "a\n\\==="),
        ("$$", r"\$$"),
        ("a | b\n--- | ---", "a | b\n\\--- | ---"),
    ],
)
def test_beginnings_of_blocks_are_escaped(text: str, escaped: str) -> None:
    assert gfm.escape_start(text) == escaped


@pytest.mark.parametrize(("level", "marks"), [(0, "#"), (1, "#"), (6, "######"), (9, "######")])
def test_heading_has_one_to_six_marks(level: int, marks: str) -> None:
    assert gfm.heading(level, " a\n b ") == f"{marks} a b"


def test_heading_may_end_with_marks() -> None:
    assert gfm.heading(2, "C ##") == r"## C \##"
    assert MARKDOWN.render(gfm.heading(1, "C#")) == "<h1>C#</h1>\n"


@given(st.text(st.sampled_from("` ab\n"), min_size=1))
def test_code_span_is_read_back(code: str) -> None:
    assume(code.strip())
    tokens = MARKDOWN.parse(f"x {gfm.code_span(code)} y")
    spans = [child.content for child in tokens[1].children or [] if child.type == "code_inline"]
    assert spans == [code.replace("\n", " ")]


@given(st.text(st.sampled_from("`~ ab\n")))
def test_fence_is_read_back(code: str) -> None:
    (token,) = MARKDOWN.parse(gfm.fence(code, "py"))
    assert (token.type, token.info) == ("fence", "py")
    assert token.content.strip("\n") == code.strip("\n")


@pytest.mark.parametrize(
    ("target", "written"),
    [
        (" a b ", "a%20b"),
        ("x(y)", "x%28y%29"),
        ("a<b>", "a%3Cb%3E"),
        ("a?b=1&c=2", "a?b=1&c=2"),
        ("a?b=1&copy;=2", "a?b=1&amp;copy;=2"),
        ("a`b\\c", "a%60b%5Cc"),
        ("é", "é"),
    ],
)
def test_target_of_a_link_is_one_word(target: str, written: str) -> None:
    assert gfm.link("t", target) == f"[t]({written})"
    (_, inline, _) = MARKDOWN.parse(gfm.link("t", target))
    assert [child.type for child in inline.children or []] == ["link_open", "text", "link_close"]


def test_image_has_a_plain_text() -> None:
    assert gfm.image("a\n[b]", "c d") == r"![a \[b\]](c%20d)"


@pytest.mark.parametrize(("text", "marked"), [("a", "**a**"), (" a b ", " **a b** "), ("", ""), ("  ", "  ")])
def test_marks_stand_at_the_words(text: str, marked: str) -> None:
    assert gfm.mark(text, "**") == marked


def test_formulas() -> None:
    assert gfm.math(" a\n+ b ") == "$a + b$"
    assert gfm.math_block("a\n\n  b\n") == "$$\na\n  b\n$$"


def test_items_quotes_and_footnotes_hold_blocks() -> None:
    assert gfm.item("10.", "a\n\nb") == "10. a\n\n    b"
    assert gfm.item("-", "") == "-"
    assert gfm.quote("a\n\nb") == "> a\n>\n> b"
    assert gfm.footnote("n", "a\n\nb") == "[^n]: a\n\n    b"


def test_rule_is_no_underline_and_no_item() -> None:
    assert MARKDOWN.render(f"a\n{gfm.rule()}\n- {gfm.rule()}").count("<hr />") == 2


@given(st.lists(st.lists(LINES, min_size=1, max_size=3), min_size=1, max_size=3))
def test_table_is_read_back(rows: list[list[str]]) -> None:
    rows[0] = ["h", *rows[0]]
    width = max(map(len, rows))
    written = gfm.table([[gfm.cell(gfm.escape(cell)) for cell in row] for row in rows])
    tokens = MARKDOWN.parse(written)
    assert tokens[0].type == "table_open"
    cells = [token for token in tokens if token.type == "inline"]
    assert len(cells) == width * len(rows)
    texts = ["".join(child.content for child in cell.children or []) for cell in cells]
    assert texts == [cell.strip() for row in rows for cell in [*row, *[""] * (width - len(row))]]


def test_cell_is_one_line() -> None:
    assert gfm.cell(" a \n b|c ") == r"a<br>b\|c"


def test_table_without_cells_is_nothing() -> None:
    assert gfm.table([]) == gfm.table([[]]) == ""


@pytest.mark.parametrize(
    ("text", "lowered"),
    [
        ("# A\n\n## B", "### A\n\n#### B"),
        ("## A\n\n# B", "#### A\n\n### B"),
        ("### A\n\n#### B", "### A\n\n#### B"),
        ("# A\n\n###### B", "### A\n\n###### B"),
        ("# A\\#", "### A\\#"),
        ("text #\n\n> # B", "text #\n\n> # B"),
        ("````\n# a\n```\n# b\n`````\n# C", "````\n# a\n```\n# b\n`````\n### C"),
        ("~~~py\n# a\n~~~~\n\n## B", "~~~py\n# a\n~~~~\n\n### B"),
    ],
)
def test_headings_are_lowered_alike_but_not_in_code(text: str, lowered: str) -> None:
    assert gfm.lower_headings(text, 3) == lowered


def test_blocks_are_parted_by_blank_lines() -> None:
    assert gfm.join_blocks(["a", "", "b"]) == "a\n\nb\n"
    assert gfm.join_blocks([]) == ""
