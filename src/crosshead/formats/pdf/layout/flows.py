"""The columns of text of a page, by the order in which they are drawn.

Programs draw one column after the other. So another column begins where drawing jumps back up, and what follows is
beside what was drawn before. A table may be in a column, but not across two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from crosshead.formats.pdf.page.shapes import Segment

_LONG: Final = 30
"""The least characters of a line of prose; cells are shorter."""
_MIN_LONG: Final = 3
"""The least lines of a column of prose."""
_MIN_SHORT: Final = 8
"""The least lines of a column of short lines, such as an index."""
_WORDS: Final = 0.6
"""The share of short lines that must have words."""
_JUMP: Final = 1.2
"""How far up drawing jumps to the next column at least, in ems."""
_WORD: Final = re.compile(r"[^\W\d_]{3}")

Flow = list[int]
"""The numbers of segments that are drawn from top to bottom."""


def find_flows(segments: Sequence[Segment], taken: set[int]) -> list[Flow]:
    """Return the segments column by column, without those that are `taken`."""
    flows: list[Flow] = []
    for run in _runs(segments, taken):
        if flows and not (_begins_column(flows, run, segments) and _is_column(flows[-1], segments)):
            flows[-1] += run
        else:
            flows.append(run)
    return flows


def _runs(segments: Sequence[Segment], taken: set[int]) -> list[Flow]:
    runs: list[Flow] = []
    above: Segment | None = None
    for number, segment in enumerate(segments):
        if number in taken or segment.words[0].turned:
            continue
        if above is None or segment.base > above.base + _JUMP * above.size:
            runs.append([])
        runs[-1].append(number)
        above = segment
    return runs


def _is_column(flow: Sequence[int], segments: Sequence[Segment]) -> bool:
    texts = [segments[number].text for number in flow]
    if sum(len(text) >= _LONG for text in texts) >= _MIN_LONG:
        return True
    return len(texts) >= _MIN_SHORT and sum(bool(_WORD.search(text)) for text in texts) > _WORDS * len(texts)


def _begins_column(flows: Sequence[Flow], run: Sequence[int], segments: Sequence[Segment]) -> bool:
    """Return whether a run begins a column: all of it is beside what the last one has at that height."""
    if not _is_column(run, segments):
        return False
    own, other = [segments[number] for number in run], [segments[number] for number in flows[-1]]
    top, bottom = max(each.base for each in own), min(each.base for each in own)
    beside = [each for each in other if bottom - each.size < each.base < top + each.size]
    if len(beside) < _MIN_LONG:
        return False
    left, right = min(each.x0 for each in own), max(each.x1 for each in own)
    return all(each.x1 <= left for each in beside) or all(each.x0 >= right for each in beside)
