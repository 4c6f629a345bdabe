"""Which rows may be headings, by what they look like and how they stand.

1. Neighboring rows that look the same make a run, as far as one line of a heading would go on in the next.
2. A run may be a heading if it is larger than the text, or bold and short, or set off by more space than paragraphs
   are and nearer to what follows. A bold phrase that opens a paragraph is none.
3. What stands before the first paragraph is front matter: a cover, or a title with its authors.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

from crosshead.formats.pdf.layout.columns import usual_leading
from crosshead.formats.pdf.page.outline import letters
from crosshead.formats.pdf.page.shapes import PdfPage, PdfTable, Row, TextStyle
from crosshead.formats.pdf.structure.contents_entries import find_named, groups_of
from crosshead.formats.pdf.structure.exclusions import (
    CAPTION,
    contents_items,
    ends_with_page,
    has_neighbor,
    is_contents,
    is_sentence,
    says_something,
)
from crosshead.formats.pdf.structure.numbering import NONE, is_bare, is_numbered, place_of, series_of
from crosshead.formats.pdf.text.markers import find_marker, is_contents_line

LARGER: Final = 1.12
"""A heading is larger than the text by at least this factor, or bold, or set off by space."""
_MAX_ROWS: Final = 4
_MAX_SPACED: Final = 80
_SET_OFF: Final = 1.12
"""How much more space than a paragraph a heading that only space shows has above it."""
_FRONT_PAGES: Final = 5
_PARAGRAPH_ROWS: Final = 3
_TITLE_REACH: Final = 4.0
"""How far below its number a title may be, in sizes."""
_MIN_CAPITALS: Final = 6
_ENDS: Final = (".", ",", ";", ":", "!", "…", "。", "，", "；", "：", "！")
_LINK: Final = re.compile(r"://|www\.|@\w")
_FORMULA: Final = re.compile(r"[=<>≤≥∑∫∈→|{}]")


class Look(NamedTuple):
    """What headings of one level have in common; larger ones stand above smaller ones."""

    size: float
    bold: bool
    upright: bool
    capitals: bool = False


@dataclass(slots=True)
class HeadingCandidate:
    """Rows that may be a heading."""

    rows: list[Row]
    text: str
    look: Look
    page: int
    is_front: bool
    by_space: bool = False
    """Only the space around it shows it."""
    is_named: bool = False
    """The printed contents name it, on its page."""
    rank: int = 0
    """Its level in the printed contents; 0 if they do not show it."""


class _Spacing(NamedTuple):
    """Usual distances of baselines, in sizes of the text."""

    leading: float
    paragraph: float


def look_of(row: Row) -> Look:
    """Return what a row looks like."""
    return Look(round(row.style.size * 2) / 2, row.style.bold, not row.style.italic)


def body_style(pages: Sequence[PdfPage]) -> TextStyle:
    """Return the style of most of the text; code is not text."""
    lengths: Counter[TextStyle] = Counter()
    for page in pages:
        for item in page.items:
            if isinstance(item, Row):
                lengths[item.style._replace(italic=False)] += len(item.text)
    prose = {style: count for style, count in lengths.items() if not style.mono} or lengths
    return max(prose, key=lambda style: prose[style], default=TextStyle(10.0))


def find_candidates(pages: Sequence[PdfPage], body: TextStyle, titles: set[str]) -> list[HeadingCandidate]:
    """Return the runs of rows that may be headings; `titles` are those of the outline."""
    spacing = _spacing(pages, body)
    contents = contents_items(pages)
    named, entries = find_named(pages, contents) if not titles else ({}, set())
    groups = groups_of(named)
    found: list[HeadingCandidate] = []
    is_front = True
    for number, page in enumerate(pages):
        for before, run, after in _runs(page, body, spacing, groups):
            if is_front and (number >= _FRONT_PAGES or _ends_front(before, run, body)):
                is_front = False
                _take_from_front(found, before)
            text = " ".join([row.text for row in run])
            if not says_something(text) or has_neighbor(before, run, after) or is_contents_line(text):
                continue
            is_named = id(run[0]) in groups
            by_space = not (
                is_named
                or _stands_out(run, text, body, spacing, after)
                or _is_marked(before, run, after, text, body, spacing)
            )
            if by_space and not _is_set_off(before, run, after, text, body, spacing):
                continue
            if found and found[-1].rows[-1] is before and _is_title_of(found[-1], run, text):
                found[-1] = _joined(found[-1], run, text)
            else:
                rank = named[id(run[0])].rank if id(run[0]) in named else 0
                found.append(
                    HeadingCandidate(
                        run, text, look_of(run[0]), number, is_front and not is_named, by_space, is_named, rank
                    )
                )
    texts = {letters(each.text) for each in found}
    last = {letters(each.text): each.page for each in found}
    return [
        each
        for each in found
        if not is_contents(each.text, titles | texts)
        and id(each.rows[0]) not in entries
        and not (id(each.rows[0]) in contents and (last[letters(each.text)] > each.page or ends_with_page(each.text)))
    ]


def _is_title_of(label: HeadingCandidate, run: Sequence[Row], text: str) -> bool:
    """Is `Chapter 3` in a line of its own right above this title?"""
    gap = label.rows[-1].base - run[0].base
    return is_bare(label.text) and not is_numbered(text) and 0 < gap < _TITLE_REACH * run[0].style.size


def _joined(label: HeadingCandidate, run: Sequence[Row], text: str) -> HeadingCandidate:
    look = max(label.look, look_of(run[0]))
    return replace(label, rows=[*label.rows, *run], text=f"{label.text} {text}", look=look)


def _spacing(pages: Sequence[PdfPage], body: TextStyle) -> _Spacing:
    """Measure between paragraphs of several lines, because single ones may be headings."""
    leading = usual_leading(pages)
    gaps: Counter[float] = Counter()
    for page in pages:
        rows = [item for item in page.items if isinstance(item, Row) and item.style.size == body.size]
        ratios = [round((above.base - below.base) / body.size, 1) for above, below in pairwise(rows)]
        for before, gap, after in zip(ratios, ratios[1:], ratios[2:], strict=False):
            if max(before, after) <= 1.15 * leading < gap < 4:
                gaps[gap] += 1
    return _Spacing(leading, max(gaps, key=lambda gap: (gaps[gap], -gap), default=1.15 * leading))


def _runs(
    page: PdfPage, body: TextStyle, spacing: _Spacing, groups: Mapping[int, int]
) -> Iterator[tuple[Row | PdfTable | None, list[Row], Row | PdfTable | None]]:
    """Return runs of rows that are no headings yet, with what stands before and after them."""
    run: list[Row] = []
    before: Row | PdfTable | None = None
    for item in page.items:
        row = item if isinstance(item, Row) and not item.level else None
        if run and not (row and _is_next(run[-1], row, body, spacing, groups)):
            yield before, run, item
            before, run = run[-1], []
        if row:
            run.append(row)
        else:
            before = item
    if run:
        yield before, run, None


def _is_next(above: Row, row: Row, body: TextStyle, spacing: _Spacing, groups: Mapping[int, int]) -> bool:
    """Does the run go on? The rows of one title in the contents make one."""
    own, other = groups.get(id(row)), groups.get(id(above))
    if own or other:
        return own == other
    return goes_on(above, row, spacing.leading) and not _is_parted(above, row, body, spacing)


def _is_parted(above: Row, below: Row, body: TextStyle, spacing: _Spacing) -> bool:
    """Lines of the text are at the usual distance; a heading of its looks stands a little further away."""
    return below.style.size == body.size and above.base - below.base > 1.12 * spacing.leading * body.size


def goes_on(above: Row, below: Row, leading: float) -> bool:
    """Is this the next line of what stands above, as far as looks, space and words show?"""
    gap = above.base - below.base
    reach = 1.8 if below.text[:1].islower() else max(1.35, 1.3 * leading)
    if not (look_of(above) == look_of(below) or _is_in_small_caps(above, below)):
        return False
    if not 0 < gap < reach * above.style.size:
        return False
    return not is_numbered(below.text) and not (above.style.bold and _broke_on_purpose(above, below))


def _is_in_small_caps(above: Row, below: Row) -> bool:
    """The next line of small capitals may have no large ones."""
    sizes = {run.style.size for segment in above.segments for word in segment.words for run in word.runs}
    return len(sizes) == 2 and below.style == above.style._replace(size=min(sizes)) and below.text.islower()


def _broke_on_purpose(above: Row, below: Row) -> bool:
    """Lines that begin at the same place, the first with room for the next word: two headings in a row."""
    word = below.segments[0].words[0]
    room = above.right - above.x1 - (word.x1 - word.x0)
    return abs(above.x0 - below.x0) < 1 and room > 4 * above.style.size and below.text[:1].isupper()


def _take_from_front(found: Sequence[HeadingCandidate], before: Row | PdfTable | None) -> None:
    """The heading right above the first paragraph is a part of the text."""
    if found and found[-1].rows[-1] is before:
        found[-1].is_front = False


def _ends_front(before: Row | PdfTable | None, run: Sequence[Row], body: TextStyle) -> bool:
    if isinstance(before, PdfTable):
        return True
    return len(run) >= _PARAGRAPH_ROWS and run[0].style.size <= LARGER * body.size


def _stands_out(
    run: Sequence[Row], text: str, body: TextStyle, spacing: _Spacing, after: Row | PdfTable | None
) -> bool:
    style = run[0].style
    if len(run) > _MAX_ROWS or style.mono:
        return False
    if style.size >= LARGER * body.size:
        return not is_sentence(text)
    if not style.bold or body.bold or style.size < 0.9 * body.size:
        return False
    if text.endswith(_ENDS) and not (text.endswith(".") and place_of(text) < NONE):
        return False
    is_short = series_of(text) or (len(run) <= 2 and len(text) < 100 and run[-1].x1 < run[-1].right + 1)
    return bool(is_short) and not _opens_paragraph(run[-1], after, spacing)


def _is_marked(
    before: Row | PdfTable | None,
    run: Sequence[Row],
    after: Row | PdfTable | None,
    text: str,
    body: TextStyle,
    spacing: _Spacing,
) -> bool:
    """Is it a line in italics or capitals, or underlined, with space above it?"""
    style = run[0].style
    if len(run) > 1 or style.mono or style.size < 0.9 * body.size or len(text) > _MAX_SPACED:
        return False
    is_italic = style.italic and not (isinstance(after, Row) and after.style.italic)
    is_upper = text.isupper() and len(text) >= _MIN_CAPITALS
    is_list = any(isinstance(each, Row) and each.is_underlined for each in (before, after))
    is_underlined = run[0].is_underlined and not is_list and not _LINK.search(text)
    if not (is_italic or is_upper or is_underlined) or not _reads_as_title(text):
        return False
    is_like_above = isinstance(before, Row) and before.style == style and not is_underlined
    if after is None or is_like_above:
        return False
    above = _gap(before, run[0]) if before else None
    below = _gap(run[-1], after)
    return (
        above is None or above > _SET_OFF * spacing.leading * style.size or above < 0
    ) and 0 < below < 4 * style.size


def _opens_paragraph(row: Row, after: Row | PdfTable | None, spacing: _Spacing) -> bool:
    """A bold phrase whose sentence goes on in the next line, as close as lines of a paragraph are."""
    if not isinstance(after, Row) or abs(after.style.size - row.style.size) > 0.5:
        return False
    gap = row.base - after.base
    if not 0 < gap < 1.1 * spacing.leading * row.style.size:
        return False
    fills = row.x1 > row.right - 3 * row.style.size
    first = after.segments[0].words[0].runs[0]
    return after.text[:1].islower() or (fills and first.style.bold) or (fills and abs(after.x0 - row.x0) < 1)


def _is_set_off(
    before: Row | PdfTable | None,
    run: Sequence[Row],
    after: Row | PdfTable | None,
    text: str,
    body: TextStyle,
    spacing: _Spacing,
) -> bool:
    style = run[0].style
    if style.mono or style.size < 0.98 * body.size or len(run) > 2 or len(text) > _MAX_SPACED:
        return False
    if not _reads_as_title(text) or any(len(row.segments) > 1 for row in run):
        return False
    if after is None or (isinstance(after, Row) and not -2.2 * style.size < after.x0 - run[-1].x0 < 2.2 * style.size):
        return False
    above = _gap(before, run[0]) / style.size if before else None
    below = _gap(run[-1], after) / style.size
    if above is None or above < 0 or below < 0:
        most = 4 if is_numbered(text) else 0.95 * spacing.paragraph
        return before is None and 1.15 * spacing.leading < below < most
    if is_numbered(text):
        return above > 1.04 * spacing.paragraph and below < 1.1 * above
    return above >= _SET_OFF * spacing.paragraph and spacing.leading <= below + 0.05 and below < 0.9 * above


def _reads_as_title(text: str) -> bool:
    if text.endswith(_ENDS) or CAPTION.match(text) or _FORMULA.search(text):
        return False
    if find_marker(text) and not is_numbered(text):
        return False
    return is_numbered(text) or not text[0].islower()


def _gap(above: Row | PdfTable, below: Row | PdfTable) -> float:
    low = above.bottom if isinstance(above, PdfTable) else above.base
    return low - (below.top - 1.0 if isinstance(below, PdfTable) else below.base)
