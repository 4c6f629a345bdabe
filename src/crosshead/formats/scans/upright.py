"""Which way up a scanned page is, and by how much it is tilted."""

from __future__ import annotations

from statistics import mean
from typing import Any, Final

import cv2
import numpy as np

from crosshead.formats.scans.engine import OcrEngine, Picture

_TALL: Final = 1.5
_SAMPLE: Final = 12
_JUDGES: Final = 4
"""Lines that are read both ways where the guesses of the small model do not agree."""
_LEAST_TILT: Final = 0.15
_MOST_TILT: Final = 15.0
"""In degrees; what is tilted more is not a scanned page."""


def crop(picture: Picture, box: Any) -> Picture:
    """Cut the rectangle around a line out of a picture."""
    x0, y0 = np.maximum(np.floor(box.min(axis=0)), 0).astype(int)
    x1, y1 = np.ceil(box.max(axis=0)).astype(int) + 1
    return picture[y0:y1, x0:x1]


def find_upright(engine: OcrEngine, picture: Picture, find: Any) -> tuple[Picture, Any]:
    """Return the picture turned so that its text can be read, and the lines in it; `find` finds the lines."""
    boxes = find(picture)
    if not len(boxes):
        return picture, boxes
    widths, heights = np.ptp(boxes[:, :, 0], axis=1), np.ptp(boxes[:, :, 1], axis=1)
    areas = widths * heights
    if areas[heights > _TALL * widths].sum() > areas.sum() / 2:
        picture = np.ascontiguousarray(np.rot90(picture))
        boxes = find(picture)
    if _is_upside_down(engine, picture, boxes):
        picture = np.ascontiguousarray(np.rot90(picture, 2))
        boxes = find(picture)
    return picture, boxes


def _is_upside_down(engine: OcrEngine, picture: Picture, boxes: Any) -> bool:
    widths = np.ptp(boxes[:, :, 0], axis=1)
    longest = [crop(picture, boxes[index]) for index in np.argsort(-widths)[:_SAMPLE]]
    lines = [line for line in longest if line.size]
    turned = sum(engine.is_upside_down(line) for line in lines)
    if turned <= len(lines) / 3:
        return False
    judges = lines[:_JUDGES]
    as_is = mean(engine.read_line(line).confidence for line in judges)
    return as_is < mean(engine.read_line(np.ascontiguousarray(np.rot90(line, 2))).confidence for line in judges)


def straighten(picture: Picture, boxes: Any) -> tuple[Picture, Any]:
    """Turn a tilted page, and the lines in it, so that lines are level."""
    angle = _tilt(boxes)
    if not _LEAST_TILT <= abs(angle) <= _MOST_TILT:
        return picture, boxes
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
    level = cv2.warpAffine(
        picture, turn, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_CONSTANT, borderValue=(255,) * 3
    )
    return level, cv2.transform(boxes, turn)


def _tilt(boxes: Any) -> float:
    """Return the median angle of the longer lines, in degrees."""
    across = (boxes[:, 1] - boxes[:, 0] + boxes[:, 2] - boxes[:, 3]) / 2
    long = across[across[:, 0] > np.quantile(across[:, 0], 0.5)] if len(across) > 3 else across
    angles = np.degrees(np.arctan2(long[:, 1], long[:, 0]))
    return float(np.median(angles)) if len(angles) else 0.0
