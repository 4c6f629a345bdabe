"""Amounts count where they are in their row, below their label and alone."""

from __future__ import annotations

import pytest
from bench.extraction.truth.amounts import is_wordless, score_amounts
from bench.extraction.truth.markdown import tables
from bench.extraction.truth.model import Document, Label, Table, TableRow, truth_of

FRENCH = Table(
    [[Label("Note"), Label("2024"), Label("%")]],
    [
        TableRow("Actifs:"),
        TableRow("Stocks", ["4", "1\u202f234\u202f567", "12,5\u202f%"], marks=["", "2"]),
        TableRow("Dettes", ["4", "(89\u202f012)", "7,1\u202f%"], marks=["", "(a)"]),
    ],
)
TRUTH = truth_of(Document("report", [FRENCH]))
GOOD = """
|  | Note | 2024 | % |
|---|---|---|---|
| Actifs: | | | |
| Stocks | 4 | 1 234 567 2 | 12,5 % |
| Dettes | 4 | (89 012) (a) | 7,1 % |
"""


def kept(markdown: str) -> dict[str, float]:
    scores = score_amounts(TRUTH["tables"], TRUTH["text"], tables(markdown))
    return {name: share.kept for name, share in scores.items()}


def test_all_is_kept() -> None:
    scores = score_amounts(TRUTH["tables"], TRUTH["text"], tables(GOOD))
    assert {name: share.value for name, share in scores.items()} == {
        "labels": 1, "below": 1, "alone": 1, "one piece": 1, "rows": 1, "wordless": 0,
    }  # fmt: skip


def test_amounts_that_the_document_shows_twice_do_not_count() -> None:
    assert score_amounts(TRUTH["tables"], TRUTH["text"], tables(GOOD))["alone"].total == 4


@pytest.mark.parametrize(
    ("old", "new", "figure", "lost"),
    [
        ("1 234 567 2", "1 234 5672", "alone", 1),
        ("1 234 567 2", "1 234 567 89", "alone", 1),
        ("(89 012) (a)", "89 012 (a)", "alone", 1),
        ("| Stocks | 4 |", "| | Stocks 4 |", "alone", 0),
        ("| Dettes |", "| Stocks |", "rows", 2),
        ("| Actifs: | | | |\n", "", "rows", 1),
        ("| 2024 | % |", "| % | 2024 |", "labels", 4),
        ("| 2024 | % |\n|---|---|---|---|\n", "| | |\n|---|---|---|---|\n| | | 2024 | % |\n", "labels", 4),
        ("| 2024 | % |\n|---|---|---|---|\n", "| | |\n|---|---|---|---|\n| | | 2024 | % |\n", "below", 0),
    ],
)
def test_losses_are_seen(old: str, new: str, figure: str, lost: int) -> None:
    assert old in GOOD
    assert kept(GOOD)[figure] - kept(GOOD.replace(old, new))[figure] == lost


def test_a_table_needs_words_below_its_header() -> None:
    assert is_wordless([["Year", "2024"], ["", "12"], ["—", "(3)"]])
    assert not is_wordless([["", "2024"], ["Cash", "12"]])
