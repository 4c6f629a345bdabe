"""The levels that a printed table of contents gives to its entries.

Parts are above all other entries. Then the indent decides, then the look, then the depth of the number. Numbers of one
depth have one level.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import Final, NamedTuple, TypeVar

from crosshead.formats.pdf.page.shapes import TextStyle
from crosshead.formats.pdf.structure.numbering import PART, is_numbered, kind_of

_NUMBER: Final = re.compile(r"(?:\d{1,3}|[A-Z](?=\.\d))((?:\.\d{1,3}){0,6})\.?\s")
_SAME_INDENT: Final = 3.0
"""How far the left edges of entries of one level may be apart, in points."""

_Kind = tuple[bool, int, float, bool]
_Any = TypeVar("_Any", bound=Hashable)


class Printed(NamedTuple):
    """An entry as it is printed."""

    text: str
    indent: float | None
    """None if it is not known, as in a table."""
    style: TextStyle


def rank_entries(entries: Sequence[Printed]) -> list[int]:
    """Return the level of every entry, from 1; 0 if nothing shows it."""
    shown = [each.indent is not None or is_numbered(each.text) or _depth(each.text) is not None for each in entries]
    ranks = iter(_rank([each for each, is_shown in zip(entries, shown, strict=True) if is_shown]))
    return [next(ranks) if is_shown else 0 for is_shown in shown]


def _rank(entries: Sequence[Printed]) -> list[int]:
    steps = _steps([entry.indent or 0.0 for entry in entries])
    kinds = [
        (kind_of(entry.text) != PART, step, -entry.style.size, not entry.style.bold)
        for entry, step in zip(entries, steps, strict=True)
    ]
    depths = [_depth(entry.text) for entry in entries]
    kinds = _agree(kinds, depths)
    least = {kind: min([d for k, d in zip(kinds, depths, strict=True) if k == kind and d is not None], default=0)
             for kind in set(kinds)}  # fmt: skip
    full = [(kind, least[kind] if depth is None else depth) for kind, depth in zip(kinds, depths, strict=True)]
    order = sorted(set(full))
    return [order.index(each) + 1 for each in full]


def _steps(indents: Sequence[float]) -> list[int]:
    """Return the rank of each indent, from the left."""
    edges: list[float] = []
    for indent in sorted(indents):
        if not edges or indent - edges[-1] > _SAME_INDENT:
            edges.append(indent)
    return [sum(edge <= indent for edge in edges) for indent in indents]


def _depth(text: str) -> int | None:
    found = _NUMBER.match(text)
    return found[1].count(".") if found else None


def _agree(kinds: Sequence[_Kind], depths: Sequence[int | None]) -> list[_Kind]:
    """Give numbers of one depth the kind that most of them have, but never one above that of shallower numbers."""
    by_depth: defaultdict[int, list[_Kind]] = defaultdict(list)
    for kind, depth in zip(kinds, depths, strict=True):
        if depth is not None:
            by_depth[depth].append(kind)
    usual: dict[int, _Kind] = {}
    highest: _Kind | None = None
    for depth in sorted(by_depth):
        kind = most_common(by_depth[depth])
        highest = usual[depth] = kind if highest is None or kind > highest else highest
    return [kind if depth is None else usual[depth] for kind, depth in zip(kinds, depths, strict=True)]


def most_common(values: Iterable[_Any]) -> _Any:
    """Return the most frequent value, the first of several."""
    return Counter(values).most_common(1)[0][0]
