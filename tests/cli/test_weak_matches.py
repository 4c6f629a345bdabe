"""Hits end after the last good one, and passages say if nothing answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from typer.testing import Result

from crosshead.index import Index
from crosshead.types import Hit

Run = Callable[..., Result]

EXAMPLES = Path(__file__).parents[2] / "examples/docs"
QUESTION = "how do I rotate keys"
NO_ANSWER = "stratospheric ballooning for beginners"


@pytest.fixture
def indexed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    """An index of the examples with the static table, in the working folder."""
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))
    assert run("index", str(EXAMPLES)).exit_code == 0
    return Index(create=False)


def ranks(result: Result) -> list[int]:
    return [int(rank) for rank in re.findall(r"^ *(\d+)  \S", result.stdout, re.MULTILINE)]


def citations(hits: Sequence[Hit]) -> list[str]:
    """What was found: scores of the first search of an index may differ from later ones in the eighth digit."""
    return [hit.citation for hit in hits]


def test_weaker_matches_are_folded(run: Run, indexed: Index) -> None:
    hits = indexed.search(QUESTION)
    good = sum(not hit.is_weak for hit in hits)
    assert 1 < good < len(hits) - 1
    found = run("search", QUESTION)
    assert ranks(found) == [*range(1, good + 1)]
    assert found.stderr == f"note: {len(hits) - good} weaker matches: --all\n"
    everything = run("search", QUESTION, "--all")
    assert ranks(everything) == [*range(1, len(hits) + 1)]
    assert everything.stderr == ""


def test_the_limit_counts_weaker_matches_as_well(run: Run, indexed: Index) -> None:
    hits = indexed.search(QUESTION)
    good = sum(not hit.is_weak for hit in hits)
    assert run("search", QUESTION, "-k", str(good)).stderr == ""
    assert run("search", QUESTION, "-k", str(good + 1)).stderr == "note: 1 weaker match: --all\n"


def test_the_nearest_weak_matches_are_shown_if_there_is_no_other(run: Run, indexed: Index) -> None:
    found = run("search", NO_ANSWER)
    assert ranks(found) == [1, 2, 3]
    assert found.stderr == "note: no good match; the closest are:\nnote: 7 weaker matches: --all\n"
    assert found.exit_code == 0
    assert run("search", NO_ANSWER, "-k", "2").stderr == "note: no good match; the closest are:\n"
    assert len(ranks(run("search", NO_ANSWER, "--all"))) == 10


def test_programs_get_all_hits(run: Run, indexed: Index) -> None:
    for more in ((), ("--all",)):
        hits = [json.loads(line) for line in run("search", QUESTION, "--json", *more).stdout.splitlines()]
        assert [hit["is_weak"] for hit in hits] == [hit.is_weak for hit in indexed.search(QUESTION)]


def test_a_folded_match_can_be_shown_by_its_number(run: Run, indexed: Index) -> None:
    hits = indexed.search(QUESTION)
    assert hits[-1].is_weak
    run("search", QUESTION)
    assert hits[-1].content.splitlines()[-1] in run("show", str(len(hits))).stdout


def test_passages_say_if_nothing_answers(run: Run, indexed: Index) -> None:
    nothing = run("search", NO_ANSWER, "--passages")
    assert (nothing.stdout, nothing.exit_code) == ("", 1)
    assert nothing.stderr == "note: no good match; --all returns weak ones\n"
    assert run("search", NO_ANSWER, "--passages", "--all").stdout.startswith("[1] ")
    assert run("search", NO_ANSWER, "--passages", "--json").stdout == ""
    small = run("search", QUESTION, "--passages", "--budget", "1")
    assert small.stderr == "note: nothing found that fits the budget\n"


def test_passages_of_an_answer_may_have_weak_ones_after_it(indexed: Index) -> None:
    passages = indexed.passages(QUESTION)
    assert [each.content for each in passages] == [each.content for each in indexed.passages(QUESTION, all=True)]
    assert not passages[0].is_weak
    assert any(each.is_weak for each in passages)


def test_python_returns_all_hits_unless_told_otherwise(indexed: Index) -> None:
    hits = indexed.search(QUESTION)
    assert citations(indexed.search(QUESTION, all=True)) == citations(hits)
    assert citations(indexed.search(QUESTION, all=False)) == citations([hit for hit in hits if not hit.is_weak])
    assert indexed.search(NO_ANSWER, all=False) == indexed.passages(NO_ANSWER) == []
    assert indexed.passages(NO_ANSWER, all=True)
    assert indexed.why_nothing(NO_ANSWER) == "no good match; all=True returns weak ones"
    assert indexed.why_nothing(NO_ANSWER, source="nowhere/*").startswith("no document has a source like")
    assert indexed.why_nothing(QUESTION, budget_tokens=1) == ""


def test_nothing_is_folded_if_no_match_is_called_weak(indexed: Index) -> None:
    assert len(indexed.search(NO_ANSWER, all=False, weak_score=0.0)) == 10
    assert indexed.passages(NO_ANSWER, weak_score=0.0)
