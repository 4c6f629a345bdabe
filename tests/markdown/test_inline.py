"""Titles of headings, against markdown-it-py and by hand where it reads them otherwise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from crosshead import parse_blocks
from crosshead.markdown.inline import MAX_LENGTH, plain_text

DEFINITIONS = "[ref]: /url\n[Two Words]: /url 'title'\n[*ref*]: /url\n"
PARSER = MarkdownIt("commonmark")

MARKUP = [
    "*a* _b_ **c** __d__ ***e*** *f **g** h*", "snake_case_name and __init__", "*a", "a*", "**a*", "*a**",
    "a * b * c", "*a _b* c_", "_(a)_", "*(a)*b", "a**b**c", "a__b__c", "**a*b*c**", "*a**b*", "***a** b*",
    "***a* b**", "****a****", "*a*b*c*", "**Привет**мир", "“*a*”", "*“a”*", "**a**.", "1*2*3", "_a_b", "a_b_",
    "*\u00a0a*", "*a\u00a0*", "**日本。**語", "`a`", "``a ` b``", "` a `", "` `` `", "`a", "`` a`", "`*a*`", "*`a*`",
    "`<b>`", "`&amp;`", "`\\`", "[`a](b)`", "[a](b)", "[a](<b c>)", "[a](b 'c')", "[a](b (c))", "[a](b(c)d)",
    "[a](b()c)", "[a](b(c(d)))", "[a](b\\)c)", "[a]()", "[](b)", "[a](b c)", "[a](b", "[a] (b)", "[*a*](b)", "[a*](b)*",
    "*[a*](b)", "[a [b] c](d)", "[a [b](c) d](e)", "[a](b)[c](d)", "[a]](b)", "[[a](b)", "\\[a](b)", "[a\\](b)",
    "[a](<b)", "[a](b\\ c)", "[a](b\u00a0c)", "[![alt](i)](b) c", "[a ![alt](i)](b)", "[ref]", "[ref][]", "[x][ref]",
    "[x][REF]", "[x][ ref ]", "[two  words]", "[x][none]", "[none]", "[none][]", "[*ref*]", "[ref][none]",
    "[x][ref][y]", "[ref] [x]", "[ref]:", "[x [ref]](y)", "[x [ref]][ref]", "![ref] x", "![x][ref] y", "[ref\\]",
    "![alt](i) x", "x ![](i) y", "![a *b*](i) c", "![a [b](c)](i) d", "!\\[a](b)", "!a", "!", "![x",
    "![a](b) ![c](d) e", "&amp; &lt; &copy; &auml; &#65; &#x41; &#0;", "&amp", "&notit;", "&nosuch;", "&#xd800;",
    "&#1114112;", "&;", "&#;", "&ClockwiseContourIntegral;", "a&nbsp;b", "\\&amp;", "&#42;a&#42;",
    "\\* \\_ \\` \\# \\\\ \\a \\", "\\**a*", "*a\\*", "\\<b>", "\\é", "<http://a.b/c> x", "<a@b.c>", "<mailto:a@b.c>",
    "<m:x y>", "<ab:>", "<é@b.c>", "<a@b_c>", "<a@b>", "< http://a>", "*<http://a*>", "<b>a</b>", "a<br/>b",
    "<a href='x' b=\"y\" c=d e>x</a>", "a < b > c", "<1>a", "a <!-- b --> c", "a <!--> b", "a <!---> b", "a <!-- b",
    "a <?b?> c", "a <!B c> d", "a <![CDATA[b]]> c", "<b*>*", "*<b*>c", "</b >a", "</b c>a", "<b  />a", "<b語>a",
    "List<String>", "a ` <b> `", "x <b", "<b\tc>a", "a  b\tc", "a \u3000 b", "# a", "- a", "> a", "~~a~~", "$a$ | b",
]  # fmt: skip
FRAGMENTS = [  # no single parenthesis: after a bracket markdown-it-py misses references then
    "a", "b", " ", "é", "語", "“", ".", "!", "\\", "\\*", "\\[", "\\`", "*", "**", "***", "_", "__", "`",
    "``", "` `", "[", "]", "](/u)", '](/u "t")', "](<u v>)", "](a(b)c)", "[x]", "[ref]", "[ref][]", "[x][ref]",
    "![alt](/i)", "![", "&amp;", "&#65;", "&copy", "&notit;", "<b>", "</b>", "<br/>", "<http://x.y>", "<me@x.y>", "<",
    ">", "<!-- c -->", "<!-->", "<?x?>", "<!X y>", "#", "~", "|", "$", ":", "{", "}",
]  # fmt: skip


def oracle_title(markdown: str) -> str:
    """What markdown-it-py makes of the first heading: no images, tags left out."""
    tokens = PARSER.parse(markdown)
    return " ".join(_text(tokens[1].children or []).split())


def _text(tokens: list[Token]) -> str:
    breaks = ("softbreak", "hardbreak")
    shown = [each for each in tokens if each.type not in ("image", "html_inline")]
    return "".join(" " if each.type in breaks else each.content for each in shown)


def title(markdown: str) -> str:
    return " ".join(parse_blocks(markdown)[0].title.split())


def in_heading(source: str) -> str:
    return f"# x {source}\n\n{DEFINITIONS}"


@pytest.mark.parametrize("source", MARKUP)
def test_title_as_markdown_it_reads_it(source: str) -> None:
    assert title(in_heading(source)) == oracle_title(in_heading(source))


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))
def test_title_of_any_markup_as_markdown_it_reads_it(source: str) -> None:
    assert title(in_heading(source)) == oracle_title(in_heading(source))


@given(st.lists(st.sampled_from([*FRAGMENTS, "\n", "  \n", "\\\n"]), max_size=9).map("".join))
def test_title_of_several_lines_as_markdown_it_reads_it(source: str) -> None:
    heading = "\n".join(["x"] + [f"x {line}" for line in source.split("\n")] + ["==="])
    assert title(f"{heading}\n\n{DEFINITIONS}") == oracle_title(f"{heading}\n\n{DEFINITIONS}")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Title", "Title"),
        ("Title {#id}", "Title"),
        ("Title{#id}", "Title"),
        ("`code` {#a-b.c}", "code"),
        ("Title {/* #id */}", "Title"),
        ("Title \\{#id\\}", "Title"),
        ("Title {#id} more", "Title {#id} more"),
        ("Title {id}", "Title {id}"),
        ("Title {.class}", "Title {.class}"),
        ("{#id}", ""),
        ("", ""),
        ("![logo](x.png)", "logo"),
        ("[![logo *one*](x.png)](/url) ![two](y.png)", "logo one two"),
        ("![](x.png)", "![](x.png)"),
        ("<br/>", "<br/>"),
        ("[ref](no target", "ref(no target"),
        ("<Tabs.Item value={x}/> a", "a"),
    ],
)
def test_title_where_crosshead_decides(source: str, expected: str) -> None:
    assert plain_text(source, {"ref"}) == expected


def test_title_of_a_long_heading_is_the_beginning_of_its_source() -> None:
    fits = "*a* " * (MAX_LENGTH // 4)
    assert plain_text(fits) == "a " * (MAX_LENGTH // 4 - 1) + "a"
    assert plain_text(f"{fits}*b*") == ("*a* " * (MAX_LENGTH // 4)).rstrip()
