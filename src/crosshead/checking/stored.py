"""The rules that need neither parsing nor counting: fast enough to check all chunks before they are stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crosshead.checking.guarantees.budget import check_sizes
from crosshead.checking.guarantees.identity import check_ids
from crosshead.checking.guarantees.slices import check_coverage, check_order, check_slices, measure_coverage
from crosshead.checking.source import read_text
from crosshead.options import ChunkOptions
from crosshead.types import Chunk, Document, Violation


def check_stored(document: Document, chunks: Sequence[Chunk], options: ChunkOptions) -> Iterator[Violation]:
    """Check that chunks are exact slices in order, nothing is lost, ids are unique, and sizes are possible."""
    source = read_text(document, options)
    yield from check_slices(source, chunks)
    yield from check_order(chunks)
    yield from check_coverage(source, chunks, measure_coverage(source, chunks))
    yield from check_ids(source, chunks)
    yield from check_sizes(source, chunks)
