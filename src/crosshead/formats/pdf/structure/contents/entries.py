"""The entries of a printed table of contents, and the lines of the text that they name.

1. An entry ends with a page number. A line without one begins the next entry, or is an entry on the same page.
2. Printed and counted page numbers differ by an offset: the one that most titles agree on.
3. A line that reads like an entry, on the page that the entry names, is a heading, whatever it looks like. If the
   entries agree on no offset, they only show the levels of headings.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from crosshead.formats.pdf.page.outline import find_title, letters
from crosshead.formats.pdf.page.shapes import PdfPage, PdfTable, Row
from crosshead.formats.pdf.structure.contents.levels import Printed, rank_entries
from crosshead.formats.pdf.structure.exclusions import CAPTION, ends_with_page
from crosshead.formats.pdf.text.markers import contents_page

_MIN_ENTRIES: Final = 4
"""The least lines with page numbers in a document with contents."""
_MIN_FOUND: Final = 3
"""The least entries that must be found in the text."""
_AGREE: Final = 0.5
"""The share of the entries found in the text that must agree on an offset."""
_MAX_LINES: Final = 3
"""The most lines of an entry."""
_MAX_LENGTH: Final = 200
"""The most characters of a row that may be a title."""
_PARAGRAPH: Final = 1.5
"""The largest distance of two lines of a paragraph, in ems."""
_SHORT: Final = 0.8
"""The share of the column's right edge before which the last line of a paragraph ends."""
_END: Final = re.compile(r"[\s.…·_-]*(\d{1,4}|[ivxlc]{1,6})$", re.I)
_NUMBER: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,6}\.?\s+(?=\D)")
_DIGITS: Final = "0123456789"
_CLOSED: Final = (".", "!", "?", ":", ";", "。", "！", "？")


class Named(NamedTuple):
    """Rows of the text that an entry names."""

    rows: list[Row]
    rank: int
    """The level of the entry in the contents, from 1; 0 if it is not known."""
    is_sure: bool
    """They are on the page that the entry names."""


@dataclass(slots=True)
class _Line:
    """A line of the contents."""

    row: Row
    place: int
    """The page that it is on, counted from 0."""
    number: int | None
    """The number at its end; 0 for one in Roman letters."""
    in_region: bool
    """It is below a heading such as `Contents`."""


def find_named(pages: Sequence[PdfPage], region: Collection[int]) -> tuple[dict[int, Named], set[int]]:
    """Return the headings that the contents name, by the id of their first row, and the ids of the rows of entries.

    `region` are the ids of the rows and tables below headings such as `Contents`.
    """
    lines = [line for place, page in enumerate(pages) for line in _lines(place, page, region)]
    if sum(line.number is not None for line in lines) < _MIN_ENTRIES:
        return {}, set()
    keys = _Keys(pages, {id(line.row) for line in lines if line.in_region or line.number is not None})
    entries = list(_entries(lines, keys))
    offset = _offset(entries, keys)
    found: dict[int, tuple[list[Row], _PrintedEntry]] = {}
    for entry in entries:
        rows = keys.on_page(entry, offset) if offset is not None else keys.only(entry)
        if rows:
            found.setdefault(id(rows[0]), (rows, entry))
    if len(found) < _MIN_FOUND:
        return {}, set()
    ranks = rank_entries([entry.printed for _, entry in found.values()])
    named = {
        first: Named(rows, rank, offset is not None)
        for (first, (rows, _)), rank in zip(found.items(), ranks, strict=True)
    }
    return named, {id(line.row) for _, entry in found.values() for line in entry.lines}


def _lines(place: int, page: PdfPage, region: Collection[int]) -> Iterator[_Line]:
    """Yield the lines on a page that may be contents; text may follow them."""
    pending: list[_Line] = []
    for item in page.items:
        in_region = id(item) in region
        for row, number in _numbered(item, in_region):
            if number is None and len(pending) == _MAX_LINES:
                pending = []
            pending.append(_Line(row, place, number, in_region))
            if number is not None:
                yield from pending
                pending = []


def _numbered(item: Row | PdfTable, in_region: bool) -> Iterator[tuple[Row, int | None]]:
    """Yield lines with their page numbers; entries without dots may have been read as a table."""
    if isinstance(item, Row):
        yield item, _page_number(item, in_region)
    elif in_region:
        for cells in item.cells:
            if text := " ".join([cell for cell in cells if cell]):
                yield Row([], item.page, text=text), int(cells[-1]) if cells[-1].isdecimal() else None


def _page_number(row: Row, in_region: bool) -> int | None:
    found = contents_page(row.text)
    if found is None and in_region and len(row.segments) > 1 and ends_with_page(row.text):
        last = row.segments[-1].text
        return int(last) if last.isdecimal() else 0
    return found


@dataclass(slots=True)
class _PrintedEntry:
    lines: Sequence[_Line]
    number: int
    """Of the page that it names."""
    titles: list[str]
    """The letters of its title, in the forms that the text may have."""

    @property
    def place(self) -> int:
        return self.lines[0].place

    @property
    def printed(self) -> Printed:
        row = self.lines[0].row
        return Printed(row.text, row.x0 - row.left if row.segments else None, row.style)


def _entries(lines: Sequence[_Line], keys: _Keys) -> Iterator[_PrintedEntry]:
    """Yield the entries: lines without a number begin the next entry if the text has the whole as a title."""
    pending: list[_Line] = []
    for line in lines:
        pending.append(line)
        if line.number is None:
            continue
        start = next((n for n in range(len(pending)) if keys.has(_titles(pending[n:]))), len(pending) - 1)
        for before in [each for each in pending[:start] if each.in_region]:
            yield _PrintedEntry([before], line.number, _titles([before]))
        yield _PrintedEntry(pending[start:], line.number, _titles(pending[start:]))
        pending = []


def _titles(lines: Sequence[_Line]) -> list[str]:
    text = " ".join([line.row.text for line in lines])
    title = _END.sub("", text) if lines[-1].number is not None else text
    if CAPTION.match(title):
        return []
    bare = _NUMBER.sub("", title, count=1)
    return [key for key in dict.fromkeys((letters(title), letters(bare))) if key and not key.isdecimal()]


def _bare(key: str) -> str:
    return key.lstrip(_DIGITS)


class _Keys:
    """The rows of the text, by their letters."""

    def __init__(self, pages: Sequence[PdfPage], own: set[int]) -> None:
        self._pages = pages
        self._keys = [
            [
                letters(item.text)
                if isinstance(item, Row) and id(item) not in own and not item.level and len(item.text) < _MAX_LENGTH
                else ""
                for item in page.items
            ]
            for page in pages
        ]
        self._rows: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for place, keys in enumerate(self._keys):
            for number, key in enumerate(keys):
                self._rows[_bare(key)].append((place, number))

    def has(self, titles: Sequence[str]) -> bool:
        """Return whether the text has this title."""
        return bool(titles and self._places_of(titles[0]))

    def places(self, entry: _PrintedEntry) -> list[int]:
        """Return the pages from the entry on that have its title."""
        return [place for place in self._places_of(entry.titles[0]) if place >= entry.place] if entry.titles else []

    def _places_of(self, title: str) -> list[int]:
        """Return the pages with rows that together read like this title, with or without its number."""
        bare = _bare(title)
        return [
            place
            for end in range(1, len(bare) + 1)
            for place, number in self._rows.get(bare[:end], ())
            if bare in map(_bare, accumulate(self._keys[place][number : number + _MAX_LINES]))
        ]

    def on_page(self, entry: _PrintedEntry, offset: int) -> list[Row]:
        """Return the rows that the entry names."""
        if not entry.number:
            return self.only(entry)
        named = entry.number + offset
        for place in (named, named + 1, named - 1):
            if entry.place <= place < len(self._pages) and (rows := self._find(place, entry)):
                return rows
        return []

    def only(self, entry: _PrintedEntry) -> list[Row]:
        """Return the rows with the title of the entry, if it is there only once."""
        places = self.places(entry)
        return self._find(places[0], entry) if len(places) == 1 else []

    def _find(self, place: int, entry: _PrintedEntry) -> list[Row]:
        page = self._pages[place]
        for title in entry.titles:
            found = find_title(page, self._keys[place], title)
            if found and _is_apart(page, *found):
                start, count = found
                return [item for item in page.items[start : start + count] if isinstance(item, Row)]
        return []


def _is_apart(page: PdfPage, start: int, count: int) -> bool:
    """Return whether rows are separate lines, not part of a paragraph that happens to read like a title."""
    row, before = page.items[start], page.items[start - 1] if start else None
    after = page.items[start + count] if start + count < len(page.items) else None
    if not isinstance(row, Row) or row.text[:1].islower() or CAPTION.match(row.text):
        return False
    if isinstance(after, Row) and after.style == row.style and after.text[:1].islower():
        return False
    if not isinstance(before, Row) or row.starts_column or before.style != row.style:
        return True
    if before.text.endswith(_CLOSED) or before.x1 < _SHORT * row.right:
        return True
    return before.base - row.base > _PARAGRAPH * row.style.size


def _offset(entries: Sequence[_PrintedEntry], keys: _Keys) -> int | None:
    """Return what to add to a printed number to get the page, counted from 0; None if the entries disagree."""
    votes: Counter[int] = Counter()
    found = 0
    for entry in entries:
        offsets = {place - entry.number for place in keys.places(entry)} if entry.number else set()
        votes.update(offsets)
        found += bool(offsets)
    best = max(votes, key=lambda offset: (votes[offset], -abs(offset)), default=None)
    return best if best is not None and votes[best] >= max(_MIN_FOUND, _AGREE * found) else None


def groups_of(named: Mapping[int, Named]) -> dict[int, int]:
    """Return for every row of a sure heading the id of its first row."""
    return {id(row): first for first, each in named.items() if each.is_sure for row in each.rows}
