"""Cases as data: `tests/cases/chunks/*.md`, which anybody can read and edit; `tests/cases/README.md` explains them.

    CROSSHEAD_GOLDEN=write pytest tests/chunking/test_cases.py

writes what the chunker does now into the files. Read the difference before you commit it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import crosshead
from crosshead import Chunk, Document
from crosshead.pipeline import parse_document

FOLDER = Path(__file__).parent.parent / "cases" / "chunks"
WRITE = os.environ.get("CROSSHEAD_GOLDEN") == "write"

CASE = re.compile(
    r"^## (?P<title>[^\n]+)\n(?P<text>(?:(?!``````)[^\n]*\n)*?)`````` (?P<format>mdx?)\n(?P<input>.*?)^``````\n+"
    r"`````` chunks\n(?P<expected>.*?)^``````$",
    re.M | re.S,
)
OPTIONS = re.compile(r"^options: (.+)$", re.M)
FORMATS = {"md": "markdown", "mdx": "mdx"}


class Case(NamedTuple):
    path: Path
    title: str
    format: str
    options: dict[str, Any]
    text: str
    expected: str
    start: int
    """Where the expected chunks begin in the file."""

    @property
    def name(self) -> str:
        return f"{self.path.stem}: {self.title}"


def read_cases() -> Iterator[Case]:
    for path in sorted(FOLDER.glob("*.md")):
        source = path.read_text(encoding="utf-8")
        for found in CASE.finditer(source):
            given = OPTIONS.search(found["text"])
            yield Case(
                path, found["title"], FORMATS[found["format"]], _read_options(given[1] if given else ""),
                found["input"], found["expected"], found.start("expected"),
            )  # fmt: skip


def _read_options(line: str) -> dict[str, Any]:
    pairs = [pair.split("=") for pair in line.split(", ") if pair]
    return {name: int(value) if value.isdigit() else value for name, value in pairs}


def describe(document: Document, chunks: list[Chunk]) -> str:
    lines = []
    for chunk in chunks:
        facts = [
            chunk.content_type if chunk.content_type != "prose" else "",
            "complete" if chunk.is_complete_section else "",
            f"part {chunk.part + 1}/{chunk.parts}" if chunk.parts > 1 else "",
            f"oversize {chunk.oversize_reason}" if chunk.oversize_reason else "",
            "prefix" if chunk.prefix else "",
            "suffix" if chunk.suffix else "",
            f"overlap {_overlap_lines(chunks[chunk.index - 1], chunk)}" if chunk.overlap else "",
            "" if chunk.indexable else "not indexable",
        ]
        parts = [_lines(document.text, chunk), chunk.breadcrumb or "-", ", ".join(filter(None, facts))]
        lines.append(" | ".join(parts).rstrip(" |"))
    return "".join(f"{line}\n" for line in lines)


def _lines(text: str, chunk: Chunk) -> str:
    """Return the lines of a chunk, with columns where it begins or ends inside a line."""
    first = chunk.start - text.rfind("\n", 0, chunk.start)
    last = chunk.end - text.rfind("\n", 0, chunk.end) - 1
    ends_inside = text[chunk.end : chunk.end + 1].strip("\n") and text[chunk.end : text.find("\n", chunk.end)].strip()
    start = f"{chunk.start_line}:{first}" if first > 1 else f"{chunk.start_line}"
    return f"{start}-{chunk.end_line}" + (f":{last}" if ends_inside else "")


def _overlap_lines(previous: Chunk, chunk: Chunk) -> str:
    return f"{previous.end_line - chunk.overlap.count(chr(10))}-{previous.end_line}"


CASES = list(read_cases())


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(case: Case) -> None:
    document = parse_document(case.text, format=case.format)
    chunks = crosshead.chunk(document, **{"overlap_tokens": 0, **case.options})
    found = describe(document, chunks)
    if WRITE and found != case.expected:
        _write(case, found)
    else:
        assert found.splitlines() == case.expected.splitlines()
    violations = crosshead.check(document, chunks).violations
    assert [each.message for each in violations if each.severity == "error"] == []


def _write(case: Case, found: str) -> None:
    source = case.path.read_text(encoding="utf-8")
    now = next(each for each in read_cases() if (each.path, each.title) == (case.path, case.title))
    source = source[: now.start] + found + source[now.start + len(now.expected) :]
    case.path.write_text(source, encoding="utf-8")


def test_every_case_is_read() -> None:
    """A case with a typo in its form would be skipped in silence."""
    sources = [path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")]
    assert len(CASES) == sum(source.count("\n`````` chunks\n") for source in sources) >= 30
    assert len({case.name for case in CASES}) == len(CASES)
