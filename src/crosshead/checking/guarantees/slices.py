"""Guarantees 1 and 2: chunks are exact slices in order, and together they hold the whole text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from crosshead.checking.source import SourceText, broken
from crosshead.ids import content_hash
from crosshead.markdown import find_ink
from crosshead.types import Chunk, Violation


class Coverage(NamedTuple):
    """The share of the text that is in exactly one chunk, and the rest."""

    share: float
    lost: int = 0
    """Non-blank characters in no chunk."""
    first_lost: tuple[int, int] = (0, 0)
    """Offsets of the first run of these."""
    repeated: int = 0
    """Non-blank characters in several chunks."""
    first_repeated: tuple[int, int] = (0, 0)


def check_slices(source: SourceText, chunks: Sequence[Chunk]) -> Iterator[Violation]:
    """The content is the text at its offsets, from the beginning of a line or a word to a non-blank character."""
    text, counted, line = source.text, 0, 1
    for chunk in chunks:
        start, content = chunk.start, chunk.content
        if not content or content.isspace():
            yield broken("slice", chunk, "is blank")
            continue
        if not 0 <= start < chunk.end <= len(text) or text[start : chunk.end] != content:
            yield broken("slice", chunk, f"is not the text between its offsets {start} and {chunk.end}")
            continue
        if content[-1].isspace():
            yield broken("slice", chunk, "ends with a blank character")
        problem = _start_problem(source, start, content)
        if problem:
            yield broken("slice", chunk, problem)
        # Counting continues from the previous chunk, so that all chunks together cost one pass.
        line += text.count("\n", counted, start) if start >= counted else -text.count("\n", start, counted)
        counted = start
        last_line = line + content.count("\n")
        if (chunk.start_line, chunk.end_line) != (line, last_line):
            yield broken("slice", chunk, f"is on lines {line}-{last_line}")
        if chunk.content_hash != content_hash(content):
            yield broken("slice", chunk, "has the content hash of another text")


def check_order(chunks: Sequence[Chunk]) -> Iterator[Violation]:
    """The index counts from 0, and every chunk begins after the end of the previous one."""
    for index, chunk in enumerate(chunks):
        if chunk.index != index:
            yield broken("order", chunk, f"is number {index} of the document")
    for previous, chunk in pairwise(chunks):
        if chunk.start < previous.end:
            yield broken("order", chunk, f"begins before the end of chunk {previous.index}")


def check_coverage(source: SourceText, chunks: Sequence[Chunk], coverage: Coverage) -> Iterator[Violation]:
    """Every non-blank character of the text is in exactly one chunk, removed front matter in none."""
    if coverage.lost:
        yield _lines_broken(source, coverage.first_lost, f"{coverage.lost} characters are in no chunk")
    if coverage.repeated:
        yield _lines_broken(source, coverage.first_repeated, f"{coverage.repeated} characters are in several chunks")
    for chunk in chunks:
        if chunk.start < source.text_start:
            yield broken("coverage", chunk, "holds front matter, which was removed")


def measure_coverage(source: SourceText, chunks: Sequence[Chunk]) -> Coverage:
    """Return the share of the non-blank characters that are in exactly one chunk."""
    if _is_gapless(source, chunks):
        return Coverage(1.0)
    start, size = source.text_start, len(source.text)
    edges = [(size, 0)]
    for chunk in chunks:
        first, end = max(start, chunk.start), min(size, chunk.end)
        if first < end:
            edges += [(first, 1), (end, -1)]
    total = once = lost = repeated = depth = 0
    first_lost = first_repeated = (0, 0)
    at = start
    for turn, change in sorted(edges):
        if turn > at:
            ink = _count_ink(source.text[at:turn])
            total += ink
            if depth == 1:
                once += ink
            elif depth == 0 and ink:
                first_lost = first_lost if lost else (at, turn)
                lost += ink
            elif ink:
                first_repeated = first_repeated if repeated else (at, turn)
                repeated += ink
            at = turn
        depth += change
    return Coverage(once / total if total else 1.0, lost, first_lost, repeated, first_repeated)


def _start_problem(source: SourceText, start: int, content: str) -> str:
    text = source.text
    if start and text[start - 1] != "\n":
        if content[0].isspace():
            return "begins with a blank character inside a line"
        if not source.leaves_out_indentation(start):
            return ""
        # Indentation that alone fills the budget cannot be part of any chunk.
        line_start = text.rfind("\n", 0, start) + 1
        is_too_wide = source.count(text[line_start : start + 1]) > source.options.max_tokens
        return "" if is_too_wide else "leaves out the indentation of its first line"
    if content[0].isspace() and "\n" in content[: len(content) - len(content.lstrip())]:
        return "begins with a blank line"
    return ""


def _is_gapless(source: SourceText, chunks: Sequence[Chunk]) -> bool:
    """Are the chunks in order with nothing but white space between them? Then nothing needs to be counted."""
    text, at = source.text, source.text_start
    for chunk in chunks:
        if not at <= chunk.start < chunk.end or (chunk.start > at and find_ink(text, at, chunk.start)):
            return False
        at = chunk.end
    return at <= len(text) and find_ink(text, at) is None


def _count_ink(text: str) -> int:
    return sum(map(len, text.split()))


def _lines_broken(source: SourceText, span: tuple[int, int], message: str) -> Violation:
    piece = source.text[slice(*span)]
    first = source.line_of(span[0] + len(piece) - len(piece.lstrip()))
    last = source.line_of(span[0] + len(piece.rstrip()) - 1)
    return Violation("coverage", None, first, last, f"{message}, first on lines {first}-{last}")
