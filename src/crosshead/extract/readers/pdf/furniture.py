"""Running heads, footers and page numbers.

A row at the edge of a page is furniture if the same text, numbers aside, stands at the same height on other pages, or
if it shows a number that counts with the pages at that height.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final, NamedTuple

from crosshead.extract.readers.pdf.shapes import Page, Row

_APART: Final = 1.6
_MIN_PAGES: Final = 3
_MAX_SHARE: Final = 0.4
"""Where more of the text would go, it is not furniture."""
_NUMBER: Final = re.compile(r"\d+")
_ROMAN: Final = re.compile(r"^[ivxlc]+$|(?<=\s)[ivxlc]+$|^[ivxlc]+(?=\s)", re.I)


class _Edge(NamedTuple):
    row: Row
    page: int
    height: int
    text: str
    numbers: list[int]


def remove_furniture(pages: Sequence[Page]) -> None:
    """Take running heads, footers and page numbers out of the pages."""
    edges = [edge for index, page in enumerate(pages) for edge in _edges(page, index)]
    gone = {id(edge.row) for edge in [*_repeated(edges, len(pages)), *_counting(edges)]}
    rows = [item for page in pages for item in page.items if isinstance(item, Row)]
    lost = sum(len(row.text) for row in rows if id(row) in gone)
    if lost > _MAX_SHARE * sum(len(row.text) for row in rows):
        return
    for page in pages:
        page.items = [item for item in page.items if id(item) not in gone]


def _edges(page: Page, index: int) -> Iterator[_Edge]:
    rows = [item for item in page.items if isinstance(item, Row) and not item.segments[0].words[0].turned]
    usual = median([row.style.size for row in rows]) if rows else 0.0
    chosen = {*_outer(rows, 1), *_outer(rows, -1)}
    for row in rows:
        if round(row.base) in chosen and len(row.text) < 200 and not row.level:
            # "Chapter 1" and "Chapter 2" in large letters are headings
            is_large = row.style.size > 1.15 * usual and not row.text.strip().isdecimal()
            numbers = [int(found) for found in _NUMBER.findall(row.text) if len(found) < 6 and not is_large]
            text = row.text.lower().strip()
            text = text if is_large else _NUMBER.sub("#", _ROMAN.sub("#", text))
            yield _Edge(row, index, round(row.base / 3), text, numbers)


def _outer(rows: Sequence[Row], side: int) -> list[int]:
    """Return the height of the outermost row of a side, and of the second one if it stands apart from the text."""
    heights = sorted({round(row.base) for row in rows}, key=lambda height: -side * height)[:3]
    if len(heights) > 2 and abs(heights[1] - heights[2]) < _APART * max(row.style.size for row in rows[:1]):
        return heights[:1]
    return heights[:2]


def _repeated(edges: Sequence[_Edge], pages: int) -> Iterator[_Edge]:
    places: dict[str, Counter[int]] = defaultdict(Counter)
    for edge in edges:
        places[edge.text][edge.height] += 1
    for edge in edges:
        counts = places[edge.text]
        count = sum(counts[height] for height in (edge.height - 1, edge.height, edge.height + 1))
        if count >= _MIN_PAGES or (count == pages == 2 and "#" in edge.text):
            yield edge


def _counting(edges: Sequence[_Edge]) -> Iterator[_Edge]:
    """Rows whose first or last number is that of the page, give or take an offset shared by others."""
    found: dict[tuple[int, int], list[_Edge]] = defaultdict(list)
    for edge in edges:
        if edge.text.startswith("#") or edge.text.endswith("#"):
            for number in {edge.numbers[0], edge.numbers[-1]} if edge.numbers else ():
                found[edge.height, number - edge.page].append(edge)
    for same in found.values():
        if len(same) >= _MIN_PAGES:
            yield from same
