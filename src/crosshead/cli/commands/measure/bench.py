"""crosshead bench: measure each step on the user's own files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from time import process_time
from typing import Annotated, Final, NamedTuple, TypeVar

import typer

from crosshead import pipeline
from crosshead.cli.flags import AsJson, Paths, with_chunk_options, with_reading
from crosshead.cli.inputs import Input, ReadSettings, find_inputs, read_input, size_of
from crosshead.cli.process.exit_codes import Problems, finish, successes
from crosshead.cli.terminal.output import shows_progress, write_json
from crosshead.cli.terminal.parallel import process
from crosshead.options import ChunkOptions
from crosshead.runtime.processes import Outcome
from crosshead.tokens import get_counter
from crosshead.types import Document

T = TypeVar("T")

Rounds = Annotated[int, typer.Option("--rounds", metavar="N", min=1, help="Rounds to measure; the median counts.")]

STEPS: Final = ("parse", "chunk", "check")


class Step(NamedTuple):
    """How long one step took, in CPU time."""

    name: str
    seconds: float
    megabytes_per_second: float
    p50_ms: float
    p99_ms: float
    max_ms: float


class Benchmark(NamedTuple):
    """The figures of one run."""

    documents: int
    megabytes: float
    rounds: int
    steps: tuple[Step, ...]
    chunks: int | None = None
    """None if nothing is chunked."""

    def to_json(self) -> dict[str, object]:
        """Return the figures as a dictionary."""
        known = {name: value for name, value in self._asdict().items() if value is not None}
        return {**known, "steps": [step._asdict() for step in self.steps]}


def bench() -> None:
    """Measure the speed of a step on your own files."""


@with_reading
@with_chunk_options(without=("explain",))
def bench_chunk(
    paths: Paths, options: ChunkOptions, reading: ReadSettings, rounds: Rounds = 3, as_json: AsJson = False
) -> None:
    """Measure parsing, chunking and checking: CPU seconds, throughput, milliseconds per document."""
    inputs = find_inputs(paths, reading)
    problems = Problems()
    documents = list(successes(process(_identity, inputs, jobs=1), problems))
    if documents:
        _announce(documents, rounds)
        figures = measure(documents, options, rounds)
        _show(figures, as_json=as_json)
    finish(problems, inputs=len(inputs))


@with_reading
def bench_extract(paths: Paths, reading: ReadSettings, rounds: Rounds = 3, as_json: AsJson = False) -> None:
    """Measure extraction to Markdown for each format: CPU seconds, throughput, milliseconds per document."""
    inputs = find_inputs(paths, reading)
    problems = Problems()
    outcomes = process(_format, inputs, jobs=1)  # also loads the readers before the clock starts
    files = [(item, outcome.value) for item, outcome in zip(inputs, _collecting(outcomes, problems), strict=True)]
    readable = [(item, format) for item, format in files if format]
    if readable:
        _announce(readable, rounds)
        _show(measure_reading(readable, rounds), as_json=as_json)
    finish(problems, inputs=len(inputs))


def measure_reading(files: Sequence[tuple[Input, str]], rounds: int) -> Benchmark:
    """Measure reading each file; its time is the median of the rounds."""
    steps = []
    for format in sorted({format for _, format in files}):
        inputs = [item for item, file_format in files if file_format == format]
        times = [[_timed(partial(read_input, item))[1] for _ in range(rounds)] for item in inputs]
        steps.append(_step(format, times, sum(map(size_of, inputs)) / 1e6))
    return Benchmark(len(files), sum(size_of(item) for item, _ in files) / 1e6, rounds, tuple(steps))


def _collecting(outcomes: Iterable[Outcome[T]], problems: Problems) -> Iterator[Outcome[T]]:
    """Yield the outcomes, and collect their problems."""
    for outcome in outcomes:
        list(successes([outcome], problems))
        yield outcome


def _announce(documents: Sequence[object], rounds: int) -> None:
    if shows_progress():
        print(f"measuring {len(documents)} documents in {rounds} rounds ...", file=sys.stderr)


def _show(figures: Benchmark, *, as_json: bool) -> None:
    if as_json:
        write_json(figures.to_json())
    else:
        from crosshead.cli.views.measure.benchmark import show_benchmark

        show_benchmark(figures)


def _format(document: Document) -> str:
    return document.format


def measure(documents: Sequence[Document], options: ChunkOptions, rounds: int) -> Benchmark:
    """Measure each step on each document; the time of a document is the median of its rounds."""
    get_counter(options.tokenizer)("load the vocabulary before the clock starts")
    times: dict[str, list[list[float]]] = {name: [] for name in STEPS}
    chunks = 0
    for document in documents:
        runs = [_measure_document(document, options) for _ in range(rounds)]
        chunks += runs[0].chunks
        for at, name in enumerate(STEPS):
            times[name].append([run.seconds[at] for run in runs])
    megabytes = sum(len(document.text.encode("utf-8", "replace")) for document in documents) / 1e6
    steps = tuple(_step(name, times[name], megabytes) for name in STEPS)
    return Benchmark(len(documents), megabytes, rounds, steps, chunks)


class _BenchRun(NamedTuple):
    seconds: tuple[float, float, float]
    chunks: int


def _measure_document(document: Document, options: ChunkOptions) -> _BenchRun:
    parsed, parse_seconds = _timed(
        lambda: pipeline.parse_document(document.text, source=document.source, format=document.format)
    )
    chunks, chunk_seconds = _timed(lambda: pipeline.chunk(parsed, options))
    _, check_seconds = _timed(lambda: pipeline.check(parsed, chunks))
    return _BenchRun((parse_seconds, chunk_seconds, check_seconds), len(chunks))


def _timed(step: Callable[[], T]) -> tuple[T, float]:
    start = process_time()
    value = step()
    return value, process_time() - start


def _step(name: str, times: Sequence[Sequence[float]], megabytes: float) -> Step:
    """Return the figures of a step: seconds are those of the median round, milliseconds medians per document."""
    from statistics import median

    seconds = median(map(sum, zip(*times, strict=True)))
    by_document = sorted(1000 * median(each) for each in times)
    speed = megabytes / seconds if seconds else 0.0
    return Step(name, seconds, speed, _quantile(by_document, 0.5), _quantile(by_document, 0.99), by_document[-1])


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def _identity(document: Document) -> Document:
    return document
