"""The picture of a page -> its lines of text and its ruled lines.

1. lines are found in a copy of moderate size, the page is turned upright and straightened
2. each line is read; words are parted where the model reads a space, or the ink leaves a wide gap
3. words begin and end where their ink does; letters show the size and the baseline
"""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median
from time import thread_time
from typing import Any, Final, NamedTuple

import cv2
import numpy as np

from crosshead.formats.scans import ink
from crosshead.formats.scans.engine import LineReading, Picture, load_engine
from crosshead.formats.scans.upright import crop, find_upright, straighten

TIMEOUT_SECONDS: Final = 120
"""Computing time for one page; what is not read by then is missing."""
_FINDING_SIDE: Final = 1920
"""Lines are found in a picture whose longer side has at most this many pixels."""
_LEAST_SIDE: Final = 736
"""The shorter side of a small picture is enlarged to this, as far as the longer one allows."""
_BLANK: Final = 24
"""A page whose darkest and lightest pixels differ by less is empty."""
_TALL: Final = 1.5
_SPACE: Final = 0.4
"""A gap that parts words although the model reads no space, in sizes."""
_AS_SPACES: Final = 0.8
"""The same, in widths of the line's other spaces."""
_MARGIN: Final = 0.25
"""How much of the page around a line is read with it, in heights of the line."""
_UNSURE: Final = 0.5
"""A line that the model reads with less confidence is a picture, not text."""
_FULL: Final = 0.35
"""A line with fewer characters is in a script that the model does not know: it skips those letters. Ideographs have 1
character per size, other text 1.5 to 3."""
_NO_SPACES: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]")
"""Scripts that part no words."""


class _Piece(NamedTuple):
    """Characters without a space between them, and where each is in the picture of the line."""

    text: str
    centers: list[float]


class ScannedWord(NamedTuple):
    """A word and where its ink begins and ends."""

    text: str
    x0: float
    x1: float


class ScannedLine(NamedTuple):
    """A line of text, in pixels from the top left of the page."""

    words: tuple[ScannedWord, ...]
    base: float
    size: float
    stroke: float
    confidence: float
    turned: bool = False

    @property
    def x0(self) -> float:
        """Where it begins."""
        return self.words[0].x0

    @property
    def x1(self) -> float:
        """Where it ends."""
        return self.words[-1].x1

    @property
    def length(self) -> int:
        """How many characters it has."""
        return sum([len(word.text) for word in self.words])

    def scaled(self, scale: float) -> ScannedLine:
        """Return the same line in another unit."""
        words = tuple([ScannedWord(word.text, word.x0 * scale, word.x1 * scale) for word in self.words])
        return self._replace(words=words, base=self.base * scale, size=self.size * scale, stroke=self.stroke * scale)


class ScannedPage(NamedTuple):
    """What is on a page, in pixels or, once it is scaled, in points."""

    width: float
    height: float
    lines: tuple[ScannedLine, ...] = ()
    bars: tuple[tuple[float, float, float, float], ...] = ()
    """Ruled lines: (x0, y0, x1, y1)."""
    confidence: float = 1.0
    """The mean of all lines, also of those that are too unsure to be kept; 1 for a page without any."""
    is_whole: bool = True
    """Was there time to read all of it?"""

    def scaled(self, scale: float) -> ScannedPage:
        """Return the same page in another unit."""
        lines = tuple([line.scaled(scale) for line in self.lines])
        bars = tuple([(x0 * scale, y0 * scale, x1 * scale, y1 * scale) for x0, y0, x1, y1 in self.bars])
        return self._replace(width=self.width * scale, height=self.height * scale, lines=lines, bars=bars)


def read_page(picture: Picture) -> ScannedPage:
    """Read the picture of a page: an array of rows of pixels with three colors."""
    if np.ptp(picture) < _BLANK:
        return ScannedPage(picture.shape[1], picture.shape[0])
    engine = load_engine()
    end = thread_time() + TIMEOUT_SECONDS
    with engine.lock:
        picture, boxes = find_upright(engine, picture, lambda each: _find_lines(engine, each))
        height, width = picture.shape[:2]
        if not len(boxes):
            return ScannedPage(width, height)
        picture, boxes = straighten(picture, boxes)
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        usual = 0.6 * float(np.median(np.ptp(boxes[:, :, 1], axis=1)))
        bars, barred = ink.find_bars(gray, usual)
        lines: list[ScannedLine] = []
        is_whole = True
        for box in boxes:
            is_whole = is_whole and thread_time() <= end
            line = _read_line(engine, picture, gray, barred, box, usual) if is_whole else None
            lines += [line] if line else []
    kept = tuple([line for line in lines if line.confidence >= _UNSURE])
    return ScannedPage(width, height, kept, tuple(bars), _mean_confidence(lines), is_whole)


def _mean_confidence(lines: list[ScannedLine]) -> float:
    """Return the mean, weighted by how long lines are on the page: characters that were skipped count, too."""
    total = sum([line.x1 - line.x0 for line in lines])
    return sum([line.confidence * (line.x1 - line.x0) for line in lines]) / total if total else 1.0


def to_picture(pixels: bytes, width: int, height: int, stride: int) -> Picture:
    """Return a picture of gray pixels, of which every row takes `stride` bytes."""
    gray = np.frombuffer(pixels, np.uint8, count=height * stride).reshape(height, stride)[:, :width]
    return cv2.cvtColor(np.ascontiguousarray(gray), cv2.COLOR_GRAY2BGR)


def _find_lines(engine: Any, picture: Picture) -> Any:
    """Find lines in a copy of moderate size; letters of a small picture are coarse, so it is enlarged."""
    sides = picture.shape[:2]
    scale = min(_FINDING_SIDE / max(sides), max(1.0, _LEAST_SIDE / min(sides)))
    if scale == 1.0:
        return engine.find_lines(picture)
    size = [max(1, round(side * scale)) for side in sides]
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return engine.find_lines(cv2.resize(picture, (size[1], size[0]), interpolation=method)) / scale


def _read_line(
    engine: Any, picture: Picture, gray: Any, barred: ink.Mask, box: Any, usual: float
) -> ScannedLine | None:
    box = _widened(box)
    part = crop(picture, box)
    if min(part.shape[:2]) < 4:
        return None
    bars = crop(barred, box)
    if bars.any():
        part = part.copy()
        part[bars] = np.percentile(part[~bars], 75) if not bars.all() else 255  # the paper
    left, top = np.maximum(np.floor(box.min(axis=0)), 0).tolist()
    turned = part.shape[0] > _TALL * part.shape[1] and part.shape[0] > 4 * usual
    if turned:
        part = np.ascontiguousarray(np.rot90(part, -1))
    reading = engine.read_line(part)
    if not reading.text:
        return None
    if turned:
        word = ScannedWord(reading.text, left, left + part.shape[0])
        return ScannedLine((word,), float(box[:, 1].max()), usual, 0.0, reading.confidence, turned=True)
    mask = ink.keep_band(ink.find_ink(crop(gray, box)) & ~bars)
    letters = ink.measure_letters(mask, reading.text)
    if letters is None:
        return None
    words = tuple([ScannedWord(text, left + x0, left + x1) for text, x0, x1 in part_words(reading, mask, letters.size)])
    confidence = reading.confidence * min(1.0, _fullness(reading, mask, letters.size) / _FULL)
    return ScannedLine(words, top + letters.base, letters.size, letters.stroke, confidence)


def _fullness(reading: LineReading, mask: ink.Mask, size: float) -> float:
    """Return how many characters the model reads where the ink is as wide as one size."""
    return len(reading.centers) * size / max(1, int(mask.any(axis=0).sum()))


def _widened(box: Any) -> Any:
    """The model that finds lines cuts through their first letter and drops the period at their end."""
    low, high = box.min(axis=0), box.max(axis=0)
    margin = np.array([_MARGIN * (high - low).min(), 0])
    return np.stack([low - margin, high + margin])


def part_words(reading: LineReading, mask: ink.Mask, size: float) -> list[ScannedWord]:
    """Part the text of a line into words that begin and end where their ink does."""
    width = mask.shape[1]
    gaps = ink.find_gaps(mask)
    read = _pieces(reading, width)
    least = _least_space(read, gaps, size)
    pieces = [part for piece in read for part in _part_at_gaps(piece, gaps, least)]
    return _snap(pieces, gaps, width)


def _pieces(reading: LineReading, width: int) -> list[_Piece]:
    """Return what the model parts by spaces."""
    pieces: list[_Piece] = []
    centers = iter(reading.centers)
    for text in reading.text.split():
        pieces.append(_Piece(text, [next(centers, 1.0) * width for _ in text]))
    return pieces


def _least_space(pieces: list[_Piece], gaps: list[tuple[int, int]], size: float) -> float:
    """Return how wide a gap is that parts words."""
    between = [_widest(gaps, left.centers[-1], right.centers[0]) for left, right in pairwise(pieces)]
    spaces = [end - start for start, end in filter(None, between)]
    return max(0.5 * _SPACE * size, min(_SPACE * size, _AS_SPACES * median(spaces))) if spaces else _SPACE * size


def _widest(gaps: list[tuple[int, int]], left: float, right: float) -> tuple[int, int] | None:
    inside = [gap for gap in gaps if left < (gap[0] + gap[1]) / 2 < right]
    return max(inside, key=lambda gap: gap[1] - gap[0], default=None)


def _part_at_gaps(piece: _Piece, gaps: list[tuple[int, int]], least: float) -> list[_Piece]:
    """Part what the model reads as one word where the ink leaves as much room as a space."""
    start, parts = 0, []
    for index, (left, right) in enumerate(pairwise(piece.centers), 1):
        gap = _widest(gaps, left, right)
        if gap and gap[1] - gap[0] >= least and not _NO_SPACES.search(piece.text[index - 1 : index + 1]):
            parts.append(_Piece(piece.text[start:index], piece.centers[start:index]))
            start = index
    return [*parts, _Piece(piece.text[start:], piece.centers[start:])]


def _snap(pieces: list[_Piece], gaps: list[tuple[int, int]], width: int) -> list[ScannedWord]:
    """Let words end and begin at the widest gap between them."""
    edges: list[tuple[float, float]] = []
    for before, after in pairwise(pieces):
        middle = (before.centers[-1] + after.centers[0]) / 2
        edges.append(_widest(gaps, before.centers[-1], after.centers[0]) or (middle, middle))
    first = gaps[0][1] if gaps and gaps[0][0] == 0 else 0
    last = gaps[-1][0] if gaps and gaps[-1][1] == width else width
    starts, ends = [first, *[edge[1] for edge in edges]], [*[edge[0] for edge in edges], last]
    return [ScannedWord(piece.text, x0, max(x0, x1)) for piece, x0, x1 in zip(pieces, starts, ends, strict=True)]


def usual_size(lines: list[ScannedLine]) -> float:
    """Return the median size of the letters, weighted by line length."""
    sizes = [line.size for line in lines for _ in range(1 + line.length // 10)]
    return median(sizes) if sizes else 1.0
