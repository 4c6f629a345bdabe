"""Blocks of Markdown, one under the other, inside lists and quotes.

A sheet is what blocks are written on: the page itself, or a cell, caption or footnote, whose content is needed before
it is known where it goes. Lists and quotes only change the prefixes of lines.
"""

from __future__ import annotations

from crosshead.formats.shared import gfm

MAX_NESTING = 30
"""Lists and quotes nested deeper are written at this depth: they are unreadable anyway, and their margins would
make the text grow with the square of the depth."""


_NO_GAP = "\0"
_NOWHERE = (-1, -1)


class OpenList:
    """A list whose items are being written."""

    __slots__ = ("delimiter", "depth", "end", "is_inset", "is_ordered", "number", "width")

    def __init__(self, is_ordered: bool, number: int, delimiter: str, depth: int) -> None:
        self.is_ordered = is_ordered
        self.number = number
        """Of the next item."""
        self.delimiter = delimiter
        """The bullet of an item, or the sign after its number."""
        self.depth = depth
        """Number of containers around the list."""
        self.end = -1
        """Number of lines after the last item; the next item follows without a blank line."""
        self.width = 0
        """Of the last item's marker."""
        self.is_inset = False
        """Whether it is directly inside another list, not inside an item."""


class BlockWriter:
    """Blocks that are written one after the other."""

    __slots__ = ("after_list", "containers", "first", "flat", "gap", "lead", "lines", "lists", "margin", "text_end")

    def __init__(self, *, is_flat: bool = False) -> None:
        self.lines: list[str] = []
        """Blocks and blank lines."""
        self.flat: list[str] | None = [] if is_flat else None
        """The blocks again, each as text for a table cell."""
        self.margin = ""
        """Prefix of every line."""
        self.first: str | None = None
        """Prefix of the next line instead: the marker of an item without text so far."""
        self.gap: str | None = None
        """The blank line before the next block if it is not an empty margin; `no blank line` is the empty list."""
        self.containers: list[tuple[str, str | None]] = []
        """Margin and first of what is around the open items and quotes."""
        self.lists: list[OpenList] = []
        self.after_list: tuple[int, str, bool, str] | None = None
        """The end of the last list: number of lines, margin, kind and delimiter."""
        self.text_end = _NOWHERE
        """Number of lines and containers after an item's first paragraph: a nested list follows it directly."""
        self.lead: list[str] = []
        """Terms that wait for the paragraph that defines them."""

    def write(self, block: str, *, flat: str | None = None) -> None:
        """Add a finished block; `flat` is its text in a table cell."""
        if self.lead:
            self.write_lead()
        lines = self.lines
        if lines and self.gap != _NO_GAP:
            lines.append(self.margin.rstrip() if self.gap is None else self.gap)
        self.gap = None
        first = self.margin
        if self.first is not None:
            first, self.first = self.first, None
        if self.flat is not None:
            self.flat.append(f"{_marker(first)}{block if flat is None else flat}")
        if first:
            block = f"{first}{block}" if "\n" not in block else _indent(block, self.margin, first)
        lines.append(block)

    def write_code(self, code: str, lang: str) -> None:
        """Add a code block."""
        flat = None
        if self.flat is not None:
            flat = "\n".join([gfm.code_span(line.strip()) for line in code.split("\n") if line.strip()])
        self.write(gfm.fence(code, lang), flat=flat)

    def write_table(self, rows: list[list[str]]) -> None:
        """Add a table of texts, its first row the header."""
        flat = None
        if self.flat is not None:
            flat = "\n".join([" | ".join([cell.replace("\n", " ") for cell in row]) for row in rows])
        self.write(gfm.table([_finish_cells(row) for row in rows]), flat=flat)

    def write_paragraph(self, text: str) -> None:
        """Add a paragraph; a newline in it is a line break."""
        if self.lead:
            text = "\n".join([*self.lead, text])
            self.lead.clear()
        starts_item = self.first is not None
        self.write(text.replace("\n", "\\\n") if "\n" in text else text, flat=text)
        if starts_item:
            self.text_end = (len(self.lines), len(self.containers))

    def write_lead(self) -> None:
        """Add terms that no paragraph followed."""
        lead, self.lead = self.lead, []
        self.write_paragraph("\n".join(lead))

    def take_back(self, lines: int) -> None:
        """Forget all blocks but those in the first lines."""
        del self.lines[lines:]
        self.after_list = self.gap = None
        self.text_end = _NOWHERE

    def open_list(self, *, is_ordered: bool, number: int) -> None:
        """Begin a list; one that follows another of its kind gets another delimiter, or they would be one."""
        outer = self.lists[-1] if self.lists else None
        is_inset = outer is not None and outer.depth == len(self.containers) and outer.end == len(self.lines) > 0
        if is_inset and outer is not None:
            self.containers.append((self.margin, self.first))
            self.margin += " " * outer.width
            self.text_end = (len(self.lines), len(self.containers))
        here = (len(self.lines), self.margin, is_ordered)
        delimiter = "." if is_ordered else "-"
        if self.after_list is not None and self.after_list == (*here, delimiter):
            delimiter = ")" if is_ordered else "+"
        if self.lead:
            self.write_lead()
        self.lists.append(OpenList(is_ordered, number, delimiter, len(self.containers)))
        self.lists[-1].is_inset = is_inset

    def close_list(self) -> None:
        """End the innermost list."""
        if self.lists:
            ended = self.lists.pop()
            if ended.is_inset:
                self._close()
                self.lists[-1].end = len(self.lines)
            self.after_list = (len(self.lines), self.margin, ended.is_ordered, ended.delimiter)

    def open_item(self, number: int | None = None) -> None:
        """Begin an item of the innermost list."""
        if not self.lists:
            self.open_list(is_ordered=False, number=1)
        current = self.lists[-1]
        if number is not None:
            current.number = number
        marker = f"{current.number}{current.delimiter}" if current.is_ordered else current.delimiter
        if self.first is None:
            can_interrupt = not current.is_ordered or current.number == 1
            if current.end == len(self.lines) or (
                can_interrupt and self.text_end == (len(self.lines), len(self.containers))
            ):
                self.gap = _NO_GAP
        current.number += 1
        current.width = len(marker) + 1
        self._open(f"{marker} ", " " * (len(marker) + 1))

    def close_item(self) -> None:
        """End the innermost item; one without any text leaves no trace."""
        if self.lead:
            self.write_lead()
        self._close()
        if self.lists:
            self.lists[-1].end = len(self.lines)

    def open_quote(self) -> None:
        """Begin a block quote."""
        if self.lead:
            self.write_lead()
        self._open("> ", "> ")

    def close_quote(self) -> None:
        """End the innermost quote."""
        if self.lead:
            self.write_lead()
        self._close()

    def text(self) -> str:
        """Return all blocks."""
        if self.lead:
            self.write_lead()
        return "\n".join(self.lines)

    def flat_text(self) -> str:
        """Return all blocks as lines for a table cell."""
        if self.lead:
            self.write_lead()
        return "\n".join(self.flat or [])

    def _open(self, first: str, margin: str) -> None:
        if self.gap is None:
            self.gap = self.margin.rstrip()
        self.containers.append((self.margin, self.first))
        if len(self.containers) > MAX_NESTING:
            self.margin = self.containers[MAX_NESTING - 1][0]
            self.first = f"{self.margin}{first}"
        else:
            self.first = f"{self.margin if self.first is None else self.first}{first}"
        self.margin += margin

    def _close(self) -> None:
        if not self.containers:
            return
        margin, first = self.containers.pop()
        self.margin = margin
        self.gap = None
        self.first = first if self.first is not None else None


def _finish_cells(row: list[str]) -> list[str]:
    """Make cells of texts; one look at the whole row shows that most have nothing to be changed."""
    joined = "".join(row)
    return row if "|" not in joined and "\n" not in joined else [gfm.cell(text) for text in row]


def _marker(first: str) -> str:
    return first.lstrip(" >")


def _indent(block: str, margin: str, first: str) -> str:
    blank = margin.rstrip()
    lines = block.split("\n")
    return "\n".join([f"{first}{lines[0]}".rstrip(), *[f"{margin}{line}" if line else blank for line in lines[1:]]])
