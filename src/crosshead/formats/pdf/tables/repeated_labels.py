"""Labels of columns that were removed as running heads.

A table over several pages repeats its labels at the top of each page, as running heads are repeated. But labels have
figures below them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from crosshead.formats.pdf.page.shapes import Drawn, Segment
from crosshead.formats.pdf.text.amounts import is_figure, is_year

_EDGE: Final = 1.5
"""How far the edges of a label and its figures may be apart, in points."""
_SAME_LINE: Final = 0.3
"""How far the baselines of one line may be apart, in ems."""
_MIN_FIGURES: Final = 2
"""The least figures below a label."""
_MIN_LABELS: Final = 2
"""The least labels of a line."""


def restore_labels(pages: Sequence[Drawn], cleaned: Sequence[Drawn]) -> list[Drawn]:
    """Return the cleaned pages with the labels of columns that were removed from them."""
    return [_with_labels(before, after) for before, after in zip(pages, cleaned, strict=True)]


def _with_labels(before: Drawn, after: Drawn) -> Drawn:
    if len(before.segments) == len(after.segments):
        return after
    kept = {id(segment) for segment in after.segments}
    removed = [segment for segment in before.segments if id(segment) not in kept]
    figures = [segment for segment in after.segments if is_figure(segment.text) and not is_year(segment.text)]
    labels = [segment for segment in removed if _is_label(segment, figures)]
    heights = [label.base for label in labels]
    named = [
        each for each in removed if sum(abs(each.base - y) < _SAME_LINE * each.size for y in heights) >= _MIN_LABELS
    ]
    kept.update(map(id, named))
    return after._replace(segments=[each for each in before.segments if id(each) in kept]) if named else after


def _is_label(segment: Segment, figures: Iterable[Segment]) -> bool:
    """Return whether a segment is not a figure, but has figures below it with the same right edge or middle."""
    if is_figure(segment.text) and not is_year(segment.text):
        return False
    middle = segment.x0 + segment.x1
    below = [
        figure
        for figure in figures
        if figure.base < segment.base
        and (abs(figure.x1 - segment.x1) < _EDGE or abs(figure.x0 + figure.x1 - middle) < 2 * _EDGE)
    ]
    return len(below) >= _MIN_FIGURES
