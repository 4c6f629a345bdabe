"""Join words that pdfium splits, and split words that it joins."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from crosshead.formats.pdf.page.shapes import TextRun, Word


def join_words(first: Word, second: Word) -> Word:
    """Return the word that two parts make."""
    runs = [*first.runs, *second.runs]
    if first.runs[-1].style == second.runs[0].style:
        joined = TextRun(first.runs[-1].text + second.runs[0].text, second.runs[0].style)
        runs = [*first.runs[:-1], joined, *second.runs[1:]]
    return first._replace(x1=second.x1, runs=tuple(runs), last_piece=second.last_piece)


def split_word(word: Word, starts: Sequence[int], boxes: Sequence[tuple[float, float]], start: int) -> Iterator[Word]:
    """Yield the parts of a word that start at these characters; all but the first become new pieces."""
    text, style = word.runs[0]
    for first, end in itertools.pairwise([*starts, len(text)]):
        piece = -start - first if first else word.piece
        run = TextRun(text[first:end], style)
        yield word._replace(x0=boxes[first][0], x1=boxes[end - 1][1], runs=(run,), piece=piece, last_piece=piece)
