"""Do sections that hits link to help a reader? Linked sections as a part of the context, against more hits.

usage: python -m bench.linking.context [--sets NAME,...] [--extra NAME=QUESTIONS.jsonl:FOLDER ...] [--embedder NAME]
                                       [--budget N]

Asks the questions whose answer is in several parts of the documents. Every way fills the same budget of tokens:

    passages    passages as Crosshead composes them
    out 25 %    passages for three quarters, then sections that the sections of the first three link to
    both 25 %   likewise, and sections that link to them
    links left  passages for all of it, and linked sections where tokens are left

Prints the share of the required lines that a reader sees, and the difference from passages with its interval of 95 %.
"""

from __future__ import annotations

import argparse
import logging
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean

from bench.retrieval import question_sets
from bench.retrieval.evidence import load_set

from crosshead import Index
from crosshead.evaluation import Question
from crosshead.evaluation.questions import Evidence
from crosshead.types import Passage

logging.disable(logging.WARNING)  # notes about odd documents

FIRST = 3
"""Passages whose links are followed."""
SHARE = 0.25
"""Of the budget, for linked sections."""
SAMPLES = 2_000

Way = Callable[[Index, str, int], list[Passage]]


def plain(index: Index, question: str, budget: int) -> list[Passage]:
    return [*index.passages(question, budget_tokens=budget, all=True)]


def reserved(index: Index, question: str, budget: int, *, both: bool) -> list[Passage]:
    passages = plain(index, question, int(budget * (1 - SHARE)))
    return [*passages, *linked(index, passages, budget, both=both)]


def left(index: Index, question: str, budget: int) -> list[Passage]:
    passages = plain(index, question, budget)
    return [*passages, *linked(index, passages, budget, both=False)]


def linked(index: Index, passages: Sequence[Passage], budget: int, *, both: bool) -> Iterator[Passage]:
    """Yield sections at the other end of links, as long as they fit."""
    rest = budget - sum(each.token_count for each in passages)
    seen = {each.section_id for each in passages}
    for passage in passages[:FIRST]:
        found = index.links(passage.section_id)
        ends = [each.to_section_id for each in found.out] if found else []
        ends += [each.section_id for each in found.into] if found and both else []
        for id in dict.fromkeys(ends):
            section = index.section(id) if id and id not in seen else None
            seen.add(id)
            if section and section.token_count <= rest:
                rest -= section.token_count
                yield section


WAYS: Mapping[str, Way] = {
    "passages": plain,
    "out 25 %": lambda index, question, budget: reserved(index, question, budget, both=False),
    "both 25 %": lambda index, question, budget: reserved(index, question, budget, both=True),
    "links left": left,
}


def recall(question: Question, passages: Sequence[Passage]) -> float:
    """The share of the required lines that are in the passages."""
    return fmean(max(_seen(item, passages) for item in group) for group in question.required)


def _seen(item: Evidence, passages: Sequence[Passage]) -> float:
    lines = {
        line
        for each in passages
        if each.source == item.file
        for line in range(max(each.start_line, item.start_line), min(each.end_line, item.end_line) + 1)
    }
    return len(lines) / item.line_count


def interval(differences: Sequence[float]) -> tuple[float, float]:
    """The middle 95 % of the means of samples."""
    chance = random.Random(1)
    means = sorted(fmean(chance.choices(differences, k=len(differences))) for _ in range(SAMPLES))
    return means[int(0.025 * SAMPLES)], means[int(0.975 * SAMPLES)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(question_sets.set_names()))
    parser.add_argument("--extra", nargs="*", default=[], type=question_sets.asked_by)
    parser.add_argument("--embedder", default="static")
    parser.add_argument("--budget", type=int, default=2_000)
    arguments = parser.parse_args()

    figures: dict[str, list[float]] = {way: [] for way in WAYS}
    added = 0
    for name, questions, folder in (*question_sets.fetched(arguments.sets.split(",")), *arguments.extra):
        asked, _ = load_set(name, questions, folder)
        several = [each for each in asked.answerable if len(each.required) > 1]
        if not several:
            continue
        root = asked.collection.root
        with (
            tempfile.TemporaryDirectory() as scratch,
            Index(f"{scratch}/index", root=root, embedder=arguments.embedder) as index,
        ):
            index.add(asked.collection.folder)
            for question in several:
                for way, compose in WAYS.items():
                    passages = compose(index, question.text, arguments.budget)
                    figures[way].append(recall(question, passages))
                    added += way == "out 25 %" and len(passages) > len(plain(index, question.text, 1_500))
        print(f"  {name}: {len(several)} questions", flush=True)
    print(f"linked sections were added for {added} of {len(figures['passages'])} questions\n")
    print("| context | recall | difference |\n|---|--:|--:|")
    for way, values in figures.items():
        low, high = interval([one - other for one, other in zip(values, figures["passages"], strict=True)])
        change = fmean(values) - fmean(figures["passages"])
        print(f"| {way} | {fmean(values):.3f} | {change:+.3f} ({low:+.3f} to {high:+.3f}) |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
