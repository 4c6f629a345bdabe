"""What the pixels say: where ink is, ruled lines, gaps between words, the size and weight of letters."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

import cv2
import numpy as np

Mask = Any
"""An array of numpy: True where there is ink."""

_DARK_PAGE: Final = 0.5
"""More ink than that is light text on a dark ground."""
_ASCENDERS: Final = re.compile(r"[^\W_acegm-su-z]|[\[\](){}|/\\#$%&?!'\"`*]")
_DESCENDERS: Final = re.compile(r"[gjpqyçQÇ\[\](){}|/\\@]")
_COMMAS: Final = re.compile(r"[,;„]")
_TALL, _LOW = 0.75, 0.55
"""Heights of capitals and of small letters above the baseline, in sizes, with the blur at both edges."""
_DEEP, _COMMA = 0.19, 0.13
"""How far letters and commas reach below it."""
_SPECK: Final = 3
"""Fewer pixels are noise."""
_FAINT_ROW: Final = 2
"""A row with fewer pixels of ink is empty."""
_FULL_HEIGHT: Final = 1.0
"""Chinese, Japanese and Korean characters fill their size."""
_IDEOGRAPH: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_THICK: Final = 0.5
"""A thicker bar than that is not a ruled line, in sizes of the text."""
_LONG: Final = 3.0
"""A ruled line is longer than any stroke of a letter, in sizes of the text."""


class Letters(NamedTuple):
    """How a line of text is set, in pixels of its picture."""

    size: float
    base: float
    """The row of the baseline, counted from the top."""
    stroke: float
    """How thick the strokes are."""


def find_ink(gray: Any) -> Mask:
    """Return where the ink of a picture is; light text on a dark ground counts, too."""
    _, mask = cv2.threshold(gray, 0, 1, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    if mask.mean() > _DARK_PAGE:
        mask = 1 - mask
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    is_letter = stats[:, cv2.CC_STAT_AREA] > _SPECK
    is_letter[0] = False
    return is_letter[labels]


def find_bars(gray: Any, size: float) -> tuple[list[tuple[int, int, int, int]], Mask]:
    """Return the ruled lines of a page as (x0, y0, x1, y1), and their ink; `size` is that of most text."""
    window = int(3 * size) | 1
    light = cv2.adaptiveThreshold(gray, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, window, 12)
    bars: list[tuple[int, int, int, int]] = []
    ink = np.zeros_like(light)
    length = max(12, int(_LONG * size))
    for across in (True, False):
        kernel = np.ones((1, length) if across else (length, 1), np.uint8)
        drawn = cv2.morphologyEx(light, cv2.MORPH_OPEN, kernel)
        _, _, stats, _ = cv2.connectedComponentsWithStats(drawn, connectivity=8)
        for x, y, width, height, _ in stats[1:].tolist():
            if (height if across else width) <= max(6, _THICK * size):
                bars.append((x, y, x + width, y + height))
        ink |= cv2.dilate(drawn, np.ones((3, 3), np.uint8))
    return bars, ink == 1


def find_gaps(mask: Mask) -> list[tuple[int, int]]:
    """Return the columns without ink in the picture of a line, as (start, end) of each stretch."""
    empty = np.concatenate([[0], (~mask.any(axis=0)).astype(np.int8), [0]])
    edges = np.flatnonzero(np.diff(empty))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def keep_band(mask: Mask) -> Mask:
    """Return the ink of the line itself: that of the lines above and below may reach into its picture."""
    rows = mask.sum(axis=1)
    if not rows.any():
        return mask
    middle = int(np.average(np.arange(len(rows)), weights=rows.astype(float) ** 2))
    faint = np.flatnonzero(rows < _FAINT_ROW)
    above, below = faint[faint < middle], faint[faint > middle]
    kept = mask.copy()
    if len(above):
        top = _first_far(above[::-1], middle, rows)
        kept[:top] = False
    if len(below):
        bottom = _first_far(below, middle, rows)
        kept[bottom:] = False
    return kept


def _first_far(faint: Any, middle: int, rows: Any) -> int:
    """Return the first empty row that is not the gap between the dot and the stem of an i."""
    least = 0.25 * len(rows)
    far = faint[np.abs(faint - middle) >= least]
    return int(far[0]) if len(far) else (0 if faint[0] < middle else len(rows))


def measure_letters(mask: Mask, text: str) -> Letters | None:
    """Return how a line is set, from its ink and from which letters it has."""
    rows = np.flatnonzero(mask.sum(axis=1) >= _FAINT_ROW)
    if not len(rows):
        return None
    top, bottom = float(rows[0]), float(rows[-1] + 1)
    if _IDEOGRAPH.search(text):
        size = (bottom - top) / _FULL_HEIGHT
        return Letters(size, bottom - 0.12 * size, _stroke(mask))
    deep = _DEEP if _DESCENDERS.search(text) else _COMMA if _COMMAS.search(text) else 0.0
    size = (bottom - top) / ((_TALL if _ASCENDERS.search(text) else _LOW) + deep)
    return Letters(size, bottom - deep * size, _stroke(mask))


def _stroke(mask: Mask) -> float:
    """A stroke has two edges as long as itself, so its area is half of its edges times its width."""
    edges = int((mask[:, 1:] != mask[:, :-1]).sum()) + int((mask[1:] != mask[:-1]).sum())
    return 2.0 * float(mask.sum()) / max(1, edges)
