"""Styles of OpenDocument: what a paragraph is, which marks text has, and how lists are numbered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from lxml import etree

from crosshead.formats.office.opendocument.package import FO, OFFICE, STYLE, TEXT, OdfPackage, whole_number
from crosshead.formats.shared.style_names import is_monospace, meaning_of

_MAX_CHAIN: Final = 16
_NAME: Final = f"{STYLE}name"
_DISPLAY_NAME: Final = f"{STYLE}display-name"
_LEVEL: Final = f"{TEXT}level"
_NUMBERED: Final = f"{TEXT}list-level-style-number"


class _OdfStyle(NamedTuple):
    element: etree._Element
    is_automatic: bool
    """Made by the program for what a user did by hand."""


class Styles:
    """All styles of a document."""

    def __init__(self, package: OdfPackage) -> None:
        self._styles: dict[tuple[str, str], _OdfStyle] = {}
        self._lists: dict[str, etree._Element] = {}
        self._marks: dict[tuple[str, str], tuple[str, ...]] = {}
        self._meanings: dict[str, str] = {}
        for holder in package.styles():
            is_automatic = holder.tag == f"{OFFICE}automatic-styles"
            for each in holder:
                name = each.get(_NAME) or ""
                if each.tag == f"{STYLE}style":
                    self._styles[each.get(f"{STYLE}family") or "", name] = _OdfStyle(each, is_automatic)
                elif each.tag == f"{TEXT}list-style":
                    self._lists[name] = each

    def meaning(self, name: str) -> str:
        """Return the heading level of a paragraph style, or `code`, `quote`, or an empty string."""
        if name not in self._meanings:
            self._meanings[name] = self._find_meaning(name)
        return self._meanings[name]

    def marks(self, family: str, name: str) -> tuple[str, ...]:
        """Return the HTML elements for the marks of text; of paragraphs only what was done to them by hand."""
        known = self._marks.get((family, name))
        if known is None:
            styles = [each for each in self._chain(family, name) if family == "text" or each.is_automatic]
            known = self._marks[family, name] = tuple(_elements(styles))
        return known

    def first_number(self, list_style: str, level: int) -> int:
        """Return where a list begins to count at a level, the first of which is 1; 0 if it has no numbers."""
        style = self._lists.get(list_style)
        for each in style if style is not None else ():
            if each.tag == _NUMBERED and each.get(_LEVEL) == str(level) and each.get(f"{STYLE}num-format"):
                return whole_number(each.get(f"{TEXT}start-value"))
        return 0

    def _find_meaning(self, name: str) -> str:
        for style in self._chain("paragraph", name):
            own = style.element
            level = own.get(f"{STYLE}default-outline-level")
            if level and level.isdigit():
                return str(max(1, min(int(level[:2]), 6)))
            found = meaning_of(own.get(_DISPLAY_NAME) or (own.get(_NAME) or "").replace("_20_", " "))
            if found or (level is not None and not style.is_automatic):  # an empty level means body text
                return found
        return meaning_of(name.replace("_20_", " "))

    def _chain(self, family: str, name: str) -> Iterator[_OdfStyle]:
        """Yield a style and those that it is based on."""
        for _ in range(_MAX_CHAIN):
            style = self._styles.get((family, name))
            if style is None:
                return
            yield style
            name = style.element.get(f"{STYLE}parent-style-name") or ""


def _elements(styles: list[_OdfStyle]) -> Iterator[str]:
    """Yield names of elements; a style overrides the one that it is based on."""
    said: dict[str, str] = {}
    for style in reversed(styles):
        for properties in style.element.iterchildren(f"{STYLE}text-properties"):
            said.update((str(name), str(value)) for name, value in properties.items())
    if is_monospace(said.get(f"{STYLE}font-name", "") or said.get(f"{FO}font-family", "")):
        yield "code"
        return
    if said.get(f"{FO}font-weight", "normal") in ("bold", "600", "700", "800", "900"):
        yield "b"
    if said.get(f"{FO}font-style", "normal") in ("italic", "oblique"):
        yield "i"
    if said.get(f"{STYLE}text-line-through-style", "none") != "none":
        yield "s"
    position = said.get(f"{STYLE}text-position", "").partition(" ")[0]
    if position == "super" or (position.rstrip("%").isdigit() and position.rstrip("%") != "0"):
        yield "sup"
    elif position == "sub" or position.startswith("-"):
        yield "sub"
