"""Words -> segments -> rows.

1. Words that follow each other on one baseline without a wide gap make a segment.
2. Segments that are drawn one after the other on one baseline make a row. Two columns of text are drawn one after the
   other, so that their lines do not mix; the cells of a table's row are drawn side by side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from crosshead.formats.pdf.page.shapes import Row, Segment, TextRun, TextStyle, Word
from crosshead.formats.pdf.page.words.right_to_left import RIGHT_TO_LEFT

_WIDE_GAP = 1.0
"""In sizes of the text. A space is about a quarter, in justified text up to a half, in typewriters' fonts 0.6."""
_FAR = 2.0
"""Segments further apart than this are no row if a table is drawn between them, in sizes."""
_SHIFT = 0.5
"""How far a superscript or subscript may stand off the baseline, in sizes of the larger text."""
_ALMOST = 0.9
_SMALL_CAPS = 0.6, 0.9
"""How large small capitals are, in sizes of the others."""


def build_segments(words: Iterable[Word]) -> list[Segment]:
    """Join words that follow each other."""
    segments: list[Segment] = []
    last: Segment | None = None
    for word in words:
        own = word.runs[0].style.size
        if last is not None and _follows(last, word, own):
            if own > last.size * 1.05:
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
    if shift > 0.15 * larger and abs(size - own) < 0.1 * larger:
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
        is_parted = order > last + 1 and groups and segment.x0 - groups[-1][-1].x1 > _FAR * segment.size
        if groups and not is_parted and _beside(groups[-1], segment):
            groups[-1].append(segment)
        else:
            groups.append([segment])
            orders.append(order)
        last = order
    return [make_row(group, page, order) for group, order in zip(groups, orders, strict=True)]


def _beside(group: Sequence[Segment], segment: Segment) -> bool:
    last = group[-1]
    size = max(last.size, segment.size)
    if abs(last.base - segment.base) > 0.35 * size or last.words[0].turned != segment.words[0].turned:
        return False
    return all(segment.x0 >= each.x1 - 0.3 * size or segment.x1 <= each.x0 + 0.3 * size for each in group[-8:])


def make_row(segments: Sequence[Segment], page: int, order: int) -> Row:
    """Make a row of segments that stand side by side."""
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
    """Capitals, large ones for capitals and small ones for small letters: the large ones show the size."""
    if len(sizes) != 2 or not _SMALL_CAPS[0] < min(sizes) / max(sizes) < _SMALL_CAPS[1]:
        return False
    large, small = max(sizes), min(sizes)
    lower = sum(character.islower() for text, style in runs if style.size == large for character in text)
    upper = sum(not character.islower() for text, style in runs if style.size == small for character in text)
    return not lower and not upper
