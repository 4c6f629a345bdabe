"""Reports: a line per document with its violations, the figures of all, the verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median
from textwrap import wrap
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from crosshead.cli.commands.inspect.check import CheckedDocument
from crosshead.cli.terminal.output import one_line
from crosshead.cli.views.layout import (
    DOT,
    Column,
    count,
    fit_left,
    make_console,
    mean_fill,
    number,
    percent,
    print_table,
    room_beside,
    span,
)
from crosshead.options import ChunkOptions
from crosshead.types import Violation

MARKS: Final = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "error": ("✗", "bold red")}


def show_reports(checked: Sequence[CheckedDocument], options: ChunkOptions, *, failed: bool, unread: int) -> None:
    """Print all reports and a summary; `unread` is the number of documents that could not be read."""
    if not checked:
        return
    console = make_console()
    _show_documents(console, checked)
    console.print()
    _show_summary(console, checked, options)
    console.print()
    verdict = verdict_line(checked, failed=failed, unread=unread)
    console.print(verdict, style="bold red" if failed or unread else "bold green")


def verdict_line(checked: Sequence[CheckedDocument], *, failed: bool, unread: int) -> str:
    """Return the verdict in one line."""
    severities = Counter(violation.severity for each in checked for violation in each.report.violations)
    found = " and ".join(count(amount, severity) for severity, amount in sorted(severities.items()))
    files = count(len(checked), "file")
    where = f"{found} in {sum(each.verdict != 'ok' for each in checked)} of {files}" if found else ""
    missing = f"{count(unread, 'document')} could not be read" if unread else ""
    if failed or unread:
        return f"failed: {'; '.join(filter(None, (where, missing)))}"
    return f"passed: every guarantee holds{f'; {where}' if where else f' in {files}'}"


def _show_documents(console: Console, checked: Sequence[CheckedDocument]) -> None:
    facts = [
        (count(each.report.figures.chunks, "chunk"), f"coverage {percent(each.report.coverage)}") for each in checked
    ]
    width = max(len(chunks) for chunks, _ in facts)
    longest = max(cell_len(one_line(each.report.source)) for each in checked)
    room = min(room_beside(console.width, ("✓", "", ""), [("", *fact) for fact in facts]), longest)
    for each, (chunks, coverage) in zip(checked, facts, strict=True):
        name = set_cell_size(fit_left(each.report.source, room), room)
        line = Text.assemble(MARKS[each.verdict], " ", name, (f"  {chunks:>{width}}  {coverage}", "dim"))
        console.print(line, no_wrap=True)
        if each.report.violations:
            _show_violations(console, each.report.violations)


def _show_violations(console: Console, violations: Sequence[Violation]) -> None:
    rows = [(f"  {MARKS[each.severity][0]}", each.rule, _lines(each)) for each in violations]
    room = room_beside(console.width, ("", "", ""), rows)
    cells = [
        (
            Text(mark, style=MARKS[each.severity][1]),
            Text(rule, style=MARKS[each.severity][1]),
            lines,
            "\n".join(wrap(one_line(each.message), room)),
        )
        for each, (mark, rule, lines) in zip(violations, rows, strict=True)
    ]
    print_table(console, [Column("", left=True)] * 4, cells, header=False)


def _lines(violation: Violation) -> str:
    several = violation.end_line > violation.start_line
    return f"{'lines' if several else 'line'} {span(violation.start_line, violation.end_line)}"


def _show_summary(console: Console, checked: Sequence[CheckedDocument], options: ChunkOptions) -> None:
    """Print the figures of all documents; shares are those of the worst document, which a mean would hide."""
    reports = [each.report for each in checked]
    sizes = [size for each in checked for size in each.sizes]
    lowest = " (lowest)" if len(reports) > 1 else ""
    rows = {
        "files": number(len(reports)),
        "chunks": number(len(sizes)),
        f"coverage{lowest}": percent(min(report.coverage for report in reports)),
        f"line recall{lowest}": percent(min(report.line_recall for report in reports)),
        "tokens per chunk": _min_median_max(sizes),
        f"mean fill of {number(options.target_tokens)}": mean_fill(sizes, options.target_tokens),
        f"small (below {number(options.min_tokens)})": number(sum(report.figures.tiny for report in reports)),
        f"oversize (above {number(options.max_tokens)})": _oversize(checked),
        "cuts inside sections": number(sum(report.figures.cuts_inside_sections for report in reports)),
    }
    print_table(console, (Column("", "dim", left=True), Column("", left=True)), [*rows.items()], header=False)


def _min_median_max(sizes: Sequence[int]) -> str:
    if not sizes:
        return ""
    return DOT.join((f"min {number(min(sizes))}", f"median {number(median(sizes))}", f"max {number(max(sizes))}"))


def _oversize(checked: Sequence[CheckedDocument]) -> str:
    reasons: Counter[str] = Counter()
    for each in checked:
        reasons.update(each.report.figures.oversize)
    listed = ", ".join(f"{amount} {reason}" for reason, amount in sorted(reasons.items()))
    return f"{number(reasons.total())} ({listed})" if listed else "0"
