"""Which pages may show a text, and where they show it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import accumulate
from operator import itemgetter
from typing import Any, Final, NamedTuple

from crosshead.errors import NoSuchPage
from crosshead.formats.pdf.locate.alignment import align
from crosshead.formats.pdf.locate.boxes import boxes_of
from crosshead.formats.pdf.locate.characters import SeenPage, SeenText
from crosshead.formats.pdf.locate.tokens import Token, read_tokens
from crosshead.formats.pdf.page import native
from crosshead.formats.pdf.page.forms import draw_fields, open_form
from crosshead.formats.pdf.reading import open_document
from crosshead.types import LocatedPage, Location, PageView

_AT_ONCE: Final = 3
"""How many pages are looked at together."""


class Wanted(NamedTuple):
    """A part of the Markdown of a document."""

    text: str
    """The whole Markdown."""
    pages: Sequence[tuple[int, int]]
    """The first line of each page, and its number."""
    start: int = 0
    end: int = 0
    page: int = 0
    """The only page to look at; 0 for all that may show it, or, of a picture, for the first one that shows it."""

    @property
    def has_text(self) -> bool:
        """Return whether there is a text to look for."""
        return self.start < self.end and bool(self.pages)


class _Region(NamedTuple):
    """Whole lines of the Markdown around a text, and the pages that may show them.

    A line that is drawn on two pages counts as one of the first. So the last line before a page belongs to it as well,
    and a text that ends with the last line of a page may go on until the page of the next line.
    """

    start: int
    end: int
    cited_start: int
    cited_end: int
    first_page: int
    last_page: int

    @classmethod
    def around(cls, wanted: Wanted, count: int) -> _Region:
        """Return the region of a text, or of the part of it that one page may show."""
        text, marks, starts = wanted.text, wanted.pages, _starts(wanted)
        begin, end = wanted.start, wanted.end
        if wanted.page:
            first, last = lines_of_page(wanted)
            begin, end = max(begin, min(first, _last_line(text, first))), min(end, last)
        first = max(0, bisect_right(starts, begin) - 1)
        last = max(first, min(bisect_right(starts, max(begin, end - 1)), len(marks)) - 1)
        last_page = marks[last][1]
        if end > _last_line(text, starts[last + 1]):
            last_page = marks[last + 1][1] if last + 1 < len(marks) else count
        return cls(starts[first], starts[last + 1], begin, end, marks[first][1], min(last_page, count))


def lines_of_page(wanted: Wanted) -> tuple[int, int]:
    """Return the first and the last offset of the lines that begin on a page; without lines, both are the same."""
    starts = _starts(wanted)
    at = bisect_right(wanted.pages, wanted.page, key=itemgetter(1))
    is_there = at and wanted.pages[at - 1][1] == wanted.page
    return (starts[at - 1] if is_there else starts[at]), starts[at]


def _starts(wanted: Wanted) -> list[int]:
    """Return the offset with which each page begins, and that of the end."""
    lines = [0, *accumulate(len(line) + 1 for line in wanted.text.split("\n"))]
    return [*(lines[line - 1] for line, _ in wanted.pages), len(wanted.text)]


def _last_line(text: str, end: int) -> int:
    """Return where the last line that is not blank begins, before an offset."""
    return text.rfind("\n", 0, len(text[:end].rstrip())) + 1


def locate_span(data: bytes, wanted: Wanted) -> Location:
    """Return where a part of a PDF's Markdown is seen on its pages."""
    with opened(data) as document:
        return locate_in(document, wanted)


def view_page(data: bytes, wanted: Wanted) -> PageView:
    """Return a page with its size, and with what it shows of a text."""
    with opened(data) as document:
        wanted = on_one_page(document, wanted)
        with opened_page(document, wanted.page) as page:
            width, height = page.get_size()
        location = locate_in(document, wanted) if wanted.has_text else None
        boxes = [box for each in location.pages if each.page == wanted.page for box in each.boxes] if location else ()
        start, end = lines_of_page(wanted)
        return PageView(
            wanted.page,
            width,
            height,
            tuple(boxes),
            pages=len(document),
            start=start,
            end=end,
            share=location.share if location else None,
        )


def on_one_page(document: Any, wanted: Wanted) -> Wanted:
    """Return what to look for on one page: if none is named, on the first one that shows it."""
    if wanted.page or not wanted.has_text:
        return wanted._replace(page=wanted.page or 1)
    region = _Region.around(wanted, len(document))
    numbers = range(region.first_page, min(region.first_page + _AT_ONCE, region.last_page + 1))
    each = [wanted._replace(page=number) for number in numbers]
    return next((part for part in each if any(page.boxes for page in _find(document, part).pages)), each[0])


@contextmanager
def opened(data: bytes) -> Iterator[Any]:
    """Open a PDF, and hold the lock until it is closed."""
    with native.LOCK:
        document = open_document(data, [])
        try:
            yield document
        finally:
            document.close()


@contextmanager
def opened_page(document: Any, number: int) -> Iterator[Any]:
    """Load a page by its number, with the values of its fields."""
    if not 1 <= number <= len(document):
        raise NoSuchPage(f"it has no page {number}: {_count(len(document))}")
    try:
        page = document[number - 1]
        page = draw_fields(document, page, number - 1, []) if open_form(document, []) else page
    except native.pdfium().PdfiumError as error:
        raise NoSuchPage(f"page {number} is damaged: get a complete copy") from error
    try:
        yield page
    finally:
        page.close()


def _count(pages: int) -> str:
    return f"it has {pages} page{'' if pages == 1 else 's'}"


def locate_in(document: Any, wanted: Wanted) -> Location:
    """Return where a part of the Markdown of an open document is seen; long texts are looked for page by page."""
    region = _Region.around(wanted, len(document))
    numbers = range(region.first_page, region.last_page + 1)
    if wanted.page or len(numbers) <= _AT_ONCE:
        parts = [_find(document, wanted)]
    else:
        parts = [_find(document, wanted._replace(page=number)) for number in numbers]
    found = {token for part in parts for token in part.found}
    cited = {token for part in parts for token in part.cited} | found
    return Location(tuple([page for part in parts for page in part.pages if page.boxes]), _share(found, cited))


class _Found(NamedTuple):
    """What was found of a text, or of the part that one page may show."""

    pages: Sequence[LocatedPage]
    found: Collection[Token]
    cited: Collection[Token]
    """Those that were looked for, without those that only another page shows."""


def _find(document: Any, wanted: Wanted) -> _Found:
    region = _Region.around(wanted, len(document))
    tokens = [*read_tokens(wanted.text, region.start, region.end)]
    cited = {token for token in tokens if token.start < region.cited_end and token.end > region.cited_start}
    with ExitStack() as stack:
        pages = [*see_pages(document, range(region.first_page, region.last_page + 1), stack)]
        seen = SeenText(pages)
        matches = [match for match in align(tokens, seen) if match.token in cited] if cited else []
        if wanted.page:
            pages = [page for page in pages if page.number == wanted.page]
            elsewhere = {match.token for match in matches if seen.page_at(match.start) not in pages}
            matches, cited = [match for match in matches if match.token not in elsewhere], cited - elsewhere
        shown = [LocatedPage(each.number, each.width, each.height, boxes_of(matches, seen, each)) for each in pages]
    return _Found(shown, {match.token for match in matches}, cited)


def see_pages(document: Any, numbers: Iterable[int], stack: ExitStack) -> Iterator[SeenPage]:
    """Yield the pages that can be read; the stack closes them, because their characters need them."""
    for number in numbers:
        with suppress(NoSuchPage):
            page = stack.enter_context(opened_page(document, number))
            yield stack.enter_context(closing(SeenPage(page, number)))


def _share(found: Collection[Token], cited: Collection[Token]) -> float:
    """Return how much of a text was found, by its letters and digits, or else by its signs."""
    whole = sum(token.weight for token in cited)
    if not whole:
        return len(found) / len(cited) if cited else 0.0
    return sum(token.weight for token in found) / whole
