"""What the beginning of a document defines: its encoding, and the fonts and styles that text refers to by number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from crosshead.formats.office.rtf import charsets
from crosshead.formats.office.rtf import destinations as to
from crosshead.formats.office.rtf.formatting import Formatting
from crosshead.formats.shared import style_names
from crosshead.formats.shared.decoding.codepages import code_page

PLATFORMS: Final = (b"mac", b"pc", b"pca")
"""Words for the encoding of old systems; they count only outside all groups but the document."""


@dataclass(slots=True)
class _RtfStyle:
    name: str = ""
    outline: int | None = None


@dataclass(slots=True)
class _Font:
    name: str = ""
    encoding: str = ""


class RtfDefinitions:
    """The encoding, fonts and styles of a document."""

    def __init__(self) -> None:
        self.encoding = charsets.DEFAULT
        """Of text whose font has none."""
        self.default_font = 0
        self._fonts: dict[int, _Font] = {}
        self._styles: dict[int, _RtfStyle] = {}

    def apply(self, word: bytes, number: int | None, formatting: Formatting) -> None:
        """Apply a word that defines something, in a group with this formatting."""
        if change := _CHANGES.get(word):
            change(self, number, formatting)

    def decode(self, data: bytes, font: int) -> str:
        """Decode text in a font."""
        known = self._fonts.get(font)
        return data.decode((known.encoding if known else "") or self.encoding, "replace")

    def is_monospace(self, font: int) -> bool:
        """Return whether a font is one for code."""
        known = self._fonts.get(font)
        return known is not None and style_names.is_monospace(known.name)

    def meaning(self, formatting: Formatting) -> str:
        """Return the level of a heading, `code`, `quote`, or nothing."""
        style = self._styles.get(formatting.style, _RtfStyle())
        outline = formatting.outline if formatting.outline is not None else style.outline
        if outline is not None and 0 <= outline < 9:
            return str(min(outline + 1, 6))
        return style_names.meaning_of(style.name.partition(";")[0])

    def name_font(self, font: int, text: str) -> None:
        """Add text to the name of a font."""
        self._font(font).name += text.rstrip(";")

    def name_style(self, style: int, text: str) -> None:
        """Add text to the name of a style."""
        self._style(style).name += text

    def set_default_font(self, number: int | None, formatting: Formatting) -> None:
        """Set the font of text that names none."""
        formatting.font = self.default_font = number or 0

    def set_outline_level(self, number: int | None, formatting: Formatting) -> None:
        """Set the outline level of the paragraph, or of the style that is being defined."""
        if formatting.to == to.STYLES:
            self._style(formatting.style).outline = number
        formatting.outline = number

    def set_font_encoding(self, encoding: str, formatting: Formatting) -> None:
        """Set the encoding of the font that is being defined."""
        if formatting.to == to.FONTS:
            self._font(formatting.font).encoding = encoding

    def set_code_page(self, number: int | None, _formatting: Formatting) -> None:
        """Set the encoding of the document by the number of its code page."""
        self.encoding = code_page(number or 0) or charsets.DEFAULT

    def _font(self, number: int) -> _Font:
        return self._fonts.setdefault(number, _Font())

    def _style(self, number: int) -> _RtfStyle:
        return self._styles.setdefault(number, _RtfStyle())


_CHANGES: Final[Mapping[bytes, Callable[[RtfDefinitions, int | None, Formatting], None]]] = {
    b"deff": RtfDefinitions.set_default_font,
    b"outlinelevel": RtfDefinitions.set_outline_level,
    b"fcharset": lambda known, number, formatting: known.set_font_encoding(charsets.of_font(number or 0), formatting),
    b"cpg": lambda known, number, formatting: known.set_font_encoding(code_page(number or 0), formatting),
    b"ansicpg": RtfDefinitions.set_code_page,
}
WORDS: Final = frozenset((*_CHANGES, *PLATFORMS))
"""All words that define something."""
