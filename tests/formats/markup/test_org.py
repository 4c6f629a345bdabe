"""Org mode keeps its structure, with the lines of the file beside it."""

from __future__ import annotations

import pytest
from tests.formats.sound import headings, read_soundly

import crosshead
from crosshead.formats import extract

NOTES = """\
#+TITLE: Notes
#+author: Me
# a comment

Intro with *bold*, /italic/, =code= and [[https://a.b][a link]].[fn:1]

* TODO Install it :work:home:
:PROPERTIES:
:ID: 1
:END:
- one
  - inner
- [X] done
- term :: said
  more
1. first
2. second

| Name | Value |
|------+-------|
| a    | 1     |

** Code
#+begin_src python
  x = 1

    y
#+end_src

#+begin_quote
Said.
#+end_quote

[fn:1] A note here.
"""


def read(text: str) -> str:
    return extract(text.encode(), "org")


def test_notes() -> None:
    document = read_soundly(NOTES, "org")
    assert headings(document) == [(1, "TODO Install it (work, home)"), (2, "Code")]
    assert (document.title, document.front_matter["author"]) == ("Notes", "Me")
    assert document.text.endswith(
        "Intro with **bold**, *italic*, `code` and [a link](https://a.b).[^1]\n\n# TODO Install it (work, home)\n\n"
        "- one\n  - inner\n- [x] done\n- **term**: said\n  more\n1. first\n2. second\n\n"
        "| Name | Value |\n| --- | --- |\n| a | 1 |\n\n## Code\n\n```python\nx = 1\n\n  y\n```\n\n> Said.\n\n"
        "[^1]: A note here.\n"
    )


def test_citations_name_lines_of_the_file() -> None:
    document = read_soundly(NOTES, "org", source="notes.org")
    chunks = crosshead.chunk(document, max_tokens=20, min_tokens=0, overlap_tokens=0)
    assert {chunk.section_path[-1]: chunk.citation for chunk in reversed(chunks) if chunk.section_path}["Code"] == (
        "notes.org:23-27"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (": fixed\n:   more", "```\nfixed\n  more\n```"),
        ("a\n-----\nb", "a\n\\-----\nb"),
        ("a\n\n-----\n\nb", "a\n\n***\n\nb"),
        ("#+begin_example\n,* not a heading\n#+end_example", "```\n* not a heading\n```"),
        ("#+begin_warning\nHot.\n#+end_warning", "**Warning**\n\nHot."),
        ("[[file:a.png]] [[*Part]] [[https://a.b]]", "![](a.png) Part <https://a.b>"),
        ("2*3*4, a_b_c, a/b/c, x^{2}", "2\\*3\\*4, a_b_c, a/b/c, x<sup>2</sup>"),
        ("text[fn::inside] \\alpha \\unknown", "text[^inline1] α \\\\unknown\n\n[^inline1]: – inside"),
        ('#+include: "x.org"\n', '`#+include: "x.org"`'),
        ("#+begin_src\nnever closed", "never closed"),
        ("******* deep", "**deep**"),
        ("- a\n\n  para\n\n\n- b", "- a\n\n  para\n- b"),
        ("SCHEDULED: <2024-01-01 Mon>\ntext", "SCHEDULED: <2024-01-01 Mon>\n\ntext"),
    ],
)
def test_markup(text: str, expected: str) -> None:
    assert read(f"{text}\n") == f"{expected}\n"


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"{' ' * n}- x\n" for n in range(400)),
        "#+begin_quote\n" * 10_000,
        "#+begin_quote\n" * 5_000 + "#+end_quote\n" * 5_000,
        ":A:\n" * 10_000 + ":END:\n" * 10_000,
        "[[" * 40_000,
        "*a " * 30_000,
        "=a" * 30_000,
        "[fn:" * 20_000,
        "|" * 80_000,
        "| a\n|-\n" * 10_000,
        "- a ::\n" * 10_000,
        "\\a" * 40_000,
        "* " * 40_000,
        "{{{" * 30_000,
    ],
)
def test_odd_texts_are_read(text: str) -> None:
    read_soundly(f"{text[:100_000]}\n\ntext\n", "org")
