from __future__ import annotations

import pytest
from tests.checking.cutting import check, cut, faults, warnings

from crosshead.options import ChunkOptions, FrontMatterMode


def test_unclosed_fence_is_reported_once() -> None:
    document, chunks = cut("text\n\n~~~py\n```\na\n```\n")
    report = check(document, chunks)
    assert report.ok
    assert [(each.rule, each.start_line, each.severity) for each in report.violations] == [
        ("unclosed_fence", 3, "warning")
    ]


@pytest.mark.parametrize("mode", ["metadata", "include", "strip"])
def test_malformed_front_matter_is_text_and_reported(mode: FrontMatterMode) -> None:
    options = ChunkOptions(front_matter=mode, overlap_tokens=0)
    document, chunks = cut("---\ntitle: [unclosed\n---\n\ntext\n", options=options)
    assert chunks[0].start == 0
    assert faults(document, chunks, options) == []
    assert warnings(document, chunks, options) == ["front_matter"]


@pytest.mark.parametrize("source", ["title: A", "# only a comment"])
def test_well_formed_front_matter_is_not_reported(source: str) -> None:
    document, chunks = cut(f"---\n{source}\n---\n\ntext\n")
    assert [chunk.content for chunk in chunks] == ["text"]
    assert check(document, chunks).violations == ()


def test_included_front_matter_is_text() -> None:
    options = ChunkOptions(front_matter="include", overlap_tokens=0)
    document, chunks = cut("---\ntitle: A\n---\n\ntext\n", options=options)
    assert check(document, chunks, options).violations == ()
    assert check(document, cut(document)[1], options).coverage < 1.0
