"""Numbering definitions: the labels of list items and other numbered paragraphs."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from crosshead.formats.office.docx.names import Indent, W, child_value, first_child, read_indent, whole_number
from crosshead.formats.office.docx.styles import StyleSheet

MAX_LEVEL = 8
_ABSTRACT_ID = f"{W}abstractNumId"
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
    text: str = "•"
    """Template of the label; `%2` is the number at the second level."""
    start: int = 1
    style_id: str | None = None
    """The paragraph style of this level."""
    restarts: bool = True
    """Counting restarts after an item of a higher level."""
    indent: Indent | None = None
    """Of its items."""


class ListDefinition(NamedTuple):
    """A list as paragraphs refer to it: its levels, and counters that it may share with other lists."""

    shared: str
    levels: dict[int, Level]
    starts: dict[int, int]
    """Levels that restart when this list is first used."""


class Label(NamedTuple):
    """The label before a paragraph."""

    level: int
    kind: str
    """"bullet", "number", or "text" for words such as "Listing 2"."""
    number: int
    text: str
    indent: Indent | None = None
    """Of its items."""


class Numbering:
    """All lists of a document, and how far each has been counted."""

    def __init__(self, root: etree._Element | None, styles: StyleSheet) -> None:
        self._styles = styles
        self._abstract = _by_id(root, f"{W}abstractNum", f"{W}abstractNumId")
        self._concrete = _by_id(root, f"{W}num", f"{W}numId")
        self._definitions: dict[str, ListDefinition] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._begun: set[tuple[str, int]] = set()

    def label(self, num_id: str, level: str | None, style_id: str | None, *, in_full: bool) -> Label | None:
        """Count a paragraph and return its label; None without one.

        A number is written out only `in_full`, as its item needs no more than how the label ends.
        """
        if num_id not in self._concrete:
            return None
        definition = self._definition(num_id)
        at = self._level_of(definition, level, style_id)
        found = definition.levels.get(at, Level())
        if found.format == "none":
            return None
        number = self._count(num_id, definition, at, found)
        if found.format == "bullet":
            return Label(at, "bullet", number, found.text, found.indent)
        has_words = _LETTER.search(found.text) is not None
        text = self._fill(definition, at, found) if has_words or in_full else found.text
        return Label(at, "text" if has_words else "number", number, text, found.indent)

    def _definition(self, num_id: str) -> ListDefinition:
        found = self._definitions.get(num_id)
        if found is None:
            element = self._concrete[num_id]
            shared = self._follow_style(child_value(element, _ABSTRACT_ID) or "")
            own, starts = _read_overrides(element)
            levels = _read_levels(self._abstract[shared]) if shared in self._abstract else {}
            found = self._definitions[num_id] = ListDefinition(shared, {**levels, **own}, starts)
        return found

    def _follow_style(self, id: str) -> str:
        """A definition can refer to a list style instead of defining levels."""
        style_id = child_value(self._abstract.get(id), f"{W}numStyleLink")
        linked = None if style_id is None else self._concrete.get(self._styles.style_numbering(style_id) or "")
        return id if linked is None else child_value(linked, _ABSTRACT_ID) or id

    def _level_of(self, definition: ListDefinition, level: str | None, style_id: str | None) -> int:
        if level is not None:
            return min(whole_number(level, 0), MAX_LEVEL)
        for id in self._styles.numbered_style_ids(style_id):
            for at, each in definition.levels.items():
                if each.style_id == id:
                    return at
        return 0

    def _count(self, num_id: str, definition: ListDefinition, at: int, level: Level) -> int:
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

    def _fill(self, definition: ListDefinition, at: int, level: Level) -> str:
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


def _by_id(root: etree._Element | None, tag: str, id: str) -> dict[str, etree._Element]:
    return {} if root is None else {each.get(id) or "": each for each in root.iterchildren(tag)}


def _read_levels(element: etree._Element) -> dict[int, Level]:
    return {whole_number(each.get(f"{W}ilvl"), 0): _read_level(each) for each in element.iterchildren(f"{W}lvl")}


def _read_level(element: etree._Element) -> Level:
    return Level(
        child_value(element, f"{W}numFmt") or "decimal",
        "•" if first_child(element, f"{W}lvlPicBulletId") is not None else child_value(element, f"{W}lvlText") or "",
        whole_number(child_value(element, f"{W}start"), 1),
        child_value(element, f"{W}pStyle"),
        child_value(element, f"{W}lvlRestart") != "0",
        read_indent(first_child(element, f"{W}pPr")),
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
