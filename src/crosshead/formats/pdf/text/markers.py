"""The markers of list items.

A number at the beginning of a line may also be an amount, a year or a telephone number: it is a marker only if the
lines around it count up. A marker that Markdown does not have, such as `(3)`, stays in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from crosshead.formats.pdf.page.shapes import Row
from crosshead.formats.pdf.text.amounts import is_figure

# Symbol fonts put their bullets where Unicode leaves room for private use.
_BULLETS: Final = "•◦▪▫‣⁃∙●○■□◆◇➢➤➔►▶▸✓✔❖➜⚫⬤\uf0a7\uf0b7\uf0d8\uf0fc\uf076\uf0a8\uf06c\uf06e\uf0e0\uf02d"
_DASHES: Final = "-–—*·+"
_BULLET: Final = re.compile(rf"([{_BULLETS}])\s*(?=\S)|([{re.escape(_DASHES)}])\s+(?=\S)")
_NUMBER: Final = re.compile(r"(\(?)(\d{1,3})([.)])\s+(?=\S)")
_LABEL: Final = re.compile(r"\(?(?:[a-zA-Z]|[ivxIVX]{1,5})[.)]\s+(?=\S)")
_ALIGNED: Final = 1.3
"""How far the left edges of the numbers of a list may be apart, in ems: two digits are one em wide."""
_ALONE: Final = re.compile(rf"[{_BULLETS}{re.escape(_DASHES)}]$|\(?(?:\d{{1,3}}|[a-zA-Z]|[ivx]{{1,5}})[.)]$")


LEADER: Final = re.compile(r"\s*(?:\.{4,}|(?:\. ){3,}\.?|…{2,})\s*")
_CONTENTS: Final = re.compile(r"(?:\.{3}|(?:\. ){3}|…{2})[. …]*(\d+|[ivxlc]+)$", re.I)


class Marker(NamedTuple):
    """The marker of an item: its Markdown, and how many characters of the text it replaces."""

    markdown: str
    length: int
    kind: str
    number: int | None = None


def find_marker(text: str) -> Marker | None:
    """Return the marker at the beginning of a line."""
    if found := _BULLET.match(text):
        if found[2] and all(map(is_figure, text[found.end() :].split())):
            return None  # amounts, of which the first is zero: `— (1,562,329)`
        return Marker("-", found.end(), found[1] or found[2])
    if found := _NUMBER.match(text):
        opened, number, closed = found.groups()
        if opened:
            return Marker("-", 0, f"(1{closed}", int(number))
        return Marker(f"{number}{closed}", found.end(), f"1{closed}", int(number))
    if found := _LABEL.match(text):
        return Marker("-", 0, "a")  # Markdown has no such numbers: the label stays in the text
    return None


def find_items(rows: Iterable[Row]) -> dict[int, Marker]:
    """Return the markers of the rows that open items, by the ids of the rows."""
    marked = [(row, marker) for row in rows if (marker := find_marker(row.text))]
    chains: list[list[tuple[Row, Marker]]] = []
    for row, marker in marked:
        if marker.number is not None:
            chain = next((each for each in reversed(chains) if _is_beside(each[-1], row, marker)), None)
            if chain is None:
                chains.append(chain := [])
            chain.append((row, marker))
    counted: set[int] = set()
    for chain in chains:
        for (row, marker), (following, after) in pairwise(chain):
            if after.number == (marker.number or 0) + 1:
                counted |= {id(row), id(following)}
    notes = {id(row) for row, _ in _lone_asterisks(marked)}
    return {
        id(row): marker
        for row, marker in marked
        if (marker.number is None or id(row) in counted) and id(row) not in notes
    }


def _lone_asterisks(marked: Sequence[tuple[Row, Marker]]) -> Iterator[tuple[Row, Marker]]:
    """Yield the asterisks that are footnote marks, as in `* Denotes`: no other one is above or below."""
    for before, (row, marker), after in zip([None, *marked], marked, [*marked[1:], None], strict=False):
        if marker.kind == "*" and not any(
            each and each[1].kind == "*" and each[0].page == row.page and abs(each[0].x0 - row.x0) < 1
            for each in (before, after)
        ):
            yield row, marker


def _is_beside(last: tuple[Row, Marker], row: Row, marker: Marker) -> bool:
    """Return whether a number is below the last one of a list, aligned left or right."""
    shift = (last[0].x0 - last[0].left) - (row.x0 - row.left)
    return last[1].kind == marker.kind and abs(shift) < _ALIGNED * row.style.size


def is_marker(text: str) -> bool:
    """Return whether a text is a marker only."""
    return bool(_ALONE.match(text))


def is_contents_line(text: str) -> bool:
    """Return whether a line ends with leader dots and a page number."""
    return contents_page(text) is not None


def contents_page(text: str) -> int | None:
    """Return the page number after leader dots, 0 for a Roman one; None without one."""
    found = _CONTENTS.search(text)
    return found and (int(found[1]) if found[1].isdecimal() else 0)


def leaderless(text: str) -> str:
    """Return a line without leader dots."""
    return LEADER.sub(" ", text).strip()
