"""Rules that touch each other make a frame, and the positions of its rules a grid of fields."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from crosshead.formats.pdf.page.shapes import Rule

TOUCH: Final = 3.0
"""How far apart rules may be that touch each other, in points."""
_MAX_RULES: Final = 600
"""The most rules of a page in which frames are looked for; more are a drawing."""


class Frame(NamedTuple):
    """Rules that touch each other."""

    across: list[Rule]
    down: list[Rule]

    def has_border_at(self, x: float, y: float) -> bool:
        """Return whether a vertical rule passes this point."""
        return any(abs(rule.x0 - x) <= TOUCH and rule.y0 <= y <= rule.y1 for rule in self.down)

    def has_border_below(self, x: float, y: float) -> bool:
        """Return whether a horizontal rule passes this point."""
        return any(abs(rule.y0 - y) <= TOUCH and rule.x0 <= x <= rule.x1 for rule in self.across)

    def borders(self) -> tuple[list[float], list[float]]:
        """Return the borders of columns and rows; a frame that is open at a side ends with its rules."""
        xs = [*(rule.x0 for rule in self.down), min(r.x0 for r in self.across), max(r.x1 for r in self.across)]
        ys = [*(rule.y0 for rule in self.across), min(r.y0 for r in self.down), max(r.y1 for r in self.down)]
        return _distinct(xs), _distinct(ys)


def find_frames(rules: Sequence[Rule]) -> list[Frame]:
    """Return the frames that have rules in both directions."""
    across = join_rules([each for each in rules if each.y0 == each.y1])
    down = [_transposed(each) for each in join_rules([_transposed(each) for each in rules if each.x0 == each.x1])]
    if not across or not down or len(across) + len(down) > _MAX_RULES:
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


def join_rules(rules: Iterable[Rule]) -> list[Rule]:
    """Join horizontal rules that continue each other: many programs draw the edges of every cell."""
    joined: list[Rule] = []
    for rule in sorted(rules, key=lambda each: (round(each.y0), each.x0)):
        last = joined[-1] if joined else None
        if last and abs(last.y0 - rule.y0) < 1 and rule.x0 <= last.x1 + 1:
            joined[-1] = last._replace(x1=max(last.x1, rule.x1))
        else:
            joined.append(rule)
    return joined


def _transposed(rule: Rule) -> Rule:
    return Rule(rule.y0, rule.x0, rule.y1, rule.x1, rule.is_shade)


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
