"""Page numbers that are not at the edge of a page.

Reports that were printed from a web page have the page numbers of the original at any height. A line with only a number
is a page number if such lines count up, about one a page. A line that is next to several of them, such as the link
`Table of Contents`, is removed with them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from crosshead.formats.pdf.layout.baselines import Baseline

_NUMBER: Final = re.compile(
    r"(?:[-–—|]\s*)?(?:(?:page|seite|p\.)\s+)?([A-Z]{1,3}-)?(\d{1,4})(?:\s+(?:of|von|/)\s+\d{1,4})?(?:\s*[-–—|])?", re.I
)
_MIN_CHAIN: Final = 3
"""The least numbers that count up."""
_LINES_APART: Final = 8
"""The least lines between two page numbers; the numbers of list items are closer."""
_SHIFT: Final = 60.0
"""How far the middles of two numbers may be apart, in points; odd and even pages may differ."""
_COVERED: Final = 0.5
"""The share of the pages from the first to the last that must have a number."""
_MAX_LENGTH: Final = 60
"""The most characters of a line that repeats next to page numbers."""


class _Lone(NamedTuple):
    """A line with nothing but a number."""

    page: int
    position: int
    """The number of the line, counted through the document."""
    key: str
    value: int
    middle: float


def find_page_numbers(lines: Mapping[int, Sequence[Baseline]]) -> list[tuple[int, Baseline]]:
    """Return page numbers and the lines that repeat next to them, each with its page."""
    placed = [(page, line) for page, own in sorted(lines.items()) for line in own]
    chains = [chain for chain in _chains(list(_lone(placed))) if _is_counting(chain)]
    numbers = {each.position for chain in chains for each in chain}
    return [placed[position] for position in sorted(numbers | set(_repeated_next_to(placed, numbers)))]


def _lone(placed: Sequence[tuple[int, Baseline]]) -> Iterator[_Lone]:
    for position, (page, line) in enumerate(placed):
        if len(line.segments) == 1 and (found := _NUMBER.fullmatch(line.text.strip())):
            segment = line.segments[0]
            yield _Lone(page, position, (found[1] or "").upper(), int(found[2]), (segment.x0 + segment.x1) / 2)


def _chains(lone: Sequence[_Lone]) -> list[list[_Lone]]:
    """Put each number after the one that it follows."""
    chains: list[list[_Lone]] = []
    open_chains: dict[tuple[str, int], list[_Lone]] = {}
    for each in lone:
        chain = next(
            (
                found
                for step in (1, 2)
                if (found := open_chains.get((each.key, each.value - step))) and _fits(found, each)
            ),
            None,
        )
        if chain is None:
            chains.append(chain := [])
        else:
            del open_chains[chain[-1].key, chain[-1].value]
        chain.append(each)
        open_chains[each.key, each.value] = chain
    return chains


def _fits(chain: Sequence[_Lone], each: _Lone) -> bool:
    if each.position - chain[-1].position < _LINES_APART:
        return False
    return any(abs(before.middle - each.middle) < _SHIFT for before in chain[-2:]) or len(chain) == 1


def _is_counting(chain: Sequence[_Lone]) -> bool:
    pages = chain[-1].page - chain[0].page + 1
    return len(chain) >= _MIN_CHAIN and _COVERED * pages <= len(chain) <= pages / _COVERED


def _repeated_next_to(placed: Sequence[tuple[int, Baseline]], numbers: set[int]) -> list[int]:
    neighbors = [
        position
        for number in numbers
        for position in (number - 1, number + 1)
        if 0 <= position < len(placed) and _may_repeat(placed[position][1])
    ]
    counts = Counter(placed[position][1].text for position in neighbors)
    return [position for position in neighbors if counts[placed[position][1].text] >= _MIN_CHAIN]


def _may_repeat(line: Baseline) -> bool:
    """Sentences and rows of tables may be the same by chance."""
    return len(line.segments) == 1 and len(line.text) <= _MAX_LENGTH and not line.text.endswith(".")
