"""crosshead eval: measure how well search finds the answers to known questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from crosshead.cli.commands.index import AsObject, EmbedderName, Language, PieceTokens, TextToEmbed
from crosshead.cli.flags import IndexFlags, IndexFolder, Jobs, with_index_flags
from crosshead.cli.process.program import CHECK_FAILED
from crosshead.cli.terminal.output import print_error, print_warning, shows_progress, write_json
from crosshead.cli.terminal.progress import indexing_progress
from crosshead.errors import CrossheadError, OptionsError
from crosshead.options import DEFAULT_LOCATION, SearchOptions, chunk_options
from crosshead.runtime.scratch import scratch_folder

if TYPE_CHECKING:
    from crosshead.evaluation import Difference, Evaluation, Question
    from crosshead.index import AddResult, Index

QuestionsFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="QUESTIONS",
        help="Questions with the lines that answer them (JSON Lines). By default those that were rated in the index.",
    ),
]
Docs = Annotated[
    Path | None,
    typer.Option(
        "--docs", metavar="DIR", help="Index this folder for this run only; evidence paths are relative to it."
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        "--compare", metavar="STRATEGY", help="Also evaluate this chunking strategy, and compare; for example `fixed`."
    ),
]
Mode = Annotated[
    str,
    typer.Option(
        "--mode", metavar="NAME", help="`lexical` compares words, `dense` compares vectors, `hybrid` does both."
    ),
]
HitLimit = Annotated[int, typer.Option("-k", "--limit", metavar="N", min=10, help="Hits per question, at least 10.")]
Budgets = Annotated[
    list[int] | None,
    typer.Option(
        "--budget",
        metavar="N",
        min=1,
        help="Tokens that a reader may spend. Can be repeated; by default 500, 1000, 2000 and 4000.",
    ),
]


class IndexEvaluation(NamedTuple):
    """The figures of one index."""

    strategy: str
    embedder: str
    documents: int
    evaluation: Evaluation
    failed: Mapping[str, str]
    """By source: why a document could not be indexed."""
    notes: Sequence[str]


class EvaluationResult(NamedTuple):
    """The figures of the index, and of the baseline if there is one."""

    runs: Sequence[IndexEvaluation]
    """The index, then the baseline."""
    differences: Mapping[str, Difference]
    mode: str
    limit: int

    def to_json(self) -> dict[str, object]:
        """Return the figures as a dictionary."""
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


@with_index_flags
def evaluate(
    context: typer.Context,
    flags: IndexFlags,
    path: QuestionsFile = None,
    docs: Docs = None,
    location: IndexFolder = DEFAULT_LOCATION,
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
    """Measure how well search finds the answers to known questions, in an index or a folder of documents."""
    from crosshead.evaluation import check_files, compare, load_questions
    from crosshead.indexing import find_sources

    strategies = [flags.chunking.get("strategy", "auto"), *([baseline] if baseline else [])]
    _check_flags(context, docs, strategies)
    SearchOptions(mode=mode)  # type: ignore[arg-type]  # raises an error that lists the modes
    questions = load_questions(path or _find_questions(location, docs))
    search: dict[str, Any] = {"mode": mode, "limit": limit, **({"budgets": budgets} if budgets else {})}
    measure = partial(_evaluate, questions, search)
    options = {
        "embedder": embedder,
        "language": language,
        "embed_text": embed_text,
        "piece_tokens": piece_tokens,
        "extract": flags.extract,
        **flags.chunking,
    }
    if docs:
        check_files(questions, [file.source for file in find_sources([docs], docs).files])
        adding = {"format": flags.format, "jobs": jobs}
        runs = [_evaluate_folder(measure, docs, {**options, "strategy": each}, adding) for each in strategies]
    else:
        runs = [_evaluate_index(measure, location, options)]
    differences = compare(runs[0].evaluation, runs[1].evaluation) if baseline else {}
    _finish(EvaluationResult(runs, differences, mode, limit), as_json=as_json)


def _find_questions(location: str, docs: Path | None) -> Path:
    """Return the file of the questions that were rated in an index."""
    from crosshead.index import Index

    if docs:
        raise OptionsError("--docs needs a file of questions: crosshead eval QUESTIONS.jsonl --docs DIR")
    with Index(location, create=False) as index:
        return rated_questions(index)


def rated_questions(index: Index) -> Path:
    """Return the file of the questions that were rated in an index; raise an error if nothing was rated."""
    path = index.questions_file
    if not path.exists():
        raise CrossheadError(f"no ratings yet in {path}: rate hits (crosshead rate 1 good), or name a file")
    return path


def _check_flags(context: typer.Context, docs: Path | None, strategies: Sequence[str]) -> None:
    """Raise an error for flags that do not go together, before indexing, which may take minutes."""
    source = context.get_parameter_source("location")
    if docs and source and source.name == "COMMANDLINE":
        raise OptionsError("--docs makes a temporary index: use either --docs or --index")
    if docs and not docs.is_dir():
        raise CrossheadError(f"{docs}: no such folder")
    if len(strategies) > 1 and not docs:
        raise OptionsError(
            "--compare needs the documents themselves: name their folder with --docs instead of an index"
        )
    if len(strategies) > len({*strategies}):
        raise OptionsError(f"--compare {strategies[0]}: the documents are already cut this way; name another strategy")
    for strategy in strategies:
        chunk_options(strategy=strategy)


Measure = Callable[["Index", "AddResult"], IndexEvaluation]


def _evaluate_folder(
    measure: Measure, docs: Path, options: Mapping[str, Any], adding: Mapping[str, Any]
) -> IndexEvaluation:
    """Evaluate a temporary index of a folder."""
    from crosshead.index import Index

    with scratch_folder() as folder, Index(folder / "index", root=docs, **options) as index:
        with indexing_progress() as on_progress:
            result = index.add(docs, on_progress=on_progress, **adding)
        return measure(index, result)


def _evaluate_index(measure: Measure, location: str, options: Mapping[str, Any]) -> IndexEvaluation:
    """Evaluate an existing index."""
    from crosshead.index import AddResult, Index

    with Index(location, create=False, **options) as index:
        return measure(index, AddResult())


def _evaluate(
    questions: Sequence[Question], search: Mapping[str, Any], index: Index, added: AddResult
) -> IndexEvaluation:
    from crosshead.evaluation import evaluate

    for file in (item.file for question in questions for item in question.evidence):
        if file in added.failed:
            raise CrossheadError(added.failed[file], file)
    with _question_progress(len(questions)) as on_progress:
        evaluation = evaluate(index, questions, on_progress=on_progress, **search)
    status = index.status()
    strategy = status.settings["chunk"]["strategy"]
    return IndexEvaluation(strategy, status.embedder, status.documents, evaluation, added.failed, added.notes)


@contextmanager
def _question_progress(total: int) -> Iterator[Callable[[int], None] | None]:
    """On a terminal, show how many questions are done."""
    if not shows_progress():
        yield None
        return
    from crosshead.cli.views.measure.evaluation import show_progress

    with show_progress(total) as show:
        yield show


def _finish(result: EvaluationResult, *, as_json: bool) -> None:
    if as_json:
        write_json(result.to_json())
    else:
        from crosshead.cli.views.measure.evaluation import show_result

        show_result(result)
    for note in dict.fromkeys(note for run in result.runs for note in run.notes):
        print_warning(note)
    failed = result.runs[0].failed
    for source, reason in failed.items():
        print_error(f"{source}: {reason}")
    if failed:
        raise typer.Exit(CHECK_FAILED)
