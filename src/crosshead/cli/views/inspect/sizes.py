"""The sizes of chunks: a histogram and one line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from rich.console import Console
from rich.text import Text

from crosshead.cli.views.layout import DOT, Column, count, mean_fill, number, print_table, span
from crosshead.options import ChunkOptions

BAR_WIDTH: Final = 30
BUCKETS: Final = 4
"""Quarters of the maximum; with the default options the first one holds the small chunks."""
_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"


def show_histogram(console: Console, sizes: Sequence[int], max_tokens: int) -> None:
    """Print how many chunks are in each quarter of the maximum."""
    edges = [max_tokens * part // BUCKETS for part in range(BUCKETS + 1)]
    rows = [
        (span(low + 1, high), sum(low < size <= high for size in sizes), "cyan")
        for low, high in pairwise(edges)
        if high > low
    ]
    if above := sum(size > max_tokens for size in sizes):
        rows.append((f"over {max_tokens}", above, "yellow"))
    most = max(amount for _, amount, _ in rows)
    columns = (Column("tokens"), Column("chunks"), Column("", left=True))
    print_table(
        console, columns, [(label, number(amount), Text(bar(amount / most), style)) for label, amount, style in rows]
    )


def bar(share: float, width: int = BAR_WIDTH) -> str:
    """Return a bar with a resolution of an eighth of a character; a share above 0 is always visible."""
    eighths = max(round(share * width * 8), 1 if share > 0 else 0)
    return (_EIGHTHS[8] * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def size_line(sizes: Sequence[int], oversize: int, options: ChunkOptions) -> str:
    """Return the sizes of chunks in one line."""
    fill = f"fill {mean_fill(sizes, options.target_tokens)} of {number(options.target_tokens)}"
    parts = [count(len(sizes), "chunk"), count(sum(sizes), "token"), fill]
    if small := sum(size < options.min_tokens for size in sizes):
        parts.append(f"{number(small)} small")
    if oversize:
        parts.append(f"{number(oversize)} oversize")
    return DOT.join(parts)
