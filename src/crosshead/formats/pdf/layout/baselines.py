"""Segments on one baseline, whatever column they are in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from crosshead.formats.pdf.page.shapes import Segment

_SAME_LINE: Final = 0.3
"""How far the baselines of one line may be apart, in ems."""


class Baseline(NamedTuple):
    """A line of a page."""

    segments: list[Segment]
    base: float
    size: float

    @property
    def text(self) -> str:
        """All of its text."""
        return " ".join([each.text for each in self.segments])


def find_baselines(segments: Iterable[Segment]) -> list[Baseline]:
    """Return the lines from top to bottom."""
    groups: list[list[Segment]] = []
    for segment in sorted([each for each in segments if not each.words[0].turned], key=lambda each: -each.base):
        if groups and groups[-1][0].base - segment.base < _SAME_LINE * segment.size:
            groups[-1].append(segment)
        else:
            groups.append([segment])
    return [
        Baseline(sorted(group, key=lambda each: each.x0), group[0].base, max([each.size for each in group]))
        for group in groups
    ]
