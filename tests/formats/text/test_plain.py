"""Plain text keeps its lines, and nothing in it becomes markup by accident."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.formats.sound import kinds, read_soundly

import crosshead
from crosshead.errors import CorruptFile, TooLarge
from crosshead.formats import extract
from crosshead.formats.shared.decoding import text as shared_text
from crosshead.formats.text.plain import write_plain
from crosshead.formats.text.plain.markdown import is_markdown


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


def test_citation_names_the_lines_of_the_file() -> None:
    document = read_soundly("Title\n=====\n\nText.\n\f\nMore.\r\nEnd.\n", "text", "notes.txt")
    [chunk] = crosshead.chunk(document)
    assert chunk.citation == "notes.txt:1-7"


def test_control_characters() -> None:
    assert extract(b"a\0b " * 2 + b"text " * 20, "text").startswith("a\ufffdb")
    with pytest.raises(CorruptFile, match="control characters"):
        extract(b"\0\1\2text", "text")


def test_text_of_too_many_lines_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_text, "MAX_LINES", 100)
    assert extract(b"text\n" * 100, "text") == "text\n" * 100
    with pytest.raises(TooLarge, match="more than 100 lines of text: split the file"):
        extract(b"text\r\n" * 101, "text")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a\n" * 20_000, "- a\n" * 20_000),
        ("```py\nx\n\n" * 5_000, "\\```py\nx\n\n" * 5_000),
        ("```\nx\n```\n" * 5_000, "```\nx\n```\n" * 5_000),
        ("*" * 1_000_000, "\\" + "*" * 1_000_000),
        ("[a" * 500_000, "[a" * 500_000),
        ("word " * 200_000, ("word " * 200_000).strip()),
        (("text\n" * 24 + "- x\n") * 1_000, ("text\n" * 24 + "\\- x\n") * 1_000),
    ],
    ids=["list", "open fences", "fences", "stars", "brackets", "words", "dashes"],
)
def test_much_of_the_same_is_read(text: str, expected: str) -> None:
    assert write_plain(text) == expected


LINES = st.lists(
    st.sampled_from(["", "text", "- item", "  - nested", "    code x", "1. one", "2. two", "=====", "-----", "```",
                     "# h", "> q", "| a | b |", "|---|---|", "\ttab", "<b>", "a   b   c", "*", "1)", "[x]: y",
                     "$$", "* * *", "[a", "b]: /u", "_ _ _", "~~~x", "\\[", "\\]", "\\begin{a}", "\\end{a}", "<!-- x",
                     "<h1>x</h1>", "***", "+++", "[^1]: x", "1986. x"])
    | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20),
    max_size=15,
)  # fmt: skip


@given(LINES)
def test_lines_stay_lines_and_nothing_breaks(lines: list[str]) -> None:
    text = "\n".join(lines)
    assume(not is_markdown(lines))
    document = read_soundly(text, "text")
    assert document.text.count("\n") == text.count("\n")
    assert not {"table", "quote", "html", "definition", "footnote", "math", "front_matter"} & set(kinds(document))


@given(st.text("ab_*\\`[]()<>&;~#!|{}$^=+- ", max_size=40))
def test_what_stands_inside_a_line_is_not_escaped(text: str) -> None:
    line = f"a {text}".rstrip()
    assert write_plain(line) == line


@pytest.mark.parametrize(
    "text",
    ["def __init__(self, *args, **kwargs):", "*args and _name_", r"C:\temp\*.txt or \\server\share", "a[0] = `b`",
     "snake_case -> *pointer", "x & y &amp; z", "- call __init__", "- *args"],
)  # fmt: skip
def test_chunk_holds_what_people_look_for(text: str) -> None:
    [chunk] = crosshead.chunk(read_soundly(f"Before.\n\n{text}\n", "text"))
    assert text in chunk.content


@given(LINES)
def test_words_stay_in_their_lines(lines: list[str]) -> None:
    written = write_plain("\n".join(lines)).split("\n")
    words = [
        (word, line)
        for given, line in zip(lines, written, strict=False)
        for word in given.split()
        if word.isalpha() and word.isascii()
    ]
    assume(words)
    assert [(word, line) for word, line in words if word not in line] == []
