"""What a cut costs. Packing chooses the cheapest set of cuts, so these numbers are its whole policy.

They were chosen by their effect on real documents and questions (docs/benchmarks.md): chunks that are filled towards
the target retrieve better than sections that are kept apart, so a cut between sections earns only a little.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

NEVER: Final = float("inf")


class Cut(NamedTuple):
    """A place between two units where a chunk may end."""

    price: float
    """Negative is a reward."""
    where: str

    def explain(self) -> str:
        """Say it in words."""
        return f"begins {self.where}: {self.price:+.2f}"


PARAGRAPH: Final = Cut(1.0, "between two blocks of a section")
RULE: Final = Cut(0.3, "before a thematic break")
INTRODUCED: Final = Cut(2.5, "between a paragraph and what follows from it")
COLON: Final = Cut(6.0, "after a line that ends with a colon")
ITEM: Final = Cut(1.5, "between two list items or table rows")
NESTED_ITEM: Final = Cut(2.0, "between two nested list items")
INNER_BLOCK: Final = Cut(2.5, "at a blank line inside a block")
INNER_LINE: Final = Cut(4.0, "between two lines inside a block")
LINE: Final = Cut(2.0, "between two lines that do not flow")
SENTENCE: Final = Cut(4.0, "between two sentences")
WORD: Final = Cut(8.0, "between two words")

SECTION_REWARD: Final = 0.1
"""For a cut before a heading directly under what the chunks share; each level deeper earns about half."""
DEEPER: Final = 0.55
SMALL: Final = 6.0
"""A chunk of 0 tokens; falls to 0 at `min_tokens`."""
UNDER: Final = 2.0
"""A chunk of 0 tokens; falls to 0 at `target_tokens`."""
OVER: Final = 0.5
"""A chunk of `max_tokens`; falls to 0 at `target_tokens`."""

SECTION_CUTS: Final = tuple(
    Cut(-SECTION_REWARD * DEEPER**depth, f"before a heading, depth {depth + 1}") for depth in range(8)
)


SLACK: Final = 64
"""Sizes of growing windows are sorted, but for a few tokens that an edge may add or take."""


@lru_cache(maxsize=64)
def size_prices(max_tokens: int, target: int, minimum: int) -> tuple[float, ...]:
    """Return the price of a chunk by its size, up to the largest size that packing may ask for."""
    prices = []
    for size in range(max_tokens + 1):
        price = SMALL * (minimum - size) / minimum if size < minimum else 0.0
        price += UNDER * (target - size) / target if size < target else 0.0
        price += OVER * (size - target) / (max_tokens - target) if size > target else 0.0
        prices.append(price)
    return (*prices, *[NEVER] * (SLACK + max_tokens))
