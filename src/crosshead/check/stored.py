"""The rules that need neither parsing nor counting, so that everything can be tested before it is stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crosshead.check.budget import check_sizes
from crosshead.check.identity import check_ids
from crosshead.check.slices import check_coverage, check_order, check_slices, measure_coverage
from crosshead.check.source import read_text
from crosshead.model import Chunk, Document, Violation
from crosshead.options import ChunkOptions


def check_stored(document: Document, chunks: Sequence[Chunk], options: ChunkOptions) -> Iterator[Violation]:
    """Chunks are exact slices in order, nothing is lost, ids name one chunk each, and sizes are possible."""
    source = read_text(document, options)
    yield from check_slices(source, chunks)
    yield from check_order(chunks)
    yield from check_coverage(source, chunks, measure_coverage(source, chunks))
    yield from check_ids(source, chunks)
    yield from check_sizes(source, chunks)
