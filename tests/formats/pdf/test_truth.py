"""A few documents of known truth, printed by a browser; bench/extraction/pdf_truth.py scores all of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.extraction.truth.plan import plan
from bench.extraction.truth.rendering import BROWSERS, find_program, render
from bench.extraction.truth.scoring import Score, missed, score

from crosshead import extract

NAMES = ("statements-1", "annual_report-4", "two_column_paper-4", "manual-3", "invoice-2", "letter-1")


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Score]:
    if not find_program(BROWSERS):
        pytest.skip("NOT TESTED: there is no browser; install chromium and run again")
    folder = tmp_path_factory.mktemp("truth")
    render([each for each in plan(seed=1) if each.name in NAMES], folder)
    return {name: _score(folder / f"{name}.pdf") for name in NAMES}


def _score(path: Path) -> Score:
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return score(truth, extract(path.read_bytes(), "pdf"))


def test_what_the_source_says_is_kept(scores: dict[str, Score]) -> None:
    assert missed(scores.values()) == []


@pytest.mark.parametrize("name", NAMES)
def test_paragraphs_stay_whole_and_in_order(scores: dict[str, Score], name: str) -> None:
    kept, count = scores[name]["order"]
    assert kept == count


def test_few_headings_are_false(scores: dict[str, Score]) -> None:
    false = sum(each["false"].kept for each in scores.values())
    assert false <= 0.05 * sum(each["false"].total for each in scores.values())
