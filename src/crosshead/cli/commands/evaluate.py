"""crosshead eval: how well are the answers to known questions found?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from crosshead.cli.commands.index import AsObject, EmbedderName, Language, PieceTokens, TextToEmbed, indexing_progress
from crosshead.cli.default_index import DEFAULT_INDEX
from crosshead.cli.flags import IndexFolder, Jobs, Making, with_making
from crosshead.cli.output import print_error, write_json
from crosshead.cli.program import CHECK_FAILED
from crosshead.errors import CrossheadError, OptionsError
from crosshead.options import SearchOptions, chunk_options
from crosshead.runtime.processes import collected_notes
from crosshead.runtime.scratch import scratch_folder

if TYPE_CHECKING:
    from crosshead.evaluation import Difference, Evaluation, Question
    from crosshead.index import Index

QuestionsFile = Annotated[
    Path, typer.Argument(metavar="QUESTIONS", help="Questions with the lines that answer them, as JSON Lines.")
]
Docs = Annotated[
    Path | None,
    typer.Option("--docs", metavar="DIR", help="Index this folder for this run only; evidence is named from here."),
]
Baseline = Annotated[
    str | None,
    typer.Option("--compare", metavar="STRATEGY", help="Cut the documents this way, too, and compare: `fixed`."),
]
Mode = Annotated[
    str, typer.Option("--mode", metavar="NAME", help="`lexical` compares words, `dense` vectors, `hybrid` both.")
]
HitLimit = Annotated[int, typer.Option("-k", "--limit", metavar="N", min=10, help="Hits per question, at least 10.")]
Budgets = Annotated[
    list[int] | None,
    typer.Option(
        "--budget",
        metavar="N",
        min=1,
        help="Tokens that a reader may spend. May be repeated; by default 500, 1000, 2000 and 4000.",
    ),
]


class IndexEvaluation(NamedTuple):
    """What was measured on one index."""

    strategy: str
    embedder: str
    documents: int
    evaluation: Evaluation
    failed: Mapping[str, str]
    """Why a document could not be indexed, by its source."""


class EvaluationResult(NamedTuple):
    """What is to be shown."""

    runs: Sequence[IndexEvaluation]
    """The one that was asked for and the baseline, if there is one."""
    differences: Mapping[str, Difference]
    mode: str
    limit: int

    def to_json(self) -> dict[str, object]:
        """Return the figures by names."""
        first = self.runs[0]
        return {
            "questions": len(first.evaluation.questions),
            "documents": first.documents,
            "failed": first.failed,
            "embedder": first.embedder,
            "mode": self.mode,
            "limit": self.limit,
            "runs": {run.strategy: run.evaluation.to_json() for run in self.runs},
            "differences": {name: each._asdict() for name, each in self.differences.items()},
        }


@with_making
def evaluate(
    context: typer.Context,
    path: QuestionsFile,
    making: Making,
    docs: Docs = None,
    location: IndexFolder = DEFAULT_INDEX,
    baseline: Baseline = None,
    mode: Mode = "hybrid",
    limit: HitLimit = 20,
    budgets: Budgets = None,
    embedder: EmbedderName = "auto",
    language: Language = "auto",
    embed_text: TextToEmbed = None,
    piece_tokens: PieceTokens = None,
    as_json: AsObject = False,
    jobs: Jobs = None,
) -> None:
    """Measure how well the answers to known questions are found, in a folder of documents or in an index."""
    from crosshead.evaluation import check_files, compare, load_questions
    from crosshead.indexing import find_sources

    strategies = [making.chunking.get("strategy", "auto"), *([baseline] if baseline else [])]
    _check_flags(context, docs, strategies)
    SearchOptions(mode=mode)  # type: ignore[arg-type]  # raises an error that says what is known
    asked: dict[str, Any] = {"mode": mode, "limit": limit, **({"budgets": budgets} if budgets else {})}
    questions = load_questions(path)
    ask = partial(_ask, questions, asked)
    options = {
        "embedder": embedder,
        "language": language,
        "embed_text": embed_text,
        "piece_tokens": piece_tokens,
        "extract": making.extract,
    }
    options |= making.chunking
    with collected_notes("") as notes:
        if docs:
            check_files(questions, [file.source for file in find_sources([docs], docs).files])
            adding = {"format": making.format, "jobs": jobs}
            runs = [_ask_documents(ask, docs, {**options, "strategy": each}, adding) for each in strategies]
        else:
            runs = [_ask_index(ask, location, options)]
    differences = compare(runs[0].evaluation, runs[1].evaluation) if baseline else {}
    _finish(EvaluationResult(runs, differences, mode, limit), notes, as_json=as_json)


def _check_flags(context: typer.Context, docs: Path | None, strategies: Sequence[str]) -> None:
    """Indexing may take minutes: what is wrong shall be said before."""
    source = context.get_parameter_source("location")
    if docs and source and source.name == "COMMANDLINE":
        raise OptionsError("--docs makes an index of its own: use either --docs or --index")
    if docs and not docs.is_dir():
        raise CrossheadError(f"{docs}: no such folder")
    if len(strategies) > 1 and not docs:
        raise OptionsError("--compare cuts the documents once more: name their folder with --docs instead of an index")
    if len(strategies) > len({*strategies}):
        raise OptionsError(f"--compare {strategies[0]}: that is how the documents are cut already")
    for strategy in strategies:
        chunk_options(strategy=strategy)


Ask = Callable[["Index", Mapping[str, str]], IndexEvaluation]


def _ask_documents(ask: Ask, docs: Path, options: Mapping[str, Any], adding: Mapping[str, Any]) -> IndexEvaluation:
    """Index a folder in a place that is gone afterwards."""
    from crosshead.index import Index

    with (
        scratch_folder() as folder,
        Index(folder / "index", root=docs, **options) as index,
    ):
        with indexing_progress() as on_progress:
            result = index.add(docs, on_progress=on_progress, **adding)
        return ask(index, result.failed)


def _ask_index(ask: Ask, location: str, options: Mapping[str, Any]) -> IndexEvaluation:
    from crosshead.index import Index

    with Index(location, create=False, **options) as index:
        return ask(index, {})


def _ask(
    questions: Sequence[Question], asked: Mapping[str, Any], index: Index, failed: Mapping[str, str]
) -> IndexEvaluation:
    from crosshead.evaluation import evaluate

    for file in (item.file for question in questions for item in question.evidence):
        if file in failed:
            raise CrossheadError(f"{file}: {failed[file]}")
    with _asking_progress(len(questions)) as on_progress:
        evaluation = evaluate(index, questions, on_progress=on_progress, **asked)
    status = index.status()
    return IndexEvaluation(status.settings["chunk"]["strategy"], status.embedder, status.documents, evaluation, failed)


@contextmanager
def _asking_progress(total: int) -> Iterator[Callable[[int], None] | None]:
    if not sys.stderr.isatty():
        yield None
        return
    from crosshead.cli.views.evaluation import shown_asking

    with shown_asking(total) as show:
        yield show


def _finish(outcome: EvaluationResult, notes: Sequence[str], *, as_json: bool) -> None:
    if as_json:
        write_json(outcome.to_json())
    else:
        from crosshead.cli.views.evaluation import show_outcome

        show_outcome(outcome)
    for note in notes:
        print_error(note, label="warning")
    failed = outcome.runs[0].failed
    for source, reason in failed.items():
        print_error(f"{source}: {reason}")
    if failed:
        raise typer.Exit(CHECK_FAILED)
