"""Questions and the documents that answer them -> sets to ask engines about.

A set is a file of questions, as `crosshead.evaluation` reads them, and a folder of documents. Three things are added:

- A question of the kind `near`, `far` or `unanswerable` has no evidence: the documents do not answer it. A near one is
  about a topic that they treat.
- `begins` of an item is how its first line begins. Where a document is read a little differently than when the question
  was written, the item moves to the nearest line that begins so; a question without such a line is lost.
- A hash of its id puts every question into one of two parts: one to choose settings on, the other to report figures of.

usage: python -m bench.retrieval.evidence [NAME ...]

Checks that the sets of bench/retrieval/questions still fit their documents (which are fetched if they are not there)
and prints what they hold. Ends with exit code 1 if evidence is lost, goes beyond the end of its document, or begins
with an empty line, or if two questions have the same id or text.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NamedTuple

from bench.retrieval import question_sets

import crosshead
from crosshead.errors import CrossheadError
from crosshead.evaluation import Evidence, Question, load_questions
from crosshead.indexing.files.sources import find_sources

UNANSWERABLE = "unanswerable"
NEAR, FAR = "near", "far"
WITHOUT_ANSWER = (NEAR, FAR, UNANSWERABLE)
"""Kinds of questions without evidence."""

Part = Literal["choose", "report", "all"]
_PARTS: tuple[Part, ...] = ("choose", "report")


class Collection(NamedTuple):
    """Documents that are searched together."""

    root: Path
    folder: Path
    """What of the root is indexed."""
    texts: Mapping[str, str]
    """The documents as Markdown, by their sources."""


class Set(NamedTuple):
    name: str
    collection: Collection
    answerable: tuple[Question, ...]
    unanswerable: tuple[Question, ...]
    per_folder: bool = False
    """Are the documents of each first folder searched by themselves?"""

    def collections(self) -> Iterator[tuple[Collection, tuple[Question, ...], tuple[Question, ...]]]:
        """What is searched together, with its questions; of one folder nobody knows what it does not answer."""
        if not self.per_folder:
            yield self.collection, self.answerable, self.unanswerable
            return
        root, _, texts = self.collection
        for folder in sorted({_first_folder(question) for question in self.answerable}):
            inside = {source: text for source, text in texts.items() if source.startswith(f"{folder}/")}
            about = tuple(question for question in self.answerable if _first_folder(question) == folder)
            yield Collection(root, root / folder, inside), about, ()

    def only(self, part: Part) -> Set:
        """The questions of one part."""

        def choose(questions: Iterable[Question]) -> tuple[Question, ...]:
            return tuple(each for each in questions if part in ("all", part_of(each)))

        return self._replace(answerable=choose(self.answerable), unanswerable=choose(self.unanswerable))


class Moves(NamedTuple):
    """What became of the evidence."""

    moved: int
    lost: tuple[str, ...]


def part_of(question: Question) -> Part:
    """The part that a question belongs to, whatever others there are."""
    return "report" if sha256(question.id.encode()).digest()[-1] % 2 else "choose"


def load_set(name: str, questions: Path, folder: Path, *, per_folder: bool = False) -> tuple[Set, Moves]:
    """Read the documents and the questions of a set."""
    root = folder.resolve()
    texts = {each.source: crosshead.read(each.path).text for each in find_sources([root], root).files}
    answerable, unanswerable, begins = _load(questions)
    mover = _Mover(texts, begins)
    kept = tuple(moved for question in answerable if (moved := mover.move(question)))
    moves = Moves(mover.moved, tuple({each.id for each in answerable} - {each.id for each in kept}))
    return Set(name, Collection(root, root, texts), kept, tuple(unanswerable), per_folder), moves


def _load(path: Path) -> tuple[list[Question], list[Question], dict[str, list[str]]]:
    """Questions with evidence, those without, and how the items of the first begin."""
    unanswerable: list[Question] = []
    begins: dict[str, list[str]] = {}
    lines = path.read_text("utf-8-sig").split("\n")
    for number, data in ((number, _parse(line)) for number, line in enumerate(lines)):
        if data.get("kind") in WITHOUT_ANSWER and not data.get("evidence"):
            unanswerable.append(Question(str(data["id"]), str(data["question"]), (), data["kind"]))
            lines[number] = ""
        elif isinstance(data.get("evidence"), list):
            begins[str(data.get("id"))] = [item.get("begins", "") for item in data["evidence"]]
    with tempfile.TemporaryDirectory() as made:
        rest = Path(made, path.name)
        rest.write_text("\n".join(lines), "utf-8")
        try:
            return load_questions(rest), unanswerable, begins
        except CrossheadError as error:
            raise SystemExit(str(error).replace(str(rest), str(path))) from error


def _parse(line: str) -> dict[str, Any]:
    """A line of the file; what is no object is left to the library, whose message says what is wrong."""
    try:
        data = json.loads(line)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


class _Mover:
    """Puts evidence where its first line stands now."""

    def __init__(self, texts: Mapping[str, str], begins: Mapping[str, list[str]]) -> None:
        self._lines = {source: [line.strip() for line in text.split("\n")] for source, text in texts.items()}
        self._begins = begins
        self.moved = 0

    def move(self, question: Question) -> Question | None:
        """The question with its evidence in place; None if an item is nowhere."""
        begins = iter(self._begins[question.id])
        required = []
        for alternatives in question.required:
            found = [self._move_item(item, next(begins)) for item in alternatives]
            required.append(tuple(item for item in found if item))
            if len(required[-1]) < len(found):
                return None
        if required != list(question.required):
            self.moved += 1
        return question._replace(required=tuple(required))

    def _move_item(self, item: Evidence, begin: str) -> Evidence | None:
        lines = self._lines.get(item.file, [])
        if not begin and lines:
            return item
        at = [number for number, line in enumerate(lines, 1) if line.startswith(begin.strip())]
        if not at:
            return None
        start = min(at, key=lambda number: abs(number - item.start_line))
        return Evidence(item.file, start, start + item.line_count - 1)


def _first_folder(question: Question) -> str:
    return question.evidence[0].file.partition("/")[0]


def find_faults(asked: Set, moves: Moves) -> Iterator[str]:
    """What is wrong with a set."""
    questions = (*asked.answerable, *asked.unanswerable)
    for kind, values in (("id", (each.id for each in questions)), ("question", (each.text for each in questions))):
        yield from (f"{kind} twice: {value}" for value, count in Counter(values).items() if count > 1)
    yield from (f"{each}: its evidence is nowhere" for each in sorted(moves.lost))
    lines = {source: text.split("\n") for source, text in asked.collection.texts.items()}
    for question in asked.answerable:
        for item in question.evidence:
            found = lines[item.file][item.start_line - 1 : item.end_line]
            if len(found) < item.line_count or not found[0].strip():
                yield f"{question.id}: {item.file} has no such lines: {item.start_line} to {item.end_line}"


def describe(asked: Set, moves: Moves) -> str:
    """A line about a set: its documents, and its questions by kind."""
    size = sum(map(len, asked.collection.texts.values()))
    kinds = Counter(each.kind or "other" for each in (*asked.answerable, *asked.unanswerable))
    chosen, reported = (len(asked.only(part).answerable) for part in _PARTS)
    return (
        f"{asked.name}: {len(asked.collection.texts)} documents, {size:,} characters; "
        f"{chosen} questions to choose on, {reported} to report, evidence moved {moves.moved}; "
        + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"of {', '.join(question_sets.set_names())} (default: all)"
    )
    names = parser.parse_args().names or question_sets.set_names()
    logging.disable(logging.WARNING)  # notes about odd documents

    faults: list[str] = []
    for each in question_sets.fetched(names):
        asked, moves = load_set(*each)
        print(describe(asked, moves), flush=True)
        faults += find_faults(asked, moves)
    print("\n".join(faults) or "every question fits its documents")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
