"""How well answers are found: Crosshead's ways to index and search against other chunkers.

usage: python -m bench.retrieval.compare [--sets NAME,...] [--extra NAME=QUESTIONS.jsonl:FOLDER ...] [--per-folder NAME]
                                 [--embedder NAME,...] [--language NAME] [--part choose|report|all]
                                 [--engines NAME,...] [--no-peers] [--docling]

Asks every engine questions with known answers, those of bench/retrieval/questions (whose documents are fetched if
they are not there), and prints Markdown tables. All engines use the same embedder and are asked for 20 hits; chunks
have at most 400 tokens. Settings may be chosen on one part of the questions only, and figures are those of the other
one.

    --extra         sets of your own; `crosshead eval` reads such files, too
    --per-folder    for this set the documents of each first folder are an index of their own
    --embedder      static (the default), minilm, multilingual; several are compared with words alone. Vectors of
                    models are kept in .cache/vectors, so that a second run is quick
    --language      of the index: `auto`, or the name of a language

The peers live in an environment of their own: bench/constraints.txt.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bench.chunking.chunkers import installed_version
from bench.lib.corpus import CACHE
from bench.lib.vocabularies import use_vocabularies
from bench.retrieval import question_sets, result_tables
from bench.retrieval.engines import DEFAULT, ENGINES, WORDS, Engine, Indexes
from bench.retrieval.evidence import UNANSWERABLE, Collection, Part, Set, load_set
from bench.retrieval.result_tables import Judged, Results
from bench.retrieval.rivals import RIVALS, Rival, Rivalry
from bench.retrieval.vectors import RememberingEmbedder, remembering

from crosshead.embedding import get_embedder
from crosshead.evaluation import Evaluation, Question
from crosshead.evaluation.measure import Figures

logging.disable(logging.WARNING)  # notes about odd documents
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

VECTORS = CACHE / "vectors"


def load_sets(
    names: Iterable[str], extras: Iterable[question_sets.Asked], per_folder: Iterable[str], part: Part
) -> list[Set]:
    """Read all sets and say what they hold."""
    loaded = []
    for name, questions, folder in (*question_sets.fetched(names), *extras):
        whole, moves = load_set(name, questions, folder, per_folder=name in per_folder)
        chosen = whole.only(part)
        print(
            f"{name}: {len(whole.collection.texts):,} documents, {len(chosen.answerable)} questions and "
            f"{len(chosen.unanswerable)} without an answer, of {len(whole.answerable)} and {len(whole.unanswerable)}; "
            f"evidence: moved {moves.moved}, lost {len(moves.lost)}",
            flush=True,
        )
        if not chosen.answerable:
            raise SystemExit(f"{name}: no question in the part {part}")
        loaded.append(chosen)
    return loaded


class Run:
    """Asks engines about sets and keeps what was measured."""

    def __init__(self, engines: Sequence[Engine | Rival], embedder: RememberingEmbedder, language: str) -> None:
        self.engines = engines
        self._embedder = embedder
        self._language = language
        self.default = next((engine for engine in engines if engine.name == DEFAULT.name), None)
        self._left_out: set[str] = set()
        self.results: Results = {}
        self.weak: dict[str, list[Judged]] = {}
        self.chunks: Counter[str] = Counter()
        """Of peers, by their titles."""
        self.lost: Counter[str] = Counter()
        """Those of them that could not be located."""

    def ask(self, asked: Set) -> None:
        """Ask all engines the questions of a set."""
        questions: list[Question] = []
        figures: dict[str, list[Figures]] = {engine.title: [] for engine in self.engines}
        self.weak[asked.name] = []
        for collection, answerable, unanswerable in asked.collections():
            questions += answerable
            with (
                tempfile.TemporaryDirectory() as made,
                Indexes(Path(made), collection, self._embedder, self._language) as indexes,
            ):
                for engine in self.engines:
                    print(f"{asked.name}: {engine.title}", file=sys.stderr, flush=True)
                    figures[engine.title] += self._measure(engine, indexes, collection, answerable)
                    self._embedder.save()
                if self.default:
                    found = zip(answerable, figures[self.default.title][-len(answerable) :], strict=True)
                    self.weak[asked.name] += _judge(indexes, found, unanswerable)
        for title in figures.keys() - self._left_out:
            evaluation = Evaluation(tuple(questions), tuple(figures[title]))
            self.results.setdefault(title, {})[asked.name] = evaluation

    def _measure(
        self, engine: Engine | Rival, indexes: Indexes, collection: Collection, questions: Sequence[Question]
    ) -> Iterator[Figures]:
        if isinstance(engine, Engine):
            yield from map(indexes.measure(engine), questions)
        elif rivalry := self._make(engine, collection):
            self.chunks[engine.title] += rivalry.chunks
            self.lost[engine.title] += rivalry.lost
            yield from map(rivalry.measure, questions)

    def _make(self, rival: Rival, collection: Collection) -> Rivalry | None:
        if rival.title not in self._left_out:
            try:
                return rival.make(collection, self._embedder)
            except ImportError as error:
                print(f"left out: {rival.title}: {error}")
                self._left_out.add(rival.title)
        return None


def _judge(
    indexes: Indexes, answerable: Iterable[tuple[Question, Figures]], unanswerable: Iterable[Question]
) -> Iterator[Judged]:
    """Ask the default engine whether it finds its own first hits weak."""
    for question, figures in answerable:
        yield Judged("found" if figures["mrr@10"] else "not found", indexes.is_weak(question))
    for question in unanswerable:
        yield Judged(UNANSWERABLE, indexes.is_weak(question))


def choose_engines(names: Sequence[str], embedder: str, *, with_peers: bool, with_slow: bool) -> list[Engine | Rival]:
    """The engines with these names, or the usual ones."""
    known = {engine.name: engine for engine in (*ENGINES, *RIVALS)}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"unknown engine {unknown[0]!r}: known are {', '.join(known)}")
    if names:
        return [known[name] for name in names]
    rivals = [rival for rival in RIVALS if with_peers and (with_slow or not rival.is_slow)]
    return [*(engine for engine in ENGINES if engine.embedder in ("", embedder)), *rivals]


def label(engines: Iterable[Engine | Rival], embedder: str, *, is_first: bool) -> list[Engine | Rival]:
    """The engines with the name of one of several embedders; those without vectors are asked once."""
    words = [engine for engine in engines if isinstance(engine, Engine) and not engine.needs_vectors]
    others = (engine for engine in engines if engine not in words)
    labelled = [engine._replace(title=f"{engine.title}, {embedder}") for engine in others]
    return [*words, *labelled] if is_first else labelled


def ask_all(arguments: argparse.Namespace, loaded: Sequence[Set]) -> list[Run]:
    """Ask the engines about the sets, with one embedder after the other."""
    runs: list[Run] = []
    for name in arguments.embedder:
        engines = choose_engines(
            arguments.engines, name, with_peers=not arguments.no_peers, with_slow=arguments.docling
        )
        if len(arguments.embedder) > 1:
            engines = label(engines, name, is_first=not runs)
        if any(isinstance(engine, Rival) for engine in engines):
            use_vocabularies()
        embedder = remembering(get_embedder(name), None if name == "static" else VECTORS)
        runs.append(Run(engines, embedder, arguments.language))
        for each in loaded:
            runs[-1].ask(each)
    return runs


def print_runs(runs: Sequence[Run]) -> None:
    """Everything that was measured, in the order of the engines."""
    measured = [(run, engine.title) for run in runs for engine in run.engines if engine.title in run.results]
    results = {title: run.results[title] for run, title in measured}
    result_tables.print_figures(results)
    result_tables.print_kinds(results)
    base = DEFAULT.title if len(runs) == 1 else WORDS.title
    if base in results:
        result_tables.print_differences(results, base)
    for run in runs:
        if run.default:
            result_tables.print_weak(run.weak, run.default.title)
    versions = [
        f"{each.title}: {each.package} {installed_version(each.package)}, "
        f"{run.chunks[each.title]:,} chunks, {run.lost[each.title]:,} not located"
        for run in runs
        for each in run.engines
        if isinstance(each, Rival) and each.title in results
    ]
    if versions:
        print("\nPeers\n\n- " + "\n- ".join(versions))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known, engines = question_sets.set_names(), [engine.name for engine in (*ENGINES, *RIVALS)]
    parser.add_argument(
        "--sets", type=question_sets.names_of, default=known, metavar="NAME,...", help=f"of {', '.join(known)}; or ''"
    )
    parser.add_argument(
        "--extra", type=question_sets.asked_by, nargs="+", default=[], metavar="SET", help="sets of your own"
    )
    parser.add_argument("--per-folder", nargs="+", default=[], metavar="NAME", help="an index for each first folder")
    parser.add_argument(
        "--embedder", type=question_sets.names_of, default=["static"], metavar="NAME,...", help="(default: static)"
    )
    parser.add_argument("--language", default="auto", metavar="NAME", help="(default: auto)")
    parser.add_argument("--part", choices=("choose", "report", "all"), default="report", help="(default: report)")
    parser.add_argument(
        "--engines", type=question_sets.names_of, default=[], metavar="NAME,...", help=f"of {', '.join(engines)}"
    )
    parser.add_argument("--no-peers", action="store_true", help="only Crosshead")
    parser.add_argument("--docling", action="store_true", help="also docling, which is slow")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.sets if name not in known]:
        parser.error(f"unknown set {unknown[0]!r}: known are {', '.join(known)}")
    return arguments


def main() -> int:
    arguments = _arguments()
    loaded = load_sets(arguments.sets, arguments.extra, arguments.per_folder, arguments.part)
    if not loaded:
        raise SystemExit("no questions to ask: see above")
    runs = ask_all(arguments, loaded)
    asked = "both parts" if arguments.part == "all" else f"the part to {arguments.part}"
    print(f"\nembedder {', '.join(arguments.embedder)}, language {arguments.language}, {asked} of the questions")
    if arguments.part != "report":
        print("\nSettings are chosen on these questions, so their figures are not to be quoted: --part report")
    print_runs(runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
