"""Lines of text that are underlined from end to end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from crosshead.formats.pdf.page.shapes import Row, Rule

_BELOW: Final = 0.35
"""How far below the baseline an underline may be, in ems."""
_ENDS: Final = 0.3
"""How far its ends may be from those of the text, in ems."""
_STEP: Final = 8.0
"""Rules are looked up by their height in steps of this many points."""


def mark_underlined(rows: Iterable[Row], rules: Sequence[Rule]) -> None:
    """Mark the rows that are underlined: a rule as wide as the row is right below it."""
    flat: defaultdict[int, list[Rule]] = defaultdict(list)
    for rule in rules:
        if rule.y0 == rule.y1 and not rule.is_shade:
            flat[round(rule.y0 / _STEP)].append(rule)
    if not flat:
        return
    for row in rows:
        step = round(row.base / _STEP)
        near = [rule for key in (step - 1, step) for rule in flat.get(key, ())]
        row.is_underlined = any(_underlines(rule, row) for rule in near)


def _underlines(rule: Rule, row: Row) -> bool:
    size = row.style.size
    return (
        0 < row.base - rule.y0 < _BELOW * size
        and abs(rule.x0 - row.x0) < _ENDS * size
        and abs(rule.x1 - row.x1) < _ENDS * size
    )
