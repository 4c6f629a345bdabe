"""Lists, quotes and footnotes: where they end, their items and their atoms."""

from __future__ import annotations

import pytest
from tests.markdown.places import assert_places

from crosshead import Block, parse_blocks
from crosshead.markdown.containers import MAX_DEPTH


def atoms(text: str, *, mdx: bool = False) -> list[tuple[str, int, int]]:
    """Kind and lines of the atoms of a text that is one block."""
    [block] = parse_blocks(text, mdx)
    assert_places(text, [block])
    return [(atom.kind, atom.start_line, atom.end_line) for atom in block.atoms]


def test_list_knows_its_items() -> None:
    [block] = parse_blocks("1. one\n   more\n\n2. two\n\n   more\n3. three\n")
    assert block == Block("list", 0, 40, 1, 7, items=((1, 2), (4, 6), (7, 7)))


def test_atom_is_an_exact_slice() -> None:
    text = "- item\n\n  ```sh\n  make\n  ```\n\n  text\n"
    [block] = parse_blocks(text)
    assert block.atoms == (Block("code", 8, 28, 3, 5, lang="sh"),)
    assert text[8:28] == "  ```sh\n  make\n  ```"


def test_atom_on_the_line_of_its_marker_begins_with_the_marker() -> None:
    text = "- ~~~ py\n  x\n  ~~~"
    assert [text[atom.start : atom.end] for atom in parse_blocks(text)[0].atoms] == [text]


@pytest.mark.parametrize("margin", ["- ", "1. ", "> ", "- - ", "> - ", "10) > ", "- 1. + "])
@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("code", "```py\nx\n\n# y\n```"),
        ("code", "~~~~\n~~~\n~~~~"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("table", "a | b\n--|--"),
        ("math", "$$\nx\n\ny\n$$"),
        ("math", "\\[\nx\n\\]"),
        ("math", "\\begin{align*}\nx\n\\end{align*}"),
    ],
)
def test_atoms_are_found_behind_any_marks(kind: str, source: str, margin: str) -> None:
    rest = "".join(mark if mark == ">" else " " for mark in margin)
    head, *lines = source.split("\n")
    text = "\n".join([f"{margin}text", rest.rstrip(), f"{rest}{head}", *(f"{rest}{line}".rstrip() for line in lines)])
    assert atoms(text) == [(kind, 3, len(lines) + 3)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a\n\n      b\n\n      c\n\n  d", [("code", 3, 5)]),
        ("-     a\n      b", [("code", 1, 2)]),
        ("1.  a\n\n        b", [("code", 3, 3)]),
        ("- a\n  - b\n\n        c", [("code", 4, 4)]),
        ("-\ta\n\n\t\tb", [("code", 3, 3)]),
        (">     a\n>\n>     b", [("code", 1, 3)]),
        ("[^1]: a\n\n        b", [("code", 3, 3)]),
        ("- a\n      b", []),
        ("- a\n\n     b", []),
    ],
)
def test_indented_code_inside(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert atoms(text) == expected


def test_components_and_expressions_inside_are_atoms_in_mdx() -> None:
    text = '- a\n\n  <Card\n    b="c"\n  />\n\n  {d}\n\n- <E/>'
    assert atoms(text, mdx=True) == [("component", 3, 5), ("component", 7, 7), ("component", 9, 9)]
    assert atoms(text) == []


def test_component_that_leaves_its_item_is_no_atom() -> None:
    assert parse_blocks("- <Card\n\n/>", True)[0].atoms == ()


@pytest.mark.parametrize(
    "text",
    [
        "- ```\n  x\n\ny",
        "- item\n\n  $$\n  x\n\n$$",
        "> \\[\n> x\n\n\\]",
        "- a\n\n- \\begin{a}\n  x\n\n  \\end{a}",
    ],
)
def test_atom_never_leaves_its_container(text: str) -> None:
    block, *_ = blocks = parse_blocks(text)
    assert_places(text, blocks)
    assert all(atom.end_line <= block.end_line for atom in block.atoms)
    assert all(atom.kind == "code" for atom in block.atoms)


def test_unclosed_formulas_inside_are_text() -> None:
    assert atoms("- $$ a\n- \\[\n- \\begin{b}\n  # c\n  \\begin{b}\n  $$ d $$ e\n  f $$") == []
    assert atoms("> \\begin{a}\n> # b\n> \\begin{a}\n> c\n> # d\n> \\[\n> \\]") == [("math", 6, 7)]


def test_table_row_inside_a_quote_ends_with_the_quote() -> None:
    assert atoms("> a | b\n> --|--\n> 1 | 2") == [("table", 1, 3)]
    assert [block.kind for block in parse_blocks("> a | b\n> --|--\n1 | 2")] == ["quote", "paragraph"]


def test_footnotes_follow_each_other_without_blank_lines() -> None:
    text = "[^a]: one\n[^b]:\n    ```\n    two\n    ```\n[^c]: three\nlazy\n\n    more\n"
    blocks = parse_blocks(text)
    assert [(block.kind, block.start_line, block.end_line) for block in blocks] == [
        ("footnote", 1, 1),
        ("footnote", 2, 5),
        ("footnote", 6, 9),
    ]
    assert [len(block.atoms) for block in blocks] == [0, 1, 0]


@pytest.mark.parametrize("mark", ["- ", "> ", "1. ", ">", "+ > "])
def test_nesting_is_followed_to_the_greatest_depth_and_then_is_text(mark: str) -> None:
    depth = MAX_DEPTH // max(len(mark.split()), 1)
    assert atoms(f"{mark * (depth - 1)} ```") == [("code", 1, 1)]
    assert atoms(f"{mark * (depth + 1)} ```") == []


def test_quote_marks_on_blank_lines_belong_to_the_quote() -> None:
    for text in ("> a\n>", "> ```\n> ", "> <div>\n>", "> <!-- a\n>  \t\n> -->\n>", "- > a\n  >"):
        assert_places(text, parse_blocks(text))
        assert len(parse_blocks(text)) == 1
