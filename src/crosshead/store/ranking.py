"""Scores -> candidates in the same order in every store."""

from __future__ import annotations

from collections.abc import Mapping

from crosshead.types import Candidate


def ranked(scores: Mapping[str, float], limit: int) -> list[Candidate]:
    """Return the best chunks; equal scores are ordered by id, so that the same query has the same answer."""
    best = sorted(scores.items(), key=lambda each: (-each[1], each[0]))
    return [Candidate(chunk_id, score) for chunk_id, score in best[:limit]]
