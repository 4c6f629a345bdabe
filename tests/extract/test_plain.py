"""Plain text keeps its lines, and nothing in it becomes markup by accident."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.extract.sound import headings, kinds, read_soundly

import crosshead
from crosshead.errors import CorruptFile, TooLarge
from crosshead.extract import extract
from crosshead.extract import plain as plain_reader
from crosshead.extract.plain import write_plain

PROSE = "Some words that are long enough to be a paragraph of their own."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Title\n=====\n\ntext\n", [(1, "Title")]),
        ("Title\n=====\n\ntext\n\nPart\n----\ntext\n\nOther\n=====\n", [(1, "Title"), (2, "Part"), (1, "Other")]),
        ("=====\nTitle\n=====\n\ntext\n\nPart\n====\n", [(1, "Title"), (2, "Part")]),
        ("  *********\n  The title\n  *********\n\nText.", [(1, "The title")]),
        ("Title\n~~~~~~~\n", [(1, "Title")]),
        ("Title\n=======================\n", [(1, "Title")]),
        ("Title with # and *stars*\n========================\n", [(1, "Title with # and *stars*")]),
        ("A title that is much longer\n---\n", []),
        ("x\n------------------------------------\n", []),
        ("Name    Age\n-----------\nBob     3\n", []),
        ("first line\nsecond line\n===========\n", []),
        ("# no heading\n\n## none\n", []),
        ("CAPITALS\n\ntext\n", []),
    ],
)
def test_headings_by_underline(text: str, expected: list[tuple[int, str]]) -> None:
    assert headings(read_soundly(text, "text")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"1. Start\n\n{PROSE}\n\n2. End\n\n{PROSE}\n", [(1, "1. Start"), (1, "2. End")]),
        (f"1 Start\n\n{PROSE}\n\n1.1 More\n\n{PROSE}\n\n2 End\n", [(1, "1 Start"), (2, "1.1 More"), (1, "2 End")]),
        (f"1.  Start\n\n   {PROSE}\n\n1.1.  More\n\n   {PROSE}\n", [(1, "1. Start"), (2, "1.1. More")]),
        (f"Top\n===\n\n1. Start\n\n{PROSE}\n\n2. End\n", [(1, "Top"), (2, "1. Start"), (2, "2. End")]),
        (f"CHAPTER I.\n\n{PROSE}\n\nCHAPTER II.\n\n{PROSE}\n", [(1, "CHAPTER I."), (1, "CHAPTER II.")]),
        (f"Part 1\n\nChapter 1: A\n\n{PROSE}\n", [(1, "Part 1"), (2, "Chapter 1: A")]),
        ("1. Milk\n\n2. Eggs\n\n3. Bread\n", []),
        (f"1. Open it\n\n   {PROSE}\n\n2. Close it\n\n   {PROSE}\n", []),
        (f"1. Start\n\n{PROSE}\n", []),
        (f"7. Seven\n\n{PROSE}\n\n9. Nine\n\n{PROSE}\n", []),
        (f"1. This is a sentence.\n\n{PROSE}\n\n2. And another one.\n\n{PROSE}\n", []),
        (f"Chapter 1 is the best\n\n{PROSE}\n", []),
    ],
)
def test_headings_by_number(text: str, expected: list[tuple[int, str]]) -> None:
    assert headings(read_soundly(text, "text")) == expected


@pytest.mark.parametrize(
    "text",
    [
        "# heading", "> quote", "1986. A year", "a | b\n--|--\n1 | 2", "<div>\ntext\n</div>", "[x]: /url", "[^1]: note",
        "---\ntitle: x\n---", "$$\nx\n$$", "[verse]", "``` not closed", "~~~", "Term\n: text", "some text\n---",
        "text\n-", "\\[ x \\]", "![x](y)", "**bold** _it_", "- ", "+++\nx = 1\ny = 2\n+++", "&amp; &lt;",
        "text\n# text\n> text",
    ],
)  # fmt: skip
def test_what_looks_like_markdown_stays_text(text: str) -> None:
    document = read_soundly(text, "text")
    assert set(kinds(document)) <= {"paragraph", "list"}
    assert document.text.count("\n") == text.count("\n")


def test_lists_are_nested_by_their_indentation() -> None:
    text = "Shopping:\n  * fruit\n     * apples\n       and pears\n     • plums\n  * bread\n\n  1) first\n  2) second\n"
    assert write_plain(text) == (
        "Shopping:\n* fruit\n  * apples\n    and pears\n  - plums\n* bread\n\n1) first\n2) second\n"
    )


def test_paragraph_of_an_item_stays_in_it() -> None:
    document = read_soundly("- one\n\n  more of one\n\n- two\n\nafter\n", "text")
    assert kinds(document) == ["list", "paragraph"]
    assert len(document.blocks[0].items) == 2


def test_dash_inside_of_a_paragraph_is_no_list() -> None:
    assert kinds(read_soundly("This is one thing\n- or so they say -\nand not another.\n", "text")) == ["paragraph"]


@pytest.mark.parametrize(
    "block",
    [
        "    $ make install\n    $ make test",
        "Name    Age    Town\nBob     12     Rome\nEve     9      Oslo",
        "+------+------+\n| a    | b    |\n+------+------+",
        "        if (x) {\n            return *y;\n        }",
    ],
)
def test_preformatted_text_is_code(block: str) -> None:
    document = read_soundly(f"Text.\n\n{block}\n\nText.\n", "text")
    assert kinds(document) == ["paragraph", "code", "paragraph"]
    code = document.blocks[1]
    assert [line.split() for line in document.text[code.start : code.end].split("\n")] == [
        line.split() for line in block.split("\n")
    ]


def test_indented_prose_is_prose() -> None:
    assert kinds(read_soundly(f"Text.\n\n        {PROSE}\n        {PROSE}\n\nText.\n", "text")) == ["paragraph"] * 3


def test_code_after_a_list_stays_code() -> None:
    document = read_soundly("- one\n- two\n\n+---+---+\n| a | b |\n+---+---+\n", "text")
    assert [atom.kind for block in document.blocks for atom in block.atoms] == ["code"]


def test_fence_is_kept_as_it_is() -> None:
    document = read_soundly("Text:\n```py\n# *x*\n\ny\n```\nafter\n", "text")
    assert kinds(document) == ["paragraph", "code", "paragraph"]
    assert "# *x*\n\ny\n" in document.text


def test_line_of_dashes_is_a_rule_but_not_at_the_start() -> None:
    assert kinds(read_soundly("a\n\n-----\n\nb\n\n=======\n\nc\n", "text")) == [
        "paragraph", "rule", "paragraph", "rule", "paragraph",
    ]  # fmt: skip
    assert kinds(read_soundly("-----\n\nb\n", "text")) == ["paragraph", "paragraph"]


def test_citation_names_the_lines_of_the_file() -> None:
    document = read_soundly("Title\n=====\n\nText.\n\f\nMore.\r\nEnd.\n", "text", "notes.txt")
    [chunk] = crosshead.chunk(document)
    assert chunk.citation == "notes.txt:1-7"


def test_control_characters() -> None:
    assert extract(b"a\0b " * 2 + b"text " * 20, "text").startswith("a\ufffdb")
    with pytest.raises(CorruptFile, match="control characters"):
        extract(b"\0\1\2text", "text")


def test_text_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_reader, "MAX_BYTES", 100)
    with pytest.raises(TooLarge, match="split the file"):
        extract(b"text\n" * 100, "text")


def test_text_of_too_many_lines_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_reader, "MAX_LINES", 100)
    assert extract(b"text\n" * 100, "text") == "text\n" * 100
    with pytest.raises(TooLarge, match="more than 100 lines of text: split the file"):
        extract(b"text\r\n" * 101, "text")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a\n" * 20_000, "- a\n" * 20_000),
        ("```py\nx\n\n" * 5_000, "\\`\\`\\`py\nx\n\n" * 5_000),
        ("```\nx\n```\n" * 5_000, "```\nx\n```\n" * 5_000),
        ("*" * 1_000_000, "\\*" * 1_000_000),
        ("word " * 200_000, ("word " * 200_000).strip()),
        (("text\n" * 24 + "- x\n") * 1_000, ("text\n" * 24 + "\\- x\n") * 1_000),
    ],
    ids=["list", "open fences", "fences", "stars", "words", "dashes"],
)
def test_much_of_the_same_is_read(text: str, expected: str) -> None:
    assert write_plain(text) == expected


def test_fence_is_closed_by_one_that_is_as_long() -> None:
    assert kinds(read_soundly("~~~~\na\n~~~\nb\n~~~~~\n\ntext\n\n~~~~\n\n~~~\n", "text")) == [
        "code", "paragraph", "rule", "rule",
    ]  # fmt: skip


def test_deep_indentation_is_no_deep_list() -> None:
    document = read_soundly("".join(f"{' ' * number}- x\n" for number in range(200)), "text")
    assert document.text.count("- x\n") == 200


LINES = st.lists(
    st.sampled_from(["", "text", "- item", "  - nested", "    code x", "1. one", "2. two", "=====", "-----", "```",
                     "# h", "> q", "| a | b |", "|---|---|", "\ttab", "<b>", "a   b   c", "*", "1)", "[x]: y",
                     "$$", "* * *"])
    | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20),
    max_size=15,
)  # fmt: skip


@given(LINES)
def test_lines_stay_lines_and_nothing_breaks(lines: list[str]) -> None:
    text = "\n".join(lines)
    document = read_soundly(text, "text")
    assert document.text.count("\n") == text.count("\n")
    assert not {"table", "quote", "html", "definition", "footnote", "math", "front_matter"} & set(kinds(document))


@given(LINES)
def test_words_stay_in_their_lines(lines: list[str]) -> None:
    found = write_plain("\n".join(lines)).split("\n")
    for line, written in zip(lines, found, strict=False):
        for word in line.split():
            if word.isalpha() and word.isascii():
                assert word in written
