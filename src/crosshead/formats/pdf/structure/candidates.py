"""Which rows may be headings, by what they look like and where they are.

1. Neighboring rows that look the same make a run, if each may be the next line of the one above it.
2. A run may be a heading if its print or the space around it shows it (see `emphasis`), or if the printed contents name
   it on its page.
3. Rows before the first paragraph are front matter: a cover, or a title with its authors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from crosshead.formats.pdf.page.outline import letters
from crosshead.formats.pdf.page.shapes import PdfPage, PdfTable, Row
from crosshead.formats.pdf.structure.contents.entries import find_named, groups_of
from crosshead.formats.pdf.structure.emphasis import Run, is_emphasized, is_set_off
from crosshead.formats.pdf.structure.exclusions import (
    contents_items,
    ends_with_page,
    has_neighbor,
    is_contents,
    says_something,
)
from crosshead.formats.pdf.structure.looks import LARGER, Look, Prose, look_of
from crosshead.formats.pdf.structure.numbering import is_bare, is_numbered
from crosshead.formats.pdf.text.markers import is_contents_line

_FRONT_PAGES: Final = 5
"""The most pages of front matter."""
_PARAGRAPH_ROWS: Final = 3
"""The least rows of the paragraph that ends it."""
_TITLE_REACH: Final = 4.0
"""How far below its number a title may be, in ems."""
_NEXT_LINE: Final = 1.3
_LEAST_NEXT_LINE: Final = 1.35
"""How far below a line the next one of a heading may be: a multiple of the leading, and a minimum in ems."""
_NEXT_IN_PHRASE: Final = 1.8
"""The same if it begins in lowercase, in ems."""
_APART: Final = 1.12
"""Text further apart than this multiple of the leading is not one paragraph."""
_ROOM: Final = 4
"""The room for the next word, in ems, from which a line was broken on purpose."""


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


def find_candidates(pages: Sequence[PdfPage], prose: Prose, titles: set[str]) -> list[HeadingCandidate]:
    """Return the runs of rows that may be headings; `titles` are those of the outline."""
    contents = contents_items(pages)
    named, entries = find_named(pages, contents) if not titles else ({}, set())
    groups = groups_of(named)
    found: list[HeadingCandidate] = []
    is_front = True
    for number, page in enumerate(pages):
        for run in _runs(page, prose, groups):
            first = id(run.rows[0])
            if is_front and (number >= _FRONT_PAGES or _ends_front(run, prose)):
                is_front = False
                _take_from_front(found, run.before)
            if not says_something(run.text) or has_neighbor(run.before, run.rows, run.after):
                continue
            if is_contents_line(run.text):
                continue
            is_named = first in groups
            by_space = not is_named and not is_emphasized(run, prose)
            if by_space and not is_set_off(run, prose):
                continue
            if found and found[-1].rows[-1] is run.before and _is_title_of(found[-1], run):
                found[-1] = _joined(found[-1], run)
                continue
            rank = named[first].rank if first in named else 0
            look, is_cover = look_of(run.rows[0]), is_front and not is_named
            found.append(HeadingCandidate(run.rows, run.text, look, number, is_cover, by_space, is_named, rank))
    last = {letters(each.text): each.page for each in found}
    return [
        each
        for each in found
        if not is_contents(each.text, titles | last.keys())
        and id(each.rows[0]) not in entries
        and not (id(each.rows[0]) in contents and (last[letters(each.text)] > each.page or ends_with_page(each.text)))
    ]


def _is_title_of(label: HeadingCandidate, run: Run) -> bool:
    """Return whether `Chapter 3` is alone in the line right above this title."""
    gap = label.rows[-1].base - run.rows[0].base
    is_near = 0 < gap < _TITLE_REACH * run.rows[0].style.size
    return is_near and is_bare(label.text) and not is_numbered(run.text)


def _joined(label: HeadingCandidate, run: Run) -> HeadingCandidate:
    look = max(label.look, look_of(run.rows[0]))
    return replace(label, rows=[*label.rows, *run.rows], text=f"{label.text} {run.text}", look=look)


def _runs(page: PdfPage, prose: Prose, groups: Mapping[int, int]) -> Iterator[Run]:
    """Yield the runs of rows that are not headings yet."""
    rows: list[Row] = []
    before: Row | PdfTable | None = None
    for item in page.items:
        row = item if isinstance(item, Row) and not item.level else None
        if rows and not (row and _is_next(rows[-1], row, prose, groups)):
            yield _run(rows, before, item)
            before, rows = rows[-1], []
        if row:
            rows.append(row)
        else:
            before = item
    if rows:
        yield _run(rows, before, None)


def _run(rows: list[Row], before: Row | PdfTable | None, after: Row | PdfTable | None) -> Run:
    return Run(rows, " ".join([row.text for row in rows]), before, after)


def _is_next(above: Row, row: Row, prose: Prose, groups: Mapping[int, int]) -> bool:
    """Return whether a row belongs to the run above; the rows of one title in the contents are one run."""
    own, other = groups.get(id(row)), groups.get(id(above))
    if own or other:
        return own == other
    return continues(above, row, prose.leading) and not _is_apart(above, row, prose)


def _is_apart(above: Row, below: Row, prose: Prose) -> bool:
    """Return whether rows of text are further apart than lines: a heading in the style of text is so from the next."""
    size = prose.style.size
    return below.style.size == size and above.base - below.base > _APART * prose.leading * size


def continues(above: Row, below: Row, leading: float) -> bool:
    """Return whether a row may be the next line of the one above, by its look, distance and words."""
    gap = above.base - below.base
    reach = _NEXT_IN_PHRASE if below.text[:1].islower() else max(_LEAST_NEXT_LINE, _NEXT_LINE * leading)
    if not (look_of(above) == look_of(below) or _is_in_small_caps(above, below)):
        return False
    if not 0 < gap < reach * above.style.size:
        return False
    return not is_numbered(below.text) and not (above.style.bold and _broke_on_purpose(above, below))


def _is_in_small_caps(above: Row, below: Row) -> bool:
    """Return whether both rows are in small capitals, of which the second one may have no large ones."""
    sizes = {run.style.size for segment in above.segments for word in segment.words for run in word.runs}
    return len(sizes) == 2 and below.style == above.style._replace(size=min(sizes)) and below.text.islower()


def _broke_on_purpose(above: Row, below: Row) -> bool:
    """Return whether two rows are two headings: they are aligned, and the first has room for the next word."""
    word = below.segments[0].words[0]
    room = above.right - above.x1 - (word.x1 - word.x0)
    return abs(above.x0 - below.x0) < 1 and room > _ROOM * above.style.size and below.text[:1].isupper()


def _take_from_front(found: Sequence[HeadingCandidate], before: Row | PdfTable | None) -> None:
    """Take the heading right above the first paragraph out of the front matter."""
    if found and found[-1].rows[-1] is before:
        found[-1].is_front = False


def _ends_front(run: Run, prose: Prose) -> bool:
    """Return whether a run is a paragraph, or follows a table."""
    if isinstance(run.before, PdfTable):
        return True
    return len(run.rows) >= _PARAGRAPH_ROWS and run.rows[0].style.size <= LARGER * prose.style.size
