"""Blocks of the document, one after another -> Markdown. Items, code and quotes that follow each other become one."""

from __future__ import annotations

from typing import NamedTuple

from crosshead.formats.office.docx.numbering import Label
from crosshead.formats.shared import gfm

_MAX_NUMBER = 999_999_999
"""Markdown reads no more digits."""
_TOLERANCE = 120
"""Tolerance of indentation: a tenth of an inch, in twentieths of a point."""


class _OpenItem(NamedTuple):
    """The last item at a depth of the list."""

    level: int
    column: int
    """Column of its text in Markdown."""
    number: int | None
    mark: str
    """`-`, or what follows the number."""
    indent: int
    """Indentation of its text in the document, in twentieths of a point."""
    is_bare: bool
    """No bullet is shown."""


class Blocks:
    """Markdown as it is written."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._items: list[str] = []
        self._open_items: list[_OpenItem] = []
        self._code: list[str] = []
        self._quotes: list[str] = []

    def add_heading(self, level: int, text: str) -> None:
        """Write a heading."""
        self._finish()
        self._done.append(gfm.heading(level, text))

    def add_paragraph(self, text: str, indent: int = 0) -> None:
        """Write a paragraph; one indented like the text of an item continues it."""
        self.add_finished(_paragraph(text), indent)

    def add_finished(self, block: str, indent: int = 0) -> None:
        """Write Markdown that is finished."""
        self._begin(indent)
        self._write(block)

    def add_quote(self, text: str, indent: int = 0) -> None:
        """Write a paragraph of a quote."""
        if not self._quotes:
            self._begin(indent)
        self._quotes.append(_paragraph(text))

    def add_code(self, code: str, indent: int = 0) -> None:
        """Write lines of code; a paragraph with many lines is a separate block."""
        is_whole = "\n" in code
        if not self._code or is_whole:
            self._begin(indent)
        self._code.append(code)
        if is_whole:
            self._finish_run()

    def add_empty(self) -> None:
        """Record an empty paragraph of code; other empty ones are ignored."""
        if self._code:
            self._code.append("")

    def add_item(self, label: Label, text: str, indent: int = 0) -> None:
        """Write an item of a list, as deep as the items above it say."""
        if self._continues(label):
            self._finish_run()
            self._write(_paragraph(text))
        else:
            self._add_item(label, _paragraph(text), indent)

    def add_item_code(self, label: Label, code: str, indent: int = 0) -> None:
        """Write code in a list: an item, or a part of the item above if it has no bullet."""
        if self._continues(label):
            margin = " " * self._open_items[-1].column
            self._items.append(gfm.indent(gfm.fence(code), margin, first=margin))
        else:
            self._add_item(label, gfm.fence(code), indent)

    def text(self) -> str:
        """Return all that was written."""
        self._finish()
        return gfm.join_blocks(self._done)

    def _continues(self, label: Label) -> bool:
        """Continue the item above with a paragraph without a bullet; close deeper items."""
        above = [item for item in self._open_items if item.level <= label.level]
        if label.text.strip() or label.kind != "bullet" or not above or above[-1].is_bare:
            return False
        self._open_items = above
        return True

    def _begin(self, indent: int) -> None:
        """End what was written before, but for the list item that what is indented so far belongs to."""
        self._finish_run()
        self._open_items = [item for item in self._open_items if 0 < item.indent <= indent + _TOLERANCE]
        if not self._open_items:
            self._finish()

    def _write(self, block: str) -> None:
        if self._open_items:
            margin = " " * self._open_items[-1].column
            self._items += ["", gfm.indent(block, margin, first=margin)]
        else:
            self._done.append(block)

    def _add_item(self, label: Label, block: str, indent: int) -> None:
        self._finish_run()
        before = self._leave_items(label.level)
        margin = self._open_items[-1].column if self._open_items else 0
        number = None if label.kind == "bullet" else min(label.number, _MAX_NUMBER)
        mark = "-" if number is None else _number_mark(label, number, before)
        marker = mark if number is None else f"{number}{mark}"
        if self._items and not self._can_follow(number, before):
            self._items.append("")
        column = margin + len(marker) + 1
        self._items.append(gfm.indent(block, " " * column, first=f"{' ' * margin}{marker} "))
        is_bare = number is None and not label.text.strip()
        self._open_items.append(_OpenItem(label.level, column, number, mark, indent, is_bare))

    def _leave_items(self, level: int) -> _OpenItem | None:
        """Close the items that are not above this level, and return the neighbor that the next one follows."""
        before = None
        while self._open_items and self._open_items[-1].level >= level:
            before = self._open_items.pop()
        return before

    def _can_follow(self, number: int | None, before: _OpenItem | None) -> bool:
        """A list inside an item begins after a blank line, unless it is one that can interrupt a paragraph."""
        return before is not None or number in (None, 1)

    def _finish(self) -> None:
        self._finish_run()
        if self._items:
            self._done.append("\n".join(self._items))
            self._items, self._open_items = [], []

    def _finish_run(self) -> None:
        """Write the code or the quotes that were collected."""
        code, quotes, self._code, self._quotes = self._code, self._quotes, [], []
        if any(map(str.strip, code)):
            self._write(gfm.fence("\n".join(code)))
        if quotes:
            self._write(gfm.quote("\n\n".join(quotes)))


def _paragraph(text: str) -> str:
    return gfm.escape_start(text).replace("\n", "\\\n")


def _number_mark(label: Label, number: int, before: _OpenItem | None) -> str:
    """Use the other mark for a list that restarts right after another one, to keep them apart."""
    mark = ")" if label.text.endswith(")") else "."
    if before is None or before.number is None:
        return mark
    if number == before.number + 1:
        return before.mark
    return "." if before.mark == ")" else ")"
