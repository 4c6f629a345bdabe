"""The position of a draft: its blocks, its headings, its lines, and the deepest section that holds it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from crosshead.chunking.pack import Draft
from crosshead.markdown import Outline


class DraftPosition(NamedTuple):
    """The blocks, sections and lines of a draft; blocks and sections by number."""

    first_block: int
    last_block: int
    headings: range
    """The sections whose heading is in the draft, at least in part."""
    section: int
    start_line: int
    end_line: int


def place_drafts(text: str, starts: Sequence[int], sections: Outline, drafts: Sequence[Draft]) -> list[DraftPosition]:
    """Return the position of each draft; `starts` are the offsets of the blocks."""
    positions = []
    line, at = 1, 0
    for draft in drafts:
        first = bisect_right(starts, draft.start) - 1
        last = bisect_left(starts, draft.end) - 1
        headings = _headings_between(sections, first, last)
        line += text.count("\n", at, draft.start)
        end_line = line + text.count("\n", draft.start, draft.end)
        section = _deepest_section(sections, headings, first, last)
        positions.append(DraftPosition(first, last, headings, section, line, end_line))
        line, at = end_line, draft.end
    return positions


def _headings_between(sections: Outline, first: int, last: int) -> range:
    """Return the sections whose heading is one of these blocks; the root, number 0, has none."""
    return range(bisect_left(sections.heads, first, 1), bisect_right(sections.heads, last, 1))


def _deepest_section(sections: Outline, headings: range, first: int, last: int) -> int:
    """Return the deepest section that holds all blocks, except the headings they begin with."""
    heads, levels, parents = sections.heads, sections.levels, sections.parents
    inner = headings.start
    while inner < headings.stop and heads[inner] == first:  # the draft begins with this heading
        first += 1
        inner += 1
    section = inner - 1
    for number in range(inner, headings.stop):
        while levels[section] >= levels[number]:
            section = parents[section]
    return section
