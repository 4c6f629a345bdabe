"""Running heads, footers and page numbers.

1. Candidates are short lines at the edge of a page that are apart from the text.
2. A candidate is furniture if other pages have the same text at the same height, numbers aside, or if its number counts
   with the pages at that height.
3. The height must belong to the margin: where other pages have text, a repeated line is text, too.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import Final, NamedTuple

from crosshead.formats.pdf.layout.baselines import Baseline, find_baselines
from crosshead.formats.pdf.layout.page_numbers import find_page_numbers
from crosshead.formats.pdf.page.outline import letters, shows_title
from crosshead.formats.pdf.page.shapes import Drawn, Segment

_APART: Final = 1.5
"""The least distance from the text, in ems."""
_ROWS_APART: Final = 2.5
"""The same for lines that may be rows of a table."""
_BOX: Final = 300.0
"""The largest height of a box next to a line, in points; a taller one is the frame of the page."""
_MAX_LINES: Final = 3
"""The most lines at one edge of a page."""
_SMALL: Final = 0.9
"""A line smaller than the text by this factor may be longer."""
_SHORT, _SHORT_BESIDE, _SHORT_SMALL = 120, 80, 200
"""The most characters of a line, of one with others right above or below it, and of one in small letters."""
_ZONE: Final = 0.12
"""The share of the height of the text, at the top and at the bottom, in which furniture may be."""
_MARGIN: Final = 0.2
"""The same for the height of the page."""
_LARGE: Final = 1.15
"""A line that is larger than the text by this factor is a heading."""
_BAND: Final = 0.3
"""The share of pages that have a line at the height of running heads."""
_NAMED: Final = 0.3
"""The share of these lines that show the title of a section in full."""
_MIN_NAME: Final = 8
"""The least letters by which a title is recognized."""
_EDGE: Final = 0.1
"""The share of the page, at the top and at the bottom, in which a number alone is a page number."""
_SAME: Final = 3.0
"""Heights closer than this are the same, in points."""
_MIN_PAGES: Final = 3
"""The least pages with the same furniture."""
_OTHERS: Final = 0.25
"""How many pages may have text in the margin, as title pages do, for each page with the furniture."""
_MAX_SHARE: Final = 0.4
"""If more of the text would be removed, it is not furniture."""
_WARN_SHARE: Final = 0.03
_NUMBER: Final = re.compile(r"\d+")
_ROMAN: Final = re.compile(r"^[ivxlc]+$|(?<=\s)[ivxlc]+$|^[ivxlc]+(?=\s)", re.I)


class _Edge(NamedTuple):
    """A line that may be furniture."""

    line: Baseline
    page: int
    side: int
    """1 at the top, -1 at the bottom."""
    height: int
    text: str
    numbers: list[int]


def remove_furniture(pages: Sequence[Drawn], titles: Mapping[int, Collection[str]], warnings: list[str]) -> list[Drawn]:
    """Return the pages without running heads, footers and page numbers; `titles` are those of the outline by page."""
    lines = {index: find_baselines(page.segments) for index, page in enumerate(pages)}
    by_shape: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, page in enumerate(pages):
        by_shape[page.shape].append(index)
    found = [line for _, line in find_page_numbers(lines)]
    for group in by_shape.values():
        own = {index: lines[index] for index in group}
        found += [edge.line for edge in _find(own, pages, titles)] or _lone_numbers(own, pages)
    removed = {id(segment): segment for line in found for segment in line.segments}
    lost = sum(len(segment.words) for segment in removed.values())
    total = sum(len(segment.words) for page in pages for segment in page.segments)
    if not lost or lost > _MAX_SHARE * total:
        return list(pages)
    if lost > _WARN_SHARE * total:
        warnings.append(
            f"{lost} of the PDF's {total} words ({round(100 * lost / total)} %) were left out as running heads, "
            "footers and page numbers"
        )
    return [page._replace(segments=[each for each in page.segments if id(each) not in removed]) for page in pages]


def _distinct(edges: Iterable[_Edge]) -> list[_Edge]:
    return list({(edge.page, edge.line.base): edge for edge in edges}.values())


def _find(
    lines: Mapping[int, Sequence[Baseline]], pages: Sequence[Drawn], titles: Mapping[int, Collection[str]]
) -> list[_Edge]:
    """Return the furniture of pages that have the same shape."""
    bases = [line.base for own in lines.values() for line in own]
    if len(lines) < 2 or not bases:
        return []
    limits = _limits(min(bases), max(bases), pages[next(iter(lines))].shape[1])
    usual = _usual_size(lines.values())
    edges = [
        edge
        for index, own in lines.items()
        for edge in _edges(own, index, limits, titles.get(index, ()), usual)
        if not _is_boxed(edge.line, pages[index])
    ]
    found = _distinct([*_repeated(edges, len(lines)), *_counting(edges), *_naming(edges, lines, usual)])
    return _in_margin(found, lines)


def _lone_numbers(lines: Mapping[int, Sequence[Baseline]], pages: Sequence[Drawn]) -> list[Baseline]:
    """Return the page numbers of a document with too few pages to see them count."""
    found: list[Baseline] = []
    for index, own in lines.items() if len(lines) < _MIN_PAGES else ():
        height = pages[index].shape[1]
        for line, inner in (own[:2], own[:-3:-1]) if len(own) > 2 else ():
            is_outside = min(line.base, height - line.base) < _EDGE * height
            is_apart = abs(line.base - inner.base) > _ROWS_APART * max(line.size, inner.size)
            if is_outside and is_apart and line.text.isdecimal() and not _is_boxed(line, pages[index]):
                found.append(line)
    return found


def _limits(lowest: float, highest: float, height: float) -> dict[int, float]:
    """Return where the margin of either side begins, counted outward."""
    zone = _ZONE * (highest - lowest)
    top, bottom = highest - zone, lowest + zone
    if lowest >= 0 and highest <= height:  # else the page is turned
        top, bottom = max(top, height - _MARGIN * height), min(bottom, _MARGIN * height)
    return {1: top, -1: -bottom}


def _usual_size(lines: Iterable[Sequence[Baseline]]) -> float:
    """Return the size of most of the text; the labels of figures may be most of a page's lines."""
    lengths: Counter[float] = Counter()
    for own in lines:
        for line in own:
            lengths[line.size] += len(line.text)
    return max(lengths, key=lambda size: lengths[size], default=0.0)


def _edges(
    lines: Sequence[Baseline], index: int, limits: Mapping[int, float], titles: Collection[str], size: float
) -> Iterator[_Edge]:
    usual = median([line.size for line in lines]) if lines else 0.0
    for side in (1, -1):
        for line in _outer(lines[::side], side, limits[side], usual):
            if _is_title(line, lines, titles):
                continue
            # "Chapter 1" and "Chapter 2" in large letters are headings
            is_large = line.size > _LARGE * max(usual, size) and not line.text.strip().isdecimal()
            numbers = [int(found) for found in _NUMBER.findall(line.text) if len(found) < 6 and not is_large]
            text = line.text.lower().strip()
            text = text if is_large else _NUMBER.sub("#", _ROMAN.sub("#", text))
            yield _Edge(line, index, side, round(line.base / 3), text, numbers)


def _outer(lines: Sequence[Baseline], side: int, limit: float, usual: float) -> list[Baseline]:
    """Return the lines of a side that are short and apart from the text, from the edge inward."""
    outer: list[Baseline] = []
    block: list[Baseline] = []
    for line, inner in zip(lines[:_MAX_LINES], [*lines[1 : _MAX_LINES + 1], None], strict=False):
        is_small = line.size < _SMALL * usual
        gap = abs(line.base - inner.base) / max(line.size, inner.size, 1.0) if inner else _APART
        gap = 0.0 if inner and gap < _ROWS_APART and _are_rows(line, inner) else gap
        is_beside = bool(block) or gap < _APART
        longest = _SHORT_BESIDE if is_beside else _SHORT_SMALL if is_small else _SHORT
        if side * line.base < limit or len(line.text) > longest:
            break
        block.append(line)
        if gap >= _APART:
            outer += block
            block = []
    return outer


def _are_rows(line: Baseline, inner: Baseline) -> bool:
    """Return whether several parts of one line are below parts of the other, as in a table."""
    pairs = [
        (id(first), id(second))
        for first in line.segments
        for second in inner.segments
        if min(first.x1, second.x1) > max(first.x0, second.x0)
    ]
    return min(len({first for first, _ in pairs}), len({second for _, second in pairs})) > 1


def _is_boxed(line: Baseline, page: Drawn) -> bool:
    """Return whether a line is next to a vertical rule that is not a frame of the whole page."""
    return any(
        rule.x0 == rule.x1 and rule.y0 <= line.base <= rule.y1 < rule.y0 + _BOX
        for rule in page.rules
        if not rule.is_shade
    )


def _is_title(line: Baseline, lines: Iterable[Baseline], titles: Collection[str]) -> bool:
    """Return whether a line is the only one of the page that shows an entry of the outline."""
    if not titles or not shows_title(line.text, titles):
        return False
    return sum(shows_title(each.text, titles) for each in lines if each.text.endswith(line.text[-5:])) == 1


def _repeated(edges: Sequence[_Edge], pages: int) -> Iterator[_Edge]:
    places: dict[str, Counter[int]] = defaultdict(Counter)
    for edge in edges:
        places[edge.text][edge.height] += 1
    for edge in edges:
        counts = places[edge.text]
        count = sum(counts[height] for height in (edge.height - 1, edge.height, edge.height + 1))
        if count >= _MIN_PAGES or count == pages == 2:
            yield edge


def _counting(edges: Sequence[_Edge]) -> Iterator[_Edge]:
    """Lines whose first or last number is that of the page, give or take an offset shared by others."""
    found: dict[tuple[int, int], list[_Edge]] = defaultdict(list)
    for edge in edges:
        # "2.1 Costs" and "3.1 Risks" at the top of pages are headings, however they count
        if (edge.text.startswith("#") and not edge.text.startswith("#.")) or edge.text.endswith("#"):
            for number in {edge.numbers[0], edge.numbers[-1]} if edge.numbers else ():
                found[edge.height, number - edge.page].append(edge)
    for same in found.values():
        if len(same) >= _MIN_PAGES:
            yield from same


def _naming(edges: Sequence[_Edge], lines: Mapping[int, Sequence[Baseline]], usual: float) -> Iterator[_Edge]:
    """The outermost lines of many pages at one height, no larger than the text, if they name sections.

    The title of the section is somewhere else, too. It may be too long for the line, so that a part of them is enough.
    """
    bands: dict[tuple[int, int], list[_Edge]] = defaultdict(list)
    for edge in edges:
        if edge.line is lines[edge.page][0 if edge.side > 0 else -1] and edge.line.size < _LARGE * usual:
            bands[edge.side, edge.height].append(edge)
    bands = {place: band for place, band in bands.items() if len(band) >= max(_MIN_PAGES, _BAND * len(lines))}
    titles: Counter[str] = Counter()
    for each in lines.values() if bands else ():
        titles.update([letters(line.text) for line in each if len(line.text) <= _SHORT])
    for band in bands.values():
        named = [edge for edge in band if any(_is_name(segment, edge, titles) for segment in edge.line.segments)]
        if len(named) >= _NAMED * len(band):
            yield from band


def _is_name(segment: Segment, edge: _Edge, titles: Mapping[str, int]) -> bool:
    name = letters(segment.text)
    return len(name) >= _MIN_NAME and titles.get(name, 0) > (len(edge.line.segments) == 1)


def _in_margin(found: Sequence[_Edge], lines: Mapping[int, Sequence[Baseline]]) -> list[_Edge]:
    """Return those at whose height, or further out, few pages have text."""
    known = {(edge.page, edge.line.base) for edge in found}
    tops: dict[int, list[float]] = {}
    for side in (1, -1):
        free = [[side * line.base for line in own if (index, line.base) not in known] for index, own in lines.items()]
        tops[side] = sorted([max(heights) for heights in free if heights])
    having = Counter((edge.side, edge.height) for edge in found)
    kept: list[_Edge] = []
    for edge in found:
        own = tops[edge.side]
        others = len(own) - bisect_left(own, edge.side * edge.line.base - _SAME)
        pages = sum(having[edge.side, edge.height + shift] for shift in (-1, 0, 1))
        if others <= max(1, _OTHERS * pages):
            kept.append(edge)
    return kept
