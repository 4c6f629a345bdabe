"""A part of a block: a piece that packing may join with others, but never cuts."""

from __future__ import annotations

from typing import NamedTuple

from crosshead.chunking.prices import Cut
from crosshead.types import OversizeReason


class BlockPart(NamedTuple):
    """Part of a block, from `start` to the start of the next piece."""

    start: int
    content_start: int
    """Where the content begins if a chunk begins here: inside a line, after the space."""
    tokens: int
    cut: Cut | None
    """What a cut before it costs; None where there must be one."""
    reason: OversizeReason | None = None
    prefix: str = ""
    """Text to put before a chunk that begins here; `suffix` goes after one that ends here."""
    suffix: str = ""
    head: int = 0
    """How `tokens` changes if a chunk begins here."""
    prefix_tokens: int = 0
    """Tokens to reserve for the prefix if a chunk begins here, and for the suffix if one ends here."""
    suffix_tokens: int = 0

    @property
    def largest(self) -> int:
        """Tokens of the piece, or of a chunk that begins with it, whichever is more."""
        return max(self.tokens, self.tokens + self.head)
