"""The content of a paragraph: runs, links, fields, notes, images and equations -> pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from lxml import etree

from crosshead.formats.office.docx.names import BOOKMARK, NOT_TEXT, RELATIONSHIP_ID, TEXT_BOX, M, W
from crosshead.formats.office.docx.notes import Notes
from crosshead.formats.office.docx.paragraph.fields import Fields, link_target
from crosshead.formats.office.docx.paragraph.math import latex
from crosshead.formats.office.docx.paragraph.pieces import (
    BREAK,
    DISPLAY_MATH,
    FINISHED,
    IN_DOCUMENT,
    LINK_END,
    LINK_START,
    Piece,
)
from crosshead.formats.office.docx.paragraph.tasks import control_box, field_box
from crosshead.formats.office.docx.styles import StyleSheet
from crosshead.formats.office.openxml.drawing import (
    ALTERNATE_CONTENT,
    A,
    alternative_text,
    chosen_alternative,
    is_picture,
)
from crosshead.formats.office.openxml.graphics import has_graphic
from crosshead.formats.office.openxml.opc import Relationship
from crosshead.formats.shared import gfm
from crosshead.formats.shared.omissions import PICTURES, LeftOut

_RUN = f"{W}r"
_RUN_PROPERTIES = f"{W}rPr"
_TEXT = f"{W}t"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_BLIP = f"{A}blip"
_OLD_PICTURE = "{urn:schemas-microsoft-com:vml}imagedata"
_EMBED = RELATIONSHIP_ID.replace("}id", "}embed")
_SMALL = re.compile(r"(?:width|height):(?:[0-9]|[12][0-9]|3[0-5])(?:\.[0-9]*)?pt")
"""Lower or narrower than half an inch: a line or an icon."""
_SCRIPT = re.compile(r"\s*(?:javascript|vbscript|data):", re.I)
_SYMBOLS: Final = {
    0xF0FC: "✓", 0xF0FB: "✗", 0xF0FE: "☑", 0xF0FD: "☒", 0xF0A8: "☐", 0xF06F: "☐", 0xF0E0: "→", 0xF0DF: "←",
    0xF0E1: "↑", 0xF0E2: "↓", 0xF0F0: "⇨", 0xF0B7: "•", 0xF0A7: "▪", 0xF0D8: "➢", 0xF04A: "☺", 0xF0AE: "→",
    0xF071: "☐", 0xF072: "☐",
}  # fmt: skip
_PRIVATE_USE: Final = range(0xE000, 0xF900)

Stack = list[Any]
"""Elements that are still to be read, the next one last; `_After` marks where something is to be written."""


class _After:
    """A piece that follows the content of an element."""

    tag = "after"

    def __init__(self, piece: Piece) -> None:
        self.piece = piece


class InlineReader:
    """Reads the paragraphs of one part."""

    def __init__(
        self, styles: StyleSheet, notes: Notes, relationships: Mapping[str, Relationship], left_out: LeftOut
    ) -> None:
        self._run_marks = styles.run_marks
        self.left_out = left_out
        self.notes = notes
        self.relationships = relationships
        self.fields = Fields()
        self.boxes: list[etree._Element] = []
        """Text boxes that were met."""
        self.graphics: list[etree._Element] = []
        """Drawings with charts or diagrams that were met."""
        self.bookmarks: list[str] = []
        """Bookmarks that were met."""

    def read(self, paragraph: etree._Element) -> list[Piece]:
        """Return the pieces of a paragraph."""
        pieces: list[Piece] = []
        stack: Stack = paragraph[::-1]
        marks = 0
        while stack:
            element = stack.pop()
            tag = element.tag
            if tag == _RUN:
                marks = 0
                for index, child in enumerate(element):
                    tag = child.tag
                    if tag == _TEXT:
                        if child.text:
                            pieces.append((marks, child.text))
                    elif tag == _RUN_PROPERTIES:
                        marks = self._run_marks(child)
                    else:
                        stack += element[index:][::-1]
                        break
            elif tag == _TEXT:
                if element.text:
                    pieces.append((marks, element.text))
            elif tag in _HANDLERS:
                _HANDLERS[tag](self, element, stack, pieces, marks)
            else:
                stack += element[::-1]
        self.fields.leave_paragraph(pieces)
        return pieces


Handler = Callable[[InlineReader, Any, Stack, list[Piece], int], None]


def _skip(_reader: InlineReader, _element: Any, _stack: Stack, _pieces: list[Piece], _marks: int) -> None:
    return


def _after(_reader: InlineReader, element: Any, _stack: Stack, pieces: list[Piece], _marks: int) -> None:
    pieces.append(element.piece)


def _tab(_reader: InlineReader, _element: Any, _stack: Stack, pieces: list[Piece], marks: int) -> None:
    pieces.append((marks, "\t"))


def _break(_reader: InlineReader, element: Any, _stack: Stack, pieces: list[Piece], _marks: int) -> None:
    is_page = element.get(f"{W}type") in ("page", "column")
    pieces.append((0, " ") if is_page else (BREAK, ""))


def _hyphen(_reader: InlineReader, _element: Any, _stack: Stack, pieces: list[Piece], marks: int) -> None:
    pieces.append((marks, "-"))


def _symbol(_reader: InlineReader, element: Any, _stack: Stack, pieces: list[Piece], marks: int) -> None:
    try:
        code = int(element.get(f"{W}char") or "", 16)
        text = _SYMBOLS.get(code) or ("" if code in _PRIVATE_USE else chr(code))
    except (ValueError, OverflowError):
        return
    pieces.append((marks, text))


def _hyperlink(reader: InlineReader, element: Any, stack: Stack, pieces: list[Piece], _marks: int) -> None:
    found = reader.relationships.get(element.get(RELATIONSHIP_ID) or "")
    anchor = element.get(f"{W}anchor") or ""
    if found is not None and found.part is None:
        target: str | None = f"{found.target}#{anchor}" if anchor else found.target
    else:
        target = f"{IN_DOCUMENT}{anchor}" if anchor else None
    _link(target, element, stack, pieces)


def _simple_field(_reader: InlineReader, element: Any, stack: Stack, pieces: list[Piece], _marks: int) -> None:
    _link(link_target(element.get(f"{W}instr") or ""), element, stack, pieces)


def _link(target: str | None, element: Any, stack: Stack, pieces: list[Piece]) -> None:
    if target is not None and not _SCRIPT.match(target):
        pieces.append((LINK_START, target))
        stack.append(_After((LINK_END, "")))
    stack += element[::-1]


def _field_step(reader: InlineReader, element: Any, _stack: Stack, pieces: list[Piece], _marks: int) -> None:
    reader.fields.step(element.get(f"{W}fldCharType"), pieces)
    if len(element) and (box := field_box(element)):
        pieces.append((0, box))


def _field_instruction(reader: InlineReader, element: Any, _stack: Stack, _pieces: list[Piece], _marks: int) -> None:
    reader.fields.instruct(element.text)


def _note(kind: str) -> Handler:
    def refer(reader: InlineReader, element: Any, _stack: Stack, pieces: list[Piece], _marks: int) -> None:
        label = reader.notes.refer(kind, element.get(f"{W}id"))
        if label is not None:
            pieces.append((FINISHED, gfm.footnote_reference(label)))

    return refer


def _drawing(reader: InlineReader, element: Any, stack: Stack, pieces: list[Piece], _marks: int) -> None:
    alt = alternative_text(element.find(f".//{_DRAWING}docPr"))
    if has_graphic(element):
        reader.graphics.append(element)
        pieces.append((0, alt))
    elif alt:
        pieces += (0, " "), (FINISHED, gfm.image(alt, _image_target(reader, element))), (0, " ")
    elif is_picture(element):
        reader.left_out.add(PICTURES)
    stack += element[::-1]


def _old_picture(reader: InlineReader, element: Any, _stack: Stack, pieces: list[Piece], _marks: int) -> None:
    """A picture of older programs; inside an object it is only what the object looks like."""
    shape = element.getparent()
    alt = (shape.get("alt") or "").strip()
    if next(element.iterancestors(f"{W}object"), None) is not None:
        return
    if alt:
        found = reader.relationships.get(element.get(RELATIONSHIP_ID) or "")
        pieces += (0, " "), (FINISHED, gfm.image(alt, found.target if found else "")), (0, " ")
    elif not _SMALL.search((shape.get("style") or "").replace(" ", "")):
        reader.left_out.add(PICTURES)


def _control(_reader: InlineReader, element: Any, stack: Stack, pieces: list[Piece], marks: int) -> None:
    box = control_box(element)
    if box:
        pieces.append((0, box))
    else:
        stack += element[::-1]


def _image_target(reader: InlineReader, element: Any) -> str:
    blip = next(element.iter(_BLIP), None)
    found = None if blip is None else reader.relationships.get(blip.get(_EMBED) or "")
    return "" if found is None else found.target


def _text_box(reader: InlineReader, element: Any, _stack: Stack, _pieces: list[Piece], _marks: int) -> None:
    reader.boxes.append(element)


def _bookmark(reader: InlineReader, element: Any, _stack: Stack, _pieces: list[Piece], _marks: int) -> None:
    reader.bookmarks.append(element.get(f"{W}name") or "")


def _alternatives(_reader: InlineReader, element: Any, stack: Stack, _pieces: list[Piece], _marks: int) -> None:
    chosen = chosen_alternative(element)
    if chosen is not None:
        stack += chosen[::-1]


def _ruby(_reader: InlineReader, element: Any, stack: Stack, _pieces: list[Piece], marks: int) -> None:
    reading = "".join([each.text or "" for each in element.iterfind(f"{W}rt//{_TEXT}")])
    stack.append(_After((marks, f"({reading})" if reading else "")))
    stack += element.findall(f"{W}rubyBase")


def _equation(_reader: InlineReader, element: Any, _stack: Stack, pieces: list[Piece], _marks: int) -> None:
    if text := latex(element):
        pieces.append((FINISHED, gfm.math(text)))


def _display_equation(_reader: InlineReader, element: Any, _stack: Stack, pieces: list[Piece], _marks: int) -> None:
    if text := latex(element):
        pieces.append((DISPLAY_MATH, text))


_HANDLERS: Final[dict[str, Handler]] = {
    **dict.fromkeys(NOT_TEXT, _skip),
    _After.tag: _after,
    f"{W}tab": _tab,
    f"{W}ptab": _tab,
    f"{W}br": _break,
    f"{W}cr": _break,
    f"{W}noBreakHyphen": _hyphen,
    f"{W}sym": _symbol,
    f"{W}hyperlink": _hyperlink,
    f"{W}fldSimple": _simple_field,
    f"{W}fldChar": _field_step,
    f"{W}instrText": _field_instruction,
    f"{W}footnoteReference": _note("footnote"),
    f"{W}endnoteReference": _note("endnote"),
    f"{W}commentReference": _note("comment"),
    f"{W}drawing": _drawing,
    f"{W}ruby": _ruby,
    f"{W}sdt": _control,
    _OLD_PICTURE: _old_picture,
    TEXT_BOX: _text_box,
    BOOKMARK: _bookmark,
    ALTERNATE_CONTENT: _alternatives,
    f"{M}oMath": _equation,
    f"{M}oMathPara": _display_equation,
}
