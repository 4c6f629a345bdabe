"""The content of graphic frames: charts and diagrams, which are separate parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from lxml import etree

from crosshead.errors import CorruptFile
from crosshead.formats.office.openxml.charts import CX, C, Lookup, no_cells, read_chart, write_chart
from crosshead.formats.office.openxml.drawing import A, paragraph_text
from crosshead.formats.office.openxml.opc import RELATIONSHIP, OpcPackage
from crosshead.formats.shared import gfm
from crosshead.formats.shared.omissions import CHARTS, DIAGRAMS

MAX_VALUES: Final = 100_000
"""Of all charts of a document, and items of all diagrams: what a person reads from them is far less."""

MAX_SERIES: Final = 255
"""Excel draws no more."""
_POINTS: Final = (f"{C}pt", f"{CX}pt")
_SERIES: Final = (f"{C}ser", f"{CX}series")
_POINTS_PER_VALUE: Final = 4
"""A value may have an x, a category in several levels and a size."""
_CHARTS: Final = (f"{C}chart", f"{CX}chart")
_DIAGRAM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_ID: Final = f"{RELATIONSHIP}id"
_DATA: Final = f"{RELATIONSHIP}dm"


def has_graphic(element: etree._Element) -> bool:
    """Return whether this drawing holds a chart or a diagram."""
    return next(element.iter(*_CHARTS, _DIAGRAM), None) is not None


def _count(root: etree._Element, *tags: str) -> int:
    return sum(1 for _ in root.iter(*tags))


class Graphics:
    """Reads the charts and diagrams of a package; headings of rows that become records are of `level`."""

    def __init__(self, package: OpcPackage, *, level: int, lookup: Lookup = no_cells) -> None:
        self._package = package
        self._level = level
        self._lookup = lookup
        self._left = MAX_VALUES
        self._read: dict[str, _Graphic] = {}

    def blocks(self, frame: etree._Element, part: str) -> Iterator[str]:
        """Yield the blocks of a frame in a part."""
        for each in frame.iter(*_CHARTS, _DIAGRAM):
            is_diagram = each.tag == _DIAGRAM
            found = self._package.relationships(part).get(each.get(_DATA if is_diagram else _ID) or "")
            graphic = self._graphic((found.part if found else None) or "", self._diagram if is_diagram else self._chart)
            if 0 < graphic.size <= self._left:
                self._left -= graphic.size
                yield from graphic.blocks
            else:
                self._package.left_out.add(DIAGRAMS if is_diagram else CHARTS)

    def _graphic(self, part: str, read: Callable[[etree._Element, str], _Graphic]) -> _Graphic:
        """Read a part once, however often it is shown; a damaged one is as good as none."""
        if part not in self._read:
            try:
                root = self._package.archive.xml(part)
            except CorruptFile:
                root = None
            self._read[part] = _NOTHING if root is None else read(root, part)
        return self._read[part]

    def _chart(self, root: etree._Element, _part: str) -> _Graphic:
        if _count(root, *_POINTS) > _POINTS_PER_VALUE * MAX_VALUES or _count(root, *_SERIES) > MAX_SERIES:
            return _NOTHING
        chart = read_chart(root, self._lookup)
        size = chart.size()
        return _Graphic(size, list(write_chart(chart, self._level)) if 0 < size <= self._left else [])

    def _diagram(self, root: etree._Element, part: str) -> _Graphic:
        relationships = self._package.relationships(part)
        texts = [paragraph_text(each, relationships).strip() for each in root.iter(f"{A}p")]
        items = [gfm.item("-", gfm.escape_start(text)) for text in texts if text]
        return _Graphic(len(items), ["\n".join(items)])


class _Graphic(NamedTuple):
    """The text of a part, and its number of values or items."""

    size: int
    blocks: list[str]


_NOTHING: Final = _Graphic(0, [])
