"""The blocks of a part, in order: paragraphs and tables, also inside controls, insertions and text boxes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree

from crosshead.formats.office.docx.anchors import Anchors
from crosshead.formats.office.docx.blocks import Blocks
from crosshead.formats.office.docx.chunks import ChunkReader
from crosshead.formats.office.docx.names import (
    BOOKMARK,
    INDENT,
    NOT_TEXT,
    PARAGRAPH,
    RELATIONSHIP_ID,
    TABLE,
    VAL,
    Indent,
    W,
    indent_of,
)
from crosshead.formats.office.docx.notes import DocxNote, Notes
from crosshead.formats.office.docx.numbering import Label, Numbering
from crosshead.formats.office.docx.paragraph.inline import InlineReader
from crosshead.formats.office.docx.paragraph.pieces import Piece, is_code, is_display_math, plain_text, render
from crosshead.formats.office.docx.paragraph.tasks import as_task, task_box
from crosshead.formats.office.docx.styles import BODY_TEXT_LEVEL, Meaning, StyleSheet, outline_level
from crosshead.formats.office.docx.tables import content_of, only_cell, render_table, table_indent
from crosshead.formats.office.openxml.drawing import ALTERNATE_CONTENT, chosen_alternative
from crosshead.formats.office.openxml.graphics import Graphics
from crosshead.formats.office.openxml.opc import OpcPackage
from crosshead.formats.shared import gfm

_PROPERTIES = f"{W}pPr"
_STYLE = f"{W}pStyle"
_OUTLINE = f"{W}outlineLvl"
_NUMBERING = f"{W}numPr"
_FRAME = f"{W}framePr"
_EMBEDDED = f"{W}altChunk"
_TASK = Label(0, "bullet", 0, "☐")


class Role(NamedTuple):
    """The structural role of a paragraph."""

    kind: str = "text"
    level: int = 0
    label: Label | None = None
    indent: int = 0
    """Indentation of its text, in twentieths of a point; 0 if it is that of body text."""


_PLAIN = Role()
_INITIAL = Role("initial")


@dataclass(frozen=True, slots=True)
class Definitions:
    """Definitions that the paragraphs of all parts refer to."""

    styles: StyleSheet
    numbering: Numbering
    anchors: Anchors
    package: OpcPackage
    graphics: Graphics
    chunks: ChunkReader
    heading_numbers: bool = False


class BodyReader:
    """Reads the blocks of one part."""

    def __init__(self, definitions: Definitions, notes: Notes, part: str) -> None:
        self._definitions = definitions
        self._notes = notes
        self._part = part
        package = definitions.package
        self._inline = InlineReader(definitions.styles, notes, package.relationships(part), package.left_out)
        self._blocks = Blocks()
        self._initial = ""
        """A letter that was set apart because it is large, and begins the next paragraph."""

    def read(self, container: etree._Element) -> str:
        """Return the Markdown of all that an element holds."""
        stack = container[::-1]
        while stack:
            element = stack.pop()
            tag = element.tag
            if tag == PARAGRAPH:
                if len(element):
                    self._read_paragraph(element)
                    self._queue_boxes(stack)
                else:
                    self._blocks.add_empty()
            elif tag == TABLE:
                stack += self._read_table(element)
                self._queue_boxes(stack)
            elif tag == BOOKMARK:
                self._inline.bookmarks.append(element.get(f"{W}name") or "")
            elif tag == ALTERNATE_CONTENT:
                chosen = chosen_alternative(element)
                stack += [] if chosen is None else chosen[::-1]
            elif tag == _EMBEDDED:
                text = self._definitions.chunks.read(self._part, element.get(RELATIONSHIP_ID) or "")
                if text:
                    self._blocks.add_finished(text)
            elif tag not in NOT_TEXT:
                stack += element[::-1]
        if self._initial:
            self._blocks.add_paragraph(gfm.escape(self._initial))
        self._define_notes()
        return self._blocks.text()

    def _queue_boxes(self, stack: list[etree._Element]) -> None:
        """Charts, diagrams and text boxes follow the paragraph that they are anchored to."""
        for graphic in self._inline.graphics:
            for block in self._definitions.graphics.blocks(graphic, self._part):
                self._blocks.add_finished(block)
        self._inline.graphics.clear()
        if self._inline.boxes:
            for box in reversed(self._inline.boxes):
                stack += box[::-1]
            self._inline.boxes.clear()

    def _read_paragraph(self, paragraph: etree._Element) -> None:
        role = self._role(paragraph)
        pieces = self._inline.read(paragraph)
        if role is _INITIAL:
            self._initial += plain_text(pieces).strip("\n")
            return
        if self._initial and pieces:
            pieces, self._initial = [(max(0, pieces[0][0]), self._initial), *pieces], ""
        if role.kind == "heading":
            self._write_heading(role, pieces)
        elif role.label is not None:
            self._write_labeled(role, role.label, pieces)
        else:
            self._write_text(role, pieces)

    def _write_text(self, role: Role, pieces: list[Piece]) -> None:
        if role.kind == "code" or is_code(pieces):
            self._blocks.add_code(plain_text(pieces), role.indent)
        elif is_display_math(pieces):
            tex = "\n".join([text for _, text in pieces if not text.isspace()])
            self._blocks.add_finished(gfm.math_block(tex), role.indent)
        elif not (text := render(pieces)):
            self._blocks.add_empty()
        elif role.kind == "quote":
            self._blocks.add_quote(text, role.indent)
        elif task := as_task(text):
            self._blocks.add_item(_TASK, task, role.indent)
        else:
            self._blocks.add_paragraph(text, role.indent)

    def _write_heading(self, role: Role, pieces: list[Piece]) -> None:
        text = render(pieces, emphasis=False).replace("\n", " ")
        if not text:
            return
        if self._definitions.heading_numbers and role.label is not None and role.label.kind != "bullet":
            text = f"{gfm.escape(role.label.text)} {text}"
        self._define_notes()
        self._blocks.add_heading(role.level, text)
        self._definitions.anchors.add_heading(text, self._inline.bookmarks)
        self._inline.bookmarks.clear()

    def _write_labeled(self, role: Role, label: Label, pieces: list[Piece]) -> None:
        text = render(pieces)
        if not text:
            return
        if "\n" in text and (role.kind == "code" or is_code(pieces)):
            self._blocks.add_item_code(label, plain_text(pieces), role.indent)
        elif label.kind == "text":
            self._blocks.add_paragraph(f"{gfm.escape(label.text)} {text}", role.indent)
        else:
            box = task_box(label.text)
            self._blocks.add_item(label, as_task(text) or (f"{box} {text}" if box else text), role.indent)

    def _role(self, paragraph: etree._Element) -> Role:
        properties = paragraph[0] if len(paragraph) else None
        if properties is None or properties.tag != _PROPERTIES:
            return _PLAIN
        own = {element.tag: element for element in properties}
        if _FRAME in own and own[_FRAME].get(f"{W}dropCap") in ("drop", "margin"):
            return _INITIAL
        style_id = own[_STYLE].get(VAL) if _STYLE in own else None
        style = self._definitions.styles.meaning(style_id)
        kind, level = _kind_and_level(own.get(_OUTLINE), style)
        label = self._label(own.get(_NUMBERING), style, style_id, is_heading=kind == "heading")
        indent = _indent(own, style, label)
        if indent is None:
            return Role(kind, level, label)
        start = indent.left if label else indent.left - indent.hanging
        return Role(kind, level, label, start if start > self._definitions.styles.body_indent else 0)

    def _label(
        self, numbering: etree._Element | None, style: Meaning, style_id: str | None, *, is_heading: bool
    ) -> Label | None:
        num_id, num_level = style.num_id, style.num_level
        if numbering is not None:
            num_id, num_level = _own_numbering(numbering, num_id, num_level)
        if num_id is None:
            return None
        in_full = is_heading and self._definitions.heading_numbers
        return self._definitions.numbering.label(num_id, num_level, style_id, in_full=in_full)

    def _read_table(self, table: etree._Element) -> list[etree._Element]:
        """Write a table; of a frame around text, return the text instead."""
        cell = only_cell(table)
        if cell is not None:
            content: list[etree._Element] = cell[::-1]
            return content
        text = render_table(table, self._cell_lines)
        if text:
            self._blocks.add_finished(text, table_indent(table))
        return []

    def _cell_lines(self, paragraph: etree._Element, is_first: bool) -> list[str]:
        role = self._role(paragraph)
        pieces = self._inline.read(paragraph)
        if role.kind == "code":
            return [gfm.code_span(line) for line in plain_text(pieces).split("\n") if line.strip()]
        text = render(pieces, emphasis=not is_first)
        if text and role.label is not None and role.kind != "heading":
            text = f"{gfm.escape(role.label.text)} {text}" if role.label.kind == "text" else f"- {text}"
        return [line for line in [text, *self._box_lines()] if line]

    def _box_lines(self) -> list[str]:
        """Return the lines of the text boxes in a cell, and of those inside them."""
        lines = []
        boxes = self._inline.boxes
        for box in boxes:  # grows while it is read
            lines += [render(self._inline.read(each)) for each in content_of(box, PARAGRAPH)]
        boxes.clear()
        return lines

    def _define_notes(self) -> None:
        for note in self._notes.take_pending():
            text = self._read_note(note).strip()
            if text:
                self._blocks.add_finished(gfm.footnote(note.label, gfm.guard_note(text)))

    def _read_note(self, note: DocxNote) -> str:
        reader = BodyReader(self._definitions, Notes(None), self._notes.part(note.kind))
        text = reader.read(note.element)
        author = note.author()
        return f"{gfm.escape(author)}: {text}" if author else text


def _kind_and_level(outline: etree._Element | None, style: Meaning) -> tuple[str, int]:
    """Return what a paragraph is; its own outline level overrides its style, unless `style_map` names the style."""
    level = None if outline is None or style.is_given else outline_level(outline.get(VAL))
    if level is None:
        return style.kind, style.level
    return ("heading", level + 1) if level < BODY_TEXT_LEVEL else ("text", 0)


def _indent(own: Mapping[str, etree._Element], style: Meaning, label: Label | None) -> Indent | None:
    """Return the indentation of a paragraph: from its properties, else its list, its style or the style's list."""
    in_list = label.indent if label else None
    inherited = in_list or style.indent if _NUMBERING in own else style.indent or in_list
    return (indent_of(own[INDENT]) if INDENT in own else None) or inherited


def _own_numbering(
    numbering: etree._Element, num_id: str | None, num_level: str | None
) -> tuple[str | None, str | None]:
    """Return the numbering of the paragraph, which overrides that of its style."""
    for each in numbering:
        if each.tag == f"{W}numId":
            num_id = each.get(VAL)
        elif each.tag == f"{W}ilvl":
            num_level = each.get(VAL)
    return num_id, num_level
