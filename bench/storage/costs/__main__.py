"""What a query costs and what an index weighs, against other stores with the same chunks and vectors.

usage: python -m bench.storage.costs [--sets SET ...] [--embedder NAME,...] [--made-up N ...] [--peers NAME,...]
                                     [--code DIR ...] [--questions N] [--rounds N] [--folder DIR] [--process]

Prints a table for each set of documents and embedder, and for made-up chunks. Every engine runs in a process of
its own, with one thread for linear algebra, and they take turns. Times are CPU milliseconds with all threads of the
process, median (99th percentile), of a third of the questions in each mode, so that none was asked before. In dense and
hybrid search they include the vector of the question, by the same model; with made-up chunks it is given.

    SET         a folder of documents with questions: NAME=QUESTIONS.jsonl:FOLDER, or NAME=QUESTIONS.jsonl:FOLDER:PART
                to index one folder below it. Default: documentation of pino, of fastify and of Git, fetched if it is
                not there. Questions that these documents do not answer are asked as well, but not judged.
    kB a chunk  size of the index folder once it is closed; Crosshead's after `optimize`, in parentheses before it
    recall@10   share of the evidence within ten hits; of made-up chunks, of the ten nearest vectors
    --code      other checkouts of Crosshead, to compare with
    --folder    keep indexes there for another run, which measures queries again
    --process   print what commands cost instead: start, an unchanged folder, installation
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from bench.retrieval import question_sets
from bench.storage.costs import commands
from bench.storage.costs.material import MADE_UP, Part, make_material, make_up
from bench.storage.costs.peers import PEERS
from bench.storage.costs.tables import Table, contestants, judge_by_evidence, judge_by_vectors, print_table

DEFAULT = (("node", "pino"), ("node", "fastify"), ("asciidoc", ""))
"""Sets of bench.retrieval.question_sets, and what of them is indexed."""
MADE_UP_CHUNKS = [5_000, 100_000]


def part_by(text: str) -> Part:
    """Read NAME=QUESTIONS.jsonl:FOLDER[:PART]."""
    whole, colon, folder = text.rpartition(":")
    if colon and "=" in whole and ":" in whole and not Path(folder).is_dir():
        return Part(question_sets.asked_by(whole), folder)
    return Part(question_sets.asked_by(text))


def default_parts() -> Iterator[Part]:
    for name, folder in DEFAULT:
        for asked in question_sets.fetched([name]):
            yield Part(asked._replace(name=folder or name), folder)


def print_stores(arguments: argparse.Namespace, scratch: Path) -> None:
    missing = [name for name in arguments.peers if not find_spec(PEERS[name].module)]
    if missing:
        print(f"not installed, left out: {', '.join(missing)} (make bench-search installs them)")
    peers = [name for name in arguments.peers if name not in missing]
    for name in peers:
        print(f"- {PEERS[name].title}: {PEERS[name].about}")
    for table, embedder in tables(arguments, scratch):
        chunks = len(table.material.positions)
        engines = [*contestants(embedder, chunks, arguments.code, peers)]
        print_table(table, engines, arguments.rounds, arguments.questions)


def tables(arguments: argparse.Namespace, scratch: Path) -> Iterator[tuple[Table, str]]:
    for part in arguments.sets or default_parts():
        for embedder in arguments.embedder:
            folder = scratch / f"{part.asked.name}-{embedder}"
            material, answerable = make_material(part, embedder, folder)
            yield Table(f"{part.asked.name}, {embedder}", material, judge_by_evidence(answerable), folder), embedder
    for chunks in filter(None, arguments.made_up):
        folder = scratch / f"{MADE_UP}-{chunks}"
        material = make_up(folder, chunks)
        yield Table(MADE_UP, material, judge_by_vectors(material), folder), MADE_UP


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=part_by, nargs="+", metavar="SET")
    parser.add_argument("--embedder", type=question_sets.names_of, default=["minilm", "static"], metavar="NAME,...")
    parser.add_argument("--made-up", type=int, nargs="+", default=MADE_UP_CHUNKS, metavar="N", help="chunks (0: none)")
    parser.add_argument("--peers", type=question_sets.names_of, default=[*PEERS], metavar="NAME,...")
    parser.add_argument("--code", type=Path, nargs="+", default=[], metavar="DIR")
    parser.add_argument("--questions", type=int, default=100, metavar="N", help="per table (default: 100)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds (default: 5)")
    parser.add_argument("--folder", type=Path, metavar="DIR")
    parser.add_argument("--process", action="store_true")
    arguments = parser.parse_args(given)
    arguments.code = [folder.resolve() for folder in arguments.code]
    with tempfile.TemporaryDirectory() as made:
        scratch = (arguments.folder or Path(made)).resolve()
        if arguments.process:
            part = next(iter(arguments.sets or default_parts()))
            commands.print_commands(part.asked.folder / part.folder, arguments.code, arguments.rounds)
        else:
            print_stores(arguments, scratch)


if __name__ == "__main__":
    main()
