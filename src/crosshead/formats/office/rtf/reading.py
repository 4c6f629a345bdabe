"""One pass over the tokens of RTF.

A group inherits the formatting of the group around it, and gives it back when it ends. Text boxes, notes and labels
interrupt a paragraph, whose pieces wait until they end.
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import replace
from typing import Final

from crosshead.errors import TooLarge
from crosshead.formats.office.rtf import charsets, definitions, formatting, tokens
from crosshead.formats.office.rtf import destinations as to
from crosshead.formats.office.rtf.definitions import PLATFORMS, RtfDefinitions
from crosshead.formats.office.rtf.formatting import Formatting
from crosshead.formats.office.rtf.page import CODE, RAW, Paragraph, Piece, RtfPage, take_typed_label, write_inline
from crosshead.formats.office.rtf.tokens import tokenize
from crosshead.formats.shared import style_names
from crosshead.formats.shared.omissions import COMMENTS, FORMULAS, OBJECTS, PICTURES, LeftOut

MAX_DEPTH: Final = 5_000
MAX_MARKS: Final = 800_000
"""Reading more takes longer than five seconds."""
MAX_COLUMNS: Final = 1_000
_LINK: Final = re.compile(r'HYPERLINK\s+"([^"]{1,2000})"', re.I)
"""A link within the document has a switch before its target and stays text."""
_MOSTLY: Final = 0.7
_ENDS_PARAGRAPH: Final = (b"par", b"sect", b"page")
_ROW_WORDS: Final = (b"trowd", b"cellx", b"row", b"nestrow")
_LEFT_OUT: Final = {
    b"shppict": PICTURES, b"pict": PICTURES, b"objdata": OBJECTS, b"moMath": FORMULAS, b"moMathPara": FORMULAS
}  # fmt: skip
_HOLD_PARAGRAPHS: Final = (to.TEXT, to.RESULT, to.BOX, to.NOTE, to.COMMENT)
_INTERRUPT: Final = (to.LABEL, to.FIELD, to.BOX, to.NOTE, to.COMMENT, to.TITLE, to.AUTHOR)
"""Destinations whose pieces are not part of the paragraph around them."""
_KNOWN: Final = frozenset((
    *formatting.WORDS, *definitions.WORDS, *to.CHARACTERS, *_ENDS_PARAGRAPH, *_ROW_WORDS,
    b"u", b"plain", b"cell", b"nestcell",
))  # fmt: skip
"""Most other words are about layout."""


class RtfReader:
    """Reads one document."""

    def __init__(self, *, comments: bool) -> None:
        self._comments = comments
        self._pages = [RtfPage()]
        """The document, and inside it the notes that are open."""
        self._stack: list[Formatting] = []
        self._state = Formatting()
        self._definitions = RtfDefinitions()
        self._bytes: list[bytes] = []
        self._pieces: list[Piece] = []
        self._interrupted: list[list[Piece]] = []
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
        if destination in _INTERRUPT:
            self._interrupted.append(self._pieces)
            self._pieces = []
        if destination in (to.NOTE, to.COMMENT):
            self._pages.append(RtfPage())

    def _end_destination(self, ended: Formatting) -> None:
        if ended.to == to.RESULT and self._link:
            self._pieces.append((RAW, "</a>"))
            self._link = ""
        if ended.to == to.BOX:
            self._end_paragraph(ended)
        if ended.to not in _INTERRUPT:
            return
        inner = self._pieces
        text = " ".join("".join([text for marks, text in inner if marks != RAW]).split())
        if ended.to in (to.NOTE, to.COMMENT):
            self._end_note(ended)
        self._pieces = self._interrupted.pop() if ended.to not in (to.NOTE, to.COMMENT) else self._pieces
        if ended.to == to.LABEL:
            self._label = text
        elif ended.to == to.FIELD:
            link = _LINK.search(text)
            self._link = link[1].replace("&", "&amp;").replace("<", "%3C") if link else ""
        elif ended.to == to.TITLE:
            self.title = text
        elif ended.to == to.AUTHOR:
            self._author = text

    def _end_note(self, ended: Formatting) -> None:
        self._end_paragraph(ended)
        html = self._pages.pop().finish()
        if ended.to == to.COMMENT and self._author:
            html = f"<p>{write_inline([(0, self._author)])}:</p>{html}"
        self._pieces = self._interrupted.pop()
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
        self._write(self._definitions.decode(data, self._state.font))

    def _write(self, text: str) -> None:
        state = self._state
        if state.to == to.FONTS:
            self._definitions.name_font(state.font, text)
        elif state.to == to.STYLES:
            self._definitions.name_style(state.style, text)
        elif state.to not in (to.SKIPPED, to.SHAPE, to.INFO, to.ROW) and not state.is_hidden:
            is_mono = self._definitions.is_monospace(state.font)
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
        """Apply a word to the text that follows, and to what the document defines."""
        if word == b"plain":
            self._state.clear_marks(self._definitions.default_font)
        elif word not in PLATFORMS:
            self._state.apply(word, number)
            self._definitions.apply(word, number, self._state)
        elif len(self._stack) == 1:
            self._definitions.encoding = charsets.of_document(word)

    def _read_layout(self, word: bytes, number: int | None) -> None:
        """Apply a word to paragraphs and tables."""
        if word in _ENDS_PARAGRAPH:
            self._end_paragraph()
        elif word == b"cell":
            self._end_cell(1)
        elif word == b"nestcell":
            self._end_cell(max(2, self._state.depth))
        elif word in _ROW_WORDS:
            self._read_row(word, number)
        else:
            self._state.apply_to_paragraph(word, number)

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

    def _end_paragraph(self, state: Formatting | None = None) -> None:
        self._flush()
        state = state or self._state
        pieces, self._pieces = self._pieces, []
        label, self._label = self._label, None
        if not pieces and not state.style:
            return
        pieces, meaning = _joined(pieces), self._definitions.meaning(state)
        if meaning != style_names.CODE and not any(marks == RAW or text.strip() for marks, text in pieces):
            return
        level = state.list_level
        if label is None and level is None and state.hangs:
            label, level = take_typed_label(pieces), state.indent
        elif label is None and level is not None:
            label = ""
        paragraph = Paragraph(pieces, meaning, label, level or 0)
        self._pages[-1].add(paragraph, state.depth)


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
