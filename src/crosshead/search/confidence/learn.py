"""Signals of hits that answer, and of hits that do not -> a monotone model.

Logistic regression in which no weight is negative: more of a signal never lowers the confidence. Signals are scaled to
a mean of 0 and a deviation of 1; both groups count the same; a small penalty keeps weights from growing without end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from crosshead.types import Signals, SignalWeight

STEPS: Final = 2_000
RATE: Final = 0.3
PENALTY: Final = 0.01
LEAST_SCALE: Final = 1e-6


def learn(answering: Sequence[Signals], others: Sequence[Signals]) -> tuple[Mapping[str, SignalWeight], float]:
    """Return the weight of each signal, and the intercept."""
    import numpy as np

    values = np.array([*answering, *others], np.float64)
    answers = np.arange(len(values)) < len(answering)
    shares = np.where(answers, 0.5 / max(len(answering), 1), 0.5 / max(len(others), 1))
    means, scales = values.mean(axis=0), values.std(axis=0)
    scales[scales < LEAST_SCALE] = 1.0
    scaled = (values - means) / scales
    weights, intercept = np.zeros(values.shape[1]), 0.0
    for _ in range(STEPS):
        wrong = shares * (1.0 / (1.0 + np.exp(-(scaled @ weights + intercept))) - answers)
        weights = np.maximum(weights - RATE * (scaled.T @ wrong + PENALTY * weights), 0.0)
        intercept -= RATE * float(wrong.sum())
    columns = zip(Signals._fields, means.tolist(), scales.tolist(), weights.tolist(), strict=True)
    return {name: SignalWeight(*map(_rounded, numbers)) for name, *numbers in columns}, _rounded(intercept)


def _rounded(number: float) -> float:
    """Return a number as short as the examples are precise."""
    return round(number, 6)
