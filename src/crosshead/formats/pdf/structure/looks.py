"""What the running text of a document looks like, and what its headings look like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from crosshead.formats.pdf.layout.columns import usual_leading
from crosshead.formats.pdf.page.shapes import PdfPage, PdfTable, Row, TextStyle

LARGER: Final = 1.12
"""A heading that its size shows is larger than the text by at least this factor."""
SAME_PARAGRAPH: Final = 1.15
"""Lines of a paragraph are at most this multiple of the leading apart."""
_MAX_PARAGRAPH_GAP: Final = 4
"""The largest distance of two paragraphs, in ems; more is a break."""
_DEFAULT_SIZE: Final = 10.0
"""The font size of a document without text, in points."""


class Look(NamedTuple):
    """What headings of one level have in common; larger ones are above smaller ones."""

    size: float
    bold: bool
    upright: bool
    capitals: bool = False


class Prose(NamedTuple):
    """What the running text looks like."""

    style: TextStyle
    leading: float
    """The typical distance of baselines, in ems."""
    paragraph: float
    """The typical distance of the baselines of two paragraphs, in ems."""


def look_of(row: Row) -> Look:
    """Return what a row looks like."""
    return Look(round(row.style.size * 2) / 2, row.style.bold, not row.style.italic)


def prose_of(pages: Sequence[PdfPage]) -> Prose:
    """Return what most of the text looks like.

    Distances of paragraphs are measured between those of several lines, because a single line may be a heading.
    """
    style, leading = _body_style(pages), usual_leading(pages)
    gaps: Counter[float] = Counter()
    for page in pages:
        rows = [item for item in page.items if isinstance(item, Row) and item.style.size == style.size]
        ratios = [round((above.base - below.base) / style.size, 1) for above, below in pairwise(rows)]
        for before, gap, after in zip(ratios, ratios[1:], ratios[2:], strict=False):
            if max(before, after) <= SAME_PARAGRAPH * leading < gap < _MAX_PARAGRAPH_GAP:
                gaps[gap] += 1
    paragraph = max(gaps, key=lambda gap: (gaps[gap], -gap), default=SAME_PARAGRAPH * leading)
    return Prose(style, leading, paragraph)


def _body_style(pages: Sequence[PdfPage]) -> TextStyle:
    """Return the style of most of the text, code aside."""
    lengths: Counter[TextStyle] = Counter()
    for page in pages:
        for item in page.items:
            if isinstance(item, Row):
                lengths[item.style._replace(italic=False)] += len(item.text)
    prose = {style: count for style, count in lengths.items() if not style.mono} or lengths
    return max(prose, key=lambda style: prose[style], default=TextStyle(_DEFAULT_SIZE))


def gap_between(above: Row | PdfTable, below: Row | PdfTable) -> float:
    """Return the distance of two neighbors on a page, in points."""
    low = above.bottom if isinstance(above, PdfTable) else above.base
    return low - (below.top - 1.0 if isinstance(below, PdfTable) else below.base)
