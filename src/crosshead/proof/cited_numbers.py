"""Numbers of sources in an answer: `[1]`, `[1][3]`, `[1, 2]`, `[1-3]`.

Brackets in code, links (`[1](...)`, `[guide][1]`), link definitions and subscripts (`a[1]`) cite nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crosshead.markdown import parse_blocks

_NUMBER: Final = r"[0-9]{1,4}"
_BETWEEN: Final = r"\s*[-‐-―,;&]\s*|\s+and\s+"
_TOKEN: Final = re.compile(
    rf"(`++)(?:.+?(?<!`)\1(?!`))?+|\\.|\[\s*(?P<numbers>{_NUMBER}(?:(?:{_BETWEEN}){_NUMBER})*+)\s*\](?!\()", re.DOTALL
)
_RANGE: Final = re.compile(rf"({_NUMBER})\s*[-‐-―]\s*({_NUMBER})|({_NUMBER})")
_LONGEST_NAME: Final = 80
_ATTACHED: Final = re.compile(r"[\w.$]+$")
_PROSE: Final = re.compile(r"[0-9.,]+|.*[^\W\d_a-zA-Z]\.?|(?:[A-Za-z][a-z]+|[A-Z]{2,})\.?", re.DOTALL)
"""A word, not a name in code: `yearly`, `TLS`, `2024`, or any word in another script."""
_CODE_AFTER: Final = re.compile(r"\s?=|\.[A-Za-z_]|\[[^0-9\s]")


def cited_numbers(answer: str, last: int) -> Iterator[tuple[int, int, int]]:
    """Yield each number that an answer cites, with start and end of its brackets; ranges are expanded up to `last`."""
    for start, end in _prose(answer):
        after = start
        """Where the last citation ended, so that `[1][3]` is not taken for `[guide][1]`."""
        for found in _TOKEN.finditer(answer, start, end):
            if found["numbers"] and not _is_code_or_link(answer, found, after):
                after = found.end()
                yield from ((number, *found.span()) for number in _expanded(found["numbers"], last))


def _prose(answer: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of an answer that are neither code nor formulas nor link definitions."""
    for block in parse_blocks(answer):
        start = block.start
        if block.kind in ("code", "math", "definition", "front_matter"):
            continue
        for atom in block.atoms:
            if atom.kind in ("code", "math"):
                yield start, atom.start
                start = atom.end
        yield start, block.end


def _is_code_or_link(answer: str, found: re.Match[str], after: int) -> bool:
    start, end = found.span()
    if answer[start - 1 : start] == "]":
        return start != after
    attached = _ATTACHED.search(answer[max(0, start - _LONGEST_NAME) : start])
    return attached is not None and (not _PROSE.fullmatch(attached[0]) or bool(_CODE_AFTER.match(answer, end)))


def _expanded(numbers: str, last: int) -> Iterator[int]:
    for found in _RANGE.finditer(numbers):
        if found[3]:
            yield int(found[3])
        else:
            low, high = int(found[1]), int(found[2])
            yield from dict.fromkeys((low, *range(low + 1, min(high, last + 1)), high))
