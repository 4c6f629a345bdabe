"""A benchmark as a table."""

from __future__ import annotations

from crosshead.cli.bench import Benchmark
from crosshead.cli.views.layout import DOT, Column, count, make_console, print_table


def show_benchmark(figures: Benchmark) -> None:
    """Print a line per step."""
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
