"""The scorer of documents of known truth sees what is wrong."""

from __future__ import annotations

import pytest
from bench.extraction.truth.model import Break, Document, Heading, Label, Paragraph, Table, TableRow, truth_of
from bench.extraction.truth.scoring import missed, score

TEXT = "The adverse lease limits the annual refund in every region that we serve, as (425) shows."
DOCUMENT = Document(
    "statement",
    [
        Heading("Report", 1, is_title=True),
        Heading("Balance", 2),
        Paragraph(TEXT),
        Break(),
        Table([[Label("Year", 2)], [Label("2024"), Label("2023")]], [
            TableRow("Assets:"),
            TableRow("Cash", ["$1,234", "(567)"]),
            TableRow("Debt", ["8,901", "12.5%"]),
        ]),
    ],
    head="Page one",
)  # fmt: skip
GOOD = f"""# Report

## Balance

{TEXT}

|  | Year 2024 | Year 2023 |
| --- | --- | --- |
| Assets: |  |  |
| Cash | $1,234 | (567) |
| Debt | 8,901 | 12.5% |
"""


def shares(markdown: str) -> dict[str, tuple[int, int]]:
    return {name: tuple(share) for name, share in score(truth_of(DOCUMENT), markdown).items()}  # type: ignore[misc]


def test_all_is_kept() -> None:
    assert missed([score(truth_of(DOCUMENT), GOOD)]) == []
    kept = {name: share[0] / share[1] for name, share in shares(GOOD).items() if share[1]}
    assert {name for name, value in kept.items() if not value} == {"false", "wordless", "furniture"}
    # The label above both columns is written above each.
    assert {name for name, value in kept.items() if 0 < value < 1} == {"mhs", "nid"}
    assert kept["nid"] > 0.98


@pytest.mark.parametrize(
    ("old", "new", "figure", "kept"),
    [
        ("Year 2024", "", "labels", 2),
        ("| $1,234 | (567) |", "| $1,234 (567) | |", "alone", 2),
        ("| Debt", "\n| | 2024 | 2023 |\n|---|---|---|\n| Debt", "one piece", 0),
        ("| Debt |", "| |", "rows", 3),
        ("| Assets: |  |  |\n", "", "rows", 4),
        ("## Balance", "# Balance", "headings", 2),
        ("## Balance", "Balance", "headings", 1),
        (TEXT, f"### False\n\n{TEXT}", "false", 1),
        ("(567)", "567", "numbers", 6),
        ("(425)", "425.", "numbers", 6),
        ("12.5%", "12.5 | %", "numbers", 6),
        ("annual refund", "annual |x| refund", "paragraphs", 0),
        (TEXT, f"{TEXT}\n\nPage one\n\nPage one 7\n\n8", "furniture", 3),
    ],
)
def test_losses_are_seen(old: str, new: str, figure: str, kept: int) -> None:
    assert old in GOOD
    assert shares(GOOD.replace(old, new))[figure][0] == kept
