"""Hits -> the same hits, each with its confidence, weak below the threshold of the index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from crosshead.search.confidence.signals import SignalReader
from crosshead.search.snippets import Snippet
from crosshead.types import Calibration, Hit, SearchRequest

OTHER_SCORES: Final = frozenset((
    "candidates", "lexical_weight", "dense_weight", "relative_cosines", "heading_weight", "entity_weight", "rerank",
    "rerank_depth", "rerank_weight", "rerank_pieces", "weak_score",
))  # fmt: skip
"""Fields of a request with which scores mean something else than when the index was calibrated."""


Calibrations = Mapping[str, Calibration]
"""By the location of the index, which is empty if there is only one."""


def calibrations_for(calibrations: Calibrations, request: SearchRequest) -> Calibrations:
    """Return the calibrations of an index, or several, if they hold for a request."""
    is_default = request.mode == "hybrid" and request.given.isdisjoint(OTHER_SCORES)
    return calibrations if is_default else {}


def judge(
    shown: Sequence[tuple[Hit, Snippet]], level: float, reader: SignalReader, calibrations: Calibrations
) -> list[Hit]:
    """Return hits with their snippets and their confidence, each by the calibration of its index.

    It never rises along the list, so that the first hit says whether there is an answer.
    """
    judged = []
    least = 1.0
    for hit, (text, highlights, held) in shown:
        calibration = calibrations[hit.index]
        least = min(least, calibration.confidence(reader.read(hit, held, level)))
        is_weak = least < calibration.threshold
        judged.append(replace(hit, snippet=text, highlights=highlights, confidence=least, is_weak=is_weak))
    return judged
