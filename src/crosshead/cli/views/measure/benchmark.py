"""A benchmark as a table."""

from __future__ import annotations

from crosshead.cli.commands.measure.bench import Benchmark
from crosshead.cli.commands.measure.bench_search import SearchBenchmark
from crosshead.cli.views.layout import DOT, Column, count, make_console, print_table


def show_benchmark(figures: Benchmark) -> None:
    """Print one line per step."""
    console = make_console()
    facts = (
        count(figures.documents, "document"),
        f"{figures.megabytes:,.2f} MB",
        *([count(figures.chunks, "chunk")] if figures.chunks is not None else []),
        f"median of {count(figures.rounds, 'round')}",
    )
    console.print(DOT.join(facts), style="bold")
    rows = [
        (
            step.name,
            f"{step.seconds:,.3f}",
            f"{step.megabytes_per_second:,.2f}",
            *(f"{value:,.2f}" for value in (step.p50_ms, step.p99_ms, step.max_ms)),
        )
        for step in figures.steps
    ]
    names = ("CPU s", "MB per CPU s", "p50 ms", "p99 ms", "max ms")
    print_table(
        console, (Column("format" if figures.chunks is None else "step", "cyan", left=True), *map(Column, names)), rows
    )
    console.print("milliseconds are CPU time per document", style="dim")


def show_search(figures: SearchBenchmark) -> None:
    """Print one line per mode."""
    console = make_console()
    facts = (
        count(figures.documents, "document"),
        count(figures.chunks, "chunk"),
        figures.embedder,
        count(figures.questions, "query", "queries"),
        f"{figures.limit} hits each",
        f"median of {count(figures.rounds, 'round')}",
    )
    console.print(DOT.join(facts), style="bold")
    rows = [
        (
            each.mode,
            *(f"{value:,.2f}" for value in (each.p50_ms, each.p95_ms, each.max_ms, each.elapsed_p50_ms)),
            f"{each.hits:,}",
            f"{each.hits_per_second:,.0f}",
        )
        for each in figures.modes
    ]
    names = ("p50 ms", "p95 ms", "max ms", "elapsed p50 ms", "hits", "hits per CPU s")
    print_table(console, (Column("mode", "cyan", left=True), *map(Column, names)), rows)
    console.print("milliseconds are CPU time of this process per query, except elapsed time", style="dim")
