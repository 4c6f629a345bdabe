"""Headings count by their level, and as a tree with the text below them."""

from __future__ import annotations

import pytest
from bench.extraction.truth.headings import score_headings
from bench.extraction.truth.model import Contents, Document, Heading, Paragraph, truth_of
from bench.extraction.truth.share import Score

HEADINGS = [Heading("PART I", 2), Heading("Item 1. Business", 3), Heading("Risks", 4)]
TRUTH = truth_of(
    Document(
        "report",
        [
            Heading("Report", 1, is_title=True),
            Contents("Table of Contents", HEADINGS, [3, 5, 7]),
            HEADINGS[0],
            HEADINGS[1],
            Paragraph("We build valves."),
            HEADINGS[2],
            Paragraph("Demand may fall."),
        ],
    )
)
GOOD = """# Report

## Table of Contents

PART I 3

Item 1. Business 5

Risks 7

## PART I

### Item 1. Business

We build valves.

#### Risks

Demand may fall.
"""


def scored(markdown: str) -> Score:
    return score_headings(TRUTH, markdown)


def test_all_is_right_and_a_title_of_contents_may_be_a_heading() -> None:
    for text in (GOOD, GOOD.replace("## Table", "Table")):
        values = {name: share.value for name, share in scored(text).items()}
        assert values == {**dict.fromkeys(("level", "headings", "f1", "mhs", "mhs shape"), 1.0), "false": 0.0}


@pytest.mark.parametrize(
    ("old", "new", "worse"),
    [
        ("### Item", "# Item", {"level", "f1", "mhs", "mhs shape"}),
        ("#### Risks", "Risks", {"level", "headings", "f1", "mhs", "mhs shape"}),
        ("We build valves.", "### We build valves.", {"false", "f1", "mhs", "mhs shape"}),
        ("We build valves.", "We sell pumps.", {"mhs"}),
        ("## PART I\n", "## PART\n", {"level", "headings", "f1", "false", "mhs"}),
    ],
)
def test_losses_are_seen(old: str, new: str, worse: set[str]) -> None:
    before, after = scored(GOOD), scored(GOOD.replace(old, new))
    assert {name for name in before if before[name].value != after[name].value} == worse


def test_f1_counts_right_ones_on_both_sides() -> None:
    assert scored(GOOD.replace("### Item", "# Item"))["f1"] == (6, 8)


def test_a_shift_of_all_levels_is_no_error() -> None:
    shifted = GOOD.replace("## ", "### ")
    assert scored(shifted)["level"].value == 1
