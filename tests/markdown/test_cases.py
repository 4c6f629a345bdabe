"""The cases of tests/cases/blocks; `tests/cases/README.md` explains them.

markdown-it-py must read them as they say, but for those with the option `markdown-it-differs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.markdown.places import assert_places
from tests.support.markdown_oracle import differences

from crosshead import Block, parse_blocks

FOLDER = Path(__file__).parent.parent / "cases" / "blocks"
CASE = re.compile(
    r"^## (?P<title>[^\n]+)\n+(?:options: (?P<options>[^\n]+)\n+)?"
    r"`{6} input\n(?P<input>.*?)^`{6}\n+`{6} blocks\n(?P<blocks>.*?)^`{6}$",
    re.M | re.S,
)
SYMBOLS = str.maketrans({"→": "\t", "␠": " ", "⍽": "\u00a0", "␌": "\f", "␍": "\r", "⏎": "\u2028"})
OPTIONS = {"mdx", "markdown-it-differs"}


class Case(NamedTuple):
    name: str
    options: frozenset[str]
    text: str
    blocks: str


def load_cases() -> Iterator[Case]:
    for path in sorted(FOLDER.glob("*.md")):
        for case in CASE.finditer(path.read_text("utf-8")):
            options = frozenset((case["options"] or "").split())
            yield Case(f"{path.stem}: {case['title']}", options, case["input"].translate(SYMBOLS), case["blocks"])


CASES = {case.name: case for case in load_cases()}


def describe(blocks: Sequence[Block], margin: str = "") -> Iterator[list[str]]:
    """The blocks as the words of the lines that a case has."""
    for block in blocks:
        kind = f"{block.kind}:" if block.items else block.kind
        level = str(block.level) if block.level else ""
        items = ", ".join(_lines(*item) for item in block.items)
        words = [margin + _lines(block.start_line, block.end_line), kind, level, block.title, block.lang, items]
        yield " ".join([*words, "" if block.closed else "unclosed"]).split()
        yield from describe(block.atoms, margin="+")


def _lines(first: int, last: int) -> str:
    return f"{first}-{last}" if last > first else f"{first}"


def expected(blocks: str) -> list[list[str]]:
    return [("+" if line[0] == " " else "").join(["", line.strip()]).split() for line in blocks.splitlines()]


def test_every_case_is_found_and_says_which_options_it_has() -> None:
    files = [path.read_text("utf-8") for path in FOLDER.glob("*.md")]
    assert len(CASES) == sum(text.count("\n`````` input\n") for text in files)
    assert len(CASES) >= 100
    assert {option for case in CASES.values() for option in case.options} == OPTIONS


@pytest.mark.parametrize("name", CASES)
def test_blocks_of_a_case(name: str) -> None:
    case = CASES[name]
    blocks = parse_blocks(case.text, mdx="mdx" in case.options)
    assert list(describe(blocks)) == expected(case.blocks)
    assert_places(case.text, blocks)


@pytest.mark.parametrize("name", [case.name for case in CASES.values() if "mdx" not in case.options])
def test_markdown_it_agrees_with_a_case(name: str) -> None:
    case = CASES[name]
    assert bool(differences(case.text)) is ("markdown-it-differs" in case.options)
