"""The rules that run on everything that is stored."""

from __future__ import annotations

from typing import Any

import pytest
from tests.checking.cutting import NO_OVERLAP, cut, with_change

import crosshead
from crosshead.checking import check_stored, source
from crosshead.options import ChunkOptions
from crosshead.pipeline import parse_document
from crosshead.tokens import ExactCounter

TEXT = "# A\n\nSome text.\n\n## B\n\nMore text.\n"


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"content": "Other text."}, "slice"),
        ({"start": 3}, "slice"),
        ({"start_line": 2}, "slice"),
        ({"content_hash": "x"}, "slice"),
        ({"index": 7}, "order"),
        ({"start": 0, "content": TEXT.strip()}, "order"),
        ({"id": "x"}, "ids"),
        ({"source": "other.md"}, "ids"),
        ({"token_count": 0}, "budget"),
        ({"token_count": 401}, "budget"),
        ({"oversize_reason": "code"}, "budget"),
    ],
)
def test_broken_chunk_is_found(changes: dict[str, Any], rule: str) -> None:
    document, chunks = cut(TEXT, "## B")
    assert list(check_stored(document, chunks, NO_OVERLAP)) == []
    found = check_stored(document, with_change(chunks, 1, **changes), NO_OVERLAP)
    assert rule in {each.rule for each in found}


def test_lost_text_is_found() -> None:
    document, chunks = cut(TEXT, "## B")
    assert "coverage" in {each.rule for each in check_stored(document, chunks[1:], NO_OVERLAP)}


@pytest.mark.parametrize("front_matter", ["metadata", "include", "strip"])
@pytest.mark.parametrize("head", ["---\ntitle: T\n---\n\n", "---\ntitle: [\n---\n\n", ""])
def test_front_matter_is_text_only_where_it_is_asked_for(head: str, front_matter: Any) -> None:
    document = parse_document(head + TEXT)
    chunks = crosshead.chunk(document, front_matter=front_matter)
    assert list(check_stored(document, chunks, chunks.options)) == []
    if document.front_matter:
        other = ChunkOptions(front_matter="strip" if front_matter == "include" else "include")
        assert "coverage" in {each.rule for each in check_stored(document, chunks, other)}


def test_nothing_is_parsed_or_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    document = parse_document(TEXT * 20)
    chunks = crosshead.chunk(document)
    monkeypatch.delattr(source, "parse_blocks")
    monkeypatch.delattr(ExactCounter, "__call__")
    assert list(check_stored(document, chunks, chunks.options)) == []
