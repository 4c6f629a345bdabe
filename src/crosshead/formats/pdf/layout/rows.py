"""Words -> segments -> rows.

1. Words that follow each other on one baseline without a wide gap make a segment.
2. Segments that are drawn one after the other on one baseline make a row. The rows of two columns of text do not mix,
   because one column is drawn after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from crosshead.formats.pdf.page.shapes import Row, Segment, TextRun, TextStyle, Word
from crosshead.formats.pdf.page.words.right_to_left import RIGHT_TO_LEFT

_WIDE_GAP = 1.0
"""The least gap between segments, in ems: a space is about 0.25, up to 0.5 in justified text, 0.6 in a fixed pitch."""
_FAR = 2.0
"""Segments further apart than this are not one row if a table is drawn between them, in ems."""
_SHIFT = 0.5
"""How far a superscript or subscript may be off the baseline, in ems of the larger text."""
_SAME_LINE = 0.15
_SAME_SIZE = 0.1
"""Words of the same size, give or take the second share, are on one baseline within the first, in ems."""
_LARGER = 1.05
"""A word that is larger than the segment by this factor shows its baseline."""
_ROW_SHIFT = 0.35
"""How far the baselines of the segments of a row may be apart, in ems."""
_OVERLAP = 0.3
"""How far they may overlap, in ems."""
_NEIGHBORS = 8
"""How many segments of a row are checked for that: more would take long in a row of many."""
_ALMOST = 0.9
"""The share of a row's characters that must be bold, italic or mono for the row to be so."""
_SMALL_CAPS = 0.6, 0.9
"""How large small capitals may be, in ems of the others."""


def build_segments(words: Iterable[Word]) -> list[Segment]:
    """Join words that follow each other."""
    segments: list[Segment] = []
    last: Segment | None = None
    for word in words:
        own = word.runs[0].style.size
        if last is not None and _follows(last, word, own):
            if own > last.size * _LARGER:
                last.base = word.base
            last.add(word)
        else:
            last = Segment(word, word.base)
            segments.append(last)
    return segments


def _follows(segment: Segment, word: Word, own: float) -> bool:
    size = segment.size
    larger = size if size > own else own
    shift = abs(word.base - segment.base)
    if shift > _SHIFT * larger or segment.words[-1].turned != word.turned:
        return False
    if shift > _SAME_LINE * larger and abs(size - own) < _SAME_SIZE * larger:
        return False
    gap = word.x0 - segment.x1
    if gap < -larger:
        gap = segment.x0 - word.x1
    return -larger < gap < _WIDE_GAP * larger


def build_rows(numbered: Iterable[tuple[int, Segment]], page: int) -> list[Row]:
    """Join segments that are drawn one after the other on the same line; each comes with its number."""
    groups: list[list[Segment]] = []
    orders: list[int] = []
    last = -1
    for order, segment in numbered:
        is_apart = order > last + 1 and groups and segment.x0 - groups[-1][-1].x1 > _FAR * segment.size
        if groups and not is_apart and _beside(groups[-1], segment):
            groups[-1].append(segment)
        else:
            groups.append([segment])
            orders.append(order)
        last = order
    return [make_row(group, page, order) for group, order in zip(groups, orders, strict=True)]


def _beside(group: Sequence[Segment], segment: Segment) -> bool:
    last = group[-1]
    size = max(last.size, segment.size)
    if abs(last.base - segment.base) > _ROW_SHIFT * size or last.words[0].turned != segment.words[0].turned:
        return False
    return all(
        segment.x0 >= each.x1 - _OVERLAP * size or segment.x1 <= each.x0 + _OVERLAP * size
        for each in group[-_NEIGHBORS:]
    )


def make_row(segments: Sequence[Segment], page: int, order: int) -> Row:
    """Return the row of these segments."""
    ordered = sorted(segments, key=lambda each: each.x0)
    if any(RIGHT_TO_LEFT.search(each.text) for each in segments):
        ordered.reverse()
    runs = [run for segment in ordered for word in segment.words for run in word.runs]
    largest = ordered[0] if len(ordered) == 1 else max(ordered, key=lambda each: each.size)
    tags = [word.tag for segment in ordered for word in segment.words if word.tag]
    return Row(
        ordered,
        page,
        order,
        x0=min([each.x0 for each in ordered]),
        x1=max([each.x1 for each in ordered]),
        base=largest.base,
        style=_style_of(runs),
        text=" ".join([each.text for each in ordered]),
        tag=Counter(tags).most_common(1)[0][0] if tags else "",
    )


def _style_of(runs: Sequence[TextRun]) -> TextStyle:
    if len(runs) == 1 or len({run.style for run in runs}) == 1:
        return runs[0].style
    sizes: Counter[float] = Counter()
    total = bold = italic = mono = set_apart = 0
    for text, style in runs:
        length = len(text)
        sizes[style.size] += length
        total += length
        bold += length * style.bold
        set_apart += length * (style.mono and not style.bold)  # code in a bold line is seldom bold itself
        italic += length * style.italic
        mono += length * style.mono
    size = max(sizes) if _is_small_caps(runs, sizes) else max(sizes, key=lambda each: (sizes[each], each))
    is_bold = bold > set_apart and bold + set_apart >= _ALMOST * total
    return TextStyle(size, is_bold, italic >= _ALMOST * total, mono >= _ALMOST * total)


def _is_small_caps(runs: Iterable[TextRun], sizes: Collection[float]) -> bool:
    """Return whether runs are small capitals: capitals in two sizes, of which the larger one is that of the text."""
    if len(sizes) != 2 or not _SMALL_CAPS[0] < min(sizes) / max(sizes) < _SMALL_CAPS[1]:
        return False
    large, small = max(sizes), min(sizes)
    lower = sum(character.islower() for text, style in runs if style.size == large for character in text)
    upper = sum(not character.islower() for text, style in runs if style.size == small for character in text)
    return not lower and not upper
