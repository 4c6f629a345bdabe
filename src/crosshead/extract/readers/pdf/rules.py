"""The lines that are drawn on a page: borders of tables, rules above and below them."""

from __future__ import annotations

from typing import Any, Final

from crosshead.extract.readers.pdf import native
from crosshead.extract.readers.pdf.shapes import Rule

MAX_RULES: Final = 2000
"""A page with more is a drawing."""
_MAX_OBJECTS: Final = 20_000
_PATH, _IMAGE, _FORM = 2, 3, 5
_THIN: Final = 2.5
_LONG: Final = 8.0
_BOX_SEGMENTS: Final = 6


class RuleReader:
    """Finds the drawn lines and images of pages."""

    def __init__(self) -> None:
        self._native = native.load()
        self._bounds = native.Buffer("f", 4)

    def read(self, page: Any) -> tuple[list[Rule], bool]:
        """Return the lines of a page, and whether it shows an image."""
        call, address = self._native, native.address_of(page)
        rules: list[Rule] = []
        has_images = False
        for index in range(min(call.count_objects(address), _MAX_OBJECTS)):
            each = call.get_object(address, index)
            kind = call.object_type(each)
            if kind == _PATH and len(rules) < MAX_RULES:
                rules += self._rules_of(each)
            has_images = has_images or kind in (_IMAGE, _FORM)
        return (rules if len(rules) < MAX_RULES else []), has_images

    def _rules_of(self, path: int) -> list[Rule]:
        if not self._native.object_bounds(path, *self._bounds.addresses):
            return []
        x0, y0, x1, y1 = self._bounds.read()
        if y1 - y0 <= _THIN:
            middle = (y0 + y1) / 2
            return [Rule(x0, middle, x1, middle)] if x1 - x0 >= _LONG else []
        if x1 - x0 <= _THIN:
            middle = (x0 + x1) / 2
            return [Rule(middle, y0, middle, y1)] if y1 - y0 >= _LONG else []
        if self._native.path_segments(path) > _BOX_SEGMENTS or x1 - x0 < _LONG or y1 - y0 < _LONG:
            return []
        return [Rule(x0, y0, x1, y0), Rule(x0, y1, x1, y1), Rule(x0, y0, x0, y1), Rule(x1, y0, x1, y1)]
