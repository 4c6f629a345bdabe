"""crosshead bench search: what a query costs in the user's own index.

1. Without an index, documents are indexed into a temporary folder.
2. Queries come from a file, or are headings spread evenly over all documents.
3. Each query runs in each mode in turn, round after round, after one round to warm up. The time of a query is the
   median of its rounds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, get_args

import typer

from crosshead.cli.flags import AsJson, IndexFolder
from crosshead.cli.terminal.output import print_error, write_json
from crosshead.errors import CrossheadError, IngestError
from crosshead.ids import document_id
from crosshead.options import DEFAULT_LOCATION, SearchMode
from crosshead.runtime.scratch import scratch_folder
from crosshead.types import Section

if TYPE_CHECKING:
    from crosshead.index import Index

MOST_DOCUMENTS: Final = 200
"""Documents whose headings become queries; reading more would take longer than searching."""
MODES: Final[tuple[SearchMode, ...]] = get_args(SearchMode)

Documents = Annotated[
    list[str] | None,
    typer.Argument(metavar="PATH", help="Documents or folders to index for this run, instead of using an index."),
]
Questions = Annotated[
    Path | None,
    typer.Option(
        "--questions",
        metavar="FILE",
        help="One query per line, or JSON Lines as for `crosshead eval`; by default headings of the documents.",
    ),
]
Count = Annotated[int, typer.Option("--count", metavar="N", min=1, help="Number of headings to search for.")]
Hits = Annotated[int, typer.Option("-k", "--limit", metavar="N", min=1, help="Hits per query.")]
Rounds = Annotated[int, typer.Option("--rounds", metavar="N", min=1, help="Rounds to measure; the median counts.")]
EmbedderName = Annotated[
    str, typer.Option("--embedder", metavar="NAME", help="Embedder for PATHS; `auto` picks the best one installed.")
]


class ModeFigures(NamedTuple):
    """What queries cost in one mode."""

    mode: str
    p50_ms: float
    """CPU time of this process; a database does its work in another."""
    p95_ms: float
    max_ms: float
    elapsed_p50_ms: float
    hits: int
    hits_per_second: float
    """Of CPU time."""


class SearchBenchmark(NamedTuple):
    """The figures of one run."""

    location: str
    documents: int
    chunks: int
    embedder: str
    questions: int
    limit: int
    rounds: int
    modes: tuple[ModeFigures, ...]

    def to_json(self) -> dict[str, object]:
        """Return the figures as a dictionary."""
        return {**self._asdict(), "modes": [each._asdict() for each in self.modes]}


class _Cost(NamedTuple):
    cpu_seconds: float
    elapsed_seconds: float
    hits: int


def bench_search(
    paths: Documents = None,
    location: IndexFolder = DEFAULT_LOCATION,
    questions: Questions = None,
    count: Count = 100,
    limit: Hits = 10,
    rounds: Rounds = 3,
    embedder: EmbedderName = "auto",
    as_json: AsJson = False,
) -> None:
    """Measure search in every mode: CPU milliseconds per query, and hits per CPU second."""
    with _open_index(paths, location, embedder) as index:
        queries = read_queries(questions) if questions else heading_queries(index, count)
        if not queries:
            raise CrossheadError("no headings to search for: pass queries with --questions FILE")
        figures = measure_search(index, queries, limit, rounds)
    if as_json:
        write_json(figures.to_json())
    else:
        from crosshead.cli.views.measure.benchmark import show_search

        show_search(figures)


@contextmanager
def _open_index(paths: Sequence[str] | None, location: str, embedder: str) -> Iterator[Index]:
    """Open the index at `location`, or a temporary one of the documents at `paths`."""
    from crosshead.index import Index

    with ExitStack() as stack:
        if not paths:
            yield stack.enter_context(Index(location, create=False))
            return
        folder = stack.enter_context(scratch_folder())
        index = stack.enter_context(Index(folder / "index", embedder=embedder))
        result = index.add(*paths)
        for source, reason in result.failed.items():
            print_error(f"{source}: {reason}")
        if not index.sources():
            raise IngestError(f"no documents in {', '.join(paths)}")
        yield index


def read_queries(path: Path) -> list[str]:
    """Return the queries of a file, one per line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise CrossheadError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CrossheadError(f"{path}: not UTF-8 text: save it as UTF-8") from error
    queries = [_read_query(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not queries:
        raise CrossheadError(f"{path}: no queries: write one per line")
    return queries


def _read_query(path: Path, number: int, line: str) -> str:
    if not line.startswith("{"):
        return line.strip()
    try:
        question = json.loads(line)["question"]
    except (ValueError, KeyError) as error:
        raise CrossheadError(f'{path}:{number}: expected a query, or JSON with the key "question"') from error
    return str(question)


def heading_queries(index: Index, count: int) -> list[str]:
    """Return distinct headings, spread evenly over the documents."""
    from crosshead.pipeline import parse_document

    sources = _spread(index.sources(), MOST_DOCUMENTS)
    titles: dict[str, None] = {}
    for document in filter(None, (index.document(document_id(source)) for source in sources)):
        parsed = parse_document(document.text, source=document.source, format="markdown")
        titles |= dict.fromkeys(section.title for section in _below(parsed.root) if section.title.strip())
    return _spread([*titles], count)


def _below(section: Section) -> Iterator[Section]:
    for child in section.children:
        yield child
        yield from _below(child)


def _spread(items: Sequence[Any], count: int) -> list[Any]:
    return [items[at * len(items) // count] for at in range(count)] if len(items) > count else list(items)


def measure_search(index: Index, queries: Sequence[str], limit: int, rounds: int) -> SearchBenchmark:
    """Run each query in each mode, the modes in turn."""
    times: dict[str, list[list[_Cost]]] = {mode: [[] for _ in queries] for mode in MODES}
    for number in range(-1, rounds):
        for at, query in enumerate(queries):
            for mode in MODES:
                cost = _run_query(index, query, mode, limit)
                if number >= 0:
                    times[mode][at].append(cost)
    status = index.status()
    return SearchBenchmark(
        status.location,
        status.documents,
        status.chunks,
        status.embedder,
        len(queries),
        limit,
        rounds,
        tuple(_figures(mode, times[mode]) for mode in MODES),
    )


def _run_query(index: Index, query: str, mode: SearchMode, limit: int) -> _Cost:
    cpu, elapsed = process_time(), perf_counter()
    hits = index.search(query, limit, mode=mode)
    return _Cost(process_time() - cpu, perf_counter() - elapsed, len(hits))


def _figures(mode: str, queries: Iterable[Sequence[_Cost]]) -> ModeFigures:
    costs = [
        _Cost(median(run.cpu_seconds for run in runs), median(run.elapsed_seconds for run in runs), runs[0].hits)
        for runs in queries
    ]
    ordered = sorted(1000 * cost.cpu_seconds for cost in costs)
    hits, seconds = sum(cost.hits for cost in costs), sum(cost.cpu_seconds for cost in costs)
    return ModeFigures(
        mode,
        _quantile(ordered, 0.5),
        _quantile(ordered, 0.95),
        ordered[-1],
        1000 * median(cost.elapsed_seconds for cost in costs),
        hits,
        hits / seconds if seconds else 0.0,
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]
