"""Random documents that are rendered to HTML come back with the same headings, lists, tables and code.

A document is a list of blocks, each of which knows its HTML and what must be found in the Markdown: an outline, as
markdown-it-py reads it.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from tests.support.markdown_oracle import differences

import crosshead
from crosshead.formats.markup.html import read_html
from crosshead.options import ExtractOptions
from crosshead.pipeline import parse_document

MARKDOWN = MarkdownIt("commonmark", {"maxNesting": 200}).enable(["table", "strikethrough"])
WORDS = (
    "word", "two words", "# hash", "- dash", "+ plus", "1. one", "2) two", "> quote", "*star*", "_under_", "__init__",
    "snake_case", "`tick`", "```", "~~~", "---", "===", "***", "| pipe |", "a|b", "<b>", "</p>", "&amp;", "&", "[x](y)",
    "![x](y)", "[^1]", "[x]:", "\\", "$$", "$x$", ":---", "+++", "http://x.org/a_b", "!", "ключ", "鍵", "🔑", "#", "-",
    "1.", "    four spaces", "\ttab",
)  # fmt: skip
CODE = (
    "x = 1", "  indented", "", "# no heading", "```", "~~~", "- no item", "| no | table |", "<b>&amp;</b>", "\ttab",
    "`",
)  # fmt: skip


class Piece(NamedTuple):
    """A part of a document: its HTML, and what it must be in Markdown."""

    html: str
    outline: object


words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
plain = words.map(lambda text: Piece(escape(text), " ".join(text.split())))


def _wrapped(start: str, end: str) -> st.SearchStrategy[Piece]:
    return plain.map(lambda piece: Piece(f"{start}{piece.html}{end}", piece.outline))


inline = st.lists(
    st.one_of(
        plain,
        _wrapped("<b>", "</b>"),
        _wrapped("<em>", "</em>"),
        _wrapped("<del>", "</del>"),
        _wrapped('<a href="t.html">', "</a>"),
        _wrapped("<code>", "</code>"),
        _wrapped("<span>", "</span>"),
    ),
    min_size=1,
    max_size=3,
).map(lambda pieces: Piece(" ".join(p.html for p in pieces), " ".join(str(p.outline) for p in pieces)))

paragraph = inline.map(lambda piece: Piece(f"<p>{piece.html}</p>", ("paragraph", piece.outline)))
heading = st.tuples(st.integers(1, 6), inline).map(
    lambda drawn: Piece(f"<h{drawn[0]}>{drawn[1].html}</h{drawn[0]}>", ("heading", drawn[0], drawn[1].outline))
)
code = (
    st.tuples(st.sampled_from(["", "python", "c++"]), st.lists(st.sampled_from(CODE), min_size=1, max_size=4))
    .filter(lambda drawn: any(line.strip() for line in drawn[1]))
    .map(
        lambda drawn: Piece(
            f'<pre><code class="language-{drawn[0] or "none"}">{escape(chr(10).join(drawn[1]))}</code></pre>',
            ("code", drawn[0], "\n".join(drawn[1]).strip("\n")),
        )
    )
)
table = (
    st.integers(2, 3)
    .flatmap(lambda width: st.lists(st.lists(inline, min_size=width, max_size=width), min_size=2, max_size=3))
    .map(
        lambda rows: Piece(
            f"<table>{''.join(_row(row) for row in rows)}</table>",
            ("table", [[cell.outline for cell in row] for row in rows]),
        )
    )
)
rule = st.just(Piece("<hr>", ("rule",)))


def _row(cells: list[Piece]) -> str:
    return f"<tr>{''.join(f'<td>{cell.html}</td>' for cell in cells)}</tr>"


def _quote(pieces: list[Piece]) -> Piece:
    return Piece(f"<blockquote>{''.join(p.html for p in pieces)}</blockquote>", ("quote", [p.outline for p in pieces]))


def _list(drawn: tuple[int, list[list[Piece]]]) -> Piece:
    start, items = drawn
    html = "".join(f"<li>{''.join(piece.html for piece in item)}</li>" for item in items)
    outline = ("list", start, [[piece.outline for piece in item] for item in items])
    return Piece(f'<ol start="{start}">{html}</ol>' if start else f"<ul>{html}</ul>", outline)


def _nested(blocks: st.SearchStrategy[Piece]) -> st.SearchStrategy[Piece]:
    some = st.lists(blocks, min_size=1, max_size=3)
    return st.one_of(
        some.map(_quote),
        st.tuples(st.sampled_from([0, 0, 1, 7]), st.lists(some, min_size=1, max_size=3)).map(_list),
    )


blocks = st.recursive(st.one_of(paragraph, heading, code, table, rule), _nested, max_leaves=4)
documents = st.lists(blocks, min_size=1, max_size=4)


def outline_of(markdown: str) -> list[object]:
    """What markdown-it-py finds in Markdown, in the form of `Piece.outline`."""
    found, rest = _outline(MARKDOWN.parse(markdown))
    assert not rest
    return found


def _outline(tokens: list[Token]) -> tuple[list[object], list[Token]]:
    found: list[object] = []
    while tokens and tokens[0].nesting >= 0:
        token = tokens[0]
        if token.nesting:
            inside, tokens = _inside(token, tokens[1:])
            found.append(inside)
        else:
            found.append(_leaf(token))
        tokens = tokens[1:]
    return found, tokens


def _inside(token: Token, tokens: list[Token]) -> tuple[object, list[Token]]:
    if token.type == "paragraph_open":
        return ("paragraph", _text(tokens[0])), tokens[1:]
    if token.type == "heading_open":
        return ("heading", int(token.tag[1]), _text(tokens[0])), tokens[1:]
    if token.type in ("th_open", "td_open"):
        return _text(tokens[0]), tokens[1:]
    found, rest = _outline(tokens)
    if token.type == "blockquote_open":
        return ("quote", found), rest
    if token.type == "bullet_list_open":
        return ("list", 0, found), rest
    if token.type == "ordered_list_open":
        return ("list", int(token.attrs.get("start", 1)), found), rest
    if token.type == "table_open":
        return ("table", [row for part in found for row in part]), rest  # type: ignore[attr-defined]
    return found, rest


def _leaf(token: Token) -> object:
    if token.type == "fence":
        return ("code", token.info, token.content.strip("\n"))
    assert token.type == "hr", token
    return ("rule",)


def _text(token: Token) -> str:
    parts = [" " if child.type == "softbreak" else child.content for child in token.children or []]
    return " ".join("".join(parts).split())


@settings(max_examples=100, deadline=None)
@given(documents)
def test_documents_come_back(pieces: list[Piece]) -> None:
    html = "\n".join(piece.html for piece in pieces)
    markdown = read_html(html.encode(), ExtractOptions()).text if html != "<hr>" else "***"
    assert outline_of(markdown) == [piece.outline for piece in pieces]


@settings(max_examples=40, deadline=None)
@given(documents)
def test_documents_chunk_as_markdown_does(pieces: list[Piece]) -> None:
    html = "".join(piece.html for piece in pieces)
    document = parse_document(read_html(html.encode(), ExtractOptions()).text)
    assert not differences(document.text)
    assert crosshead.check(document, crosshead.chunk(document, max_tokens=50)).ok


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from([*"<>/ab=\"'&!-[] \n", "<p>", "</p>", "<ul>", "<li>", "<table>", "<td>", "<pre>", "<b>", "x"]),
        min_size=1,
    )
)
def test_any_text_is_read(parts: list[str]) -> None:
    html = f"<p>needle</p>{''.join(parts)}"
    text = read_html(html.encode(), ExtractOptions()).text
    assert text.startswith("needle")
    assert not differences(text)
