"""The state of a page that is being read: sheets of blocks, and the line of text that is being collected.

Emphasis is kept as pairs of control characters until a line is complete, because only then can be seen whether
Markdown would take the marks for what they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate
from typing import Literal

from crosshead.formats.markup.html.elements.tables import TableReader
from crosshead.formats.markup.html.page.blocks import BlockWriter
from crosshead.formats.markup.html.page.marks import STRONG, resolve_marks
from crosshead.formats.markup.html.tokens import Tokens
from crosshead.formats.shared import gfm
from crosshead.types import Anchor

_SPACES = re.compile("  +")
_BREAKS = re.compile(" *\n[ \n]*")
_PARAGRAPH_BREAK = re.compile(r" *\n *\n[ \n]*")
_SPECIAL_START = frozenset("0123456789#-+>=$:|[")
_REFERENCE_AT_START = re.compile(r"(\[\^[^\]]+\]):")


def guard_start(text: str) -> str:
    """Guard the beginning of a paragraph of one line."""
    if text[0] not in _SPECIAL_START:
        return text
    if text.startswith("[^"):
        return _REFERENCE_AT_START.sub(r"\1\:", text, count=1)
    return gfm.escape_start(text)


Drops = Literal["boilerplate", "elements", "nothing"]
"""What to leave out: everything around the content, only elements made for that, or nothing."""


class InlineSpan:
    """Inline markup that is open: where its text begins, and what wraps it."""

    __slots__ = ("start", "wrap")

    def __init__(self, start: int, wrap: Callable[[str], str]) -> None:
        self.start = start
        self.wrap = wrap


class HtmlPage:
    """A page that is being read."""

    __slots__ = (
        "anchors",
        "base_url",
        "code_end",
        "depths",
        "dropped_length",
        "drops",
        "exits",
        "heading",
        "headings",
        "hidden_length",
        "is_in_zone",
        "last_code",
        "line",
        "link_length",
        "note_label",
        "notes",
        "readings",
        "sheet",
        "sheets",
        "shows_hidden",
        "spans",
        "spare",
        "tables",
        "text_length",
        "titles",
        "tokens",
        "written_notes",
    )

    def __init__(self, tokens: Tokens, *, base_url: str, drops: Drops, shows_hidden: bool = False) -> None:
        self.tokens = tokens
        self.anchors: list[tuple[int, str]] = []
        """Ids, with the number of lines above them."""
        self.base_url = base_url
        self.drops = drops
        self.shows_hidden = shows_hidden
        self.line: list[str] = []
        """Pieces of the paragraph, heading or cell that is being collected."""
        self.spans: list[InlineSpan] = []
        self.depths = {"strong": 0, "em": 0, "del": 0}
        """Number of open elements of each kind: only the outermost is marked."""
        self.heading = 0
        """Level of the open heading."""
        self.sheet = BlockWriter()
        self.sheets: list[BlockWriter] = []
        """Those that wait below the current one."""
        self.spare: BlockWriter | None = None
        """One that nothing was written on: most cells of tables are a single line."""
        self.tables: list[TableReader] = []
        self.notes: dict[str, str] = {}
        """Labels of footnotes by the id of their elements."""
        self.note_label = ""
        """Of the footnote that is open."""
        self.readings: list[str] | None = None
        """The reading of the open ruby text."""
        self.written_notes: set[str] = set()
        self.last_code = ""
        self.code_end = -1
        """Number of pieces after the last inline code: code that follows directly is joined with it."""
        self.text_length = 0
        self.link_length = 0
        """Letters written so far, and those of them that are in links: what is mostly links is navigation."""
        self.dropped_length = 0
        """Letters that were written and taken back."""
        self.hidden_length = 0
        """Letters of elements that are not shown."""
        self.exits: dict[int, Callable[[], bool]] = {}
        """Handlers of end tags of special elements; true if nothing else is to be done."""
        self.is_in_zone = False
        """Whether an element is open that may turn out to be navigation."""
        self.headings = 0
        self.titles = 0
        """Number of headings written so far, and those of them that are of the first level."""

    def open_span(self, wrap: Callable[[str], str]) -> None:
        """Begin inline markup."""
        self.spans.append(InlineSpan(len(self.line), wrap))
        self.code_end = -1

    def close_span(self) -> None:
        """End the innermost open markup."""
        if not self.spans:
            return
        span = self.spans.pop()
        text = span.wrap("".join(self.line[span.start :]))
        del self.line[span.start :]
        if text:
            self.line.append(text)
        self.code_end = -1

    def take_line(self, *, keeps_strong: bool = True) -> str:
        """Return the collected text as one line of Markdown in which a newline is a line break, and start afresh."""
        line = self.line
        if self.spans:
            self._wrap_spans()
        text = "".join(line).strip()
        line.clear()
        self.code_end = -1
        if not text:
            return text
        if "  " in text:
            text = _SPACES.sub(" ", text)
        if not keeps_strong:
            text = text.replace(STRONG[0], "").replace(STRONG[1], "")
        if "\x01" in text or "\x03" in text or "\x05" in text:
            text = resolve_marks(text)
        self.text_length += len(text)
        return text

    def note_id(self, id: str) -> None:
        """Note where an id is, for links to it."""
        if id:
            sheet = self.sheets[0] if self.sheets else self.sheet
            self.anchors.append((len(sheet.lines), id))

    def placed_anchors(self) -> list[Anchor]:
        """Return the ids with their offsets in the text."""
        ends = [*accumulate(len(line) + 1 for line in self.sheet.lines)]
        last = len(ends) - 1
        return [Anchor(ends[min(at, last) - 1] if at and ends else 0, id, "id") for at, id in self.anchors]

    def _wrap_spans(self) -> None:
        """Close the open markup for this line, to go on in the next."""
        line = self.line
        for span in reversed(self.spans):
            text = span.wrap("".join(line[span.start :]))
            del line[span.start :]
            if text:
                line.append(text)
            span.start = 0

    def flush(self, _tag: str = "", _at: int = 0) -> None:
        """Write the collected text as a paragraph, or as several where empty lines part it."""
        if not self.line:
            return
        if self.heading:
            self.line.append(" ")
            return
        text = self.take_line()
        if not text:
            return
        if "\n" in text:
            for part in _PARAGRAPH_BREAK.split(text):
                if part:
                    self.sheet.write_paragraph(gfm.escape_start(_BREAKS.sub("\n", part).strip()))
        else:
            self.sheet.write_paragraph(guard_start(text))

    def flush_heading(self) -> None:
        """Write the collected text as a heading."""
        level, self.heading = self.heading, 0
        text = _BREAKS.sub(" ", self.take_line(keeps_strong=False))
        if text:
            self.headings += 1
            self.titles += level == 1
            self.sheet.write(gfm.heading(level, text), flat=text)

    def end_heading(self) -> None:
        """A heading ends where a list, table or code begins in it: none of them fits into its line."""
        if self.heading:
            self.flush_heading()
        else:
            self.flush()

    def open_sheet(self) -> None:
        """Write on a new sheet."""
        self.sheets.append(self.sheet)
        spare, self.spare = self.spare, None
        self.sheet = spare or BlockWriter(is_flat=True)

    def close_sheet(self) -> BlockWriter:
        """Go back to the sheet below, and return the finished one."""
        finished = self.sheet
        if self.sheets:
            self.sheet = self.sheets.pop()
        return finished
