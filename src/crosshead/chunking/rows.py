"""Where a table that is written as HTML may be cut, and what makes each piece a table again.

1. the tags are followed, so that at every offset it is known which elements are open
2. a cut is possible before every row of the outermost table behind its head, which is `<thead>`, or else the first row,
   and between two tables
3. a piece gets in front of it the elements around the table and its head, and what else is open where the piece begins;
   behind it, the ends of what is open there
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import takewhile
from typing import Final, NamedTuple

from crosshead.markdown import Tag, find_tags

MAX_DEPTH: Final = 24
"""Elements that are nested deeper are not followed; hostile input would make that quadratic."""

_VOID: Final = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
_ENDED_BY: Final = {
    "td": ("td", "th"), "th": ("td", "th"), "tr": ("td", "th", "tr"), "li": ("li",), "p": ("p",),
    **dict.fromkeys(("thead", "tbody", "tfoot"), ("td", "th", "tr", "thead", "tbody", "tfoot", "colgroup", "caption")),
}  # fmt: skip
"""The elements that a tag ends without a tag of their own."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_MARGIN = re.compile(r"[ \t>]*")


class OpenElement(NamedTuple):
    """An element that is open."""

    name: str
    tag: str
    """As it stands in the text."""


Open = tuple[OpenElement, ...]


class Head(NamedTuple):
    """The head of a table: what stands from `<table>` to the row behind it."""

    start: int
    end: int
    around: Open
    inside: Open
    """The elements that are open before it, and behind it."""


class HtmlTable:
    """The tables between two offsets of a text."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = start
        self.heads: list[Head] = []
        self.rows: list[int] = []
        """Where the rows, and further tables, begin that a piece may begin with."""
        self._places = [start]
        self._opens: list[Open] = [()]
        self._table = self._table_end = -1
        self._around: Open = ()
        self._has_head = False
        for tag in self._tags(end):
            self._follow(tag)

    def prefix(self, at: int) -> str:
        """Return what makes a table of a piece that begins at an offset."""
        inside = self._open_at(at)
        before = bisect_right(self.heads, at, key=lambda head: head.start) - 1
        if before < 0 or at < self.heads[before].end or not any(each.name == "table" for each in inside):
            return "".join(each.tag for each in inside)
        head = self.heads[before]
        around = "".join(each.tag for each in head.around)
        return f"{around}{self.text[head.start : head.end].rstrip()}{_change(head.inside, inside)}"

    def suffix(self, at: int) -> str:
        """Return what ends a piece that ends before an offset."""
        return _change(self._open_at(at), ())

    def _open_at(self, at: int) -> Open:
        return self._opens[bisect_right(self._places, at) - 1]

    def _tags(self, end: int) -> list[Tag]:
        comments = [found.span() for found in _COMMENT.finditer(self.text, self.start, end)]
        starts = [first for first, _ in comments]
        return [
            tag
            for tag in find_tags(self.text, self.start, end)
            if not (before := bisect_right(starts, tag.start)) or tag.start >= comments[before - 1][1]
        ]

    def _follow(self, tag: Tag) -> None:
        name, inside = tag.name.lower(), self._opens[-1]
        if tag.opens and name not in _VOID:
            inside = _without_ended(inside, name)
            tables = sum(each.name == "table" for each in inside)
            if name == "table" and not tables:
                if self._table_end > self._table:
                    self.rows.append(self._table_end)
                self._table, self._around, self._has_head = tag.start, inside, False
            elif name == "tr" and tables == 1:
                self._begin_row(tag.start, inside)
            if len(inside) < MAX_DEPTH:
                inside = (*inside, OpenElement(name, self.text[tag.start : tag.end]))
        elif tag.closes:
            inside = _without(inside, name)
            if name == "table" and not any(each.name == "table" for each in inside):
                self._table_end = tag.end
        self._places.append(tag.end)
        self._opens.append(inside)

    def _begin_row(self, at: int, inside: Open) -> None:
        line = self.text.rfind("\n", self.start, at) + 1
        margin = _MARGIN.match(self.text, max(line, self.start))
        at = line if margin and margin.end() == at and line > self.start else at
        if self._has_head and not any(each.name == "thead" for each in inside):
            if not self.heads or self.heads[-1].start != self._table:
                self.heads.append(Head(self._table, at, self._around, inside))
            self.rows.append(at)
        self._places.append(at)
        self._opens.append(inside)
        self._has_head = True


def _without_ended(inside: Open, name: str) -> Open:
    """Leave out the elements that a tag ends by itself, up to the innermost table."""
    ended = _ENDED_BY.get(name, ())
    while inside and inside[-1].name in ended:
        inside = inside[:-1]
    return inside


def _without(inside: Open, name: str) -> Open:
    """Leave out an element and what is open in it; one that is not open, or only around a table, stays."""
    depth = len(inside) - 1
    while depth >= 0 and inside[depth].name != name:
        if inside[depth].name == "table":
            return inside
        depth -= 1
    return inside[:depth] if depth >= 0 else inside


def _change(before: Open, after: Open) -> str:
    """Return the tags that lead from some open elements to others."""
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    ends = [f"</{each.name}>" for each in reversed(before[shared:])]
    return "".join([*ends, *[each.tag for each in after[shared:]]])
