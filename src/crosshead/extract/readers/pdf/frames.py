"""Rules that touch each other make a frame, and the places of its rules a grid of fields."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from crosshead.extract.readers.pdf.shapes import Rule

TOUCH: Final = 3.0
_MAX_RULES: Final = 600


class Frame(NamedTuple):
    """Rules that touch each other."""

    across: list[Rule]
    down: list[Rule]

    def is_parted_at(self, x: float, y: float) -> bool:
        """Does a vertical rule pass this place?"""
        return any(abs(rule.x0 - x) <= TOUCH and rule.y0 <= y <= rule.y1 for rule in self.down)

    def is_parted_below(self, x: float, y: float) -> bool:
        """Does a horizontal rule pass this place?"""
        return any(abs(rule.y0 - y) <= TOUCH and rule.x0 <= x <= rule.x1 for rule in self.across)

    def places(self) -> tuple[list[float], list[float]]:
        """Return where columns and rows are parted; a frame that is open at a side ends where its rules end."""
        xs = [*(rule.x0 for rule in self.down), min(r.x0 for r in self.across), max(r.x1 for r in self.across)]
        ys = [*(rule.y0 for rule in self.across), min(r.y0 for r in self.down), max(r.y1 for r in self.down)]
        return _distinct(xs), _distinct(ys)


def find_frames(rules: Sequence[Rule]) -> list[Frame]:
    """Return the frames that have rules in both directions."""
    across = [each for each in rules if each.y0 == each.y1]
    down = [each for each in rules if each.x0 == each.x1]
    if not across or not down or len(rules) > _MAX_RULES:
        return []
    owner = list(range(len(across) + len(down)))

    def root(index: int) -> int:
        while owner[index] != index:
            owner[index] = owner[owner[index]]
            index = owner[index]
        return index

    for column, vertical in enumerate(down, len(across)):
        for row, horizontal in enumerate(across):
            if _touch(horizontal, vertical):
                owner[root(column)] = root(row)
    frames: dict[int, Frame] = {}
    for index, rule in enumerate([*across, *down]):
        frame = frames.setdefault(root(index), Frame([], []))
        (frame.across if index < len(across) else frame.down).append(rule)
    return [frame for frame in frames.values() if frame.across and frame.down]


def _touch(horizontal: Rule, vertical: Rule) -> bool:
    return (
        horizontal.x0 - TOUCH <= vertical.x0 <= horizontal.x1 + TOUCH
        and vertical.y0 - TOUCH <= horizontal.y0 <= vertical.y1 + TOUCH
    )


def _distinct(values: Iterable[float]) -> list[float]:
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > TOUCH:
            found.append(value)
    return found
