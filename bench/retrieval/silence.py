"""Does an index say that it has no answer, and how often wrongly?

usage: python -m bench.retrieval.silence [NAME ...] [--embedder NAME,...] [--part choose|report|all]
                                 [--false-alarms RATE] [--questions N]

Indexes the documents of each set, calibrates the index on itself, and asks the questions of the set. Prints Markdown
tables, with intervals of 95 %:

    false alarms    questions whose answer is among the first 10 hits, and whose first hit is weak: what is promised
    of missed       questions whose answer is not among them, and whose first hit is weak
    of both         all questions with an answer whose first hit is weak
    near, far       questions without an answer that are recognized: about a topic of the documents, and not

each with the calibration and with the fixed threshold of scores that an index without one has. In the rows of `never
tuned on`, nothing was chosen on any question of the sets. The default is the part of the questions to report, and all
questions of these sets. Vectors of models are kept in .cache/vectors.
"""

from __future__ import annotations

import argparse
import logging
import math
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from bench.lib.corpus import CACHE
from bench.retrieval import question_sets
from bench.retrieval.evidence import FAR, NEAR, Part, Set, load_set
from bench.retrieval.vectors import RememberingEmbedder, remembering

from crosshead import Index
from crosshead.embedding import get_embedder
from crosshead.evaluation import Question
from crosshead.index.calibrating import FALSE_ALARMS, QUESTIONS, calibrate_index
from crosshead.types import Hit

logging.disable(logging.WARNING)  # notes about odd documents

GROUPS = {
    "never tuned on, English": ("hatch", "borg", "postfix", "scrapy"),
    "never tuned on, German and Chinese": ("gimp", "maintainer"),
}
NEVER_TUNED_ON = frozenset(chain.from_iterable(GROUPS.values()))
FOUND = 10
"""Hits among which an answer counts as found."""
VECTORS = CACHE / "vectors"


class Asked(NamedTuple):
    """What became of a question."""

    set: str
    kind: str
    """`answered`, `near` or `far`."""
    is_found: bool
    is_weak: bool
    was_weak: bool
    """By the fixed threshold."""


class Rate(NamedTuple):
    """A share, and how sure it is."""

    count: int
    total: int

    def __str__(self) -> str:
        if not self.total:
            return "-"
        low, high = self.interval
        return f"{self.count / self.total:.1%} ({low:.0%} to {high:.0%}) of {self.total}"

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of 95 %."""
        z, share, total = 1.96, self.count / self.total, self.total
        middle = (share + z * z / (2 * total)) / (1 + z * z / total)
        half = z / (1 + z * z / total) * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
        return max(middle - half, 0.0), min(middle + half, 1.0)


def ask(asked: Set, embedder: RememberingEmbedder, false_alarms: float, questions: int) -> Iterator[Asked]:
    """Index and calibrate the documents of a set, and ask its questions."""
    root, folder, _ = asked.collection
    with tempfile.TemporaryDirectory() as made, Index(made, root=root, embedder=embedder) as index:
        index.add(folder, jobs=1)
        embedder.save()
        fixed = {question.id: _is_weak(index.search(question.text, FOUND)) for question in _all(asked)}
        started = time.process_time()
        calibration = calibrate_index(index._index, false_alarms=false_alarms, questions=questions)
        spent = time.process_time() - started
        print(f"{asked.name}: {calibration and calibration.to_json()}, {spent:.0f} CPU s", file=sys.stderr, flush=True)
        for question in _all(asked):
            hits = index.search(question.text, FOUND)
            kind = question.kind if question.kind in (NEAR, FAR) else "answered"
            yield Asked(asked.name, kind, _finds(hits, question), _is_weak(hits), fixed[question.id])


def _all(asked: Set) -> tuple[Question, ...]:
    return (*asked.answerable, *asked.unanswerable)


def _is_weak(hits: Sequence[Hit]) -> bool:
    return not hits or hits[0].is_weak


def _finds(hits: Sequence[Hit], question: Question) -> bool:
    """Return whether a hit holds the first line of an item of the evidence."""
    return any(
        hit.source == item.file and hit.chunk.start_line <= item.start_line <= hit.chunk.end_line
        for hit in hits
        for item in question.evidence
    )


def load_sets(names: Iterable[str], part: Part) -> list[Set]:
    """Read sets; of those that nothing was chosen on, all questions."""
    loaded = [load_set(*each)[0] for each in question_sets.fetched(names)]
    return [each.only("all" if each.name in NEVER_TUNED_ON and part == "report" else part) for each in loaded]


def print_table(rows: Sequence[Asked], title: str, *, is_fixed: bool) -> None:
    """Print a row per set, and one for each group."""
    head = "| set | false alarms | of missed | of both | near recognized | far recognized |"
    print(f"\n{title}\n\n{head}\n|{'---|' * 6}")
    names = [*dict.fromkeys(row.set for row in rows)]
    groups = [(name, [name]) for name in names]
    groups += [(f"**{label}**", [name for name in names if name in members]) for label, members in GROUPS.items()]
    groups.append(("**the others**", [name for name in names if name not in NEVER_TUNED_ON]))
    for label, members in groups:
        own = [row for row in rows if row.set in members]
        if own:
            print(f"| {label} | " + " | ".join(map(str, _rates(own, is_fixed=is_fixed))) + " |")


def _rates(rows: Sequence[Asked], *, is_fixed: bool) -> Iterator[Rate]:
    answered = [row for row in rows if row.kind == "answered"]
    by_search = ([row for row in answered if row.is_found == is_found] for is_found in (True, False))
    for group in (*by_search, answered, *([row for row in rows if row.kind == kind] for kind in (NEAR, FAR))):
        yield Rate(sum(row.was_weak if is_fixed else row.is_weak for row in group), len(group))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = question_sets.set_names()
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)} (default: all)")
    parser.add_argument("--embedder", type=question_sets.names_of, default=["static"], metavar="NAME,...")
    parser.add_argument("--part", choices=("choose", "report", "all"), default="report")
    parser.add_argument("--false-alarms", type=float, default=FALSE_ALARMS, metavar="RATE")
    parser.add_argument(
        "--questions", type=int, default=QUESTIONS, metavar="N", help="made-up ones (default: %(default)s)"
    )
    arguments = parser.parse_args()
    loaded = load_sets(arguments.names or known, arguments.part)
    for name in arguments.embedder:
        embedder = remembering(get_embedder(name), None if name == "static" else VECTORS)
        rows = [row for each in loaded for row in ask(each, embedder, arguments.false_alarms, arguments.questions)]
        print(f"\nembedder {name}, {arguments.false_alarms:.0%} promised, part: {arguments.part}")
        print_table(rows, "calibrated", is_fixed=False)
        print_table(rows, "a fixed threshold of scores", is_fixed=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
