"""The cases of tests/cases/html, which need no Python.

A case is a heading, perhaps `options: name=value ...`, and two fences of six backticks: `html`, and the `markdown` that
it becomes. What crosshead sees in the Markdown must be what markdown-it-py sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.support.markdown_oracle import differences

import crosshead
from crosshead.formats.markup.html import read_html
from crosshead.options import ExtractOptions
from crosshead.pipeline import parse_document

FOLDER = Path(__file__).parents[3] / "cases" / "html"
CASE = re.compile(
    r"^## (?P<title>[^\n]+)\n+(?:options: (?P<options>[^\n]+)\n+)?"
    r"`{6} html\n(?P<html>.*?)^`{6}\n+`{6} markdown\n(?P<markdown>.*?)^`{6}$",
    re.M | re.S,
)


class Case(NamedTuple):
    name: str
    options: dict[str, Any]
    html: str
    markdown: str


def load_cases() -> Iterator[Case]:
    for path in sorted(FOLDER.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        found = list(CASE.finditer(text))
        assert len(found) == len(re.findall("^`{6} html$", text, re.M)), f"{path.name}: a case is not complete"
        for each in found:
            options = dict(option.split("=", 1) for option in (each["options"] or "").split())
            yield Case(f"{path.stem}: {each['title']}", options, each["html"], each["markdown"])


CASES = list(load_cases())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    assert read_html(case.html.encode(), ExtractOptions(**case.options)).text == case.markdown


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_markdown_of_a_case_is_read_as_by_markdown_it(case: Case) -> None:
    assert not differences(case.markdown)
    document = parse_document(case.markdown)
    assert crosshead.check(document, crosshead.chunk(document)).ok
