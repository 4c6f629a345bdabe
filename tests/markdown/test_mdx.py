"""Imports, components and expressions. How MDX documents agree with remark-mdx: tests/long/remark_mdx.py."""

from __future__ import annotations

import pytest
from tests.markdown.places import assert_places

from crosshead import parse_blocks
from crosshead.markdown.mdx import find_tags


def kinds(text: str, *, mdx: bool = True) -> list[tuple[str, int, int]]:
    blocks = parse_blocks(text, mdx)
    assert_places(text, blocks)
    return [(block.kind, block.start_line, block.end_line) for block in blocks]


def test_off_by_default() -> None:
    text = "import a from 'b'\n\n<Note>\n\n{x}\n"
    assert [kind for kind, *_ in kinds(text, mdx=False)] == ["paragraph", "html", "paragraph"]
    assert [kind for kind, *_ in kinds(text)] == ["import", "component", "expression"]


@pytest.mark.parametrize(
    "source",
    [
        "import a from 'b'",
        "import {\n  a,\n  b,\n} from 'c'",
        "import 'styles.css'",
        "import * as a from 'b'",
        "export const a = 1",
        "export {a} from 'b'",
        "export default function A() {\n\n  return <p>{1}</p>\n\n}",
        "export const a = `\n}\n`",
        "export const a = [\n  // }\n\n  /* ] */ 1,\n]",
        'export const a = {\n  b: \'}\',\n\n  c: "\\"}",\n}',
    ],
)
def test_import_and_export_end_where_their_brackets_do(source: str) -> None:
    last = source.count("\n") + 1
    assert kinds(f"{source}\n\ntext") == [("import", 1, last), ("paragraph", last + 2, last + 2)]


@pytest.mark.parametrize(
    "text", ["imports are fun", "exported: 3", "important", "import", "export-import", "text import a"]
)
def test_import_is_a_word_of_its_own_at_the_start(text: str) -> None:
    assert kinds(text) == [("paragraph", 1, 1)]


def test_export_that_nothing_closes_ends_at_the_first_blank_line() -> None:
    assert kinds("export const a = {\n  b\n\ntext") == [("import", 1, 2), ("paragraph", 4, 4)]


@pytest.mark.parametrize(
    "source",
    [
        "<A>",
        "</A>",
        "<A/>",
        "<A />",
        "<a.b.c>",
        "<>",
        "</>",
        "  <A>",
        "<A b='>' c=\">\" d={1 > 0} e>",
        "<A b={{c: '}'}}/>",
        "<A>{b}</A>",
        "<A\n  b\n  c={() => {\n\n    d\n  }}\n>",
        "<A\n/>\n<B/>\n  <C>\n{d}",
        "<A b={/* } */ 1}/>",
        "<A/>  ",
        "<A{...b}/>",
    ],
)
def test_component_is_a_run_of_tags(source: str) -> None:
    last = source.count("\n") + 1
    assert kinds(f"{source}\ntext") == [("component", 1, last), ("paragraph", last + 1, last + 1)]
    assert kinds(f"text\n{source}\n\ntext")[1] == ("component", 2, last + 1)


@pytest.mark.parametrize(
    "text", ["<A> text", "text <A>", "<A>text</A>", "a < b", "<1>", "<A", "<A b={>", "<A <B>", "< A>"]
)
def test_text_beside_a_component_makes_a_paragraph(text: str) -> None:
    assert kinds(text) == [("paragraph", 1, 1)]


def test_markdown_between_tags_is_parsed() -> None:
    assert kinds("<Tabs>\n<Tab>\n\n## Title\n\n```js\n</Tab>\n```\n\n</Tab>\n</Tabs>") == [
        ("component", 1, 2),
        ("heading", 4, 4),
        ("code", 6, 8),
        ("component", 10, 11),
    ]


@pytest.mark.parametrize(
    "source", ["{a}", "{/* a */}", "{\n  a\n}", "{`}`}", "{`\n}\n`}", "{a.map((b) => {\n\n  return {b}\n})}", "{'}'}"]
)
def test_expression_stands_alone(source: str) -> None:
    last = source.count("\n") + 1
    assert kinds(f"{source}\n\ntext") == [("expression", 1, last), ("paragraph", last + 2, last + 2)]


@pytest.mark.parametrize("text", ["{a} text", "text {a}", "{a", "{", "{ a } { b } c"])
def test_expression_beside_text_is_a_paragraph(text: str) -> None:
    assert kinds(text) == [("paragraph", 1, 1)]


def test_there_is_neither_indented_code_nor_html() -> None:
    assert kinds("a\n\n    b\n\n<!-- c -->\n\n<div>") == [
        ("paragraph", 1, 1),
        ("paragraph", 3, 3),
        ("paragraph", 5, 5),
        ("component", 7, 7),
    ]


def test_heading_and_fence_may_be_indented_at_will() -> None:
    assert kinds("<A>\n      # b\n\n      ```js\n  c\n          ```\n</A>") == [
        ("component", 1, 1),
        ("heading", 2, 2),
        ("code", 4, 6),
        ("component", 7, 7),
    ]


@pytest.mark.parametrize(("opening", "closing"), [("<A b={`", "`}/>"), ("export const a = `", "`"), ("{[", "]}")])
def test_long_constructs_are_still_one_block(opening: str, closing: str) -> None:
    lines = ["  x", ""] * 1000
    assert len(kinds("\n".join([opening, *lines, closing]))) == 1


def test_lines_that_are_too_long_are_text() -> None:
    long = "x" * 200_000
    assert [kind for kind, *_ in kinds(f'<A b="{long}"/>\n\n{{"{long}"}}\n\nimport a{long}')] == ["paragraph"] * 3


def test_patience_ends_but_short_constructs_are_still_found() -> None:
    """Look-ahead that finds nothing is limited, so that hostile input stays linear."""
    openers = "{\n\n" * 400
    assert kinds(f"{openers}<A\n  b\n/>")[-1] == ("paragraph", 801, 803)
    assert kinds(f"{openers}<A/>\n\n{{b}}\n\nimport c from 'd'\n")[-3:] == [
        ("component", 801, 801),
        ("expression", 803, 803),
        ("import", 805, 805),
    ]


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("a <B> c </B> <D/>", [("<B>", "opens"), ("</B>", "closes"), ("<D/>", "")]),
        ('<A b=">" c={d > {e: 1}} f={() => 1}>', [('<A b=">" c={d > {e: 1}} f={() => 1}>', "opens")]),
        ("<>a</>", [("<>", "opens"), ("</>", "closes")]),
        ("<A <B>", [("<B>", "opens")]),
        ("a < b > c <1> <A", []),
    ],
)
def test_tags_inside_a_text(text: str, tags: list[tuple[str, str]]) -> None:
    found = find_tags(text, 0, len(text))
    assert [(text[tag.start : tag.end], "opens" * tag.opens + "closes" * tag.closes) for tag in found] == tags


def test_tags_that_nothing_ends_are_looked_for_only_so_often() -> None:
    text = "<A {" * 1000 + "}" * 1000 + "<B>"
    assert list(find_tags(text, 0, len(text))) == []
