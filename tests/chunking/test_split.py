"""Blocks that are too large: where they are cut, and what makes the pieces valid Markdown."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import crosshead
from crosshead import Chunk, Chunks, Document
from crosshead.markdown import parse_blocks
from crosshead.pipeline import parse_document
from crosshead.tokens import get_counter

SENTENCE = "This sentence has ten words, and it counts ten of them."
CODE_BODY = "\n".join(f"value_{number} = compute({number}, {number})" for number in range(40))
CODE = f"```python\n{CODE_BODY}\n```"
HEAD = "| name | meaning |\n|:--|--:|\n"
ROWS = "\n".join(f"| row {number} | the meaning of row {number} |" for number in range(40))
TABLE = f"{HEAD}{ROWS}"


def cut(text: str, format: str = "markdown", **options: Any) -> Chunks:
    return cut_document(text, format, **options)[1]


def cut_document(text: str, format: str = "markdown", **options: Any) -> tuple[Document, Chunks]:
    document = parse_document(text, format=format)
    chunks = crosshead.chunk(document, **options)
    report = crosshead.check(document, chunks)
    assert [each.message for each in report.violations if each.severity == "error"] == []
    assert report.coverage == 1.0
    return document, chunks


def contents(text: str, **options: Any) -> list[str]:
    return [chunk.content for chunk in cut(text, **options)]


# ---------------------------------------------------------------------- the order of cuts


def test_large_section_splits_at_paragraphs() -> None:
    paragraphs = [f"Number {number}. {SENTENCE} {SENTENCE}" for number in range(10)]
    chunks = contents("# Large\n\n" + "\n\n".join(paragraphs), max_tokens=80)
    assert "\n\n".join(chunks) == "# Large\n\n" + "\n\n".join(paragraphs)
    assert all(chunk.endswith("of them.") for chunk in chunks)
    assert all(chunk.startswith("Number ") for chunk in chunks[1:])


def test_cut_order() -> None:
    """Items before paragraphs, paragraphs before sentences, sentences before words, words before characters."""
    item = f"- {SENTENCE} {SENTENCE}\n\n  {SENTENCE}\n"
    assert all(chunk.startswith("- ") for chunk in contents(item * 5, max_tokens=60))
    by_paragraph = contents(item * 5, max_tokens=32)
    assert {chunk.strip()[:6] for chunk in by_paragraph} == {"- This", "This s"}
    assert all(chunk.endswith("them.") for chunk in contents(item * 5, max_tokens=20))
    by_word = contents(item * 5, max_tokens=8)
    assert all(word in {*item.split(), "-"} for chunk in by_word for word in chunk.split())
    assert max(len(chunk) for chunk in contents("x" * 500, max_tokens=8)) < 80


@pytest.mark.parametrize("mark", [".", "?", "!", "…", ":", ";"])
def test_prose_is_cut_between_sentences(mark: str) -> None:
    sentence = f"{SENTENCE[:-1]}{mark}"
    assert all(chunk.endswith(mark) for chunk in contents(" ".join([sentence] * 12), max_tokens=40))


@pytest.mark.parametrize("mark", ["。", "！", "？", "；"])
def test_prose_is_cut_between_sentences_without_spaces(mark: str) -> None:
    assert all(chunk.endswith(mark) for chunk in contents(f"密钥每个月轮换一次{mark}" * 30, max_tokens=40))


def test_closing_quote_belongs_to_its_sentence() -> None:
    chunks = contents('He said "rotate the keys every month." ' * 12, max_tokens=24)
    assert all(chunk.startswith("He said") and chunk.endswith('."') for chunk in chunks)


def test_quote_is_cut_at_lines() -> None:
    chunks = contents("\n".join(f"> {SENTENCE}" for _ in range(12)), max_tokens=40)
    assert all(chunk.startswith("> This") for chunk in chunks)


def test_html_imports_and_footnotes_are_cut_at_lines() -> None:
    html = contents("<div>\n" + f"<p>{SENTENCE}</p>\n" * 12 + "</div>", max_tokens=60)
    assert all(chunk.startswith("<") and chunk.endswith(">") for chunk in html)
    imports = cut("import a from './modules/a'\n" * 30, "mdx", max_tokens=60)
    assert all(chunk.content.startswith("import") for chunk in imports)
    assert all(chunk.oversize_reason is None for chunk in imports)
    footnote = contents("[^1]: Note.\n" + f"    {SENTENCE}\n" * 12, max_tokens=60)
    assert all(chunk.startswith(("[^1]", "    This")) for chunk in footnote)


def test_frontmatter_is_cut_at_lines() -> None:
    text = "---\n" + "".join(f"key_{number}: some value\n" for number in range(30)) + "---\n"
    chunks = contents(text, front_matter="include", max_tokens=60)
    assert len(chunks) > 2
    assert all(chunk.startswith(("---", "key_")) for chunk in chunks)


# ---------------------------------------------------------------------- lists


def test_list_is_cut_between_items() -> None:
    text = "\n".join(f"{number}. {SENTENCE}" for number in range(1, 21))
    chunks = contents(text, max_tokens=60)
    assert all(chunk[0].isdigit() for chunk in chunks)
    assert "\n".join(chunks) == text


@pytest.mark.parametrize("mark", ["-", "*", "+", "1.", "1)"])
def test_list_with_any_mark_is_cut_between_items(mark: str) -> None:
    chunks = contents("\n".join(f"{mark} {SENTENCE}" for _ in range(20)), max_tokens=60)
    assert all(chunk.startswith(f"{mark} ") for chunk in chunks)


def test_text_around_a_list_is_kept_where_it_was() -> None:
    items = "\n".join(f"- {SENTENCE}" for _ in range(12))
    chunks = contents(f"# List\n\nBefore it.\n\n{items}\n\nBehind it.", max_tokens=60)
    assert chunks[0].startswith("# List\n\nBefore it.\n\n- ")
    assert chunks[-1].endswith("\n\nBehind it.")
    assert not any("them.Behind" in chunk for chunk in chunks)


def test_tight_list_stays_tight() -> None:
    assert not any("\n\n" in chunk for chunk in contents(f"- {SENTENCE}\n" * 20, max_tokens=60))


def test_line_that_introduces_a_list_stays_with_it() -> None:
    items = "\n".join(f"- {SENTENCE}" for _ in range(3))
    chunks = contents(f"# A\n\n{SENTENCE} {SENTENCE}\n\nDo this:\n\n{items}\n", max_tokens=60)
    [holder] = [chunk for chunk in chunks if "Do this:" in chunk]
    assert "Do this:\n\n- " in holder


def test_huge_item_is_cut_inside() -> None:
    """No list item is a reason to be oversize."""
    chunks = cut(f"- {SENTENCE * 30}\n- small\n", max_tokens=60)
    assert len(chunks) > 5
    assert all(chunk.oversize_reason is None and chunk.token_count <= 60 for chunk in chunks)


def test_nested_items_are_better_cuts_than_lines() -> None:
    item = f"- {SENTENCE}\n" + f"  - {SENTENCE}\n    {SENTENCE}\n" * 4
    chunks = contents(item, max_tokens=64)
    assert len(chunks) == 3
    assert all(chunk.lstrip().startswith("- ") for chunk in chunks)


def test_list_mark_inside_code_is_no_item() -> None:
    code = "  ```\n  - one\n\n  - two\n  1. three\n  ```"
    chunks = contents(f"- {SENTENCE}\n\n{code}\n\n- {SENTENCE}\n", max_tokens=30)
    assert sum(code.strip() in chunk for chunk in chunks) == 1


# ---------------------------------------------------------------------- atoms are kept


ATOMS = {
    "code": CODE,
    "table": TABLE,
    "math": "$$\n" + "x &= y + z \\\\\n" * 40 + "$$",
    "indented": "\n".join(f"    {line}" for line in CODE_BODY.split("\n")),
    "tilde": f"~~~~\n{CODE_BODY}\n\n```\n~~~\n~~~~",
}


@pytest.mark.parametrize("name", ATOMS)
def test_atomic_is_kept(name: str) -> None:
    atom = ATOMS[name]
    reason = {"indented": "code", "tilde": "code"}.get(name, name)
    chunks = cut(f"# A\n\n{SENTENCE}\n\n{atom}\n\n{SENTENCE}\n", max_tokens=60)
    [holder] = [chunk for chunk in chunks if chunk.oversize_reason]
    assert (holder.content, holder.oversize_reason) == (atom, reason)
    assert (holder.prefix, holder.suffix) == ("", "")


@pytest.mark.parametrize("name", ["code", "table", "math"])
@pytest.mark.parametrize(("first", "rest"), [("- ", "  "), ("1. ", "   "), ("> ", "> "), ("> - ", ">   ")])
def test_atom_in_a_container_is_kept(name: str, first: str, rest: str) -> None:
    atom = "\n".join(f"{rest}{line}".rstrip() for line in ATOMS[name].split("\n"))
    blank = rest.rstrip()
    chunks = cut(f"{first}{SENTENCE}\n{blank}\n{atom}\n{blank}\n{rest}{SENTENCE}\n", max_tokens=60)
    [holder] = [chunk for chunk in chunks if chunk.oversize_reason]
    assert atom in holder.content
    assert holder.oversize_reason == name


def test_component_and_expression_are_kept() -> None:
    component = "<Grid\n" + '  title="some title of it"\n' * 30 + "/>"
    expression = "{list.map((item) => (\n" + "  <Item>{item}</Item>\n" * 30 + "))}"
    chunks = cut(f"{SENTENCE}\n\n{component}\n\n{SENTENCE}\n\n{expression}\n", "mdx", max_tokens=60)
    kept = [(chunk.content, chunk.oversize_reason) for chunk in chunks if chunk.oversize_reason]
    assert kept == [(component, "component"), (expression, "component")]


@pytest.mark.parametrize("oversize", ["keep", "split"])
def test_code_block_integrity(oversize: str) -> None:
    """Code that fits is whole in one chunk, whatever it looks like inside."""
    code = "```md\n# no heading\n\n| no | table |\n\n- no list\n\n~~~\n```"
    text = f"# A\n\n{SENTENCE} {SENTENCE}\n\n{code}\n\n{SENTENCE} {SENTENCE}\n\n" * 4
    chunks = contents(text, max_tokens=60, oversize=oversize)
    assert sum(chunk.count(code) for chunk in chunks) == 4


@pytest.mark.parametrize("oversize", ["keep", "split"])
def test_table_integrity(oversize: str) -> None:
    table = f"{HEAD}| one | two |\n| three | four |"
    chunks = contents(f"# A\n\n{SENTENCE} {SENTENCE}\n\n{table}\n\n" * 4, max_tokens=60, oversize=oversize)
    assert sum(chunk.count(table) for chunk in chunks) == 4


@pytest.mark.parametrize("oversize", ["keep", "split"])
def test_heading_and_atom_above_the_budget_stay_together(oversize: str) -> None:
    code = "```\n" + "x = 1\n" * 12 + "```"
    [chunk] = cut(f"## {SENTENCE}\n\n{code}\n", max_tokens=64, oversize=oversize)
    assert chunk.token_count > 64
    assert chunk.oversize_reason == "code"


def test_only_four_kinds_are_a_reason() -> None:
    text = f"# {SENTENCE * 9}\n\n{SENTENCE * 30}\n\n> {SENTENCE * 30}\n\n- {SENTENCE * 30}\n\n<p>{SENTENCE * 30}</p>\n"
    assert {chunk.oversize_reason for chunk in cut(text, max_tokens=50)} == {None}


# ---------------------------------------------------------------------- atoms are split


def pieces_of(kind: str, chunks: Chunks) -> list[Chunk]:
    return [chunk for chunk in chunks if chunk.content_type == kind]


def test_code_is_split_at_lines_with_its_fence() -> None:
    pieces = cut(CODE, max_tokens=80, oversize="split")
    assert "\n".join(piece.content for piece in pieces) == CODE
    assert (pieces[0].prefix, pieces[0].suffix) == ("", "\n```")
    assert (pieces[-1].prefix, pieces[-1].suffix) == ("```python\n", "")
    for piece in pieces:
        [block] = parse_blocks(piece.render())
        assert (block.kind, block.lang, block.closed) == ("code", "python", True)


def test_pieces_of_code_fit_with_their_fence() -> None:
    for piece in cut(CODE, max_tokens=80, oversize="split"):
        assert get_counter("cl100k_base")(piece.render()) <= 80


def test_code_is_split_at_a_blank_line_if_there_is_one() -> None:
    half = "\n".join(CODE_BODY.split("\n")[:8])
    chunks = cut(f"```python\n{half}\n\n{half}\n```", max_tokens=120, oversize="split")
    assert [chunk.content.count("value_") for chunk in chunks] == [8, 8]


@pytest.mark.parametrize("fence", ["```", "~~~", "`````", "~~~~"])
def test_fence_of_any_kind_is_repeated(fence: str) -> None:
    pieces = cut(f'{fence}js title="a.js"\n{CODE_BODY}\n{fence}', max_tokens=80, oversize="split")
    assert {piece.prefix for piece in pieces[1:]} == {f'{fence}js title="a.js"\n'}
    assert {piece.suffix for piece in pieces[:-1]} == {f"\n{fence}"}


def test_table_is_split_at_rows_with_its_header() -> None:
    pieces = cut(TABLE, max_tokens=100, oversize="split")
    assert "\n".join(piece.content for piece in pieces) == TABLE
    assert [piece.prefix for piece in pieces] == ["", *[HEAD] * (len(pieces) - 1)]
    for piece in pieces:
        [block] = parse_blocks(piece.render())
        assert block.kind == "table"
        assert piece.render().startswith(HEAD)
        assert block.end_line > 2, "every piece has a row"


def test_table_whose_rows_are_large_is_cut_between_them() -> None:
    row = f"| {SENTENCE} | {SENTENCE} |"
    pieces = contents(f"{HEAD}{row}\n{row}\n{row}", max_tokens=32, oversize="split")
    assert pieces == [HEAD.rstrip(), row, row, row]


def test_row_above_the_budget_is_cut_inside() -> None:
    pieces = cut(f"{HEAD}| {SENTENCE * 9} | b |", max_tokens=50, oversize="split")
    assert all(piece.token_count <= 50 for piece in pieces)
    assert all(piece.prefix == HEAD for piece in pieces[1:])


def test_math_is_split_at_lines_with_its_marks() -> None:
    pieces = cut(ATOMS["math"], max_tokens=80, oversize="split")
    assert all(piece.render().startswith("$$\n") and piece.render().endswith("\n$$") for piece in pieces)
    brackets = cut(ATOMS["math"].replace("$$", "\\[", 1).replace("$$", "\\]"), max_tokens=80, oversize="split")
    assert all(piece.render().startswith("\\[\n") and piece.render().endswith("\n\\]") for piece in brackets)


def test_indented_code_is_split_at_lines() -> None:
    pieces = cut(ATOMS["indented"], max_tokens=80, oversize="split")
    assert all([block.kind for block in parse_blocks(piece.render())] == ["code"] for piece in pieces)
    assert {(piece.prefix, piece.suffix) for piece in pieces} == {("", "")}


def test_line_of_code_above_the_budget_is_cut_inside() -> None:
    for code in (f"```\n{SENTENCE * 9}\n```", f"    {SENTENCE * 9}", f"> ```\n> {SENTENCE * 9}\n> ```"):
        pieces = cut(code, max_tokens=40, oversize="split")
        assert len(pieces) > 2
        for piece in pieces:
            blocks = parse_blocks(piece.render())
            assert "code" in {atom.kind for block in blocks for atom in (block, *block.atoms)}


@pytest.mark.parametrize(("first", "rest"), [("- ", "  "), ("1. ", "   "), ("> ", "> ")])
def test_code_in_a_container_is_split(first: str, rest: str) -> None:
    code = "\n".join(f"{rest}{line}" for line in CODE.split("\n"))
    chunks = cut(f"{first}{SENTENCE}\n{rest.rstrip()}\n{code}\n", max_tokens=80, oversize="split")
    inner = [chunk for chunk in chunks if chunk.prefix]
    assert len(inner) > 3
    for chunk in inner:
        atoms = [atom for block in parse_blocks(chunk.render()) for atom in (block, *block.atoms)]
        assert [(atom.kind, atom.lang) for atom in atoms if atom.kind == "code"] == [("code", "python")]


def test_code_in_a_footnote_keeps_its_language() -> None:
    code = "\n".join(f"    {line}" for line in CODE.split("\n")).lstrip()
    inner = [chunk for chunk in cut(f"[^1]: {code}\n", max_tokens=80, oversize="split") if chunk.prefix]
    assert inner
    assert all(chunk.prefix.strip() == "```python" for chunk in inner)


def test_component_is_split_at_lines() -> None:
    component = "<Grid\n" + '  title="some title of it"\n' * 30 + "/>"
    pieces = cut(component, "mdx", max_tokens=60, oversize="split")
    assert "\n".join(piece.content for piece in pieces) == component
    assert all(piece.oversize_reason is None for piece in pieces)


def test_atom_that_fits_is_not_split() -> None:
    """Not even if the white space behind it would be too much."""
    for blank in ("\n", "\n\n\n", "\n   \n\n"):
        code = "```\n" + "x = 1\n" * 10 + "```"
        [whole] = crosshead.chunk(code)
        chunks = contents(f"{code}\n{blank}Text.\n", max_tokens=whole.token_count, oversize="split")
        assert chunks == [code, "Text."]


# ---------------------------------------------------------------------- an unclosed fence


@pytest.mark.parametrize("oversize", ["keep", "split"])
def test_unclosed_fence_may_be_cut(oversize: str) -> None:
    """Otherwise one missing fence would make the rest of the document one chunk."""
    pieces = cut(f"# Log\n\n```text\n{CODE_BODY}\n", max_tokens=80, oversize=oversize)
    assert len(pieces) > 3
    assert all(piece.oversize_reason is None for piece in pieces)
    for piece in pieces:
        assert parse_blocks(piece.render(headings=False))[-1].closed


def test_unclosed_fence_is_reported_once() -> None:
    document, chunks = cut_document(f"```\n{CODE_BODY}\n", max_tokens=80)
    rules = [each.rule for each in crosshead.check(document, chunks).violations]
    assert rules == ["unclosed_fence"]


# ---------------------------------------------------------------------- places


def test_lines_are_those_of_the_content() -> None:
    """Also if a line or a heading had to be cut, and if there are blank lines around."""
    text = f"\n\n# {SENTENCE * 3}\n\n\n{SENTENCE * 9}\n\n\n- {SENTENCE * 5}\n"
    document, chunks = cut_document(text, max_tokens=20)
    lines = document.text.split("\n")
    for chunk in chunks:
        shown = "\n".join(lines[chunk.start_line - 1 : chunk.end_line])
        assert chunk.content in shown
        assert all(line.strip() for line in (lines[chunk.start_line - 1], lines[chunk.end_line - 1]))


def test_ranges_never_meet() -> None:
    _, chunks = cut_document(f"{SENTENCE * 40}\n\n{CODE}\n\n{TABLE}\n", max_tokens=30, oversize="split")
    assert all(left.end <= right.start for left, right in pairwise(chunks))


def test_indentation_belongs_to_the_content() -> None:
    text = f"- {SENTENCE}\n\n  {SENTENCE}\n\n    - {SENTENCE}\n"
    chunks = contents(text, max_tokens=16)
    assert [chunk[:4] for chunk in chunks] == ["- Th", "  Th", "    "]


@pytest.mark.parametrize("blank", ["\u00a0", "\u2003", "\x0c", "\u2028"])
def test_line_of_odd_white_space_is_blank(blank: str) -> None:
    assert contents(f"{blank}\nText.\n\n{blank}\n\nMore.\n") == [f"Text.\n\n{blank}\n\nMore."]
