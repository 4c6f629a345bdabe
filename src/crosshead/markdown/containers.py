"""Lists, quotes and footnotes: blocks whose lines hold other blocks.

The container algorithm of CommonMark, reduced to what chunking needs: where the container ends, where its items
start, and which lines inside belong to an atom. For every line

  1. match the open containers (`stack`) against its indentation and `>` marks
  2. an open fence or HTML block takes the line as it is
  3. a blank line ends paragraphs, tables and quotes
  4. otherwise new containers and leaves open, the line continues a paragraph (perhaps lazily),
     or the container ends
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from crosshead.markdown.mdx import MdxReader
from crosshead.markdown.syntax import (
    ATX_HEADING,
    BULLET,
    FENCE,
    FOOTNOTE,
    HTML_OPEN,
    HTML_SINGLE_TAG,
    MATH_OPEN,
    MAX_UNCLOSED,
    ORDERED,
    PLAIN_LINE_BREAKERS,
    RULE,
    SETEXT_UNDERLINE,
    SIMPLE_ITEM,
    fence_language,
    html_end,
    html_ends_at_once,
    is_table_start,
    last_filled,
    math_closes,
)
from crosshead.types import BlockKind

MAX_DEPTH = 100
"""Deeper nesting is text, because hostile input would make it quadratic."""

QUOTE = -1
"""Entry of the stack for a quote; any other entry is the indentation that an item's content needs."""
FOOTNOTE_INDENT = 4

NO_LEAF, PARAGRAPH, FENCED, INDENTED, HTML, TABLE = "", "paragraph", "fenced", "indented", "html", "table"
_RAW_LEAVES = (FENCED, HTML)
_OPENERS = PLAIN_LINE_BREAKERS | {"{"}
_ATOM_KINDS: dict[str, BlockKind] = {FENCED: "code", INDENTED: "code", TABLE: "table"}


class Atom(NamedTuple):
    """Lines inside a container that must not be cut, as half-open 0-based line numbers."""

    kind: BlockKind
    first: int
    end: int
    lang: str = ""


class _ContainerLine(NamedTuple):
    """A line without tabs, and the position up to which the open containers match it."""

    text: str
    content: int
    """Column of the innermost matched container's content."""
    at: int
    """The first non-space character there."""
    matched: int


class ContainerReader:
    """Reads the list, quote or footnote that starts at a line."""

    leaf = NO_LEAF
    fence = ""
    html_ends: Callable[..., re.Match[str] | None] | None = None
    atom_start = 0
    atom_lang = ""
    marker = ""
    """Character that ends the marker of the outermost list; another one starts a new list."""
    indent_left = 0
    """Columns before the marker of a nested item, beyond the indentation of its parent."""
    empty_item = -2
    """Line of an item without text so far: a blank line after it ends it."""
    paragraph_line = ""
    unclosed: Mapping[str, int] = {}
    """By opening: lines before this one close no formula that begins with it."""

    def __init__(self, lines: list[str], first: int, mdx: MdxReader | None) -> None:
        self.lines = lines
        self.first = first
        self.mdx = mdx
        self.stack: list[int] = []
        self.atoms: list[Atom] = []
        self.items: list[int] = []
        self.last = first
        """Last line that is known to belong to the container."""
        self.next = first
        """The next line to scan."""

    def read(self) -> None:
        """Read to the end; then `last` is the container's last line and `next` the next line to read."""
        number, count = self.next, len(self.lines)
        while number < count:
            if self._take_plain(number):
                number += 1
            elif self._take(number):
                number = max(self.next, number + 1)
            else:
                break
        self._close_leaf()
        self.next = number

    def read_footnote(self, label_end: int) -> None:
        """Read a footnote definition, whose text begins after its label."""
        self.stack.append(FOOTNOTE_INDENT)
        text = self.lines[self.first].expandtabs(4)
        at = len(text) - len(text[label_end:].lstrip(" "))
        if at < len(text):
            self._take_text(self.first, _ContainerLine(text, at, at, 1))
        self.next = max(self.next, self.first + 1)
        self.read()

    def item_ranges(self) -> tuple[tuple[int, int], ...]:
        """First and last line of every item of the outermost list, 1-based."""
        lines, ends = self.lines, [*self.items[1:], self.last + 1]
        return tuple([(first + 1, last_filled(lines, first, end)) for first, end in zip(self.items, ends, strict=True)])

    # ------------------------------------------------------------------ one line

    def _take(self, number: int) -> bool:
        """Take a line into the container, or return False if the container ended before it."""
        line = self._match(number)
        text = line.text
        if line.matched == len(self.stack):
            if self.leaf == FENCED:
                self._continue_fence(number, line)
                return True
            if self.leaf == HTML:
                self._continue_html(number, line)
                return True
        if line.at < len(text):
            return self._take_text(number, line)
        return self._take_blank(number, line)

    def _take_plain(self, number: int) -> bool:
        """Fast path for the two most frequent kinds of line: paragraph text and simple items."""
        line = self.lines[number]
        rest = line.lstrip(" ")
        if self.leaf == PARAGRAPH:
            if rest and rest[0] not in _OPENERS:
                self.paragraph_line, self.last = rest, number
                return True
        elif self.leaf in _RAW_LEAVES:
            return False
        item = SIMPLE_ITEM(rest)
        if not item:
            return False
        marker = item[item.lastindex or 1]
        indent = len(line) - len(rest)
        if not indent:
            if number != self.first and marker != self.marker:
                return False
            self.stack.clear()
            self.indent_left = 0
        elif not self._enter_nested(indent, marker):
            return False
        if not self.stack:
            self.marker = marker
            self.items.append(number)
        self._close_leaf()
        self.stack.append(self.indent_left + item.end())
        self.leaf, self.paragraph_line, self.last = PARAGRAPH, rest[item.end() :], number
        return True

    def _enter_nested(self, indent: int, marker: str) -> bool:
        """Close the items that do not reach to an indented bullet; False if it might be anything else."""
        matched = 0
        for width in self.stack:
            if width == QUOTE:
                return False
            if indent < width:
                break
            indent -= width
            matched += 1
        if not matched or indent > 3 or marker in ".)":
            return False
        del self.stack[matched:]
        self.indent_left = indent
        return True

    def _match(self, number: int) -> _ContainerLine:
        """Match the open containers against a line."""
        text = self.lines[number]
        if "\t" in text:
            text = text.expandtabs(4)
        length = len(text)
        content = matched = 0
        at = length - len(text.lstrip(" "))
        for width in self.stack:
            if width == QUOTE:
                if at >= length or text[at] != ">" or (at - content > 3 and not self.mdx):
                    break
                content, at = _after_quote_mark(text, at)
            elif at >= length:
                if matched == len(self.stack) - 1 and self.empty_item == number - 1:
                    break
                content = min(content + width, length)
            elif at - content >= width:
                content += width
            else:
                break
            matched += 1
        return _ContainerLine(text, content, at, matched)

    def _continue_fence(self, number: int, line: _ContainerLine) -> None:
        text, fence = line.text, self.fence
        if text.strip(" "):
            self.last = number
        if line.at < len(text) and text[line.at] == fence[0] and (line.at - line.content <= 3 or self.mdx):
            run = text[line.at :].rstrip(" ")
            if len(run) >= len(fence) and not run.strip(fence[0]):
                self._close_leaf()

    def _continue_html(self, number: int, line: _ContainerLine) -> None:
        blank = line.at >= len(line.text)
        if self.html_ends is None:
            over = blank
        else:
            over = self.html_ends(line.text, line.content) is not None
        if over:
            self.leaf = NO_LEAF
        if line.text.strip(" "):
            self.last = number

    def _take_blank(self, number: int, line: _ContainerLine) -> bool:
        if line.matched < len(self.stack):
            self._close_unmatched(line.matched)
            if not self.stack and not self.items:
                return False  # the quote ends
        elif self.leaf in (PARAGRAPH, TABLE):
            self._close_leaf()
        if line.text.strip(" "):  # a bare ">" still belongs to its quote
            self.last = number
        return True

    def _take_text(self, number: int, line: _ContainerLine) -> bool:
        """Open what starts on this line, or continue an open container or leaf; False if the container ends."""
        cursor = line
        while cursor.at < len(line.text):
            inner = self._open_next(number, cursor, opened=cursor is not line)
            if inner is None:
                return False
            if inner is cursor:
                if cursor is not line:
                    self.leaf = PARAGRAPH
                elif not self._continue_text(line):
                    return False
                break
            cursor = inner
        self.paragraph_line = line.text[cursor.at :]
        self.last = max(self.last, number)
        return True

    # ------------------------------------------------------------------ opening and closing

    def _open_next(self, number: int, cursor: _ContainerLine, *, opened: bool) -> _ContainerLine | None:
        """Open what starts at a cursor. Return the cursor after it, the same for text, None if the container ends.

        `opened` says that something else was opened on this line already.
        """
        text, content, at, matched = cursor
        if at - content >= 4 and not self.mdx:
            return self._open_indented(number, cursor, opened=opened)
        if opened and len(self.stack) >= MAX_DEPTH:
            return cursor
        rest = text[at:]
        in_paragraph = self.leaf == PARAGRAPH and matched == len(self.stack) and not opened
        if rest[0] == ">":
            return self._open_quote(number, cursor, opened=opened)
        if in_paragraph and rest[0] in "=-|:" and self._ends_paragraph(number, rest):
            return _line_end(cursor)
        if rest[0] in "*-_" and RULE(rest):
            return _line_end(cursor) if self._open(number, matched, opened=opened) else None
        marker = _list_marker(rest, in_paragraph=in_paragraph)
        if marker:
            return self._open_item(number, cursor, marker, opened=opened)
        open_leaf = self._leaf_opener(number, rest, matched, in_paragraph=in_paragraph, opened=opened)
        if open_leaf is None:
            return cursor
        if not self._open(number, matched, opened=opened):
            return None
        open_leaf()
        return _line_end(cursor)

    def _open_indented(self, number: int, cursor: _ContainerLine, *, opened: bool) -> _ContainerLine | None:
        """Open indented code, unless the line continues a paragraph or the code above."""
        if not opened and (self.leaf == PARAGRAPH or self._continues_code(cursor)):
            return cursor
        if not self._open(number, cursor.matched, opened=opened):
            return None
        self.leaf, self.atom_start, self.atom_lang = INDENTED, number, ""
        return _line_end(cursor)

    def _open_quote(self, number: int, cursor: _ContainerLine, *, opened: bool) -> _ContainerLine | None:
        if not self._open(number, cursor.matched, opened=opened):
            return None
        self.stack.append(QUOTE)
        return _ContainerLine(cursor.text, *_after_quote_mark(cursor.text, cursor.at), len(self.stack))

    def _open_item(self, number: int, cursor: _ContainerLine, marker: str, *, opened: bool) -> _ContainerLine | None:
        text, content, at, matched = cursor
        if not self._open(number, matched, opened=opened, marker=marker[-1]):
            return None
        if not self.stack:
            self.marker = marker[-1]
            self.items.append(number)
        width, content, at = _item_content(text, content, at, len(marker))
        self.stack.append(width)
        if at >= len(text):
            self.empty_item = number
        return _ContainerLine(text, content, at, len(self.stack))

    def _open(self, number: int, matched: int, *, opened: bool, marker: str | None = None) -> bool:
        """Close everything that a new block ends; False if this is the whole container."""
        if not opened:
            self._close_unmatched(matched)
        self.leaf = NO_LEAF
        return bool(self.stack) or number == self.first or (marker is not None and marker == self.marker)

    def _close_unmatched(self, matched: int) -> None:
        self._close_leaf()
        del self.stack[matched:]

    def _close_leaf(self) -> None:
        kind = _ATOM_KINDS.get(self.leaf)
        if kind:
            self.atoms.append(Atom(kind, self.atom_start, self.last + 1, self.atom_lang))
        self.leaf = NO_LEAF

    def _continues_code(self, line: _ContainerLine) -> bool:
        return self.leaf == INDENTED and line.matched == len(self.stack)

    def _ends_paragraph(self, number: int, rest: str) -> bool:
        """Return whether this is a setext underline or the delimiter row of a table, and apply it."""
        if rest[0] in "=-" and SETEXT_UNDERLINE(rest):
            self.leaf = NO_LEAF
            return True
        if rest[0] in "-|:" and is_table_start(self.paragraph_line, rest):
            self.leaf, self.atom_start, self.atom_lang = TABLE, number - 1, ""
            return True
        return False

    def _leaf_opener(
        self, number: int, rest: str, matched: int, *, in_paragraph: bool, opened: bool
    ) -> Callable[[], None] | None:
        """Return the opening of the leaf that starts here, or None if the rest of the line is text."""
        first = rest[0]
        if first == "#":
            return _nothing if ATX_HEADING(rest) else None
        if first in "`~":
            fence = FENCE(rest)
            return (lambda: self._open_fence(number, rest, fence[0])) if fence else None
        if first == "<" and not self.mdx:
            tag = HTML_OPEN(rest)
            if tag or (self.leaf != PARAGRAPH and HTML_SINGLE_TAG(rest)):
                return lambda: self._open_html(rest, tag)
            return None
        if first in "<{" and self.mdx:
            end = self.mdx.component_end(number, rest)
            if end and self._holds(number + 1, end, matched):
                return lambda: self._add_atom(Atom("component", number, end))
            return None
        if first in "$\\" and (first == "$" or not in_paragraph) and MATH_OPEN(rest):
            end = self._math_end(number, rest)
            return (lambda: self._add_atom(Atom("math", number, end))) if end else None
        outside = matched < len(self.stack) and not opened
        return _nothing if first == "[" and outside and FOOTNOTE(rest) else None

    def _open_fence(self, number: int, rest: str, fence: str) -> None:
        self.leaf, self.fence = FENCED, fence
        self.atom_start, self.atom_lang = number, fence_language(rest, fence)

    def _open_html(self, rest: str, tag: re.Match[str] | None) -> None:
        self.html_ends = html_end(tag)
        self.leaf = NO_LEAF if tag and html_ends_at_once(tag, rest) else HTML

    def _add_atom(self, atom: Atom) -> None:
        self.atoms.append(atom)
        self.last = atom.end - 1
        self.next = atom.end

    def _holds(self, first: int, end: int, depth: int) -> bool:
        """Return whether the outermost `depth` containers hold all of these lines."""
        return all(self._match(number).matched >= depth for number in range(first, end))

    def _math_end(self, number: int, rest: str) -> int:
        """Return the line after a formula that starts here, or 0 if the container ends before it does."""
        opening = MATH_OPEN(rest)
        if opening is None or math_closes(opening, rest):
            return number + 1
        mark = opening[0]
        dollars = mark == "$$"
        if (dollars and "$$" in rest[2:]) or number < self.unclosed.get(mark, 0) or len(self.unclosed) > MAX_UNCLOSED:
            return 0
        depth, following, count = len(self.stack), number + 1, len(self.lines)
        while following < count:
            line = self._match(following)
            text = line.text[line.at :]
            if line.matched < depth:
                break
            if math_closes(opening, text, first=False):
                return following + 1
            if "$$" in text if dollars else not text:
                break
            following += 1
        self.unclosed = {**self.unclosed, mark: following}
        return 0

    def _continue_text(self, line: _ContainerLine) -> bool:
        """Take a line of text where nothing new starts; False if it is outside the container."""
        all_matched = line.matched == len(self.stack)
        indent = line.at - line.content
        if self.leaf == PARAGRAPH:
            return True
        is_code = indent >= 4
        if all_matched and ((self.leaf == TABLE and (self.mdx or not is_code)) or (self.leaf == INDENTED and is_code)):
            return True
        self._close_unmatched(line.matched)
        self.leaf = PARAGRAPH
        return bool(self.stack)


def _nothing() -> None:
    """A heading opens no leaf: it ends with its line."""


def _line_end(cursor: _ContainerLine) -> _ContainerLine:
    """Return the cursor after a leaf, which takes the rest of its line."""
    return _ContainerLine(cursor.text, cursor.content, len(cursor.text), cursor.matched)


def _after_quote_mark(text: str, at: int) -> tuple[int, int]:
    """Return the column where the content of a quote begins, and that of its first non-space character."""
    content = at + 1 + (text[at + 1 : at + 2] == " ")
    rest = text[content:]
    return content, len(text) - len(rest.lstrip(" "))


def _list_marker(rest: str, *, in_paragraph: bool) -> str:
    """Return the list marker that the rest of a line begins with, or an empty string."""
    if rest[0] in "*+-":
        marker = rest[0] if BULLET(rest) else ""
        return "" if in_paragraph and not rest[1:].strip(" ") else marker
    number = ORDERED(rest) if rest[0] in "0123456789" else None
    if not number:
        return ""
    if in_paragraph and (int(number[1]) != 1 or not rest[number.end() :].strip(" ")):
        return ""
    return number[0]


def _item_content(text: str, content: int, at: int, marker_length: int) -> tuple[int, int, int]:
    """Return the width of an item's indentation, where its content begins, and its first character."""
    indent, after = at - content, at + marker_length
    rest = text[after:]
    stripped = rest.lstrip(" ")
    if not stripped:
        return indent + marker_length + 1, len(text), len(text)
    spaces = len(rest) - len(stripped)
    if spaces >= 5:  # indented code in the item: one space belongs to the marker
        spaces = 1
    return indent + marker_length + spaces, after + spaces, len(text) - len(stripped)
