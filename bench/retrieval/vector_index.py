"""What does the vector index of a large index cost? Questions to one index of many sets, with it and without it.

usage: python -m bench.retrieval.vector_index [--sets NAME,...] [--others FOLDER ...] [--embedder NAME] [--part PART]

Indexes the documents of all sets, and of other folders, together, so that their vectors are too many to be compared
one by one. Then asks the questions of each set twice: with the vector index, and comparing all vectors exactly. Prints
MRR@10 and the recall of evidence within 2,000 tokens of both, and the share of the first ten hits that both have. Token
vectors are not compared, because they hide what the candidates are. Vectors of models are kept in .cache/vectors.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple
from unittest import mock

from bench.lib.corpus import CACHE
from bench.retrieval import question_sets
from bench.retrieval.evidence import Part, load_set
from bench.retrieval.vectors import remembering

from crosshead import Index
from crosshead.embedding import get_embedder
from crosshead.evaluation import Question
from crosshead.evaluation.measure import RankedChunk, measure
from crosshead.options import SearchMode
from crosshead.store.lance import indexes, table_version
from crosshead.types import Embedder

logging.disable(logging.WARNING)  # notes about odd documents

ENGLISH = "node,r,rst,asciidoc,hatch,borg,postfix"
LIMIT = 20
TEN = 10
BUDGET = 2_000
MODES: tuple[SearchMode, ...] = ("dense", "hybrid")
ALL_IN_MEMORY = {"MOST_NUMBERS": sys.maxsize, "NUMBERS_PER_SEARCH": sys.maxsize}
"""So that all vectors are compared, also in an index that has a vector index."""


class Answered(NamedTuple):
    chunk_ids: list[str]
    mrr: float
    recall: float


def gather(
    asked: Sequence[question_sets.Asked], others: Sequence[Path], root: Path, part: Part
) -> dict[str, list[Question]]:
    """Copy the documents below one root, and return the questions of each set with their evidence there."""
    for number, folder in enumerate(others):
        shutil.copytree(folder, root / f"others-{number}")
    questions = {}
    for each in asked:
        shutil.copytree(each.folder, root / each.name)
        kept = load_set(*each)[0].only(part).answerable
        questions[each.name] = [_moved(question, each.name) for question in kept]
    return questions


def _moved(question: Question, folder: str) -> Question:
    required = (tuple(each._replace(file=f"{folder}/{each.file}") for each in items) for items in question.required)
    return question._replace(required=tuple(required))


def make_index(location: Path, root: Path, embedder: Any) -> None:
    """Index all documents; the vectors that are not known are made by one process."""
    with Index(location, root=root, embedder=embedder, token_signs=False) as index:
        index.add(root, jobs=1)
        index.optimize()
        embedder.save()


def describe(location: Path, embedder: Embedder) -> str:
    from crosshead.store.lance import open_folder

    store: Any = open_folder(str(location))
    table = store.table.latest().table
    if not indexes.has_index(table, "vector"):
        raise SystemExit("all vectors are compared here: add documents with --others")
    vectors = table.count_rows("vector IS NOT NULL")
    return f"{store.contents().chunks:,} chunks, {vectors:,} vectors of {embedder.dimension} numbers"


def answer(index: Index, questions: Sequence[Question], mode: SearchMode) -> list[Answered]:
    return [_answer(index, question, mode) for question in questions]


def _answer(index: Index, question: Question, mode: SearchMode) -> Answered:
    chunks = [hit.chunk for hit in index.search(question.text, LIMIT, mode)]
    places = [RankedChunk(each.source, each.start_line, each.end_line, each.token_count) for each in chunks]
    figures = measure(question, places, [BUDGET])
    return Answered([each.id for each in chunks[:TEN]], figures[f"mrr@{TEN}"], figures[f"recall@{BUDGET}"])


def compare(location: Path, embedder: Embedder, questions: Mapping[str, Sequence[Question]]) -> None:
    """Print a table for each mode."""
    for mode in MODES:
        print(f"\n{mode}\n\n| set | questions | MRR@10, exact | with the index ", end="")
        print(f"| recall@{BUDGET}, exact | with the index | both among ten |\n|---|---:|---:|---:|---:|---:|---:|")
        rows = {}
        for name, asked in questions.items():
            with Index(location, embedder=embedder) as index:
                indexed = answer(index, asked, mode)
            with mock.patch.multiple(table_version, **ALL_IN_MEMORY), Index(location, embedder=embedder) as index:
                rows[name] = [*zip(answer(index, asked, mode), indexed, strict=True)]
            print_row(name, rows[name])
        print_row("all", [pair for pairs in rows.values() for pair in pairs])


def print_row(name: str, pairs: Sequence[tuple[Answered, Answered]]) -> None:
    exact, indexed = zip(*pairs, strict=True)
    shared = fmean(len({*one.chunk_ids} & {*other.chunk_ids}) / max(len(one.chunk_ids), 1) for one, other in pairs)
    figures = [fmean(each.mrr for each in side) for side in (exact, indexed)]
    figures += [fmean(each.recall for each in side) for side in (exact, indexed)]
    print(f"| {name} | {len(pairs)} | {' | '.join(f'{figure:.3f}' for figure in (*figures, shared))} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=question_sets.names_of, default=ENGLISH, metavar="NAME,...")
    parser.add_argument("--others", type=Path, nargs="+", default=[], metavar="FOLDER")
    parser.add_argument("--embedder", default="minilm", metavar="NAME")
    parser.add_argument("--part", choices=("choose", "report", "all"), default="report")
    arguments = parser.parse_args()
    embedder = remembering(get_embedder(arguments.embedder), CACHE / "vectors")
    with tempfile.TemporaryDirectory() as made:
        root, location = Path(made, "docs").resolve(), Path(made, "index")
        root.mkdir()
        asked = [*question_sets.fetched(arguments.sets)]
        questions = gather(asked, arguments.others, root, arguments.part)
        make_index(location, root, embedder)
        print(describe(location, embedder))
        compare(location, embedder, questions)


if __name__ == "__main__":
    main()
