"""Headings: the outline first, the tagged structure second, size and weight third."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from crosshead.extract.readers.pdf.markers import is_contents_line
from crosshead.extract.readers.pdf.outline import Entry, letters
from crosshead.extract.readers.pdf.shapes import Page, Row, Style
from crosshead.extract.readers.pdf.tags import heading_level

_LARGER: Final = 1.12
"""A heading is larger than the text by at least this factor, or bold."""
_MAX_LENGTH: Final = 180
_MAX_ROWS: Final = 4
_MANY: Final = 0.25
"""A style that so many rows have is a style of text."""
_DIGITS: Final = "0123456789"
_LETTER: Final = re.compile(r"[^\W\d_]")
_ENDS: Final = (".", ",", ";", ":", "!", "…")

Look = tuple[float, bool]


def mark_headings(pages: Sequence[Page], entries: Sequence[Entry]) -> None:
    """Set the level of every row that is a heading; those of the outline are marked already."""
    if _mark_tagged(pages):
        return
    body = _body_style(pages)
    titles = {letters(entry.title) for entry in entries}
    candidates = [
        row
        for rows in _standing_alone(pages)
        if _may_be_heading(rows, body) and not _is_contents(rows, titles)
        for row in rows
    ]
    total = sum(1 for page in pages for item in page.items if isinstance(item, Row))
    counts = Counter(_look(row) for row in candidates)
    looks = [look for look in counts if counts[look] <= max(3, _MANY * total)]
    known = _known_levels(pages)
    if known:
        looks = [look for look in looks if look[0] >= _LARGER * body.size]
    levels = _levels(looks, known)
    for row in candidates:
        if not row.level:
            row.level = levels.get(_look(row), 0)


def _mark_tagged(pages: Sequence[Page]) -> bool:
    rows = [item for page in pages for item in page.items if isinstance(item, Row)]
    tagged = [row for row in rows if heading_level(row.tag)]
    for row in tagged:
        row.level = row.level or heading_level(row.tag)
    return bool(tagged)


def _body_style(pages: Sequence[Page]) -> Style:
    """Return the style of most of the text; code is not text."""
    lengths: Counter[Style] = Counter()
    for page in pages:
        for item in page.items:
            if isinstance(item, Row):
                lengths[item.style._replace(italic=False)] += len(item.text)
    prose = {style: count for style, count in lengths.items() if not style.mono} or lengths
    return max(prose, key=lambda style: prose[style], default=Style(10.0))


def _look(row: Row) -> Look:
    return round(row.style.size * 2) / 2, row.style.bold


def _standing_alone(pages: Iterable[Page]) -> Iterator[list[Row]]:
    """Return runs of neighboring rows that look the same and are no headings yet."""
    for page in pages:
        run: list[Row] = []
        for item in page.items:
            if not isinstance(item, Row) or item.level:
                if run:
                    yield run
                run = []
                continue
            if run and not (_look(run[-1]) == _look(item) and _is_next(run[-1], item)):
                yield run
                run = []
            run.append(item)
        if run:
            yield run


def _is_next(above: Row, below: Row) -> bool:
    return 0 < above.base - below.base < 1.7 * above.style.size


def _may_be_heading(rows: Sequence[Row], body: Style) -> bool:
    text = " ".join([row.text for row in rows])
    style = rows[0].style
    if len(rows) > _MAX_ROWS or len(text) > _MAX_LENGTH or not _LETTER.search(text) or style.mono:
        return False
    if any(len(row.segments) > 2 for row in rows):
        return False
    if style.size >= _LARGER * body.size:
        return True
    if not style.bold or body.bold or style.size < 0.9 * body.size or text.endswith(_ENDS):
        return False
    return len(rows) <= 2 and len(text) < 100 and rows[-1].x1 < rows[-1].right + 1


def _is_contents(rows: Sequence[Row], titles: Collection[str]) -> bool:
    """A title with the number of its page stands in a table of contents."""
    if is_contents_line(rows[-1].text):
        return True
    text = letters(rows[-1].text)
    bare = text.rstrip(_DIGITS)
    return bare != text and (bare in titles or bare.lstrip(_DIGITS) in titles)


def _known_levels(pages: Sequence[Page]) -> dict[Look, int]:
    """Return the levels of the styles that the outline's headings have."""
    votes: dict[Look, Counter[int]] = defaultdict(Counter)
    for page in pages:
        for item in page.items:
            if isinstance(item, Row) and item.level:
                votes[_look(item)][item.level] += 1
    return {look: min(counts, key=lambda level: (-counts[level], level)) for look, counts in votes.items()}


def _levels(looks: Iterable[Look], known: dict[Look, int]) -> dict[Look, int]:
    """Rank styles by size and weight; those that the outline knows keep their level."""
    levels = dict(known)
    ranked = sorted({*looks, *known}, reverse=True)
    level = 0
    for look in ranked:
        level = known.get(look, level + 1) if look in known else min(level + 1, 6)
        levels[look] = level
    return levels
