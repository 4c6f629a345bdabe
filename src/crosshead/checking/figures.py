"""Figures of the chunks of a document: sizes and cuts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from crosshead.checking.source import CheckedSource, PlacedChunk
from crosshead.types import Chunk, Figures


def measure_figures(source: CheckedSource, chunks: Sequence[Chunk], places: Sequence[PlacedChunk]) -> Figures:
    """Return the sizes of chunks, and how often a section is cut."""
    from statistics import median  # imports decimal and random

    options = source.options
    sizes = [chunk.token_count for chunk in chunks]
    total = sum(sizes)
    return Figures(
        chunks=len(chunks),
        tokens=total,
        tokens_min=min(sizes, default=0),
        tokens_median=float(median(sizes)) if sizes else 0.0,
        tokens_max=max(sizes, default=0),
        fill=total / len(sizes) / options.target_tokens if sizes else 0.0,
        tiny=sum(size < options.min_tokens for size in sizes),
        cuts_inside_sections=sum(_begins_inside_section(source, place) for place in places[1:]),
        oversize=dict(Counter(chunk.oversize_reason for chunk in chunks if chunk.oversize_reason is not None)),
    )


def _begins_inside_section(source: CheckedSource, place: PlacedChunk) -> bool:
    return source.kinds[place.first] != "heading" or source.starts_inside(place)
