"""The lines that are drawn on a page: borders of tables, and rules above and below them.

A filled box is a background. Its edges are marked as shades, because shading may end inside a cell. Form XObjects are
part of the page. Rules are rotated as the text is, so that those between its lines are horizontal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from crosshead.formats.pdf.page import native
from crosshead.formats.pdf.page.shapes import Rule

MAX_RULES: Final = 2000
"""A page with more lines, or more edges of shading, is a drawing."""
_MAX_OBJECTS: Final = 20_000
_PATH, _IMAGE, _FORM = 2, 3, 5
_THIN: Final = 2.5
"""The thickness of a rule, in points."""
_THICK: Final = 6.0
_THICK_LENGTH: Final = 40
"""A rule may be this thick if it is this many times as long as thick; a shorter one may be a bar of a chart."""
_LONG: Final = 8.0
"""The least length of a rule, in points."""
_BOX_SEGMENTS: Final = 6
"""The most segments of a path that is a line or a box."""
_MAX_SEGMENTS: Final = 3000
"""Longer paths are drawings, and reading them takes time."""
_STRAIGHT: Final = 0.5
"""How far the ends of a horizontal or vertical line may be apart in the other direction, in points."""
_CURVE, _MOVE = 1, 2

_MAX_DEPTH: Final = 6
"""Forms may contain forms, in a broken file even themselves."""

_Point = tuple[float, float]
_Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: Final[_Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_TURNS: Final[tuple[_Matrix, ...]] = (
    _IDENTITY,
    (0.0, -1.0, 1.0, 0.0, 0.0, 0.0),
    (-1.0, 0.0, 0.0, -1.0, 0.0, 0.0),
    (0.0, 1.0, -1.0, 0.0, 0.0, 0.0),
    (-1.0, 0.0, 0.0, 1.0, 0.0, 0.0),
    (1.0, 0.0, 0.0, -1.0, 0.0, 0.0),
)
"""How `TextReader` turns words, by the quarter in which they are drawn."""


class RuleReader:
    """Finds the drawn lines and images of pages."""

    def __init__(self) -> None:
        self._native = native.load()
        self._bounds = native.Buffer("f", 4)
        self._mode = native.Buffer("i", 2)
        self._matrix = native.Buffer("f", 6)
        self._point = native.Buffer("f", 2)
        self._left = 0
        """How many segments of long paths may still be read on the page."""

    def read(self, page: Any, quarter: int = 0) -> tuple[list[Rule], bool]:
        """Return the lines and the edges of shading of a page, and whether it shows an image.

        `quarter` says how most of the text is turned.
        """
        lines: list[Rule] = []
        shades: list[Rule] = []
        has_images = False
        self._left = _MAX_SEGMENTS
        for each, kind, matrix in self._objects(page, _TURNS[quarter]):
            if kind == _PATH:
                for rule in self._rules_of(each, matrix):
                    (shades if rule.is_shade else lines).append(rule)
            has_images = has_images or kind in (_IMAGE, _FORM)
        return [rule for rules in (lines, shades) if len(rules) < MAX_RULES for rule in rules], has_images

    def _objects(self, page: Any, turn: _Matrix) -> Iterator[tuple[int, int, _Matrix]]:
        """Yield what is drawn with its kind and the matrix from where it is drawn to the page as it is read."""
        call, address = self._native, native.address_of(page)
        left = _MAX_OBJECTS
        found = [(call.get_object(address, n), turn, 0) for n in range(min(call.count_objects(address), left))][::-1]
        while found and left:
            left -= 1
            each, matrix, depth = found.pop()
            kind = call.object_type(each)
            yield each, kind, matrix
            if kind == _FORM and depth < _MAX_DEPTH:
                inner = _multiply(self._matrix_of(each), matrix)
                count = min(call.form_objects(each), left)
                found += [(call.form_object(each, n), inner, depth + 1) for n in range(count)][::-1]

    def _matrix_of(self, each: int) -> _Matrix:
        self._native.object_matrix(each, self._matrix.addresses[0])
        a, b, c, d, e, f = self._matrix.read()
        return a, b, c, d, e, f

    def _rules_of(self, path: int, matrix: _Matrix) -> Iterator[Rule]:
        count = self._native.path_segments(path)
        if count > _BOX_SEGMENTS:
            yield from self._rules_of_parts(path, count, matrix)
        elif self._native.object_bounds(path, *self._bounds.addresses):
            yield from self._rules_of_box(path, *_move_box(self._bounds.read(), matrix))

    def _rules_of_parts(self, path: int, count: int, matrix: _Matrix) -> Iterator[Rule]:
        """Some programs draw all the lines of a table as one path."""
        self._left -= count
        if self._left < 0:
            return
        for points in self._parts(path, count, _multiply(self._matrix_of(path), matrix)):
            xs, ys = zip(*points, strict=True)
            if _is_box(points):
                found = self._rules_of_box(path, min(xs), min(ys), max(xs), max(ys))
                yield from (rule for rule in found if not rule.is_shade)  # a box in a box may be a hole
            elif self._is_stroked(path):
                for (x0, y0), (x1, y1) in pairwise(points):
                    if min(abs(x1 - x0), abs(y1 - y0)) <= _STRAIGHT:
                        yield from self._rules_of_box(path, min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))

    def _parts(self, path: int, count: int, matrix: _Matrix) -> list[list[_Point]]:
        """Return the points of each part of a path; none if there are curves."""
        call = self._native
        parts: list[list[_Point]] = []
        for index in range(count):
            segment = call.path_segment(path, index)
            kind = call.segment_type(segment)
            if kind == _CURVE:
                return []
            call.segment_point(segment, *self._point.addresses)
            x, y = self._point.read()
            if kind == _MOVE or not parts:
                parts.append([])
            parts[-1].append(_move(x, y, matrix))
        return parts

    def _rules_of_box(self, path: int, x0: float, y0: float, x1: float, y1: float) -> Iterator[Rule]:
        if _is_thin(y1 - y0, x1 - x0):
            middle = (y0 + y1) / 2
            if x1 - x0 >= _LONG:
                yield Rule(x0, middle, x1, middle)
        elif _is_thin(x1 - x0, y1 - y0):
            middle = (x0 + x1) / 2
            if y1 - y0 >= _LONG:
                yield Rule(middle, y0, middle, y1)
        elif x1 - x0 >= _LONG and y1 - y0 >= _LONG:
            is_shade = not self._is_stroked(path)
            yield Rule(x0, y0, x1, y0, is_shade)
            yield Rule(x0, y1, x1, y1, is_shade)
            yield Rule(x0, y0, x0, y1, is_shade)
            yield Rule(x1, y0, x1, y1, is_shade)

    def _is_stroked(self, path: int) -> bool:
        return bool(self._native.draw_mode(path, *self._mode.addresses) and self._mode.read()[1])


def _multiply(first: _Matrix, second: _Matrix) -> _Matrix:
    """Return the matrix that moves points as the first and then the second does."""
    if second == _IDENTITY:
        return first
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _move(x: float, y: float, matrix: _Matrix) -> _Point:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _move_box(box: Sequence[float], matrix: _Matrix) -> tuple[float, float, float, float]:
    """Return the box around the moved corners: left, bottom, right, top."""
    x0, y0, x1, y1 = box
    if matrix == _IDENTITY:
        return x0, y0, x1, y1
    corners = [_move(x, y, matrix) for x in (x0, x1) for y in (y0, y1)]
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _is_thin(thickness: float, length: float) -> bool:
    return thickness <= _THIN or (thickness < _THICK and length > _THICK_LENGTH * thickness)


def _is_box(points: Sequence[_Point]) -> bool:
    """Are these the corners of a rectangle, the first maybe twice?"""
    edges = [min(abs(x1 - x0), abs(y1 - y0)) for (x0, y0), (x1, y1) in pairwise(points)]
    return len(points) in (4, 5) and max(edges) <= _STRAIGHT
