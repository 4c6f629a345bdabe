"""Chunks + source -> report.

The source is parsed again and every guarantee is derived from it, without the chunker's bookkeeping: one rule, one
function. Nothing is ever changed or repaired.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crosshead.check.atoms import check_atoms
from crosshead.check.budget import check_budget, check_oversize, find_oversize
from crosshead.check.figures import measure_figures
from crosshead.check.headings import check_headings
from crosshead.check.identity import check_ids
from crosshead.check.links import check_links
from crosshead.check.notices import find_malformed_front_matter, find_unclosed_fences
from crosshead.check.overlap import check_overlap
from crosshead.check.readable import READABLE_GOAL, Fault, Judgment, judge_chunks
from crosshead.check.recall import measure_line_recall
from crosshead.check.sections import (
    check_indexable,
    check_paths,
    check_section_fields,
    check_section_sizes,
    check_whole_below,
)
from crosshead.check.slices import Coverage, check_coverage, check_order, check_slices, measure_coverage
from crosshead.check.source import Place, Source, place_chunks, read_source
from crosshead.check.stored import check_stored
from crosshead.model import Chunk, Document, Report, Violation
from crosshead.options import ChunkOptions

__all__ = ["READABLE_GOAL", "Fault", "Judgment", "check_chunks", "check_stored", "judge_chunks"]


def check_chunks(document: Document, chunks: Sequence[Chunk], options: ChunkOptions) -> Report:
    """Prove the guarantees of chunking on these chunks of a document."""
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
    source: Source, chunks: Sequence[Chunk], places: Sequence[Place], coverage: Coverage
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
