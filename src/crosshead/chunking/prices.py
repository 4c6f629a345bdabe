"""What a cut costs. Packing chooses the cheapest set of cuts, so these numbers are its whole policy.

They were chosen by their effect on real documents and questions (docs/benchmarks.md): keeping sections apart brings
more of the evidence within a budget than filling chunks across sections, and gives each chunk one path.
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
        """Return the note for a chunk that begins at this cut."""
        return f"begins {self.where}: {self.price:+.2f}"


PARAGRAPH: Final = Cut(1.0, "between two blocks of a section")
RULE: Final = Cut(0.3, "before a thematic break")
INTRODUCED: Final = Cut(2.5, "between a paragraph and what it introduces")
COLON: Final = Cut(6.0, "after a line that ends with a colon")
ITEM: Final = Cut(1.5, "between two list items or table rows")
NESTED_ITEM: Final = Cut(2.0, "between two nested list items")
INNER_BLOCK: Final = Cut(2.5, "at a blank line inside a block")
INNER_LINE: Final = Cut(4.0, "between two lines inside a block")
LINE: Final = Cut(2.0, "between two lines that do not flow")
SENTENCE: Final = Cut(4.0, "between two sentences")
WORD: Final = Cut(8.0, "between two words")

SECTION: Final = Cut(-2.5, "before a heading")
"""Earns more than filling up can save, so that sections stay apart."""
SMALL: Final = 4.0
"""A chunk just below `min_tokens`, in addition to the price of the largest chunk; twice as much for one of 0 tokens.
More than a cut before a heading earns, so that small sections join a neighbor wherever they may."""
UNDER: Final = 2.0
"""A chunk of 0 tokens; falls to 0 at `target_tokens`, steeper at first, so that small sections join small ones."""
OVER: Final = 5.0
"""A chunk of twice `target_tokens`: more than most cuts cost, so that text is cut before it grows so large."""

SLACK: Final = 64
"""Tokens that the edges of a run of blocks may add to its size, or take from it."""


@lru_cache(maxsize=64)
def size_prices(max_tokens: int, target: int, minimum: int) -> tuple[float, ...]:
    """Return the price of a chunk by its size, up to the largest size that packing may ask for."""
    small = SMALL + OVER * (max_tokens / target - 1)
    prices = []
    for size in range(max_tokens + 1):
        distance = size / target - 1
        price = OVER * distance if distance > 0 else UNDER * distance**2
        price += small * (2 - size / minimum) if size < minimum else 0.0
        prices.append(price)
    return (*prices, *[NEVER] * (SLACK + max_tokens))
