"""Whole documents as they are chunked today: `tests/golden/fixtures`, one chunk per line in the JSON of the schema.

A difference is not always a fault, but it always needs a reason: whoever has an index must build it again. After a
change that is meant, write the files anew, read the difference and commit it with the change:

    CROSSHEAD_GOLDEN=write pytest tests/chunking/test_golden.py tests/e2e/test_examples.py

`tests/e2e/test_examples.py` does the same, in short, with the sample documents.
"""

from __future__ import annotations

import json
import os
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest

import crosshead
from crosshead import Chunks, Document
from crosshead.types import CHUNK_SCHEMA

TESTS = Path(__file__).parent.parent
FIXTURES = TESTS / "fixtures" / "markdown"
GOLDEN = TESTS / "golden" / "fixtures"
WRITE = os.environ.get("CROSSHEAD_GOLDEN") == "write"
LONGEST_DIFF = 60
"""Lines: what follows from the first difference is rarely worth reading."""

SNAPSHOTS: dict[str, tuple[Path, dict[str, Any]]] = {
    "claude": (FIXTURES / "claude.md", {}),
    "claude-120": (FIXTURES / "claude.md", {"max_tokens": 120}),
    "ru": (FIXTURES / "ru.md", {}),
    "ru-characters": (FIXTURES / "ru.md", {"max_tokens": 1000, "tokenizer": "characters"}),
    "api": (FIXTURES / "api.md", {}),
    "api-split": (FIXTURES / "api.md", {"max_tokens": 100, "oversize": "split"}),
    "page": (FIXTURES / "page.mdx", {"max_tokens": 150}),
}
DOCUMENTS = sorted({path for path, _ in SNAPSHOTS.values()})


def cut(path: Path, **options: Any) -> tuple[Document, Chunks]:
    document = crosshead.read(path, source=path.name)
    return document, crosshead.chunk(document, **options)


def errors(document: Document, chunks: Chunks) -> list[str]:
    return [each.message for each in crosshead.check(document, chunks).violations if each.severity == "error"]


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_chunks_are_those_of_the_snapshot(name: str) -> None:
    path, options = SNAPSHOTS[name]
    found = [json.loads(json.dumps(chunk.to_json())) for chunk in cut(path, **options)[1]]
    golden = GOLDEN / f"{name}.jsonl"
    if WRITE:
        golden.write_text("".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in found), encoding="utf-8")
    expected = [json.loads(line) for line in golden.read_text(encoding="utf-8").splitlines()]
    if found != expected:
        pytest.fail(f"the chunks of {path.name} have changed\n{_difference(expected, found)}", pytrace=False)


def _difference(expected: list[dict[str, Any]], found: list[dict[str, Any]]) -> str:
    lines = list(unified_diff(_show(expected), _show(found), "snapshot", "now", n=3, lineterm=""))
    more = [f"... and {len(lines) - LONGEST_DIFF} lines more"] if len(lines) > LONGEST_DIFF else []
    return "\n".join([*lines[:LONGEST_DIFF], *more])


def _show(chunks: list[dict[str, Any]]) -> list[str]:
    """A chunk as lines that people can compare: where it is, what it says, then every other field."""
    shown = []
    for chunk in chunks:
        lines = f"{chunk['start_line']}-{chunk['end_line']}"
        shown.append(f"== chunk {chunk['index']}: lines {lines}, {chunk['breadcrumb']}, {chunk['token_count']} tokens")
        shown += [f"   | {line}" for line in chunk["content"].split("\n")]
        shown += [f"   {name}: {value!r}" for name, value in chunk.items() if name != "content"]
    return shown


def test_difference_shows_what_moved() -> None:
    path, options = SNAPSHOTS["claude"]
    chunks = [chunk.to_json() for chunk in cut(path, **options)[1]]
    moved = [{**chunks[0], "end_line": 5}, *chunks[1:]]
    shown = _difference(chunks, moved)
    assert "-   end_line: " in shown
    assert "+   end_line: 5" in shown
    assert len(shown.splitlines()) < LONGEST_DIFF


def test_every_snapshot_belongs_to_a_document() -> None:
    assert {path.stem for path in GOLDEN.glob("*.jsonl")} == set(SNAPSHOTS)


def test_snapshots_name_their_schema() -> None:
    for path in GOLDEN.glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert json.loads(line)["schema"] == CHUNK_SCHEMA


@pytest.mark.parametrize("tokenizer", ["cl100k_base", "o200k_base", "estimate", "characters"])
@pytest.mark.parametrize("oversize", ["keep", "split"])
@pytest.mark.parametrize("max_tokens", [50, 200, 1000])
@pytest.mark.parametrize("path", DOCUMENTS, ids=[path.name for path in DOCUMENTS])
def test_every_document_size_and_tokenizer_passes_the_check(
    path: Path, max_tokens: int, oversize: str, tokenizer: str
) -> None:
    assert errors(*cut(path, max_tokens=max_tokens, oversize=oversize, tokenizer=tokenizer)) == []


# ---------------------------------------------------------------------- an instruction file


def test_section_of_an_instruction_file_is_found_whole() -> None:
    """Who asks for the critical rules gets all of them, with the path, and nothing from elsewhere."""
    document, chunks = cut(FIXTURES / "claude.md", max_tokens=300)
    [rules] = [chunk for chunk in chunks if "Critical Rules" in chunk.inner_headings]
    section = next(each for each in document.root.children[0].children if each.title == "Critical Rules")
    assert section.end <= rules.end
    assert document.text[section.start : section.end] in rules.content
    assert rules.section_path[0] == "CLAUDE.md"


def test_chunks_of_an_instruction_file_align_with_its_sections() -> None:
    document, chunks = cut(FIXTURES / "claude.md")
    headings = {block.start for block in document.blocks if block.kind == "heading"}
    inside = [chunk.start_line for chunk in chunks if chunk.start not in headings]
    assert inside == []
    assert all(chunk.section_path for chunk in chunks)


# ---------------------------------------------------------------------- a long document in Russian


RUSSIAN = FIXTURES / "ru.md"
RUSSIAN_TEXT = RUSSIAN.read_text(encoding="utf-8")
SECTIONS = [line.lstrip("# ") for line in RUSSIAN_TEXT.splitlines() if line.startswith("#") and "make " not in line]
"""Titles of all sections; the document has no other line that begins with a hash."""
BUDGET = {"max_tokens": 1000, "tokenizer": "characters"}


def test_russian_document_is_covered_at_1000_characters() -> None:
    document, chunks = cut(RUSSIAN, **BUDGET)
    report = crosshead.check(document, chunks)
    assert document.text.count("\n") >= 240
    assert (report.coverage, report.line_recall, report.ok) == (1.0, 1.0, True)
    assert max(chunk.token_count for chunk in chunks) <= 1000


@pytest.mark.parametrize("title", SECTIONS)
def test_no_heading_of_the_criteria_document_dangles(title: str) -> None:
    _, chunks = cut(RUSSIAN, **BUDGET)
    [holder] = [chunk for chunk in chunks if title in chunk.inner_headings]
    lines = holder.content.splitlines()
    [at] = [number for number, line in enumerate(lines) if line.lstrip("#") != line and line.endswith(f" {title}")]
    text_below = [line for line in lines[at + 1 :] if line.strip() and not line.startswith("#")]
    assert text_below, f"nothing but headings follows {title!r} in its chunk"


@pytest.mark.parametrize("title", SECTIONS)
def test_section_of_the_criteria_document_is_whole_if_it_fits(title: str) -> None:
    document, chunks = cut(RUSSIAN, **BUDGET)
    pending = [document.root]
    section = None
    while section is None:
        candidate = pending.pop()
        pending += candidate.children
        section = candidate if candidate.title == title else None
    cuts = [chunk.start for chunk in chunks if section.start < chunk.start < section.end]
    assert not cuts or section.end - section.start > 1000
