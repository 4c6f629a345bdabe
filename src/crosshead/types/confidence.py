"""How an index tells answers from mere matches: a small monotone model, and the threshold of a promise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import exp
from typing import Any, Final, NamedTuple

CALIBRATIONS: Final = "calibrations"
"""The setting of several indexes that are read as one: the calibration of each, by location."""
CALIBRATION: Final = "calibration"
"""The setting of an index that holds its calibration."""
UNCALIBRATED: Final[Mapping[str, Any]] = {"chunks": 0}
"""That setting if scores mean something else since: the next run of indexing calibrates the index again."""
TUNED: Final = "tuned"
"""The setting of an index with the search options that it was tuned to, and the embedder that they are for."""
OF_SEARCHES: Final = frozenset((CALIBRATION, TUNED))
"""Settings that concern searches alone, not what the index stores."""
LEAST_QUESTIONS: Final = 100
"""Made-up questions that the index answers, without which nothing is promised; a chunk makes one."""
VERSION: Final = 1
"""Of the form of the setting; another one is ignored."""
LARGEST: Final = 30.0


class Signals(NamedTuple):
    """What speaks for a hit; each is higher if it answers."""

    words: float
    """The share of the query's words that its section holds, weighted by how rare they are."""
    names: float
    """The share of the query's names that it holds; 1 for a query without names."""
    lead: float
    """How far its score is above the mean of the first hits."""
    cosine: float
    """With the query; 0 if its vector is not among the nearest."""
    tokens: float
    """The score of its token vectors; 0 without them."""


class SignalWeight(NamedTuple):
    """How much a signal counts, after it was made comparable with the others."""

    mean: float
    scale: float
    weight: float


@dataclass(frozen=True)
class Calibration:
    """What `crosshead calibrate` learned about an index."""

    false_alarms: float
    """The promised share of the questions that a search answers whose hits are all weak, 0 to 1."""
    threshold: float
    """Hits with a lower confidence are weak."""
    weights: Mapping[str, SignalWeight]
    """By the name of the signal."""
    intercept: float
    questions: int
    """Questions that the threshold was chosen on."""
    asked: int
    """How many of them were users' own."""
    chunks: int
    """Chunks of the index at that time."""

    def confidence(self, signals: Signals) -> float:
        """Return how likely a hit is to answer, 0 to 1."""
        ordered = [self.weights[name] for name in Signals._fields]
        counted = [(value - each.mean) / each.scale * each.weight for value, each in zip(signals, ordered, strict=True)]
        score = self.intercept + sum(counted)
        return 1.0 / (1.0 + exp(-min(max(score, -LARGEST), LARGEST)))

    def to_json(self) -> dict[str, Any]:
        """Return the setting of an index."""
        return {"version": VERSION, **asdict(self)}

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Calibration | None:
        """Return the calibration of an index with these settings; None if it has none, or one in another form."""
        stored = settings.get(CALIBRATION)
        if not isinstance(stored, Mapping) or stored.get("version") != VERSION or "weights" not in stored:
            return None
        values = {name: value for name, value in stored.items() if name != "version"}
        weights = {name: SignalWeight(*values["weights"][name]) for name in Signals._fields}
        return cls(**{**values, "weights": weights})


def calibrations_of(settings: Mapping[str, Any]) -> Mapping[str, Calibration]:
    """Return the calibrations of an index by location: one without a location, or those of several indexes, if all of
    them are calibrated."""
    stored = settings.get(CALIBRATIONS)
    if stored is None:
        own = Calibration.from_settings(settings)
        return {"": own} if own else {}
    known = {location: Calibration.from_settings({CALIBRATION: each}) for location, each in stored.items()}
    found = {location: each for location, each in known.items() if each}
    return found if len(found) == len(known) else {}
