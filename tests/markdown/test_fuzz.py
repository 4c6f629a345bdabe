"""Random lines: parsing never fails, blocks tile, and they are those of markdown-it-py where CommonMark decides.

The lines that are compared leave out what markdown-it-py is known to read otherwise than CommonMark and GFM: tables
whose header looks like an item or a quote, empty items, footnotes after a quote, and lines that are indented by four
columns or more after a quote, after definitions, or after an item whose marker is indented.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.markdown.places import assert_places
from tests.support import strategies
from tests.support.markdown_oracle import differences

from crosshead import parse_blocks

LEAVES = [
    "text", "# h", "## h ##", "#nospace", "---", "===", "=", "--", "***", "* * *", "_ _ _", "```", "```py", "````",
    "~~~", "``` a`b", "\\# x", "x\u2028y", "1234567890. x", "<div>", "</div>", "<!-- c", "-->", "<!-->", "<!-- x -->",
    "<b>x</b>", "<span>", '<a href="x">', "<pre>", "</pre>", "<SCRIPT>", "</script>", "<?php", "?>", "<![CDATA[", "]]>",
    "<!D", '"title"', "/url", "[a]", "<h2>x</h2>", "<h2", "<H1>", "</h1>", "</h2> x", "<table>", "</table>",
]  # fmt: skip
MARKED = [
    "- item", "* item", "+ item", "1. one", "2. two", "0. z", "1) x", "10. ten", "- - x", "- > q", "1. - ```", "- # h",
    "- [ ] task", "> quote", ">", "> - a", "> ```", "> # h",
]  # fmt: skip
TABLES = ["a | b", "| a | b |", "|---|---|", "--|--", ":-:|-", "1 | 2 | 3", "a | b | c", "-|-|-", "`a|b` | c", "|"]
DEFINITIONS = [
    "[a]: /u", '[a]: /u "t"', "[b]: <x y> 't'", "[c]: /u (t", "[a]: /u x", "[d]:", "[a]", "# [a] b", '"title"', "/url",
]  # fmt: skip
FOOTNOTES = [
    "[^1]: note", "[^2]: - x", "[^3]: ```", "    more", "    ```", "    a | b", "    --|--", "        code",
    "text [^1]",
]  # fmt: skip
FEW = ["text", "# h", "***", "```"]


def margins(*margin: str, lines: Iterable[str]) -> list[str]:
    """Every line behind every margin, and blank lines as often."""
    marked = [f"{first}{line}" for first, line in product(margin, lines)]
    return [*marked, *[""] * (len(marked) // 5)]


LINES = {
    "containers": margins("", "", " ", "   ", "- ", "> ", "1. ", lines=[*LEAVES, *MARKED]),
    "lists": margins("", "  ", "    ", "      ", "- ", "  - ", lines=[*FEW, "~~~py", "<div>", "<!-- c", "-->", "> q"]),
    "quotes": margins("> ", ">", lines=[*FEW, "a | b", "--|--", "<div>", "    code", "  more", "- item", "1. one", ""]),
    "tables": margins("", "", "   ", lines=[*TABLES, *FEW]),
    "definitions": margins("", "", " ", "   ", lines=[*DEFINITIONS, *FEW, "> quote"]),
    "footnotes": margins("", lines=[*FOOTNOTES, *FEW]),
}


@pytest.mark.parametrize("kind", LINES)
@given(data=st.data())
def test_blocks_are_those_of_markdown_it(kind: str, data: st.DataObject) -> None:
    text = "\n".join(data.draw(st.lists(st.sampled_from(LINES[kind]), max_size=10)))
    assert differences(text) == []


awkward_lines = st.lists(st.sampled_from(strategies.AWKWARD_LINES), max_size=12).map("\n".join)
awkward_characters = st.text("ab1.#-*_+=>|`~<!?[]()^:{}$\\/'\" \t\n\r\f\x00\u00a0\u2028\ufeff\ud800", max_size=60)


@given(text=awkward_lines | awkward_characters, mdx=st.booleans())
def test_any_text_is_tiled(text: str, mdx: bool) -> None:
    assert_places(text, parse_blocks(text, mdx))


@given(text=awkward_lines, mdx=st.booleans(), newline=st.sampled_from(["\r\n", "\r"]))
def test_newlines_change_nothing_but_offsets(text: str, mdx: bool, newline: str) -> None:
    other = parse_blocks(text.replace("\n", newline), mdx)
    assert [block[3:9] for block in other] == [block[3:9] for block in parse_blocks(text, mdx)]
