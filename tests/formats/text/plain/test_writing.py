"""What of a plain text is code, a rule, or prose."""

from __future__ import annotations

import pytest
from tests.formats.sound import kinds, read_soundly

PROSE = "Some words that are long enough to be a paragraph of their own."


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


def test_line_of_dashes_is_a_rule_but_not_at_the_start() -> None:
    assert kinds(read_soundly("a\n\n-----\n\nb\n\n=======\n\nc\n", "text")) == [
        "paragraph", "rule", "paragraph", "rule", "paragraph",
    ]  # fmt: skip
    assert kinds(read_soundly("-----\n\nb\n", "text")) == ["paragraph", "paragraph"]
