"""Units -> chunks: the cheapest set of cuts, found by dynamic programming.

The price of a chunking is the sum of the prices of its cuts and of its chunks' sizes. Where there must be a cut, no
chunk spans it, so each run of units between such cuts is solved separately. `best[k]` is the lowest price of the first
k units of a run. A chunk holds few units, so only a short window of earlier cuts is considered.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from crosshead.chunking.prices import SECTION, Cut, size_prices
from crosshead.chunking.units import Unit
from crosshead.options import ChunkOptions
from crosshead.types import OversizeReason

WINDOW_SLACK = 8
"""Tokens by which the size of a window may fall when it grows."""


class Draft(NamedTuple):
    """A chunk without its path and links."""

    start: int
    end: int
    tokens: int
    reason: OversizeReason | None
    prefix: str
    suffix: str
    units: int
    cut: Cut | None
    """The cut before it, for `explain`; None where there had to be one."""


def pack_units(units: Sequence[Unit], options: ChunkOptions) -> list[Draft]:
    """Join units into chunks at the lowest price."""
    if not units:
        return []
    prefix_sums = list(accumulate([unit.tokens for unit in units], initial=0))
    after = [total + unit.tail for total, unit in zip(prefix_sums[1:], units, strict=True)]
    before = [total - unit.head for total, unit in zip(prefix_sums, units, strict=False)]
    drafts: list[Draft] = []
    first = 0
    while first < len(units):
        last = first + 1
        while last < len(units) and units[last].cut is not None:
            last += 1
        is_single = last - first == 1
        cuts = [(first, last)] if is_single else _cheapest_cuts(units, before, after, first, last, options)
        for start, end in cuts:
            tokens = units[start].tokens_alone if end - start == 1 else after[end - 1] - before[start]
            drafts.append(_draft(units[start:end], tokens, options.max_tokens))
        first = last
    return drafts


def _cheapest_cuts(
    units: Sequence[Unit], before: Sequence[int], after: Sequence[int], first: int, last: int, options: ChunkOptions
) -> list[tuple[int, int]]:
    """Return the chunks of one run of units, each as (first unit, unit after the last)."""
    if _stay_apart(units, first, last, options.min_tokens):
        return list(pairwise(range(first, last + 1)))
    limit = options.max_tokens
    sizes = size_prices(limit, options.target_tokens, options.min_tokens)
    low = [total - unit.prefix_tokens for total, unit in zip(before[first:last], units[first:last], strict=True)]
    best, came_from = [0.0], []
    window = 0
    for k in range(last - first):
        unit = units[first + k]
        total = after[first + k] + unit.suffix_tokens
        while window < k and low[window] < total - limit - WINDOW_SLACK:
            window += 1
        if total - low[k] > limit:  # an oversize unit is a chunk without others
            price, start = best[k], k
        else:
            tried = [price + sizes[total - at] for price, at in zip(best[window:], low[window : k + 1], strict=True)]
            price = min(tried)
            start = window + tried.index(price)
        came_from.append(start)
        if first + k + 1 < last:
            following = units[first + k + 1].cut
            best.append(price + (following.price if following else 0.0))
    cuts = []
    k = last - first
    while k:
        cuts.append((first + came_from[k - 1], first + k))
        k = came_from[k - 1]
    return cuts[::-1]


def _stay_apart(units: Sequence[Unit], first: int, last: int, minimum: int) -> bool:
    """Are these whole sections of which none is small? Then cutting between all of them is cheapest."""
    return all(
        unit.tokens_alone >= minimum and (unit.cut is SECTION or number == first)
        for number, unit in enumerate(units[first:last], first)
    )


def _draft(units: Sequence[Unit], tokens: int, limit: int) -> Draft:
    opening, closing = units[0], units[-1]
    reason = next((unit.reason for unit in units if unit.reason), None) if tokens > limit else None
    return Draft(opening.start, closing.end, tokens, reason, opening.prefix, closing.suffix, len(units), opening.cut)
