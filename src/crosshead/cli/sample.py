"""Evenly spaced chunks of many documents, for a person to review.

1. Documents are cut and their chunks counted, so that not all chunks are kept in memory.
2. Chunks are drawn at equal distances, so that the same documents give the same sample.
3. Only the documents of drawn chunks are cut again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple, get_args

from crosshead import pipeline
from crosshead.cli.inputs import Input
from crosshead.cli.process.exit_codes import Problems, successes
from crosshead.cli.terminal.parallel import process
from crosshead.evaluation import READABLE_GOAL, Fault, judge_chunks
from crosshead.options import ChunkOptions
from crosshead.types import Chunk, Document


class SampledChunk(NamedTuple):
    """A chunk with its readability faults and the lines around it."""

    chunk: Chunk
    faults: tuple[Fault, ...]
    before: str
    """The last line of the previous chunk."""
    after: str
    """The first line of the next one."""

    def to_json(self) -> dict[str, Any]:
        """Return what a person needs to review the chunk, as a dictionary."""
        chunk = self.chunk
        return {
            "id": chunk.id,
            "source": chunk.source,
            "citation": chunk.citation,
            "breadcrumb": chunk.breadcrumb,
            "token_count": chunk.token_count,
            "text": chunk.render(),
            "before": self.before,
            "after": self.after,
            "faults": self.faults,
        }


@dataclass(frozen=True, slots=True)
class Sample:
    """The chunks drawn from all documents."""

    drawn: Sequence[SampledChunk]
    chunks: int
    """How many chunks there are in all documents."""

    @property
    def faults(self) -> Mapping[Fault, int]:
        """How many chunks have each fault."""
        counts = Counter(fault for sampled in self.drawn for fault in sampled.faults)
        return {fault: counts[fault] for fault in get_args(Fault)}

    @property
    def readable(self) -> float:
        """The share of the chunks without faults."""
        return sum(not each.faults for each in self.drawn) / len(self.drawn) if self.drawn else 1.0

    @property
    def reaches_goal(self) -> bool:
        """Are enough chunks free of faults?"""
        return self.readable > READABLE_GOAL

    def to_json(self) -> Iterator[dict[str, Any]]:
        """Return one object per chunk, and the shares at the end."""
        yield from (each.to_json() for each in self.drawn)
        size = max(len(self.drawn), 1)
        yield {
            "chunks": self.chunks,
            "sampled": len(self.drawn),
            "readable": self.readable,
            "goal": READABLE_GOAL,
            "ok": self.reaches_goal,
            "faults": {fault: amount / size for fault, amount in self.faults.items()},
        }


def draw_sample(
    inputs: Sequence[Input], options: ChunkOptions, size: int, problems: Problems, jobs: int | None
) -> Sample:
    """Draw `size` chunks at equal distances from all documents, or all chunks if there are fewer."""
    counts = dict(successes(process(partial(count_chunks, options), inputs, jobs), problems))
    total = sum(counts.values())
    numbers = _by_document(draw(total, size), counts)
    documents = [item for item in inputs if item.source in numbers]
    judged = successes(process(partial(judge_document, options, numbers), documents, jobs), Problems())
    return Sample([chunk for chunks in judged for chunk in chunks], total)


def draw(total: int, size: int) -> list[int]:
    """Return numbers below `total` at equal distances, the first and the last half a distance from the ends."""
    size = min(total, size)
    return [(2 * each + 1) * total // (2 * size) for each in range(size)]


def count_chunks(options: ChunkOptions, document: Document) -> tuple[str, int]:
    """Return the source of a document and how many chunks it has."""
    return document.source, len(pipeline.chunk(document, options))


def judge_document(
    options: ChunkOptions, numbers: Mapping[str, Sequence[int]], document: Document
) -> tuple[SampledChunk, ...]:
    """Judge the drawn chunks of a document, given by number."""
    chunks = pipeline.chunk(document, options)
    parsed = pipeline.with_syntax(document, options.mdx)
    judged = judge_chunks(parsed, [chunks[number] for number in numbers[document.source]], options)
    return tuple(
        SampledChunk(chunk, faults, _line(chunks, chunk.index - 1, -1), _line(chunks, chunk.index + 1, 0))
        for chunk, faults in judged
    )


def _by_document(numbers: Sequence[int], counts: Mapping[str, int]) -> dict[str, list[int]]:
    """Translate numbers among all chunks into numbers within each document."""
    by_source: dict[str, list[int]] = {}
    remaining = iter([*numbers, sum(counts.values())])
    number = next(remaining)
    for source, end in zip(counts, accumulate(counts.values()), strict=True):
        while number < end:
            by_source.setdefault(source, []).append(number - end + counts[source])
            number = next(remaining)
    return by_source


def _line(chunks: Sequence[Chunk], index: int, at: int) -> str:
    """Return line `at` of a chunk, or an empty text if there is no such chunk."""
    return chunks[index].content.split("\n")[at].strip() if 0 <= index < len(chunks) else ""
