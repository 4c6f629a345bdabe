"""Random documents, written as DOCX and read back: the same headings, items, tables, code and texts in the same order.

markdown-it-py reads the Markdown, so that no code of ours says what it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from tests.formats.office.docx.docx_files import BULLET, NUMBER, cell, convert, docx, pieces, row, run, tbl
from tests.support.markdown_oracle import differences
from tests.support.strategies import CODE_LINES

import crosshead
from crosshead.pipeline import parse_document

AWKWARD = (
    "key", "the", "Zürich", "鍵", "🔑", "3.14", "1.", "2)", "#", "##", "-", "+", "*", "**", "_x_", "snake_case", "`",
    "``", "~~~", "~~no~~", "|", "||", "---", "===", ">", "<b>", "</b>", "<!--", "<br>", "&amp;", "&#35;", "\\", "\\*",
    "[x](y)", "[^1]", "![i](p)", "[a]:", "$$", "$x$", "+++", "a:b", "http://e.org/a_b", "e.g.", "don't", "{x}",
    "\u3000", "\u2028", "C#", "#tag", "!", "(", ")", ":", ":-:", "|-|", "x" * 50,
)  # fmt: skip

texts = st.lists(st.sampled_from(AWKWARD), min_size=1, max_size=6).map(" ".join).filter(lambda text: text.strip())
code_lines = st.sampled_from([line for line in CODE_LINES if line.strip()])


class Item(NamedTuple):
    level: int
    is_ordered: bool
    text: str


headings = st.tuples(st.just("heading"), st.integers(1, 9), texts)
paragraphs = st.tuples(st.just("paragraph"), st.just(0), texts)
quotes = st.tuples(st.just("quote"), st.just(0), texts)
items = st.tuples(st.just("item"), st.just(0), st.builds(Item, st.integers(0, 8), st.booleans(), texts))
cells = st.one_of(st.just(""), texts)
rows = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=4)
)
tables = st.tuples(st.just("table"), st.just(0), rows)
listings = st.builds(
    lambda first, inner, last: [first, *inner, last],
    code_lines, st.lists(st.sampled_from(CODE_LINES), max_size=4), code_lines,
)  # fmt: skip
codes = st.tuples(st.just("code"), st.integers(0, 1), listings)
blocks = st.one_of(headings, paragraphs, quotes, items, items, items, tables, codes)
documents = st.lists(blocks, min_size=1, max_size=14)


@given(documents, st.integers(1, 9))
def test_documents_come_back(document: list[tuple[str, int, Any]], cut: int) -> None:
    text = convert(docx("".join(_write(document, cut))))
    assert list(_read(text)) == list(_expect(document))
    assert differences(text) == []
    parsed = parse_document(text)
    assert {block.kind for block in parsed.blocks} <= {"heading", "paragraph", "list", "table", "code", "quote"}
    assert crosshead.check(parsed, crosshead.chunk(parsed)).ok


def _write(document: list[tuple[str, int, Any]], cut: int) -> Iterator[str]:
    for kind, number, content in document:
        if kind == "heading":
            yield pieces(_runs(content, cut), style=f"Heading{number}")
        elif kind == "item":
            list_id = NUMBER if content.is_ordered else BULLET
            yield pieces(_runs(content.text, cut), item=(list_id, content.level))
        elif kind == "table":
            yield tbl(*[row(*[cell(pieces(_runs(text, cut))) for text in texts]) for texts in content])
        elif kind == "code":
            yield from _write_code(content, is_one_paragraph=bool(number))
            yield pieces(run("after code"))
        else:
            yield pieces(_runs(content, cut), style="Quote" if kind == "quote" else "")


def _write_code(lines: list[str], *, is_one_paragraph: bool) -> Iterator[str]:
    if is_one_paragraph:
        yield pieces("<w:r><w:br/></w:r>".join(map(run, lines)), style="SourceCode")
    else:
        yield from [pieces(run(line) if line else "", style="SourceCode") for line in lines]


def _runs(text: str, cut: int) -> str:
    """Text in runs that end anywhere, as Word writes it."""
    return "".join(run(text[at : at + cut]) for at in range(0, len(text), cut))


def _expect(document: list[tuple[str, int, Any]]) -> Iterator[tuple[Any, ...]]:
    levels: list[int] = []
    counts: dict[int, int] = {}
    for kind, number, content in document:
        if kind == "item":
            while levels and levels[-1] >= content.level:
                levels.pop()
            levels.append(content.level)
            if content.is_ordered:
                counts = {level: count for level, count in counts.items() if level <= content.level}
                counts[content.level] = counts.get(content.level, 0) + 1
            yield "item", len(levels), counts[content.level] if content.is_ordered else None, _plain(content.text)
            continue
        levels = []
        if kind == "heading":
            yield "heading", min(number, 6), _plain(content)
        elif kind == "table":
            yield "table", [[_plain(text) for text in texts] for texts in content]
        elif kind == "code":
            yield "code", "\n".join(content)
            yield "text", "after code"
        else:
            yield "text", _plain(content)


def _plain(text: str) -> str:
    return re.sub(r"[ \t\r\n\f\xa0]+", " ", text).strip()


def _read(text: str) -> Iterator[tuple[Any, ...]]:
    tokens = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table").parse(text)
    depth = 0
    markers: list[int | None] = []
    table: list[list[str]] | None = None
    for at, token in enumerate(tokens):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.type == "list_item_open":
            markers = [int(token.info) if token.info else None]
        elif token.type == "table_open":
            table = []
        elif token.type == "tr_open" and table is not None:
            table.append([])
        elif token.type == "table_close":
            yield "table", table
            table = None
        elif token.type in ("fence", "code_block"):
            yield "code", token.content.removesuffix("\n")
        elif token.type == "inline" and table is not None:
            table[-1].append(_inline(token))
        elif token.type == "inline" and tokens[at - 1].type == "heading_open":
            yield "heading", int(tokens[at - 1].tag[1]), _inline(token)
        elif token.type == "inline":
            yield ("item", depth, markers.pop(), _inline(token)) if markers else ("text", _inline(token))
        elif token.type in ("html_block", "hr"):
            yield token.type, token.content


def _inline(token: Token) -> str:
    return "".join(each.content if each.type == "text" else f"<{each.type}>" for each in token.children or [])
