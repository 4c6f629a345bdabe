"""Leave out what a model thinks aloud: `<think>...</think>` before its answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

OPENING: Final = "<think>"
_THOUGHTS: Final = re.compile(rf"\s*{OPENING}.*?</think>\s*", re.DOTALL)


def without_thoughts(parts: Iterable[str]) -> Iterator[str]:
    """Yield the parts of a text, without thoughts at its beginning and blanks around them."""
    remaining = iter(parts)
    start = ""
    for part in remaining:
        start = _THOUGHTS.sub("", start + part).lstrip()
        if start and not _may_be_thoughts(start):
            break
    if not start.startswith(OPENING):
        yield from filter(None, [start])
    yield from remaining


def _may_be_thoughts(start: str) -> bool:
    return start.startswith(OPENING) or OPENING.startswith(start)
