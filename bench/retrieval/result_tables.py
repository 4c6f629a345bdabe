"""Measured figures -> Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import hypot
from statistics import fmean
from typing import NamedTuple

from crosshead.evaluation import Difference, Evaluation, compare

FIGURES = ("mrr@10", "recall@500", "recall@1000", "recall@2000", "recall@4000")
KINDS = ("paraphrase", "heading-dependent")
KIND_FIGURE = "hit@5"
RANKED = FIGURES[0]
COMPARED = ("mrr@10", "hit@5", *FIGURES[1:])
NOTHING = "-"

Results = dict[str, dict[str, Evaluation]]
"""By the titles of engines, then by the names of sets."""


class Figure(NamedTuple):
    """A mean and half of the interval around it."""

    mean: float
    margin: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.margin:.2f}"


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
    print("\n± is half of the 95 % interval (bootstrap over questions)")


def print_kinds(results: Results) -> None:
    """One figure of every set by the kinds of its questions."""
    for name, first in next(iter(results.values())).items():
        columns = [f"{kind} ({len(each.questions)})" for kind, each in first.kinds.items()]
        print(f"\n{name}: {RANKED} by kind\n")
        print(_line("engine", *columns))
        print(_rule(columns))
        for title, by_set in results.items():
            means = [each.means.get(RANKED) for each in by_set[name].kinds.values()]
            print(_line(title, *(NOTHING if mean is None else f"{mean:.3f}" for mean in means)))


def print_differences(results: Results, base: str) -> None:
    """The base minus each other engine, in every set and over the questions of all sets."""
    sets = results[base]
    for name in sets:
        _print_differences({title: by_set[name] for title, by_set in results.items()}, base, name)
    if len(sets) > 1:
        _print_differences({title: _join(by_set.values()) for title, by_set in results.items()}, base, "all sets")


def _print_differences(evaluations: Mapping[str, Evaluation], base: str, name: str) -> None:
    count = len(evaluations[base].questions)
    print(f"\n{base} minus each other, {count} questions of {name}, with 95 % intervals; * where 0 lies outside\n")
    print(_line("engine", *COMPARED))
    print(_rule(COMPARED))
    for title, evaluation in evaluations.items():
        if title != base:
            differences = compare(evaluations[base], evaluation)
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


def _row(evaluation: Evaluation) -> dict[str, Figure]:
    kinds = evaluation.kinds
    row = {name: figure for name, figure in _figures(evaluation).items() if name in FIGURES}
    for kind in KINDS:
        if kind in kinds and KIND_FIGURE in kinds[kind].means:
            row[kind] = _figures(kinds[kind])[KIND_FIGURE]
    return row


def _figures(evaluation: Evaluation) -> dict[str, Figure]:
    """The means with their margins: what lies between them and nothing found at all."""
    nothing = Evaluation(evaluation.questions, tuple(dict.fromkeys(each, 0.0) for each in evaluation.figures))
    differences = compare(evaluation, nothing)
    return {name: Figure(mean, (high - low) / 2) for name, (mean, low, high) in differences.items()}


def _count(evaluation: Evaluation) -> str:
    kinds = [question.kind for question in evaluation.questions]
    return f"{len(kinds)} questions, {', '.join(f'{kinds.count(kind)} {kind}' for kind in KINDS)}"


def _mean(rows: Sequence[Mapping[str, Figure]]) -> dict[str, Figure]:
    """Of what every set has; the questions of one set know nothing of those of another."""
    names = [name for name in rows[0] if all(name in row for row in rows)]
    return {
        name: Figure(fmean(row[name].mean for row in rows), hypot(*(row[name].margin for row in rows)) / len(rows))
        for name in names
    }


def _print_rows(title: str, rows: Mapping[str, Mapping[str, Figure]]) -> None:
    columns = (*FIGURES, *KINDS)
    print(f"\n{title}\n")
    print(_line("engine", *FIGURES, *(f"{KIND_FIGURE} {kind}" for kind in KINDS)))
    print(_rule(columns))
    for engine, row in rows.items():
        print(_line(engine, *(str(row[name]) if name in row else NOTHING for name in columns)))


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
