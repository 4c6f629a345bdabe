"""Chunks + source -> report.

The source is parsed again, and each guarantee is verified against it, without any data of the chunker: one function
per rule. Nothing is changed or repaired.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crosshead.checking.figures import measure_figures
from crosshead.checking.guarantees.atoms import check_atoms
from crosshead.checking.guarantees.budget import check_budget, check_oversize, find_oversize
from crosshead.checking.guarantees.headings import check_headings
from crosshead.checking.guarantees.identity import check_ids
from crosshead.checking.guarantees.links import check_links
from crosshead.checking.guarantees.overlap import check_overlap
from crosshead.checking.guarantees.sections import (
    check_indexable,
    check_paths,
    check_section_fields,
    check_section_sizes,
    check_whole_below,
)
from crosshead.checking.guarantees.slices import Coverage, check_coverage, check_order, check_slices, measure_coverage
from crosshead.checking.notices import find_malformed_front_matter, find_unclosed_fences
from crosshead.checking.recall import measure_line_recall
from crosshead.checking.source import ATOM_KINDS, CheckedSource, PlacedChunk, place_chunks, read_source
from crosshead.checking.stored import check_stored
from crosshead.options import ChunkOptions
from crosshead.types import Chunk, Document, Report, Violation

__all__ = [
    "ATOM_KINDS",
    "CheckedSource",
    "PlacedChunk",
    "check_chunks",
    "check_stored",
    "place_chunks",
    "read_source",
]


def check_chunks(document: Document, chunks: Sequence[Chunk], options: ChunkOptions) -> Report:
    """Verify the guarantees of chunking for the chunks of a document."""
    source = read_source(document, options)
    places = place_chunks(source, chunks)
    coverage = measure_coverage(source, chunks)
    return Report(
        source=document.source,
        coverage=coverage.share,
        line_recall=measure_line_recall(source, chunks, is_covered=coverage.share == 1.0),
        figures=measure_figures(source, chunks, places),
        violations=tuple(_find_violations(source, chunks, places, coverage)),
    )


def _find_violations(
    source: CheckedSource, chunks: Sequence[Chunk], places: Sequence[PlacedChunk], coverage: Coverage
) -> Iterator[Violation]:
    yield from check_slices(source, chunks)
    yield from check_order(chunks)
    yield from check_coverage(source, chunks, coverage)
    yield from check_budget(source, chunks)
    yield from check_oversize(source, places)
    yield from check_paths(source, places)
    yield from check_ids(source, chunks)
    if source.options.strategy != "fixed":
        yield from check_atoms(source, places)
        yield from check_headings(source, places)
        yield from check_whole_below(source, places)
        yield from check_section_fields(source, places)
        yield from check_section_sizes(source, places)
        yield from check_indexable(source, places)
        yield from check_links(source, places, chunks)
    yield from check_overlap(source, places)
    yield from find_malformed_front_matter(source)
    yield from find_unclosed_fences(source)
    yield from find_oversize(source, chunks)
