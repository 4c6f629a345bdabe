"""Pictures with the text around them -> their places in the text of the document."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from crosshead.formats.figures.found import FoundPicture

_ANCHORS: Final = (40, 16, 6)
"""TextLetters and digits before and after a picture, from the surest to the shortest that may be enough."""
_SIGNS = re.compile(r"[^\w\n]{1,40}$", re.M)
Span = tuple[int, int]


class PlacedPicture(NamedTuple):
    """A picture, and where it is in the text."""

    picture: FoundPicture
    start: int
    end: int


class TextLetters:
    """The letters and digits of a text, which Markdown leaves as they are."""

    def __init__(self, text: str) -> None:
        self.places = [at for at, each in enumerate(text) if each.isalnum()]
        self.text = "".join([text[at] for at in self.places])
        self._whole = text

    def find(self, before: str, after: str, first: int, last: int) -> tuple[int, int] | None:
        """Return the index of the letter after a place, and the offset of the place; the surest anchor counts."""
        for size in _ANCHORS:
            left, right = before[-size:], after[:size]
            for anchor, shift in ((left + right, len(left)), (left, len(left)), (right, 0)):
                if len(anchor) < min(size, _ANCHORS[-1]):
                    continue
                at = self.text.find(anchor, max(0, first - shift), last)
                if at >= 0:
                    return at + shift, self._offset(at + shift, is_before=shift == 0)
        return None

    def index(self, offset: int) -> int:
        """Return how many letters there are before an offset."""
        return bisect_left(self.places, offset)

    def _offset(self, at: int, *, is_before: bool) -> int:
        """Return where the next letter begins, or else where the last one ends, with the rest of its line."""
        if is_before or not at:
            return self.places[at] if at < len(self.places) else len(self._whole)
        end = self.places[at - 1] + 1
        rest = _SIGNS.match(self._whole, end)
        return rest.end() if rest else end


def place(
    pictures: Iterable[FoundPicture], named: Sequence[FoundPicture], text: str, pages: Sequence[tuple[int, int]]
) -> Iterator[PlacedPicture]:
    """Yield the pictures that have a place, in order; `named` are those that the text itself names."""
    letters = TextLetters(text)
    page_spans = _page_spans(text, pages)
    cursor, next_named = 0, 0
    for each in pictures:
        if each.span:
            yield PlacedPicture(each, *each.span)
            continue
        at = next((at for at in range(next_named, len(named)) if _is_same(named[at], each)), None)
        if at is not None and (span := named[at].span):
            next_named, cursor = at + 1, letters.index(span[1])
            yield PlacedPicture(each, *span)
            continue
        if each.is_named:
            continue
        low, high = page_spans.get(each.page, (0, len(text)))
        first, last = max(cursor, letters.index(low)), letters.index(high)
        before, after = (_letters(part) for part in (f"{each.before} {each.alt}", each.after))
        found = letters.find(before, after, first, last) or letters.find(_letters(each.before), after, first, last)
        if found:
            cursor, offset = found
            yield PlacedPicture(each, offset, offset)
        elif each.page in page_spans:
            end = low + len(text[low:high].rstrip())
            yield PlacedPicture(each, end, end)


def _is_same(named: FoundPicture, picture: FoundPicture) -> bool:
    """Return whether the text names a picture; a page may name it by its whole address, or without `data:`."""
    if named.written == picture.written:
        return bool(picture.alt)
    return bool(picture.alt) and named.alt == picture.alt and (":" in named.written or not named.written)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _page_spans(text: str, pages: Sequence[tuple[int, int]]) -> dict[int, Span]:
    offsets = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    starts = [*(offsets[line - 1] for line, _ in pages), len(text)]
    return {page: (starts[at], starts[at + 1]) for at, (_, page) in enumerate(pages)}
