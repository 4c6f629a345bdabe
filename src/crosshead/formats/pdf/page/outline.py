"""The outline (bookmarks) of the document: the headings on the pages to which its entries lead."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple

from crosshead.formats.pdf.page import native
from crosshead.formats.pdf.page.shapes import PdfPage, Row

_MAX_ENTRIES: Final = 20_000
_MAX_ROWS: Final = 5
"""The most rows of a heading."""
_LABEL_COST: Final = 0.5
_ROW_COST: Final = 0.01
_SIZE_GAIN: Final = 0.1
_BOLD_GAIN: Final = 3
"""Which of several matches is the title: each em from its height costs 1, a number in front and each further row cost
this much; its size, by point, and bold print gain this much."""
_MAX_LABEL: Final = 16
"""The longest number or name of a kind in front of a title, as in `Appendix A.12`."""
_LABEL: Final = re.compile(r"(?:[^\W\d]{0,10}\d\w{0,7}|[ivxlc]{1,6}|[a-z]|(?:part|appendix|annex|chapter)[a-z]{0,6})?")
_LABEL_LINE: Final = re.compile(r"[^\W\d]{4,10}\d{1,3}|(?:part|appendix|annex|chapter)[a-z]{1,6}")
_NUMBER: Final = re.compile(r"((?:\d+|[A-Z])(?:\.\d+){0,7})\.?[ \u00a0]")
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff]")
_NOT_WORD: Final = re.compile(r"[\W_]+")


class Bookmark(NamedTuple):
    """A bookmark."""

    level: int
    title: str
    page: int | None
    """Counted from 0."""
    y: float | None


def read_outline(document: Any) -> list[Bookmark]:
    """Return the bookmarks in order; an outline that is broken or circular ends where it does."""
    return _shift_to_numbers(list(_entries(document)))


def _shift_to_numbers(entries: list[Bookmark]) -> list[Bookmark]:
    """Return the entries of a part of a larger document, numbered like 4.2, with levels that begin there as well."""
    depths = [(entry.level, found) for entry in entries if (found := _NUMBER.match(entry.title))]
    shifts = {found[1].count(".") + 1 - level for level, found in depths}
    if len(shifts) != 1:
        return entries
    shift = max(0, shifts.pop())
    return [entry._replace(level=entry.level + shift) for entry in entries] if shift else entries


def _entries(document: Any) -> Iterator[Bookmark]:
    for number, bookmark in enumerate(document.get_toc(max_depth=10)):
        if number >= _MAX_ENTRIES:
            return
        title = " ".join(native.text_of(bookmark.get_title).split())
        target = bookmark.get_dest()
        page = target.get_index() if target else None
        if title:
            yield Bookmark(bookmark.level + 1, title, page, _height(target) if target else None)


def _height(target: Any) -> float | None:
    raw = native.raw()
    mode, values = target.get_view()
    if mode == raw.PDFDEST_VIEW_XYZ and len(values) > 1:
        return float(values[1]) or None
    if mode == raw.PDFDEST_VIEW_FITH and values:
        return float(values[0])
    return None


def letters(text: str) -> str:
    """Return the letters and digits of a text in lowercase, which two spellings of a title share."""
    return _NOT_WORD.sub("", unicodedata.normalize("NFKC", text)).casefold()


def titles_by_page(entries: Sequence[Bookmark]) -> dict[int, set[str]]:
    """Return the letters of the titles that each page should show."""
    titles: dict[int, set[str]] = {}
    for entry in entries:
        if entry.page is not None and (title := letters(entry.title)):
            titles.setdefault(entry.page, set()).add(title)
    return titles


def shows_title(text: str, titles: Collection[str]) -> bool:
    """Return whether a text is one of the titles, perhaps with a number in front."""
    own = letters(text)
    return any(own.endswith(title) and _LABEL.fullmatch(own[: len(own) - len(title)]) for title in titles)


def mark_outline(pages: Sequence[PdfPage], entries: Sequence[Bookmark]) -> int:
    """Make the rows that entries name headings; return how many were found."""
    known: dict[int, list[str]] = {}
    count = 0
    for entry in entries:
        for index in _near(entry.page, len(pages)):
            if index not in known:
                known[index] = [letters(item.text) if isinstance(item, Row) else "" for item in pages[index].items]
            y = entry.y if index == entry.page else None
            found = find_title(pages[index], known[index], letters(entry.title), y)
            if found:
                _mark(pages[index], known[index], *_with_label(pages[index], known[index], *found), entry)
                count += 1
                break
    return count


def _near(page: int | None, count: int) -> list[int]:
    if page is None:
        return []
    return [index for index in (page, page + 1, page - 1) if 0 <= index < count]


def find_title(page: PdfPage, keys: Sequence[str], title: str, y: float | None = None) -> tuple[int, int] | None:
    """Return the first row of the heading and how many there are: the match that is nearest to height `y`."""
    may_mix = bool(_RIGHT_TO_LEFT.search(title))
    best: tuple[float, int, int] | None = None
    for start, key in enumerate(keys):
        if not title or not key or (len(key) > _MAX_LABEL and key[-5:] not in title and not may_mix):
            continue
        cost = _match(keys, start, title)
        if cost is None:
            continue
        row = page.items[start]
        assert isinstance(row, Row)
        if row.level:
            continue
        away = abs(y - row.base - row.style.size) / row.style.size if y is not None and row.style.size else 0.0
        score = away + cost[0] + _ROW_COST * cost[1] - _SIZE_GAIN * row.style.size - _BOLD_GAIN * row.style.bold
        if best is None or score < best[0]:
            best = score, start, cost[1]
    return best and best[1:]


def _match(keys: Sequence[str], start: int, title: str) -> tuple[float, int] | None:
    text = ""
    for count in range(1, _MAX_ROWS + 1):
        if start + count > len(keys) or not keys[start + count - 1]:
            return None
        text += keys[start + count - 1]
        if text == title or (_RIGHT_TO_LEFT.search(title) and sorted(text) == sorted(title)):
            return 0.0, count
        if text.endswith(title) and _LABEL.fullmatch(text[: len(text) - len(title)]):
            return _LABEL_COST, count
        if len(text) > len(title) + _MAX_LABEL:
            return None
    return None


def _with_label(page: PdfPage, keys: Sequence[str], start: int, count: int) -> tuple[int, int]:
    """Return the rows of a title with a line such as `Chapter 3` right above it."""
    if not start or not _LABEL_LINE.fullmatch(keys[start - 1]):
        return start, count
    label, row = page.items[start - 1], page.items[start]
    assert isinstance(label, Row)
    assert isinstance(row, Row)
    near = 0 < label.base - row.base < 4 * row.style.size
    return (start - 1, count + 1) if near and not label.level else (start, count)


def _mark(page: PdfPage, keys: list[str], start: int, count: int, entry: Bookmark) -> None:
    row = page.items[start]
    assert isinstance(row, Row)
    row.level = min(entry.level, 6)
    row.title = _spaced(entry.title, [item.text for item in page.items[start : start + count] if isinstance(item, Row)])
    del page.items[start + 1 : start + count]
    del keys[start + 1 : start + count]
    keys[start] = ""


def _spaced(title: str, lines: Sequence[str]) -> str:
    """Return a title with the spaces of the page: some programs omit them at the ends of lines."""
    text = " ".join(lines)
    forgotten = len(text.split()) - len(title.split())
    return text if 0 < forgotten < len(lines) and letters(text) == letters(title) else title
