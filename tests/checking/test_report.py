from __future__ import annotations

from dataclasses import replace

import pytest
from tests.checking.cutting import broken_rules, check, cut, faults, with_change

from crosshead.checking import check_chunks
from crosshead.options import ChunkOptions
from crosshead.pipeline import parse_document

TEXT = "# A\n\n```\none\ntwo\n```\n\n## B\n\ntext\n"


def test_report_of_good_chunks() -> None:
    document, chunks = cut(TEXT, "## B")
    report = check(document, chunks)
    assert report.ok
    assert (report.source, report.coverage, report.line_recall, report.violations) == ("guide.md", 1.0, 1.0, ())


def test_every_message_is_one_line_that_names_its_place() -> None:
    document, chunks = cut(TEXT, "one", "## B", "text")
    mixed_up = with_change([chunks[0], *chunks[2:]], 0, id="x", token_count=0, section_path=("A\nB",))
    violations = check(document, mixed_up).violations
    assert len({each.rule for each in violations}) > 5
    assert all("\n" not in each.message and "lines" in each.message for each in violations)
    assert all(each.severity == "error" for each in violations)


def test_check_changes_nothing() -> None:
    """K5: what repairs while it checks can never fail."""
    document, chunks = cut(TEXT, "one", "## B")
    before = [replace(chunk) for chunk in chunks]
    check(document, chunks)
    assert chunks == before


def test_check_does_not_trust_the_blocks_of_the_document() -> None:
    document, chunks = cut(TEXT, "one")
    assert "atoms" in broken_rules(replace(document, blocks=()), chunks)


def test_fixed_windows_promise_less() -> None:
    options = ChunkOptions(strategy="fixed", overlap_tokens=0)
    document, chunks = cut(TEXT, "one", "text")
    loose = [replace(chunk, section_id="", parent_chunk_id=None, part=9, content_type="mixed") for chunk in chunks]
    assert broken_rules(document, loose) == {"atoms", "dangling_heading", "section_path", "links", "whole"}
    assert faults(document, loose, options) == []


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"content": "x"}, "slice"),
        ({"index": 3}, "order"),
        ({"token_count": 3}, "budget"),
        ({"oversize_reason": "code"}, "budget"),
        ({"section_path": ("B",)}, "section_path"),
        ({"id": "x"}, "ids"),
    ],
)
def test_fixed_windows_keep_what_they_promise(changes: dict[str, object], rule: str) -> None:
    options = ChunkOptions(strategy="fixed", overlap_tokens=0)
    document, chunks = cut(TEXT, "one", "text")
    assert rule in broken_rules(document, with_change(chunks, 1, **changes), options)


def test_syntax_follows_the_options() -> None:
    text = "text\n\n<Tabs\n  a='1'\n  b='2'\n/>\n"
    document, chunks = cut(text, "  b=")
    as_mdx = ChunkOptions(mdx=True, overlap_tokens=0)
    assert "atoms" not in broken_rules(document, chunks)
    assert "atoms" in broken_rules(document, chunks, as_mdx)
    assert "atoms" in broken_rules(*cut(parse_document(text, format="mdx"), "  b="))


def test_large_flat_document_costs_linear_time() -> None:
    """Thousands of sections, each a chunk: a quadratic rule would not come to an end."""
    text = "".join(f"# Section {number}\n\nText.\n\n" for number in range(2_000))
    document, chunks = cut(text, *(f"# Section {number}\n" for number in range(1, 2_000, 500)))
    assert check_chunks(document, chunks, ChunkOptions(max_tokens=100_000, overlap_tokens=0)).ok
