"""One pass over the tokens of RTF.

A group inherits the formatting of the group around it, and gives it back when it ends. Text boxes, notes and labels
interrupt a paragraph, whose pieces wait until they end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import Final

from crosshead.errors import CorruptFile, ExtractError, TooLarge
from crosshead.formats.base import Extracted
from crosshead.formats.markup.html.generated import read_generated
from crosshead.formats.office.rtf import charsets, tokens
from crosshead.formats.office.rtf import destinations as to
from crosshead.formats.office.rtf.page import (
    BOLD,
    CODE,
    ITALIC,
    LOWERED,
    RAISED,
    RAW,
    STRIKE,
    Paragraph,
    Piece,
    RtfPage,
    take_typed_label,
    write_inline,
)
from crosshead.formats.office.rtf.tokens import tokenize
from crosshead.formats.shared import style_names as stylenames
from crosshead.formats.shared.decoding.codepages import code_page
from crosshead.formats.shared.omissions import COMMENTS, FORMULAS, OBJECTS, PICTURES, LeftOut
from crosshead.options import ExtractOptions

MAX_DEPTH: Final = 5_000
MAX_MARKS: Final = 800_000
"""Reading more takes longer than five seconds."""
MAX_TABLE_DEPTH: Final = 20
MAX_COLUMNS: Final = 1_000
_MARKS: Final = {b"b": BOLD, b"i": ITALIC, b"strike": STRIKE, b"striked": STRIKE, b"super": RAISED, b"sub": LOWERED}
_LINK: Final = re.compile(r'HYPERLINK\s+"([^"]{1,2000})"', re.I)
"""A link within the document has a switch before its target and stays text."""
_MOSTLY: Final = 0.7
_ENDS_PARAGRAPH: Final = (b"par", b"sect", b"page")
_LEFT_OUT: Final = {
    b"shppict": PICTURES, b"pict": PICTURES, b"objdata": OBJECTS, b"moMath": FORMULAS, b"moMathPara": FORMULAS
}  # fmt: skip
_HOLD_PARAGRAPHS: Final = (to.TEXT, to.RESULT, to.BOX, to.NOTE, to.COMMENT)
_KNOWN: Final = frozenset((
    *_MARKS, *_ENDS_PARAGRAPH, *to.CHARACTERS, b"u", b"uc", b"nosupersub", b"plain", b"v", b"deleted", b"f", b"deff",
    b"s", b"outlinelevel", b"fcharset", b"cpg", b"mac", b"pc", b"pca", b"ansicpg", b"pard", b"intbl", b"itap", b"ls",
    b"ilvl", b"li", b"fi", b"cell", b"nestcell", b"trowd", b"cellx", b"row", b"nestrow",
))  # fmt: skip
"""Most other words are about layout."""


@dataclass(slots=True)
class _State:
    """The formatting of a group."""

    to: str = to.TEXT
    font: int = 0
    marks: int = 0
    is_hidden: bool = False
    skipped: int = 1
    """Fallback characters after a Unicode character, for older programs."""
    style: int = 0
    outline: int | None = None
    list_level: int | None = None
    indent: int = 0
    hangs: bool = False
    """The first line begins left of the others."""
    depth: int = 0
    """Of tables."""
    is_start: bool = True
    """Nothing was read in the group yet, so a word may name its destination."""
    is_optional: bool = False


@dataclass(slots=True)
class _RtfStyle:
    name: str = ""
    outline: int | None = None


@dataclass(slots=True)
class _Font:
    name: str = ""
    encoding: str = ""


def read_rtf(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a document of the Rich Text Format."""
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n\0").startswith(b"{\\rtf"):
        raise CorruptFile("not an RTF file: save it again with the program that made it")
    reader = _RtfReader(comments=options.comments)
    reader.read(data)
    text = read_generated(reader.html(), options)
    if not text:
        raise ExtractError("no text found in this RTF file: it may be empty, or hold only pictures")
    return Extracted(text, title=reader.title, warnings=reader.left_out.warnings())


def _set_hidden(state: _State, number: int | None) -> None:
    state.is_hidden = number != 0


def _set_font(state: _State, number: int | None) -> None:
    state.font = number or 0


def _set_skipped(state: _State, number: int | None) -> None:
    state.skipped = max(0, min(number or 0, 20))


def _set_style(state: _State, number: int | None) -> None:
    state.style = number or 0


def _end_raised(state: _State, _number: int | None) -> None:
    state.marks &= ~(RAISED | LOWERED)


_STATE_CHANGES: Final[Mapping[bytes, Callable[[_State, int | None], None]]] = {
    b"nosupersub": _end_raised,
    b"v": _set_hidden,
    b"deleted": _set_hidden,
    b"f": _set_font,
    b"uc": _set_skipped,
    b"s": _set_style,
}
"""Words that change the formatting of a group."""


class _RtfReader:
    def __init__(self, *, comments: bool) -> None:
        self._comments = comments
        self._pages = [RtfPage()]
        """The document, and inside it the notes that are open."""
        self._stack: list[_State] = []
        self._state = _State()
        self._encoding = charsets.DEFAULT
        self._fonts: dict[int, _Font] = {}
        self._default_font = 0
        self._styles: dict[int, _RtfStyle] = {}
        self._bytes: list[bytes] = []
        self._pieces: list[Piece] = []
        self._waiting: list[list[Piece]] = []
        """Pieces of the interrupted paragraphs."""
        self._label: str | None = None
        self._link = ""
        self._author = ""
        self._to_skip = 0
        self._edges: dict[int, list[int]] = {}
        """Right edges of the cells of the next row, by table depth."""
        self._mono = self._all = 0
        self.left_out = LeftOut()
        self.title = ""

    def html(self) -> str:
        """Return the document as HTML."""
        self._end_paragraph()
        html = self._pages[0].finish()
        return re.sub("</?code>", "", html) if self._mono > _MOSTLY * self._all else html

    def read(self, data: bytes) -> None:
        """Read all tokens."""
        if data.count(b"\\") + data.count(b"{") > MAX_MARKS:
            raise TooLarge(f"the RTF file has more than {MAX_MARKS:,} control words and groups: split it")
        for token in tokenize(data):
            kind = token.lastindex
            if kind == tokens.WORD:
                self._read_word(token[kind], None)
            elif kind == tokens.NUMBERED_WORD:
                self._read_word(token[tokens.WORD], int(token[kind]))
            elif kind == tokens.TEXT:
                self._read_text(token[kind])
            elif kind == tokens.BRACE:
                self._open() if token[kind] == b"{" else self._close()
            elif kind == tokens.HEX:
                self._read_text(bytes.fromhex(token[kind].decode()))
            elif kind == tokens.SYMBOL:
                self._read_symbol(token[kind])

    # ------------------------------------------------------------------ groups

    def _open(self) -> None:
        self._flush()
        self._to_skip = 0
        if len(self._stack) >= MAX_DEPTH:
            raise TooLarge(f"groups are nested more than {MAX_DEPTH:,} deep: save the RTF file again")
        self._stack.append(self._state)
        self._state = copy(self._state)
        self._state.is_start, self._state.is_optional = True, False

    def _close(self) -> None:
        self._flush()
        self._to_skip = 0
        if not self._stack:
            return
        ended, self._state = self._state, self._stack.pop()
        if ended.to != self._state.to:
            self._end_destination(ended)

    def _begin_destination(self, destination: str) -> None:
        outer = self._state.to
        if outer in (to.SKIPPED, to.FONTS, to.STYLES) or (outer == to.INFO and destination != to.TITLE):
            return
        if outer == to.SHAPE and destination not in to.INSIDE_OF_SHAPES:
            return
        if destination == to.COMMENT and not self._comments:
            self.left_out.add(COMMENTS)
            destination = to.SKIPPED
        self._state.to = destination
        if destination == to.RESULT and self._link:
            self._pieces.append((RAW, f'<a href="{self._link}">'))
        if destination in (to.LABEL, to.FIELD, to.BOX, to.NOTE, to.COMMENT, to.TITLE, to.AUTHOR):
            self._waiting.append(self._pieces)
            self._pieces = []
        if destination in (to.NOTE, to.COMMENT):
            self._pages.append(RtfPage())

    def _end_destination(self, ended: _State) -> None:
        if ended.to == to.RESULT and self._link:
            self._pieces.append((RAW, "</a>"))
            self._link = ""
        if ended.to == to.BOX:
            self._end_paragraph(ended)
        if ended.to not in (to.LABEL, to.FIELD, to.BOX, to.NOTE, to.COMMENT, to.TITLE, to.AUTHOR):
            return
        inner = self._pieces
        text = " ".join("".join([text for marks, text in inner if marks != RAW]).split())
        if ended.to in (to.NOTE, to.COMMENT):
            self._end_note(ended)
        self._pieces = self._waiting.pop() if ended.to not in (to.NOTE, to.COMMENT) else self._pieces
        if ended.to == to.LABEL:
            self._label = text
        elif ended.to == to.FIELD:
            found = _LINK.search(text)
            self._link = found[1].replace("&", "&amp;").replace("<", "%3C") if found else ""
        elif ended.to == to.TITLE:
            self.title = text
        elif ended.to == to.AUTHOR:
            self._author = text

    def _end_note(self, ended: _State) -> None:
        self._end_paragraph(ended)
        html = self._pages.pop().finish()
        if ended.to == to.COMMENT and self._author:
            html = f"<p>{write_inline([(0, self._author)])}:</p>{html}"
        self._pieces = self._waiting.pop()
        if html:
            self._pieces.append(self._pages[-1].refer_to_note(html))

    # ------------------------------------------------------------------ text

    def _read_text(self, data: bytes) -> None:
        self._state.is_start = False
        if self._to_skip:
            taken = min(self._to_skip, len(data))
            self._to_skip -= taken
            data = data[taken:]
        self._bytes.append(data)

    def _flush(self) -> None:
        if not self._bytes:
            return
        data = b"".join(self._bytes)
        self._bytes.clear()
        font = self._fonts.get(self._state.font)
        self._write(data.decode((font.encoding if font else "") or self._encoding, "replace"))

    def _write(self, text: str) -> None:
        state = self._state
        if state.to == to.FONTS:
            self._fonts.setdefault(state.font, _Font()).name += text.rstrip(";")
        elif state.to == to.STYLES:
            self._styles.setdefault(state.style, _RtfStyle()).name += text
        elif state.to not in (to.SKIPPED, to.SHAPE, to.INFO, to.ROW) and not state.is_hidden:
            font = self._fonts.get(state.font)
            is_mono = font is not None and stylenames.is_monospace(font.name)
            if state.to in _HOLD_PARAGRAPHS:
                self._all += len(text)
                self._mono += len(text) * is_mono
            self._pieces.append((state.marks | (CODE if is_mono else 0), text))

    def _read_symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self._state.is_optional = True
        elif symbol in (b"\n", b"\r"):
            self._end_paragraph()
        elif symbol in to.SYMBOLS:
            self._read_character(to.SYMBOLS[symbol])

    def _read_character(self, character: str) -> None:
        self._state.is_start = False
        if self._to_skip:
            self._to_skip -= 1
            return
        self._flush()
        self._write(character)

    # ------------------------------------------------------------------ words

    def _read_word(self, word: bytes, number: int | None) -> None:
        state = self._state
        if not state.is_start and word not in _KNOWN:
            return
        if word == b"u":
            self._read_unicode(number or 0)
            return
        if word in to.CHARACTERS:
            self._read_character(to.CHARACTERS[word])
            return
        self._flush()
        if state.is_start:
            state.is_start, outer = False, state.to
            destination = to.DESTINATIONS.get(word) or (to.SKIPPED if state.is_optional else "")
            if destination:
                self._begin_destination(destination)
                if word in _LEFT_OUT and outer in _HOLD_PARAGRAPHS:
                    self.left_out.add(_LEFT_OUT[word])
                return
        if state.to in _HOLD_PARAGRAPHS:
            self._read_layout(word, number)
        elif state.to == to.ROW:
            self._read_row(word, number)
        self._format(word, number)

    def _read_unicode(self, number: int) -> None:
        self._flush()
        self._state.is_start = False
        code = number % 0x10000 if -0x10000 < number < 0x10000 else number
        self._to_skip = 0
        self._read_character(chr(code) if code < 0x110000 else "\ufffd")
        self._to_skip = self._state.skipped

    def _format(self, word: bytes, number: int | None) -> None:
        """Apply a word to the text that follows."""
        state = self._state
        if mark := _MARKS.get(word):
            state.marks = state.marks | mark if number != 0 else state.marks & ~mark
        elif change := _STATE_CHANGES.get(word):
            change(state, number)
        elif change_document := _DOCUMENT_CHANGES.get(word):
            change_document(self, number)

    def set_plain(self, _number: int | None) -> None:
        """Return to the default font without marks."""
        self._state.marks, self._state.is_hidden, self._state.font = 0, False, self._default_font

    def set_default_font(self, number: int | None) -> None:
        """Set the font of all text that names none."""
        self._state.font = self._default_font = number or 0

    def set_outline_level(self, number: int | None) -> None:
        """Set the outline level of the paragraph, or of the style that is being defined."""
        if self._state.to == to.STYLES:
            self._styles.setdefault(self._state.style, _RtfStyle()).outline = number
        self._state.outline = number

    def set_font_encoding(self, encoding: str) -> None:
        """Set the encoding of the font that is being defined."""
        if self._state.to == to.FONTS:
            self._fonts.setdefault(self._state.font, _Font()).encoding = encoding

    def set_encoding(self, encoding: str) -> None:
        """Set the encoding of text whose font has none."""
        self._encoding = encoding

    def set_platform(self, word: bytes) -> None:
        """Set the encoding by the platform that the header of the file names."""
        if len(self._stack) == 1:
            self._encoding = charsets.of_document(word)

    def _read_layout(self, word: bytes, number: int | None) -> None:
        """Apply a word to paragraphs and tables."""
        state = self._state
        if word in _ENDS_PARAGRAPH:
            self._end_paragraph()
        elif word == b"pard":
            state.style, state.outline, state.list_level = 0, None, None
            state.depth, state.indent, state.hangs = 0, 0, False
        elif word == b"intbl":
            state.depth = max(1, state.depth)
        elif word == b"itap":
            state.depth = max(0, min(number or 0, MAX_TABLE_DEPTH))
        elif word == b"ls":
            state.list_level = state.list_level or 0
        elif word == b"ilvl":
            state.list_level = number or 0
        elif word == b"li":
            state.indent = number or 0
        elif word == b"fi":
            state.hangs = (number or 0) < 0
        elif word == b"cell":
            self._end_cell(1)
        elif word == b"nestcell":
            self._end_cell(max(2, state.depth))
        else:
            self._read_row(word, number)

    def _read_row(self, word: bytes, number: int | None) -> None:
        depth = max(2, self._state.depth) if self._state.to == to.ROW else 1
        if word == b"trowd":
            self._edges[depth] = []
        elif word == b"cellx" and len(self._edges.setdefault(depth, [])) < MAX_COLUMNS:
            self._edges[depth].append(number or 0)
        elif word in (b"row", b"nestrow"):
            self._pages[-1].end_row(depth, tuple(self._edges.get(depth, ())))

    def _end_cell(self, depth: int) -> None:
        self._end_paragraph(replace(self._state, depth=depth))
        self._pages[-1].end_cell(depth)

    def _end_paragraph(self, state: _State | None = None) -> None:
        self._flush()
        state = state or self._state
        pieces, self._pieces = self._pieces, []
        label, self._label = self._label, None
        if not pieces and not state.style:
            return
        pieces, meaning = _joined(pieces), self._meaning(state)
        if meaning != stylenames.CODE and not any(marks == RAW or text.strip() for marks, text in pieces):
            return
        level = state.list_level
        if label is None and level is None and state.hangs:
            label, level = take_typed_label(pieces), state.indent
        elif label is None and level is not None:
            label = ""
        paragraph = Paragraph(pieces, meaning, label, level or 0)
        self._pages[-1].add(paragraph, state.depth)

    def _meaning(self, state: _State) -> str:
        style = self._styles.get(state.style, _RtfStyle())
        outline = state.outline if state.outline is not None else style.outline
        if outline is not None and 0 <= outline < 9:
            return str(min(outline + 1, 6))
        return stylenames.meaning_of(style.name.partition(";")[0])


_DOCUMENT_CHANGES: Final[Mapping[bytes, Callable[[_RtfReader, int | None], None]]] = {
    b"plain": _RtfReader.set_plain,
    b"deff": _RtfReader.set_default_font,
    b"outlinelevel": _RtfReader.set_outline_level,
    b"fcharset": lambda reader, number: reader.set_font_encoding(charsets.of_font(number or 0)),
    b"cpg": lambda reader, number: reader.set_font_encoding(code_page(number or 0)),
    b"ansicpg": lambda reader, number: reader.set_encoding(code_page(number or 0) or charsets.DEFAULT),
    b"mac": lambda reader, _: reader.set_platform(b"mac"),
    b"pc": lambda reader, _: reader.set_platform(b"pc"),
    b"pca": lambda reader, _: reader.set_platform(b"pca"),
}
"""Words that change fonts, styles and encodings."""


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Put the two halves of a character together that Word writes apart."""
    if not any("\ud800" <= text[-1:] <= "\udbff" for _, text in pieces):
        return pieces
    joined: list[Piece] = []
    for marks, text in pieces:
        if joined and joined[-1][0] == marks:
            joined[-1] = marks, joined[-1][1] + text
        else:
            joined.append((marks, text))
    return [(marks, text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")) for marks, text in joined]
