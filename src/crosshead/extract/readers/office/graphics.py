"""What stands in a graphic frame: charts and diagrams, which are parts of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lxml import etree

from crosshead.errors import CorruptFile
from crosshead.extract.readers.office.charts import CX, C, Lookup, no_cells, read_chart, write_chart
from crosshead.extract.readers.office.drawing import A, paragraph_text
from crosshead.extract.readers.office.opc import RELATIONSHIP, Package
from crosshead.extract.shared import gfm
from crosshead.extract.shared.leftout import CHARTS, DIAGRAMS

MAX_VALUES: Final = 100_000
"""Of all charts of a document: what a person reads from a chart is far less."""

_CHARTS: Final = (f"{C}chart", f"{CX}chart")
_DIAGRAM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_ID: Final = f"{RELATIONSHIP}id"
_DATA: Final = f"{RELATIONSHIP}dm"


def has_graphic(element: etree._Element) -> bool:
    """Is there a chart or a diagram in this drawing?"""
    return next(element.iter(*_CHARTS, _DIAGRAM), None) is not None


class Graphics:
    """Reads the charts and diagrams of a package; headings of rows that become records are of `level`."""

    def __init__(self, package: Package, *, level: int, lookup: Lookup = no_cells) -> None:
        self._package = package
        self._level = level
        self._lookup = lookup
        self._values_left = MAX_VALUES

    def blocks(self, frame: etree._Element, part: str) -> Iterator[str]:
        """Yield the blocks of a frame that stands in a part."""
        for each in frame.iter(*_CHARTS, _DIAGRAM):
            if each.tag == _DIAGRAM:
                yield from self._diagram(part, each.get(_DATA))
            else:
                yield from self._chart(part, each.get(_ID))

    def _chart(self, part: str, id: str | None) -> list[str]:
        _, root = self._find(part, id)
        chart = read_chart(root, self._lookup) if root is not None else None
        count = chart.size() if chart else 0
        if chart is None or not count or count > self._values_left:
            self._package.left_out.add(CHARTS)
            return []
        self._values_left -= count
        return list(write_chart(chart, self._level))

    def _diagram(self, part: str, id: str | None) -> list[str]:
        name, root = self._find(part, id)
        relationships = self._package.relationships(name) if name else {}
        found = [] if root is None else [paragraph_text(each, relationships) for each in root.iter(f"{A}p")]
        items = [gfm.item("-", gfm.escape_start(text.strip())) for text in found if text.strip()]
        if not items:
            self._package.left_out.add(DIAGRAMS)
        return ["\n".join(items)] if items else []

    def _find(self, part: str, id: str | None) -> tuple[str, etree._Element | None]:
        """Return the part that an id leads to; a damaged one is as good as none."""
        found = self._package.relationships(part).get(id or "")
        name = (found.part if found else None) or ""
        try:
            return name, self._package.archive.xml(name)
        except CorruptFile:
            return name, None
