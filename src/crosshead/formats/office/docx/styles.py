"""Styles: what a paragraph style means for the structure, and which marks a character style puts on text.

A paragraph style is a heading, code, a quote or plain text. The first answer counts, going from the style to those
it is based on: the user's own map, the built-in name of a heading, an outline level, the built-in name of a title, a
quote or code. Only where none of them says anything, a name such as "Head A" or "Überschrift 2" does. Of a style that
the file does not describe, the id is the name; ids lack the letters that are not ASCII: "berschrift1".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final, NamedTuple

from lxml import etree

from crosshead.formats.office.docx.names import (
    VAL,
    Indent,
    W,
    child_value,
    first_child,
    is_on,
    read_indent,
    whole_number,
)

BOLD: Final = 1
ITALIC: Final = 2
STRIKE: Final = 4
CODE: Final = 8
SUPERSCRIPT: Final = 16
SUBSCRIPT: Final = 32

_MAX_CHAIN: Final = 16
BODY_TEXT_LEVEL: Final = 9
"""The outline level of body text."""

_SWITCHES: Final = {f"{W}b": BOLD, f"{W}i": ITALIC, f"{W}strike": STRIKE, f"{W}dstrike": STRIKE}
_POSITIONS: Final = {"superscript": SUPERSCRIPT, "subscript": SUBSCRIPT}
_RUN = f"{W}rPr"
_FONTS = f"{W}rFonts"
_POSITION = f"{W}vertAlign"
_STYLE = f"{W}rStyle"

_MONOSPACE = re.compile(
    r"courier|consol|menlo|monaco|\bmono\b|monospace|inconsolata|cascadia|(?:source|fira) code|typewriter"
    r"|letter gothic|fixedsys",
    re.I,
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|[^\W\d_]+|\d+")
_BUILT_IN_HEADING = re.compile(r"heading ?([1-9])$", re.I)
_QUOTES = frozenset({"quote", "intense quote", "block text", "quotations", "block quote", "blockquote", "quotation"})
_CODES = frozenset({"source code", "html preformatted", "preformatted text", "macro", "macro text", "program listing"})
_CODE_WORDS = frozenset({"code", "codeblock", "sourcecode", "preformatted", "verbatim", "programlisting", "console"})
_NOT_CODE_WORDS = frozenset(
    {"label", "caption", "title", "heading", "head", "inline", "char", "character", "of", "note", "number", "zip"}
)
_HEADING_WORDS = frozenset(
    {
        "heading", "head", "header", "h", "hd", "überschrift", "titre", "título", "titulo", "titolo", "kop", "nagłówek",
        "rubrik", "overskrift", "otsikko", "başlık", "nadpis", "címsor", "заголовок", "标题", "標題", "見出し", "제목",
        "titlu", "naslov", "antraštė", "επικεφαλίδα", "pealkiri", "virsraksts", "כותרת", "عنوان",
        "berschrift", "ttulo", "nagwek", "cmsor", "balk",
    }
)  # fmt: skip
_TITLE = ("heading", 1)
_CHAPTER_TITLE = ["chapter", "title"]
_TITLES = (["title"], _CHAPTER_TITLE, ["document", "title"], ["doc", "title"], ["book", "title"])


class DocxStyle(NamedTuple):
    """A style as defined in the file."""

    id: str
    name: str
    based_on: str | None
    outline: int | None
    num_id: str | None
    num_level: str | None
    indent: Indent | None
    run: etree._Element | None
    """Properties of its text."""


class Meaning(NamedTuple):
    """The structural meaning of a paragraph style."""

    kind: str = "text"
    """"heading", "code", "quote" or "text"."""
    level: int = 0
    """Of a heading."""
    is_given: bool = False
    """Set by the user (`style_map`), so that nothing in the paragraph overrides it."""
    num_id: str | None = None
    num_level: str | None = None
    indent: Indent | None = None


class StyleSheet:
    """All styles of a document."""

    def __init__(self, root: etree._Element | None, style_map: Mapping[str, str]) -> None:
        elements = () if root is None else root.iterchildren(f"{W}style")
        self._elements = {each.get(f"{W}styleId") or "": each for each in elements}
        self._styles: dict[str, DocxStyle] = {}
        self._map = {name.strip().lower(): str(meaning) for name, meaning in style_map.items()}
        self._meanings: dict[str | None, Meaning] = {}
        self._marks: dict[str, int] = {}
        self._default_id = next((id for id, each in self._elements.items() if _is_default(each)), None)
        self._is_typewritten = False
        self._is_typewritten = self._uses_monospace_by_default(root)

    @cached_property
    def body_indent(self) -> int:
        """Indentation of body text."""
        found = self.meaning(self._default_id).indent
        return found.left if found else 0

    def meaning(self, style_id: str | None) -> Meaning:
        """Return what a paragraph style means."""
        found = self._meanings.get(style_id)
        if found is None:
            found = self._meanings[style_id] = self._find_meaning(style_id)
        return found

    def numbered_style_ids(self, style_id: str | None) -> Iterator[str]:
        """Yield a style and those it is based on, down to the one that sets the numbering."""
        for style in self._chain(style_id):
            yield style.id
            if style.num_id is not None:
                return

    def style_numbering(self, style_id: str | None) -> str | None:
        """Return the numbering that a style sets."""
        return next((style.num_id for style in self._chain(style_id) if style.num_id is not None), None)

    def run_marks(self, properties: etree._Element) -> int:
        """Return the marks that the properties of a run put on its text."""
        on = off = 0
        for each in properties:
            tag = each.tag
            if tag in _SWITCHES:
                if is_on(each):
                    on |= _SWITCHES[tag]
                else:
                    off |= _SWITCHES[tag]
            elif tag == _FONTS:
                if self._is_monospace(each):
                    on |= CODE
            elif tag == _STYLE:
                on |= self._style_marks(each.get(VAL))
            elif tag == _POSITION:
                on |= _POSITIONS.get(each.get(VAL), 0)
        return on & ~off

    def _find_meaning(self, style_id: str | None) -> Meaning:
        chain = list(self._chain(style_id))
        if not chain and style_id:  # a style that programs know without a description
            chain = [DocxStyle(style_id, style_id, None, None, None, None, None, None)]
        num_id = next((style.num_id for style in chain if style.num_id is not None), None)
        num_level = next((style.num_level for style in chain if style.num_level is not None), None)
        kind, level, is_given = self._find_kind(chain)
        indent = next((style.indent for style in chain if style.indent is not None), None)
        return Meaning(kind, level, is_given, num_id, num_level, indent)

    def _find_kind(self, chain: list[DocxStyle]) -> tuple[str, int, bool]:
        if given := self._given_kind(chain):
            return (*given, True)
        for at, style in enumerate(chain):
            if heading := _BUILT_IN_HEADING.match(style.name):
                return "heading", int(heading[1]), False
            if style.outline is not None:
                if style.outline < BODY_TEXT_LEVEL:
                    return "heading", style.outline + 1, False
                chain = chain[: at + 1]  # no heading, whatever it is based on
                break
        for style in chain:
            if (kind := self._kind_by_name(style)) and (style is chain[0] or kind != _TITLE or _is_title(chain[0])):
                return (*kind, False)
        return "text", 0, False

    def _given_kind(self, chain: list[DocxStyle]) -> tuple[str, int] | None:
        names = [name for style in chain for name in (style.name, style.id)]
        for name in names:
            if given := self._map.get(name.lower()):
                return ("heading", int(given)) if given.isdigit() else (given, 0)
        return None

    def _kind_by_name(self, style: DocxStyle) -> tuple[str, int] | None:
        words, name = _words(style.name), style.name.lower()
        if words in _TITLES:
            return _TITLE
        if name in _QUOTES:
            return "quote", 0
        if name in _CODES or (words and words[0] in _CODE_WORDS and not _NOT_CODE_WORDS & set(words)):
            return "code", 0
        if len(words) == 2 and words[0] in _HEADING_WORDS:
            return self._numbered_heading(words[1])
        if self._is_monospace_style(style):
            return "code", 0
        return None

    def _numbered_heading(self, number: str) -> tuple[str, int] | None:
        if len(number) == 1 and number in "123456":
            return "heading", int(number)
        if len(number) == 1 and number in "abcde":
            return "heading", "abcde".index(number) + 1 + self._has_chapters()
        return None

    def _has_chapters(self) -> bool:
        """In publishers' templates, a chapter title is one level above Head A."""
        return any(_words(child_value(each, f"{W}name") or "") == _CHAPTER_TITLE for each in self._elements.values())

    def _is_monospace_style(self, style: DocxStyle) -> bool:
        if style.run is None or style.id == self._default_id or style.name.lower() == "plain text":
            return False
        fonts = first_child(style.run, _FONTS)
        return fonts is not None and self._is_monospace(fonts)

    def _style_marks(self, style_id: str | None) -> int:
        if style_id is None:
            return 0
        found = self._marks.get(style_id)
        if found is None:
            self._marks[style_id] = 0  # a style that is based on itself through its text adds nothing
            found = 0
            for style in self._chain(style_id):
                if _is_inline_code(style.name):
                    found |= CODE
                if style.run is not None:
                    found |= self.run_marks(style.run)
            self._marks[style_id] = found
        return found

    def _is_monospace(self, fonts: etree._Element) -> bool:
        return not self._is_typewritten and _is_monospace(fonts)

    def _uses_monospace_by_default(self, root: etree._Element | None) -> bool:
        """Return whether the default font is monospaced; then it does not mark code."""
        defaults = first_child(first_child(root, f"{W}docDefaults"), f"{W}rPrDefault")
        runs = [first_child(defaults, _RUN), first_child(self._elements.get(self._default_id or ""), _RUN)]
        found = [first_child(run, _FONTS) for run in runs]
        return any(fonts is not None and _is_monospace(fonts) for fonts in found)

    def _chain(self, style_id: str | None) -> Iterator[DocxStyle]:
        seen: set[str] = set()
        while style_id is not None and style_id in self._elements and style_id not in seen and len(seen) < _MAX_CHAIN:
            seen.add(style_id)
            style = self._styles.get(style_id)
            if style is None:
                style = self._styles[style_id] = _read_style(style_id, self._elements[style_id])
            yield style
            style_id = style.based_on


def outline_level(value: str | None) -> int | None:
    """Return an outline level, counted from 0; None if it is missing or invalid."""
    level = whole_number(value, -1)
    return min(level, BODY_TEXT_LEVEL) if level >= 0 else None


def _read_style(id: str, element: etree._Element) -> DocxStyle:
    paragraph = first_child(element, f"{W}pPr")
    numbering = first_child(paragraph, f"{W}numPr")
    return DocxStyle(
        id,
        " ".join((child_value(element, f"{W}name") or id).split()),
        child_value(element, f"{W}basedOn"),
        outline_level(child_value(paragraph, f"{W}outlineLvl")),
        child_value(numbering, f"{W}numId"),
        child_value(numbering, f"{W}ilvl"),
        read_indent(paragraph),
        first_child(element, _RUN),
    )


def _is_default(element: etree._Element) -> bool:
    return element.get(f"{W}type") == "paragraph" and element.get(f"{W}default") in ("1", "true", "on")


def _is_title(style: DocxStyle) -> bool:
    """Styles of subtitles and authors are often based on that of titles."""
    return "title" in _words(style.name)


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name)]


def _is_inline_code(name: str) -> bool:
    words = set(_words(name))
    return bool(words & {"code", "verbatim", "typewriter", "monospace"}) or name.lower() in ("source text", "teletype")


def _is_monospace(fonts: etree._Element) -> bool:
    return any(_MONOSPACE.search(fonts.get(f"{W}{script}") or "") for script in ("ascii", "hAnsi"))
