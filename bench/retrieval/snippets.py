"""Does a snippet show the answer?

usage: python -m bench.retrieval.snippets [--sets NAME,...] [--extra NAME=QUESTIONS.jsonl:FOLDER ...]
                                 [--per-folder NAME] [--part choose|report|all] [--embedder NAME] [--mode NAME]
                                 [--folder DIR] [--misses]

Asks for ten hits per question and looks at those whose section holds evidence. Prints the share of them whose snippet
shows at least one line of it, and how long snippets are. A line is shown if the snippet holds all its letters and
digits in order, or 60 of a longer line's, which is about a line of 80 columns. Headings, fences and lines of marks are
no evidence.

    --folder   keeps the indexes for another run
    --misses   prints the snippets that do not show the answer, with the lines that answer
"""

from __future__ import annotations

import argparse
import logging
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from bench.retrieval import question_sets
from bench.retrieval.compare import load_sets
from bench.retrieval.evidence import Set

from crosshead import Index
from crosshead.evaluation import Question
from crosshead.types import Hit

LIMIT = 10
ENOUGH = 60
"""Letters and digits of a long line that a reader has to see."""
_UNSEEN = re.compile(r"!\[[^\[\]]*\]\([^()]*\)|\]\([^()\s]*(?:\s[^()]*)?\)|<[^<>]*>")
"""Images, addresses of links, and tags."""
_HEADING_OR_FENCE = re.compile(r" {0,3}(?:#{1,6}\s|`{3}|~{3})")


class Judged(NamedTuple):
    """A hit that holds evidence."""

    question: Question
    hit: Hit
    lines: tuple[str, ...]
    """Those lines that answer and are in the hit."""

    @property
    def is_shown(self) -> bool:
        """Does the snippet show one of them?"""
        shown = letters(self.hit.snippet)
        return any(_is_in(letters(line), shown) for line in self.lines)


def letters(text: str) -> str:
    """Return the letters and digits of a text, without images, addresses of links and tags."""
    return "".join(filter(str.isalnum, _UNSEEN.sub(" ", text))).casefold()


def _is_in(line: str, shown: str) -> bool:
    starts = range(max(1, len(line) - ENOUGH + 1))
    return any(line[start : start + ENOUGH] in shown for start in starts)


def evidence_lines(question: Question, hit: Hit) -> tuple[str, ...]:
    """Return the lines of a hit that answer a question."""
    lines = hit.content.split("\n")
    numbers = {
        number - hit.start_line
        for item in question.evidence
        if item.file == hit.source
        for number in range(max(item.start_line, hit.start_line), min(item.end_line, hit.end_line) + 1)
    }
    held = (lines[number] for number in sorted(numbers))
    return tuple(line for line in held if letters(line) and not _HEADING_OR_FENCE.match(line))


def judge(index: Index, questions: Sequence[Question], mode: str) -> Iterator[Judged]:
    """Yield the hits that hold evidence."""
    for question in questions:
        for hit in index.search(question.text, LIMIT, mode):  # type: ignore[arg-type]
            if lines := evidence_lines(question, hit):
                yield Judged(question, hit, lines)


def judge_set(asked: Set, folder: Path, embedder: str, mode: str) -> list[Judged]:
    """Index the documents of a set, unless that is done, and judge all hits."""
    judged = []
    for number, (collection, answerable, _) in enumerate(asked.collections()):
        location = folder / f"{asked.name}-{number}-{embedder}"
        is_made = location.exists()
        with Index(location, root=collection.root, embedder=embedder) as index:
            if not is_made:
                index.add(collection.folder, jobs=1)
            judged += judge(index, answerable, mode)
    return judged


def describe(name: str, judged: Sequence[Judged]) -> str:
    """Return a row: hits with evidence, the share shown, of first hits that of a question, characters."""
    shares = [each.is_shown for each in judged]
    sizes = [len(each.hit.snippet) for each in judged]
    best = {each.question.id: each.is_shown for each in reversed(judged)}
    figures = f"{sum(shares) / len(shares):.3f} | {sum(best.values()) / len(best):.3f} | {sum(sizes) / len(sizes):.0f}"
    return f"| {name} | {len(judged)} | {figures} |"


def show_misses(judged: Sequence[Judged]) -> None:
    """Print snippets without the answer."""
    for question, hit, lines in (each for each in judged if not each.is_shown):
        print(f"\n? {question.id} {question.text}\n  {hit.citation}  {' > '.join(hit.section_path)}")
        print("\n".join(f"  - {line}" for line in hit.snippet.split("\n")))
        print("\n".join(f"  + {line[:400]}" for line in lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=question_sets.names_of, default=question_sets.set_names(), metavar="NAME,...")
    parser.add_argument("--extra", type=question_sets.asked_by, action="append", default=[])
    parser.add_argument("--per-folder", action="append", default=[], metavar="NAME")
    parser.add_argument("--part", choices=("choose", "report", "all"), default="report")
    parser.add_argument("--embedder", default="static")
    parser.add_argument("--mode", default="hybrid")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--misses", action="store_true")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)  # notes about odd documents

    with ExitStack() as stack:
        folder = arguments.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        everything: list[Judged] = []
        rows = []
        for asked in load_sets(arguments.sets, arguments.extra, arguments.per_folder, arguments.part):
            judged = judge_set(asked, folder.resolve(), arguments.embedder, arguments.mode)
            rows.append(describe(asked.name, judged))
            everything += judged
            if arguments.misses:
                show_misses(judged)
        print("\n| set | hits with evidence | shown | shown by the best one | characters |\n|---|---|---|---|---|")
        print("\n".join([*rows, describe("all", everything)]))


if __name__ == "__main__":
    main()
