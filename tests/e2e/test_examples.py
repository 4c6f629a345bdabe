"""The sample documents, whole: every guarantee at every budget, and snapshots of the chunks.

A snapshot that changed on purpose is written anew with CROSSHEAD_GOLDEN=write.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import crosshead

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests/golden"
DOCUMENTS = sorted(path for path in (ROOT / "examples/docs").rglob("*") if path.is_file())
SHOWN = ("citation", "breadcrumb", "token_count", "content_type", "part", "parts", "oversize_reason", "id")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
@pytest.mark.parametrize("max_tokens", [16, 64, 200, 400, 1000, 4000])
@pytest.mark.parametrize("oversize", ["keep", "split"])
@pytest.mark.parametrize("tokenizer", ["cl100k_base", "o200k_base", "characters"])
def test_guarantees_hold(path: Path, max_tokens: int, oversize: str, tokenizer: str) -> None:
    document = crosshead.read(path)
    chunks = crosshead.chunk(document, max_tokens=max_tokens, oversize=oversize, tokenizer=tokenizer)
    report = crosshead.check(document, chunks)
    assert [each for each in report.violations if each.severity == "error"] == []
    assert report.coverage == 1.0


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_chunks_equal_the_snapshot(path: Path) -> None:
    source = path.relative_to(ROOT).as_posix()
    chunks = crosshead.chunk(crosshead.read(path, source=source))
    lines = [json.dumps({name: chunk.to_json()[name] for name in SHOWN}, ensure_ascii=False) for chunk in chunks]
    golden = GOLDEN / f"{path.stem}.jsonl"
    if os.environ.get("CROSSHEAD_GOLDEN") == "write":
        golden.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert lines == golden.read_text(encoding="utf-8").splitlines()


def test_section_that_fits_is_whole_in_one_chunk() -> None:
    document = crosshead.read(ROOT / "examples/docs/CLAUDE.md")
    (rules,) = [each for top in document.root.children for each in top.children if each.title == "Critical Rules"]
    holders = [chunk for chunk in crosshead.chunk(document) if "## Critical Rules" in chunk.content]
    assert [document.text[rules.start : rules.end] in chunk.content for chunk in holders] == [True]
