"""Confidences of questions that are answered -> the threshold that keeps a promise about further ones.

The threshold is the k-th lowest of n confidences, with k = rate * (n + 1), rounded down. If the next question is like
these, its confidence is equally likely to come at each of the n + 1 places between them. So it comes below the k-th
with a probability of at most k / (n + 1), which is at most the rate: split conformal prediction.
"""

from __future__ import annotations

from collections.abc import Sequence


def choose_threshold(confidences: Sequence[float], rate: float) -> float:
    """Return the highest threshold below which at most this rate of further confidences is expected; else 0."""
    count = int(rate * (len(confidences) + 1) + 1e-9)
    return sorted(confidences)[count - 1] if count else 0.0
