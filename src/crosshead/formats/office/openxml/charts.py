"""Charts, alike in DOCX, PPTX and XLSX -> a caption and a table of the values that the file keeps of them.

1. A series has a name, categories (or x values) and values, each as points by their number; a gap stays a gap. Where
   the file keeps no points, `Lookup` finds them in the cells that the series refers to.
2. Series with the same categories share a table: a row for every point, a column for every series. Categories in
   several levels are several columns.
3. The caption is the title of the chart, and those of its value axes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from lxml import etree

from crosshead.formats.office.openxml.drawing import A
from crosshead.formats.office.openxml.numberformat import is_date_format, show_number
from crosshead.formats.shared import gfm
from crosshead.formats.shared.tables.records import Record
from crosshead.formats.shared.tables.writing import write_table

C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
CX: Final = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
"""Charts of newer kinds: waterfall, funnel, treemap."""

_CACHES: Final = (f"{C}numCache", f"{C}numLit", f"{C}strCache", f"{C}strLit")
_DATE_AXIS: Final = f"{C}dateAx"
_VALUE_AXIS: Final = f"{C}valAx"
_AXES: Final = (f"{C}catAx", _DATE_AXIS, _VALUE_AXIS)
_MAX_INDEX_DIGITS: Final = 7

Points = dict[int, str]
"""The text of each point of a series."""
Lookup = Callable[[str], Sequence[str]]
"""Gives the texts of the cells that a formula refers to, if they are known."""


class Series(NamedTuple):
    """One row of values of a chart."""

    name: str
    keys: list[Points]
    """Its categories, the outermost level first; or its x values."""
    columns: list[tuple[str, Points]]
    """Its values, and named additional ones, such as the sizes of bubbles."""


class Chart(NamedTuple):
    """The content of a chart."""

    title: str
    key_title: str
    value_titles: list[str]
    series: list[Series]

    def size(self) -> int:
        """Return how many cells its tables have, with those of missing points."""
        return sum(len(_places(group)) * len(group) for group in _groups(self.series))


def no_cells(_formula: str) -> Sequence[str]:
    """Look up nothing: charts in documents and presentations have their cells in an embedded workbook."""
    return ()


def read_chart(root: etree._Element, lookup: Lookup = no_cells) -> Chart:
    """Read the part of a chart."""
    return _NewChart(root).read() if root.tag.startswith(CX) else _Chart(root, lookup).read()


def write_chart(chart: Chart, level: int) -> Iterator[str]:
    """Yield the caption and the tables of a chart; where rows become records, their headings are of `level`."""
    axes = "; ".join(chart.value_titles)
    caption = f"Chart: {chart.title}" if chart.title else "Chart"
    yield gfm.escape(f"{caption} ({axes})" if axes else caption)
    for group in _groups(chart.series):
        yield from _write_group(group, chart.key_title, level)


def _groups(series: Sequence[Series]) -> list[list[Series]]:
    """Put series with the same categories together; one without any joins those before it."""
    found: dict[object, list[Series]] = {}
    last: object = ()
    for each in series:
        key = tuple([tuple(points.items()) for points in each.keys]) or last
        found.setdefault(key, []).append(each)
        last = key
    return list(found.values())


def _places(group: Sequence[Series]) -> set[int]:
    """Return the numbers of all points of a table; its series have the same keys, or none."""
    keys = next((each.keys for each in group if each.keys), [])
    return {place for points in [*keys, *[shown for each in group for shown in _shown(each)]] for place in points}


def _write_group(group: Sequence[Series], key_title: str, level: int) -> Iterator[str]:
    keys = next((each.keys for each in group if each.keys), [])
    columns = [column for each in group for column in each.columns]
    places = sorted(_places(group))
    if not keys and len(places) > 1:
        keys = [{place: str(place + 1) for place in places}]
    header = [*[""] * (len(keys) - 1), *[key_title][: len(keys)], *[name for name, _ in columns]]
    shown = [*keys, *[points for _, points in columns]]
    rows = (Record(0, 0, [points.get(place, "") for points in shown]) for place in places)
    yield from [part.text for part in write_table(header, rows, level=level, header_line=1)]


class _Chart:
    """The part of a chart that is being read."""

    def __init__(self, root: etree._Element, lookup: Lookup) -> None:
        self._root = root
        self._lookup = lookup
        flag = root.find(f"{C}date1904")
        self._since_1904 = flag is not None and flag.get("val", "1") in ("1", "true")
        self._axes = {_value(each, "axId"): each for each in root.iter(*_AXES)}

    def read(self) -> Chart:
        series = [self._series(each, number) for number, each in enumerate(self._root.iter(f"{C}ser"), 1)]
        titles = [(each, text) for each in self._axes.values() if (text := self._text(each.find(f"{C}title")))]
        is_scatter = next(self._root.iter(f"{C}xVal"), None) is not None
        keys = [text for each, text in titles if (_is_level(each) if is_scatter else each.tag != _VALUE_AXIS)]
        title = self._text(self._root.find(f"{C}chart/{C}title"))
        values = [text for _, text in titles if text not in keys]
        key_title = keys[0] if keys else "X" if is_scatter else ""
        return Chart(title, key_title, values, [each for each in series if any(_shown(each))])

    def _series(self, element: etree._Element, number: int) -> Series:
        name = self._text(element.find(f"{C}tx")) or f"Series {number}"
        formats = self._axis_formats(element)
        keys = self._columns(element, "cat", formats.get(_DATE_AXIS, "")) or self._columns(element, "xVal")
        values = [*self._columns(element, "val", formats.get(_VALUE_AXIS, "")), *self._columns(element, "yVal")]
        sizes = self._columns(element, "bubbleSize")
        return Series(name, keys, [(name, each) for each in values] + [(f"{name} (size)", each) for each in sizes])

    def _axis_formats(self, series: etree._Element) -> dict[str, str]:
        """Return how the axes of a series show numbers, by their kinds; some programs write it only there."""
        plot = series.getparent()
        ids = [] if plot is None else [each.get("val") for each in plot.iterfind(f"{C}axId")]
        axes = [self._axes[id] for id in ids if id in self._axes]
        return {each.tag: _value(each, "numFmt", "formatCode") for each in axes}

    def _columns(self, series: etree._Element, tag: str, axis_format: str = "") -> list[Points]:
        holder = series.find(f"{C}{tag}")
        if holder is None:
            return []
        levels = [self._points(each, "") for each in holder.iter(f"{C}lvl")]
        if any(levels):
            return [_fill_down(each, levels[0]) for each in reversed(levels)]
        found = [self._points(each, axis_format) for each in holder.iter(*_CACHES)]
        found = [each for each in found if each] or [self._looked_up(holder)]
        return [each for each in found[:1] if each]

    def _points(self, cache: etree._Element, axis_format: str) -> Points:
        pattern = cache.findtext(f"{C}formatCode") or ""
        if axis_format and (
            pattern.lower() in ("", "general") or is_date_format(axis_format) > is_date_format(pattern)
        ):
            pattern = axis_format
        is_text = cache.tag in (f"{C}strCache", f"{C}strLit", f"{C}lvl")
        points: Points = {}
        for each in cache.iterfind(f"{C}pt"):
            value, index = (each.findtext(f"{C}v") or "").strip(), _index(each.get("idx"))
            if value and index is not None:
                own = each.get("formatCode") or pattern
                points[index] = value if is_text else show_number(value, own, since_1904=self._since_1904)
        return points

    def _looked_up(self, holder: etree._Element) -> Points:
        formula = next((each.text for each in holder.iter(f"{C}f") if each.text), "")
        return {at: text for at, text in enumerate(self._lookup(formula)) if text} if formula else {}

    def _text(self, holder: etree._Element | None) -> str:
        """Return the text of a title or a name: written by hand, or that of a cell."""
        if holder is None:
            return ""
        paragraphs = [
            "".join([each.text or "" for each in paragraph.iter(f"{A}t")]) for paragraph in holder.iter(f"{A}p")
        ]
        cached = [each.text or "" for each in holder.iter(f"{C}v")]
        found = paragraphs if any(paragraphs) else cached or list(self._looked_up(holder).values())
        return " ".join(" ".join(found).split())


class _NewChart:
    """The part of a chart of a newer kind, which has its data apart from its series."""

    def __init__(self, root: etree._Element) -> None:
        self._root = root
        self._data = {each.get("id"): each for each in root.iterfind(f"{CX}chartData/{CX}data")}

    def read(self) -> Chart:
        found = [self._series(each, number) for number, each in enumerate(self._root.iter(f"{CX}series"), 1)]
        series = [each for each in found if any(_shown(each))]
        return Chart(_new_text(self._root.find(f"{CX}chart/{CX}title")), "", [], series)

    def _series(self, element: etree._Element, number: int) -> Series:
        name = _new_text(element.find(f"{CX}tx")) or f"Series {number}"
        given = element.find(f"{CX}dataId")
        data = self._data.get(given.get("val") if given is not None else None)
        if data is None:
            return Series(name, [], [])
        levels = [_new_points(each) for each in data.iterfind(f"{CX}strDim/{CX}lvl")]
        values = [_new_points(each) for each in data.iterfind(f"{CX}numDim/{CX}lvl")]
        keys = [_fill_down(each, levels[0]) for each in reversed(levels) if each]
        return Series(name, keys, [(name, each) for each in values if each])


def _new_points(level: etree._Element) -> Points:
    pattern = level.get("formatCode")
    points: Points = {}
    for each in level.iterfind(f"{CX}pt"):
        index, text = _index(each.get("idx")), (each.text or "").strip()
        if text and index is not None:
            points[index] = text if pattern is None else show_number(text, pattern)
    return points


def _new_text(holder: etree._Element | None) -> str:
    found = [] if holder is None else [each.text or "" for each in holder.iter(f"{A}t")]
    if holder is not None and not any(found):
        found = [each.text or "" for each in holder.iter(f"{CX}v")]
    return " ".join(" ".join(found).split())


def _fill_down(points: Points, innermost: Points) -> Points:
    """A category of an outer level is written at its first point only."""
    found: Points = {}
    last = ""
    for place in sorted({*points, *innermost}):
        last = points.get(place, last)
        found[place] = last
    return found


def _shown(series: Series) -> Iterator[Points]:
    yield from (points for _, points in series.columns)


def _is_level(axis: etree._Element) -> bool:
    return _value(axis, "axPos") in ("b", "t")


def _value(element: etree._Element, tag: str, attribute: str = "val") -> str:
    found = element.find(f"{C}{tag}")
    return "" if found is None else found.get(attribute) or ""


def _index(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= _MAX_INDEX_DIGITS else None
