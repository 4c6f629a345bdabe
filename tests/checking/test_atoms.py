from __future__ import annotations

from dataclasses import replace

import pytest
from tests.checking.cutting import cut, faults, warnings, with_change

from crosshead.options import ChunkOptions
from crosshead.pipeline import parse_document
from crosshead.types import Chunk, Document

CODE = "# Run\n\n```python\nfirst = 1\nsecond = 2\nthird = 3\n```\n\nEnd.\n"
TABLE = "# Prices\n\n| item | price |\n| --- | ---: |\n| tea | 2 |\n| milk | 1 |\n\nEnd.\n"
HTML_TABLE = (
    "# Prices\n\n<div>\n<table>\n<tr><th>item</th></tr>\n<tr><td>tea</td></tr>\n\n<tr><td>milk</td></tr>\n"
    "</table>\n</div>\n\nEnd.\n"
)
KEEP = ChunkOptions(overlap_tokens=0)


def split(max_tokens: int) -> ChunkOptions:
    return ChunkOptions(max_tokens=max_tokens, min_tokens=0, overlap_tokens=0, oversize="split")


def atom_faults(document: Document, chunks: list[Chunk], options: ChunkOptions) -> list[str]:
    return [fault for fault in faults(document, chunks, options) if fault.startswith("atoms:")]


def cut_in_two(text: str, before: str, options: ChunkOptions) -> tuple[Document, Chunk, Chunk]:
    document, chunks = cut(text, before, "End.", options=options)
    return document, chunks[0], chunks[1]


@pytest.mark.parametrize(
    ("text", "before"),
    [
        (CODE, "second"),
        (CODE, "```\n\nEnd"),
        ("~~~~\n```\na\n```\nb\n~~~~\n", "b\n"),
        ("    indented\n\n    code\n", "    code"),
        (TABLE, "| milk"),
        (TABLE, "| ---"),
        (HTML_TABLE, "<tr><td>milk"),
        (HTML_TABLE, "<table>"),
        (HTML_TABLE, "</div>"),
        ("- item\n\n  <table>\n  <tr><td>a</td></tr>\n\n  </table>\n", "  </table>"),
        ("> <table>\n> <tr><td>a</td></tr>\n>\n> </table>\n", "> </table>"),
        ("$$\nx = 1\ny = 2\n$$\n", "y = 2"),
        ("- item\n\n  ```\n  a\n  b\n  ```\n", "  b\n"),
        ("> quote\n>\n> | a |\n> | - |\n> | 1 |\n> | 2 |\n", "> | 2"),
        ("[^1]: note\n\n    ```\n    a\n    b\n    ```\n", "    b"),
    ],
)
def test_cut_atom_is_found_in_keep_mode(text: str, before: str) -> None:
    document, chunks = cut(text, before)
    found = atom_faults(document, chunks, KEEP)
    assert len(found) == 1
    assert "begins inside the" in found[0]


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("<Tabs\n  first='a'\n  second='b'\n/>\n\ntext\n", "  second"),
        ("{[\n  1,\n  2,\n]}\n\ntext\n", "  2,"),
    ],
)
def test_cut_component_is_found(text: str, before: str) -> None:
    document, chunks = cut(parse_document(text, format="mdx"), before)
    assert len(atom_faults(document, chunks, KEEP)) == 1


@pytest.mark.parametrize(
    ("text", "before"),
    [
        (CODE, "```python"),
        (CODE, "End."),
        (TABLE, "| item"),
        ("- item\n\n  ```\n  a\n  ```\n\n- next\n", "- next"),
        ("- item\n\n  ```\n  a\n  ```\n", "  ```\n  a"),
        ("One sentence. Another one.\n", "Another"),
        ("> quote\n> goes on\n", "> goes"),
        ("```\na\nb\n", "b\n"),
    ],
)
def test_cut_outside_of_atoms_is_fine(text: str, before: str) -> None:
    document, chunks = cut(text, before)
    assert atom_faults(document, chunks, KEEP) == []


def test_unclosed_fence_may_be_cut() -> None:
    document, chunks = cut("text\n\n```py\na = 1\nb = 2\n", "b = 2")
    assert faults(document, chunks) == []
    assert warnings(document, chunks) == ["unclosed_fence"]
    closed = [replace(chunks[0], suffix="\n```"), replace(chunks[1], prefix="```py\n", suffix="\n```")]
    assert faults(document, closed) == []


def test_cut_before_a_hole_is_found() -> None:
    document, chunks = cut(CODE, "second", "End.")
    assert any("ends inside the code" in fault for fault in atom_faults(document, [chunks[0], chunks[2]], KEEP))
    assert any("ends inside the code" in fault for fault in atom_faults(document, chunks[:1], KEEP))


def test_atom_that_fits_is_not_split() -> None:
    options = split(60)
    document, chunks = cut(CODE, "second", options=options)
    assert any("which fits the budget" in fault for fault in atom_faults(document, chunks, options))


def test_atom_that_fits_without_its_heading_is_not_split() -> None:
    """Then the two stay together, with an oversize reason."""
    text = f"# {'Long ' * 20}\n\n```py\na = 1\nb = 2\n```\n"
    options = split(30)
    document, chunks = cut(text, "b = 2", options=options)
    pieces = [replace(chunks[0], suffix="\n```"), replace(chunks[1], prefix="```py\n")]
    assert any("which fits the budget" in fault for fault in atom_faults(document, pieces, options))


def test_pieces_of_code_with_fences_pass() -> None:
    options = split(16)
    document, first, second = cut_in_two(CODE, "third", options)
    pieces = [replace(first, suffix="\n```"), replace(second, prefix="```python\n")]
    assert atom_faults(document, pieces, options) == []


@pytest.mark.parametrize(
    ("suffix", "prefix", "message"),
    [
        ("", "```python\n", "without a closing fence"),
        ("\n```", "", "without the opening fence"),
        ("\n```", "```\n", "in the language '', not 'python'"),
        ("\n```", "~~~python\n", "that does not render as code"),
        ("\n~~~", "```python\n", "that does not render as code"),
    ],
)
def test_piece_of_code_that_is_no_code_is_found(suffix: str, prefix: str, message: str) -> None:
    options = split(16)
    document, first, second = cut_in_two(CODE, "third", options)
    pieces = [replace(first, suffix=suffix), replace(second, prefix=prefix)]
    found = atom_faults(document, pieces, options)
    assert len(found) == 1
    assert message in found[0]


def test_middle_piece_needs_both_fences() -> None:
    options = split(8)
    document, chunks = cut(CODE, "first", "second", "third", "End.", options=options)
    fenced = [
        replace(chunks[0], suffix="\n```"),
        *(replace(chunk, prefix="```python\n", suffix="\n```") for chunk in chunks[1:3]),
        replace(chunks[3], prefix="```python\n"),
        chunks[4],
    ]
    assert atom_faults(document, fenced, options) == []
    assert len(atom_faults(document, with_change(fenced, 1, suffix=""), options)) == 1


def test_piece_of_indented_code_needs_no_fence() -> None:
    text = "text\n\n    first = 1\n    second = 2\n    third = 3\n"
    options = split(8)
    document, chunks = cut(text, "    first", "    third", options=options)
    assert atom_faults(document, chunks, options) == []


def test_piece_of_code_in_a_quote() -> None:
    text = "> text\n>\n> ```py\n> first = 1\n> second = 2\n> third = 3\n> ```\n"
    options = split(12)
    document, chunks = cut(text, "> third", options=options)
    pieces = [replace(chunks[0], suffix="\n> ```"), replace(chunks[1], prefix="> ```py\n")]
    assert atom_faults(document, pieces, options) == []
    assert len(atom_faults(document, with_change(pieces, 1, prefix="```py\n"), options)) == 1


def test_piece_of_code_deep_in_a_list_only_needs_a_prefix() -> None:
    text = "1. a\n\n   - b\n\n     ```py\n     first = 1\n     second = 2\n     third = 3\n     ```\n"
    options = split(16)
    document, chunks = cut(text, "     third", options=options)
    pieces = [replace(chunks[0], suffix="\n     ```"), replace(chunks[1], prefix="     ```py\n")]
    assert atom_faults(document, pieces, options) == []
    for prefix in ("", "     ```\n"):
        assert len(atom_faults(document, with_change(pieces, 1, prefix=prefix), options)) == 1


def test_code_is_cut_within_a_line_only_if_the_line_is_too_long() -> None:
    text = f"```\n{'word ' * 40}end\nshort line here\n```\n"
    options = split(20)
    for before, is_allowed in (("end\n", True), ("line here", False)):
        document, chunks = cut(text, before, options=options)
        pieces = [replace(chunks[0], suffix="\n```"), replace(chunks[1], prefix="```\n")]
        found = atom_faults(document, pieces, options)
        assert (found == []) is is_allowed
        assert is_allowed or "within a line that fits the budget" in found[0]


def test_pieces_of_a_table_with_header_rows_pass() -> None:
    options = split(20)
    document, first, second = cut_in_two(TABLE, "| milk", options)
    pieces = [first, replace(second, prefix="| item | price |\n| --- | ---: |\n")]
    assert atom_faults(document, pieces, options) == []


@pytest.mark.parametrize(
    ("prefix", "message"),
    [
        ("", "without its header rows"),
        ("| item | price |\n", "that does not render as a table"),
        ("| item |\n| --- |\n", "with 1 columns, not 2"),
    ],
)
def test_piece_of_a_table_that_is_no_table_is_found(prefix: str, message: str) -> None:
    options = split(20)
    document, first, second = cut_in_two(TABLE, "| milk", options)
    found = atom_faults(document, [first, replace(second, prefix=prefix)], options)
    assert len(found) == 1
    assert message in found[0]


HEAD = "<div><table><tr><th>item</th></tr>\n"
END = "\n</table></div>"


def test_pieces_of_a_table_of_html_pass() -> None:
    document, first, second = cut_in_two(HTML_TABLE, "<tr><td>milk", split(30))
    pieces = [replace(first, suffix=END), replace(second, prefix=HEAD)]
    assert atom_faults(document, pieces, split(30)) == []


@pytest.mark.parametrize(
    ("suffix", "prefix", "message"),
    [
        (END, "", "without its header rows"),
        (END, "<table>\n", "without its header rows"),
        ("", HEAD, "that does not render as a table"),
        (END, f"<table>{HEAD}", "with tables that are not closed"),
    ],
)
def test_piece_of_html_that_is_no_table_is_found(suffix: str, prefix: str, message: str) -> None:
    document, first, second = cut_in_two(HTML_TABLE, "<tr><td>milk", split(30))
    (found,) = atom_faults(document, [replace(first, suffix=suffix), replace(second, prefix=prefix)], split(30))
    assert message in found


def test_table_of_html_is_cut_inside_a_row_only_if_the_row_is_too_large() -> None:
    document, first, second = cut_in_two(HTML_TABLE, "milk", split(30))
    (found,) = atom_faults(document, [replace(first, suffix=END), replace(second, prefix=HEAD)], split(30))
    assert "within a row that fits the budget" in found
    document, first, second = cut_in_two(HTML_TABLE.replace("milk", "milk " * 40), "milk milk", split(30))
    assert atom_faults(document, [replace(first, suffix=END), replace(second, prefix=HEAD)], split(30)) == []


def test_header_row_is_not_cut_off() -> None:
    options = split(20)
    document, first, second = cut_in_two(TABLE, "| ---", options)
    assert any("without its delimiter row" in fault for fault in atom_faults(document, [first, second], options))


def test_long_row_may_be_cut_but_shows_its_header() -> None:
    text = f"| item | price |\n| --- | --- |\n| tea | {'leaf ' * 40}x |\n"
    options = split(30)
    document, chunks = cut(text, "x |", options=options)
    pieces = [chunks[0], replace(chunks[1], prefix="| item | price |\n| --- | --- |\n")]
    assert atom_faults(document, pieces, options) == []
    assert len(atom_faults(document, chunks, options)) == 1


def test_long_header_may_be_cut() -> None:
    text = f"| item | {'price ' * 40}x |\n| --- | --- |\n| tea | 2 |\n"
    options = split(30)
    document, chunks = cut(text, "x |", "| --- |", options=options)
    assert [fault for fault in atom_faults(document, chunks, options) if "piece" in fault] == []


def test_header_rows_that_do_not_fit_together_may_be_cut() -> None:
    text = f"| item | {'price ' * 10}x |\n| --- | {'-' * 150}: |\n| tea | 2 |\n"
    options = split(18)
    document, chunks = cut(text, "x |", "| tea", options=options)
    pieces = with_change(chunks, 2, prefix=text[: text.index("| tea")])
    assert atom_faults(document, pieces, options) == []


def test_piece_of_a_formula_needs_nothing() -> None:
    text = "$$\n" + "x = y + z\n" * 10 + "$$\n"
    options = split(30)
    document, chunks = cut(text, "z\nx = y + z\n$$", options=options)
    assert [fault for fault in atom_faults(document, chunks, options) if "piece" in fault] == []


@pytest.mark.parametrize("field", ["prefix", "suffix"])
def test_prefix_of_a_whole_block_is_found(field: str) -> None:
    document, chunks = cut(CODE, "```python", "End.")
    assert len(atom_faults(document, with_change(chunks, 1, **{field: "```\n"}), KEEP)) == 1
