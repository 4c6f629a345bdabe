"""Numbering definitions: what stands before a paragraph that is an item of a list, or is numbered in another way."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from crosshead.extract.docx.names import W, child_value, whole_number
from crosshead.extract.docx.styles import StyleSheet

MAX_LEVEL = 8
_PLACE = re.compile(r"%([1-9])")
_LETTER = re.compile(r"[^\W\d_]")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MAX_ROMAN = 3999


class Level(NamedTuple):
    """One level of a numbering definition."""

    format: str = "bullet"
    text: str = ""
    """What is shown; `%2` stands for the number at the second level."""
    start: int = 1
    style_id: str | None = None
    """The paragraph style that stands for this level."""
    restarts: bool = True
    """Counting begins anew after an item of a higher level."""


class Definition(NamedTuple):
    """A list as paragraphs refer to it: levels of its own, counters that it may share with others."""

    shared: str
    levels: dict[int, Level]
    starts: dict[int, int]
    """Levels at which this list begins to count anew when it is first used."""


class Label(NamedTuple):
    """What stands before a paragraph."""

    level: int
    kind: str
    """"bullet", "number", or "text" for words such as "Listing 2"."""
    number: int
    text: str


class Numbering:
    """All lists of a document, and how far each has been counted."""

    def __init__(self, root: etree._Element | None, styles: StyleSheet) -> None:
        self._styles = styles
        self._definitions = {} if root is None else _read_definitions(root, styles)
        self._counts: dict[str, dict[int, int]] = {}
        self._begun: set[tuple[str, int]] = set()

    def label(self, num_id: str | None, level: str | None, style_id: str | None) -> Label | None:
        """Count a paragraph, and return its label; None where it has none."""
        definition = self._definitions.get(num_id or "")
        if definition is None or num_id is None:
            return None
        at = self._level_of(definition, level, style_id)
        found = definition.levels.get(at, Level())
        if found.format == "none":
            return None
        number = self._count(num_id, definition, at, found)
        if found.format == "bullet":
            return Label(at, "bullet", number, found.text)
        text = self._fill(definition, at, found)
        return Label(at, "text" if _LETTER.search(found.text) else "number", number, text)

    def _level_of(self, definition: Definition, level: str | None, style_id: str | None) -> int:
        if level is not None:
            return min(whole_number(level, 0), MAX_LEVEL)
        for id in self._styles.numbered_style_ids(style_id):
            for at, each in definition.levels.items():
                if each.style_id == id:
                    return at
        return 0

    def _count(self, num_id: str, definition: Definition, at: int, level: Level) -> int:
        counts = self._counts.setdefault(definition.shared, {})
        if at in definition.starts and (num_id, at) not in self._begun:
            counts[at] = definition.starts[at]
        else:
            counts[at] = counts[at] + 1 if at in counts else level.start
        self._begun.add((num_id, at))
        for deeper in [each for each in counts if each > at]:
            if definition.levels.get(deeper, level).restarts:
                del counts[deeper]
        return counts[at]

    def _fill(self, definition: Definition, at: int, level: Level) -> str:
        counts = self._counts[definition.shared]

        def number(place: re.Match[str]) -> str:
            each = int(place[1]) - 1
            shown = definition.levels.get(each, Level("decimal"))
            return format_number(counts.get(each, shown.start), shown.format)

        return " ".join(_PLACE.sub(number, level.text).split())


def format_number(number: int, format: str) -> str:
    """Write a number as a list shows it.

    >>> format_number(28, "lowerLetter"), format_number(14, "upperRoman"), format_number(3, "decimalZero")
    ('bb', 'XIV', '03')
    """
    if format in ("lowerLetter", "upperLetter") and number > 0:
        letters = chr(ord("a") + (number - 1) % 26) * min((number - 1) // 26 + 1, 9)
        return letters.upper() if format == "upperLetter" else letters
    if format in ("lowerRoman", "upperRoman") and 0 < number <= _MAX_ROMAN:
        return _roman(number).upper() if format == "upperRoman" else _roman(number)
    return f"{number:02}" if format == "decimalZero" else str(number)


def _roman(number: int) -> str:
    parts = []
    for value, letters in _ROMAN:
        parts.append(letters * (number // value))
        number %= value
    return "".join(parts)


def _read_definitions(root: etree._Element, styles: StyleSheet) -> dict[str, Definition]:
    abstract = {each.get(f"{W}abstractNumId", ""): each for each in root.iterchildren(f"{W}abstractNum")}
    concrete = {each.get(f"{W}numId", ""): each for each in root.iterchildren(f"{W}num")}
    levels = {id: _read_levels(each) for id, each in abstract.items()}
    found = {}
    for num_id, each in concrete.items():
        shared = _follow_style(child_value(each, f"{W}abstractNumId") or "", abstract, concrete, styles)
        own, starts = _read_overrides(each)
        found[num_id] = Definition(shared, {**levels.get(shared, {}), **own}, starts)
    return found


def _follow_style(
    id: str, abstract: dict[str, etree._Element], concrete: dict[str, etree._Element], styles: StyleSheet
) -> str:
    """A definition can point at a list style instead of having levels of its own."""
    style_id = child_value(abstract[id], f"{W}numStyleLink") if id in abstract else None
    if style_id is None:
        return id
    linked = concrete.get(styles.style_numbering(style_id) or "")
    return id if linked is None else child_value(linked, f"{W}abstractNumId") or id


def _read_levels(element: etree._Element) -> dict[int, Level]:
    return {whole_number(each.get(f"{W}ilvl"), 0): _read_level(each) for each in element.iterchildren(f"{W}lvl")}


def _read_level(element: etree._Element) -> Level:
    return Level(
        child_value(element, f"{W}numFmt") or "decimal",
        child_value(element, f"{W}lvlText") or "",
        whole_number(child_value(element, f"{W}start"), 1),
        child_value(element, f"{W}pStyle"),
        child_value(element, f"{W}lvlRestart") != "0",
    )


def _read_overrides(element: etree._Element) -> tuple[dict[int, Level], dict[int, int]]:
    levels, starts = {}, {}
    for each in element.iterchildren(f"{W}lvlOverride"):
        at = whole_number(each.get(f"{W}ilvl"), 0)
        for level in each.iterchildren(f"{W}lvl"):
            levels[at] = _read_level(level)
        start = child_value(each, f"{W}startOverride")
        if start is not None:
            starts[at] = whole_number(start, 1)
    return levels, starts
