"""Where an HTML table may be cut, and the tags that make each piece a table again.

1. The tags are followed, so that the open elements are known at every offset.
2. A cut is possible before each row of the outermost table after its head (`<thead>`, or else the first row), and
   between two tables.
3. The prefix of a piece holds the elements around the table, its head, and the other elements open where the piece
   begins. The suffix closes the elements open where it ends.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import takewhile
from typing import Final, NamedTuple

from crosshead.markdown import Tag, find_tags

MAX_DEPTH: Final = 24
"""Elements nested deeper are not followed; with hostile input that would take quadratic time."""

_VOID: Final = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
_ENDED_BY: Final = {
    "td": ("td", "th"), "th": ("td", "th"), "tr": ("td", "th", "tr"), "li": ("li",), "p": ("p",),
    **dict.fromkeys(("thead", "tbody", "tfoot"), ("td", "th", "tr", "thead", "tbody", "tfoot", "colgroup", "caption")),
}  # fmt: skip
"""By tag: the elements that it ends implicitly."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_MARGIN = re.compile(r"[ \t>]*")


class OpenElement(NamedTuple):
    """An element that is open."""

    name: str
    tag: str
    """As written in the text."""


Open = tuple[OpenElement, ...]


class Head(NamedTuple):
    """The head of a table, from `<table>` to the next row."""

    start: int
    end: int
    around: Open
    inside: Open
    """The elements open before the head (`around`) and after it (`inside`)."""


class HtmlTable:
    """The tables between two offsets of a text."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = start
        self.heads: list[Head] = []
        self.rows: list[int] = []
        """Where a piece may begin: at a row or another table."""
        self._offsets = [start]
        self._opens: list[Open] = [()]
        self._table = self._table_end = -1
        self._around: Open = ()
        self._has_head = False
        for tag in self._tags(end):
            self._follow(tag)

    def prefix(self, at: int) -> str:
        """Return the tags that make a piece beginning at an offset a table."""
        inside = self._open_at(at)
        before = bisect_right(self.heads, at, key=lambda head: head.start) - 1
        if before < 0 or at < self.heads[before].end or not any(each.name == "table" for each in inside):
            return "".join(each.tag for each in inside)
        head = self.heads[before]
        around = "".join(each.tag for each in head.around)
        return f"{around}{self.text[head.start : head.end].rstrip()}{_change(head.inside, inside)}"

    def suffix(self, at: int) -> str:
        """Return the tags that close a piece ending at an offset."""
        return _change(self._open_at(at), ())

    def _open_at(self, at: int) -> Open:
        return self._opens[bisect_right(self._offsets, at) - 1]

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
        self._offsets.append(tag.end)
        self._opens.append(inside)

    def _begin_row(self, at: int, inside: Open) -> None:
        line = self.text.rfind("\n", self.start, at) + 1
        margin = _MARGIN.match(self.text, max(line, self.start))
        at = line if margin and margin.end() == at and line > self.start else at
        if self._has_head and not any(each.name == "thead" for each in inside):
            if not self.heads or self.heads[-1].start != self._table:
                self.heads.append(Head(self._table, at, self._around, inside))
            self.rows.append(at)
        self._offsets.append(at)
        self._opens.append(inside)
        self._has_head = True


def _without_ended(inside: Open, name: str) -> Open:
    """Drop the elements that a tag ends implicitly, up to the innermost table."""
    ended = _ENDED_BY.get(name, ())
    while inside and inside[-1].name in ended:
        inside = inside[:-1]
    return inside


def _without(inside: Open, name: str) -> Open:
    """Drop an element and those open in it, unless it is not open, or only around a table."""
    depth = len(inside) - 1
    while depth >= 0 and inside[depth].name != name:
        if inside[depth].name == "table":
            return inside
        depth -= 1
    return inside[:depth] if depth >= 0 else inside


def _change(before: Open, after: Open) -> str:
    """Return the tags that turn one list of open elements into another."""
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    ends = [f"</{each.name}>" for each in reversed(before[shared:])]
    return "".join([*ends, *[each.tag for each in after[shared:]]])
