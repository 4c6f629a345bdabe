"""Chunk every document with many options and check every guarantee.

usage: python -m tests.long.invariants [--every N] [--budgets N ...] [--show N] [FOLDER ...]

For each document below the folders (default: the corpus): every budget with both modes for oversize blocks and with
the strategies section and fixed, counted with cl100k_base and o200k_base. Every tenth document is also done with the
estimate and with characters, is done twice, and its counts are compared with tiktoken. `crosshead.check` judges; beside
it a few lines here check slices, order, coverage, budget and ids once more, in case the judge errs. Prints violations
by rule with N samples each. Exit code 1 if a guarantee is broken.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, product
from pathlib import Path
from typing import Any, NamedTuple

from bench.lib import corpus
from bench.lib.vocabularies import use_vocabularies

import crosshead
from crosshead import Chunk, Document

logging.disable(logging.WARNING)  # notes about odd documents

BUDGETS = (16, 40, 64, 200, 400, 1000, 4000)
EXACT = ("cl100k_base", "o200k_base")
INEXACT = ("estimate", "characters")
MODES = (("section", "keep"), ("section", "split"), ("fixed", "keep"))
SAMPLE_EVERY = 10


class Task(NamedTuple):
    path: Path
    budgets: tuple[int, ...]
    is_sample: bool
    """Also with the other counters, twice, and against tiktoken."""


class Finding(NamedTuple):
    severity: str
    rule: str
    where: str
    message: str


class Result(NamedTuple):
    chunks: int
    runs: int
    verified: int
    """Chunks whose count was compared with tiktoken."""
    findings: list[Finding]


def check_document(task: Task) -> Result:
    """Chunk one document with every combination of options."""
    chunks = runs = verified = 0
    findings: list[Finding] = []
    name = corpus.short_name(task.path)
    try:
        document = crosshead.read(task.path)
    except Exception as error:
        return Result(0, 0, 0, [Finding("error", "crash", name, f"read: {type(error).__name__}: {error}")])
    for options in _combinations(task):
        label = f"{options['tokenizer']} {options['max_tokens']} {options['strategy']} {options['oversize']}"
        try:
            made = crosshead.chunk(document, **options)
            found = list(chain(_reported(document, made), _checked_again(document, made, options)))
            if task.is_sample:
                found += _same_again(document, made, options)
                if options["tokenizer"] in EXACT:
                    found += _miscounted(made, options["tokenizer"])
                    verified += len(made)
        except Exception as error:
            found = [Finding("error", "crash", "", f"{type(error).__name__}: {error}")]
        else:
            chunks += len(made)
        runs += 1
        findings += [each._replace(where=f"{name}:{each.where} [{label}]") for each in found]
    return Result(chunks, runs, verified, findings)


def _combinations(task: Task) -> Iterator[dict[str, Any]]:
    tokenizers = EXACT + INEXACT if task.is_sample else EXACT
    for tokenizer, budget, (strategy, oversize) in product(tokenizers, task.budgets, MODES):
        yield {"tokenizer": tokenizer, "max_tokens": budget, "strategy": strategy, "oversize": oversize}


def _reported(document: Document, chunks: list[Chunk]) -> Iterator[Finding]:
    for each in crosshead.check(document, chunks).violations:
        yield Finding(each.severity, each.rule, f"{each.start_line}-{each.end_line}", each.message)


def _checked_again(document: Document, chunks: list[Chunk], options: Mapping[str, Any]) -> Iterator[Finding]:
    """The guarantees that need no parser, in the plainest words."""
    text, end, line = document.text, 0, 1
    if document.blocks and document.blocks[0].kind == "front_matter":
        end = document.blocks[0].end
        line += text.count("\n", 0, end)
    for chunk in chunks:
        where = f"{chunk.start_line}-{chunk.end_line}"
        if text[chunk.start : chunk.end] != chunk.content:
            yield Finding("error", "again: slice", where, "content is not the slice")
        if not chunk.content.split("\n", 1)[0].strip() or chunk.content[-1:].isspace():
            yield Finding("error", "again: edges", where, f"{chunk.content[:20]!r} ... {chunk.content[-20:]!r}")
        if chunk.start < end or text[end : chunk.start].strip():
            yield Finding("error", "again: coverage", where, f"text lost or doubled before offset {chunk.start}")
        line += text.count("\n", end, chunk.start)
        if (line, line + chunk.content.count("\n")) != (chunk.start_line, chunk.end_line):
            yield Finding("error", "again: lines", where, f"the content begins on line {line}")
        line += chunk.content.count("\n")
        if chunk.token_count > options["max_tokens"] and chunk.oversize_reason is None:
            yield Finding("error", "again: budget", where, f"{chunk.token_count} tokens without a reason")
        end = chunk.end
    if text[end:].strip():
        yield Finding("error", "again: coverage", "end", "the end of the text is in no chunk")
    if len({chunk.id for chunk in chunks}) != len(chunks):
        yield Finding("error", "again: ids", "", "an id occurs twice")


def _same_again(document: Document, chunks: list[Chunk], options: Mapping[str, Any]) -> Iterator[Finding]:
    if crosshead.chunk(document, **options) != chunks:
        yield Finding("error", "again: deterministic", "", "a second run gave other chunks")


def _miscounted(chunks: list[Chunk], encoding_name: str) -> Iterator[Finding]:
    import tiktoken

    encoding = tiktoken.get_encoding(encoding_name)
    for chunk in chunks:
        count = len(encoding.encode_ordinary(chunk.content))
        if count != chunk.token_count:
            where = f"{chunk.start_line}-{chunk.end_line}"
            yield Finding("error", "again: count", where, f"{chunk.token_count}, tiktoken says {count}")


def _tasks(arguments: argparse.Namespace) -> list[Task]:
    paths = corpus.documents(arguments.folders or corpus.corpus_folders())[:: arguments.every]
    tasks = [
        Task(path, tuple(arguments.budgets), is_sample=number % SAMPLE_EVERY == 0) for number, path in enumerate(paths)
    ]
    return sorted(tasks, key=lambda task: -task.path.stat().st_size)  # the longest first, so that no core waits


def _print_findings(findings: list[Finding], show: int) -> None:
    print("\n| severity | rule | found | documents | mostly with |\n|---|---|---|---|---|")
    by_rule: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for each in findings:
        by_rule[each.severity, each.rule].append(each)
    for (severity, rule), group in sorted(by_rule.items()):
        documents = Counter(each.where.split(":")[0] for each in group)
        options = Counter(each.where.partition("[")[2].rstrip("]") for each in group).most_common(2)
        mostly = ", ".join(f"{label} ({number:,})" for label, number in options)
        print(f"| {severity} | {rule} | {len(group):,} | {len(documents):,} | {mostly} |")
    for (severity, rule), group in sorted(by_rule.items()):
        if severity == "error":
            print(f"\n{rule}:")
            for each in _one_per_document(group)[:show]:
                print(f"  {each.where} {each.message[:160]}")


def _one_per_document(findings: list[Finding]) -> list[Finding]:
    return list({each.where.split(":")[0]: each for each in reversed(findings)}.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take only every Nth document")
    parser.add_argument("--budgets", type=int, nargs="+", default=BUDGETS, metavar="N")
    parser.add_argument("--show", type=int, default=5, metavar="N", help="samples per broken rule (default: 5)")
    arguments = parser.parse_args()

    use_vocabularies()
    tasks, started = _tasks(arguments), time.monotonic()
    results = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for number, result in enumerate(pool.map(check_document, tasks), 1):
            results.append(result)
            if number % 200 == 0 and sys.stderr.isatty():
                print(f"\r{number}/{len(tasks)} documents", end="", file=sys.stderr)
    findings = [each for result in results for each in result.findings]
    broken = sum(each.severity == "error" for each in findings)
    print(
        f"{len(tasks):,} documents, {sum(r.runs for r in results):,} runs, {sum(r.chunks for r in results):,} chunks, "
        f"{sum(r.verified for r in results):,} counts compared with tiktoken, {time.monotonic() - started:.0f} s: "
        f"{broken:,} violations, {len(findings) - broken:,} warnings"
    )
    if findings:
        _print_findings(findings, arguments.show)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
