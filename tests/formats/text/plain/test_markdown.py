"""Which plain texts are Markdown already."""

from __future__ import annotations

import pytest
from tests.formats.sound import headings, kinds, read_soundly

from crosshead.formats.text.plain.markdown import is_markdown


@pytest.mark.parametrize(
    "text",
    [
        "# Title\n\ntext\n\n## Part\n\ntext",
        "# Title\n## Part\ntext",
        "text\n\n# One\n\ntext\n\n# Two\n\ntext",
        "## One\ntext\n\n## Two\ntext",
        "# Title\n\n```sh\n# a comment\n# another\nmake\n```",
        "# Title\n\n~~~\n# a comment\n~~~\n",
    ],
)
def test_headings_and_fences_say_so(text: str) -> None:
    assert is_markdown(text.split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text",
        "# Title\n\ntext",
        "# a comment\nkey = 1\n\n# another\nother = 2",
        "# Several lines\n# of a comment\n\nkey = 1\n\n# Section\n\n# Other\nkey = 2",
        "#hashtag\n\n#other",
        "#\n\n#\n\n####### seven",
        "# Title\n\n```\nnot closed",
        "```\n# One\n\n## Two\n```",
        "```\ncode\n```\n\n~~~\ncode\n~~~",
        "Title\n=====\n\ntext",
    ],
)
def test_comments_and_one_heading_do_not(text: str) -> None:
    assert not is_markdown(text.split("\n"))


def test_markdown_is_taken_as_it_is() -> None:
    text = "---\ntitle: Notes\n---\n# Title\n\n> quote\twith *stars*  \n\n## Part\n\na | b\n--|--\n1 | 2\n"
    document = read_soundly(text, "text", "notes.txt")
    assert (document.text, document.format, document.title) == (text, "text", "Notes")
    assert headings(document) == [(1, "Title"), (2, "Part")]
    assert kinds(document)[-1] == "table"
