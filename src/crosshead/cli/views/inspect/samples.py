"""A sample: each chunk as a reader gets it, between the lines around it, then its readability faults."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.text import Text

from crosshead.cli.sample import Sample, SampledChunk
from crosshead.cli.terminal.output import one_line
from crosshead.cli.views.layout import (
    DOT,
    ELLIPSIS,
    SEPARATOR,
    Column,
    count,
    fit_right,
    make_console,
    number,
    percent,
    print_table,
)
from crosshead.evaluation import READABLE_GOAL, Fault

FAULT_TEXTS: Final[dict[Fault, str]] = {
    "begins_inside_sentence": "begins inside a sentence",
    "ends_inside_sentence": "ends inside a sentence",
    "no_heading": "has no heading in sight",
    "refers_to_absent": "refers to something that is missing",
}


def show_sample(sample: Sample) -> None:
    """Print each chunk of a sample, then the share of each fault."""
    console = make_console()
    for place, each in enumerate(sample.drawn, 1):
        _show_chunk(console, each, f"{place}/{len(sample.drawn)}")
    if sample.drawn:
        _show_shares(console, sample)


def _show_chunk(console: Console, each: SampledChunk, place: str) -> None:
    chunk = each.chunk
    path = SEPARATOR.join(map(one_line, chunk.full_path))
    facts = DOT.join((path, count(chunk.token_count, "token")))
    title = Text.assemble((f"{place}  ", "dim"), (one_line(chunk.citation), "bold cyan"), (DOT + facts, "bold"))
    console.print(title, soft_wrap=True)
    if each.before:
        console.print(Text(fit_right(f"{ELLIPSIS} {each.before}", console.width), style="dim"))
    for line in ("", *chunk.render().split("\n"), ""):
        console.print(Text(one_line(line)), soft_wrap=True)
    if each.after:
        console.print(Text(fit_right(each.after, console.width - 2) + f" {ELLIPSIS}", style="dim"))
    for fault in each.faults:
        console.print(f"! {FAULT_TEXTS[fault]}", style="yellow")
    console.print()


def _show_shares(console: Console, sample: Sample) -> None:
    size = len(sample.drawn)
    rows = [(FAULT_TEXTS[fault], number(amount), percent(amount / size)) for fault, amount in sample.faults.items()]
    readable = sum(not each.faults for each in sample.drawn)
    rows.append(("is readable on its own", number(readable), percent(sample.readable)))
    print_table(console, (Column("by rule", left=True), Column("chunks"), Column("share")), rows)
    console.print()
    verdict = "reached" if sample.reaches_goal else "missed"
    drawn = f"{number(size)} of {count(sample.chunks, 'chunk')}"
    line = f"{verdict}: the goal is more than {percent(READABLE_GOAL)} readable on their own{DOT}{drawn}"
    console.print(line, style="bold green" if sample.reaches_goal else "bold yellow")
