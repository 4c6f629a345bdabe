"""Measured figures -> Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from crosshead.evaluate import Difference, Evaluation, compare

FIGURES = ("mrr@10", "recall@500", "recall@1000", "recall@2000")
KINDS = ("paraphrase", "heading-dependent")
KIND_FIGURE = "hit@5"
COMPARED = ("mrr@10", "hit@5", "recall@500", "recall@1000", "recall@2000")
NOTHING = "-"

Results = dict[str, dict[str, Evaluation]]
"""By the titles of engines, then by the names of sets."""


class Judged(NamedTuple):
    """A question and what an engine thinks of its own first hit."""

    group: str
    """Is it answered by the documents, and was that found?"""
    is_weak: bool


def print_figures(results: Results) -> None:
    """Every set, then the mean over sets."""
    names = [*next(iter(results.values()))]
    for name in names:
        questions = _count(next(iter(results.values()))[name])
        _print_rows(f"{name}, {questions}", {title: _row(by_set[name]) for title, by_set in results.items()})
    if len(names) > 1:
        means = {title: _mean([_row(each) for each in by_set.values()]) for title, by_set in results.items()}
        _print_rows(f"Mean over {len(names)} sets", means)


def print_differences(results: Results, base: str) -> None:
    """The base minus each other engine, over the questions of all sets."""
    joined = {title: _join(by_set.values()) for title, by_set in results.items()}
    count = len(joined[base].questions)
    print(f"\n{base} minus each other, {count} questions of all sets, with 95 % intervals; * where 0 lies outside\n")
    print(_line("engine", *COMPARED))
    print(_rule(COMPARED))
    for title, evaluation in joined.items():
        if title != base:
            differences = compare(joined[base], evaluation)
            print(_line(title, *(_difference(differences.get(name)) for name in COMPARED)))


def print_weak(judged: Mapping[str, Sequence[Judged]], title: str) -> None:
    """How often the first hit is called weak, by whether there is an answer and it was among the first ten."""
    groups = ("unanswerable", "found", "not found")
    print(f"\nFirst hit weak: {title}; found means within ten hits\n")
    print(_line("set", "no answer", "answer found", "answer not found"))
    print(_rule(groups))
    every = {**judged, "all": [each for some in judged.values() for each in some]} if len(judged) > 1 else judged
    for name, some in every.items():
        print(_line(name, *(_share([each.is_weak for each in some if each.group == group]) for group in groups)))


def _row(evaluation: Evaluation) -> dict[str, float]:
    means, kinds = evaluation.means, evaluation.kinds
    row = {name: means[name] for name in FIGURES if name in means}
    for kind in KINDS:
        if kind in kinds and KIND_FIGURE in kinds[kind].means:
            row[kind] = kinds[kind].means[KIND_FIGURE]
    return row


def _count(evaluation: Evaluation) -> str:
    kinds = [question.kind for question in evaluation.questions]
    return f"{len(kinds)} questions, {', '.join(f'{kinds.count(kind)} {kind}' for kind in KINDS)}"


def _mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Of what every set has."""
    names = [name for name in rows[0] if all(name in row for row in rows)]
    return {name: fmean(row[name] for row in rows) for name in names}


def _print_rows(title: str, rows: Mapping[str, Mapping[str, float]]) -> None:
    columns = (*FIGURES, *KINDS)
    print(f"\n{title}\n")
    print(_line("engine", *FIGURES, *(f"{KIND_FIGURE} {kind}" for kind in KINDS)))
    print(_rule(columns))
    for engine, row in rows.items():
        print(_line(engine, *(f"{row[name]:.3f}" if name in row else NOTHING for name in columns)))


def _join(evaluations: Iterable[Evaluation]) -> Evaluation:
    several = [*evaluations]
    return Evaluation(
        tuple(question for each in several for question in each.questions),
        tuple(figures for each in several for figures in each.figures),
    )


def _difference(difference: Difference | None) -> str:
    if difference is None:
        return NOTHING
    mean, low, high = difference
    return f"{mean:+.3f} ({low:+.3f} to {high:+.3f}){' *' if difference.is_clear else ''}"


def _share(judged: Sequence[bool]) -> str:
    return f"{100 * fmean(judged):.0f} % of {len(judged)}" if judged else NOTHING


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(columns: Sequence[str]) -> str:
    return "|" + "---|" * (len(columns) + 1)
