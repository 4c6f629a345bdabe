"""The models of several indexes, and one vector for a query, with a slice for each of them.

The vectors of a part fill the slice of its model, and the rest is zero: so they are compared as in the part alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from crosshead.types import CALIBRATION, CALIBRATIONS, HAS_TOKEN_VECTORS, TUNED, Vectors

if TYPE_CHECKING:
    import numpy as np


class Model(NamedTuple):
    """A model, and its slice of the vector of a query."""

    name: str
    revision: str
    start: int
    end: int

    def of_query(self, vector: Vectors) -> Vectors:
        """Return the vector of a query by this model."""
        return vector[..., self.start : self.end]

    def fill(self, vectors: Vectors, dimension: int) -> Vectors:
        """Return vectors of this model as they are compared with the vector of a query."""
        import numpy as np

        filled: np.ndarray[Any, np.dtype[np.float32]] = np.zeros((len(vectors), dimension), np.float32)
        filled[:, self.start : self.end] = vectors
        return filled


@dataclass(frozen=True)
class Models:
    """The models of some parts."""

    distinct: tuple[Model, ...]
    of_parts: tuple[Model, ...]
    """By the number of the part."""

    @classmethod
    def from_settings(cls, settings: Sequence[Mapping[str, Any]]) -> Models:
        """Return the models of parts with these settings."""
        distinct: dict[tuple[str, str], Model] = {}
        end = 0
        keys = [(each["embedder"], each.get("embedder_revision", "")) for each in settings]
        for key, own in zip(keys, settings, strict=True):
            if key not in distinct:
                distinct[key] = Model(*key, end, end + own["dimension"])
                end += own["dimension"]
        return cls(tuple(distinct.values()), tuple(distinct[key] for key in keys))

    @property
    def dimension(self) -> int:
        """Numbers in the vector of a query."""
        return self.distinct[-1].end

    @property
    def are_alike(self) -> bool:
        """Do all parts have the same model?"""
        return len(self.distinct) == 1

    def numbers(self, model: Model) -> list[int]:
        """Return the numbers of the parts with a model."""
        return [number for number, each in enumerate(self.of_parts) if each == model]


def joined_settings(settings: Mapping[str, Mapping[str, Any]], models: Models) -> dict[str, Any]:
    """Return the settings to search parts by that have these settings, by location."""
    first, *others = settings.values()
    joined = {name: value for name, value in first.items() if name != CALIBRATION}
    if any(each.get(TUNED) != first.get(TUNED) for each in others):
        joined.pop(TUNED, None)
    if models.are_alike:
        stored = {location: each.get(CALIBRATION) for location, each in settings.items()}
        return {
            **joined,
            CALIBRATIONS: stored,
            HAS_TOKEN_VECTORS: all(each.get(HAS_TOKEN_VECTORS) for each in settings.values()),
        }
    names = " + ".join(each.name for each in models.distinct)
    return {**joined, "embedder": names, "dimension": models.dimension, HAS_TOKEN_VECTORS: False}
