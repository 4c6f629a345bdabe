"""Lines of Org mode -> blocks of Markdown."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from crosshead.formats.markup.org.inline import OrgInline
from crosshead.formats.shared import gfm
from crosshead.formats.shared.source_lines import Block, block_of, indent_block, join_blocks, without_blank_ends

MAX_DEPTH: Final = 20
KEYWORDS: Final = ("title", "author", "date", "subtitle", "description", "keywords", "language", "filetags")
CODE: Final = frozenset(["src", "example", "comint", "export"])

_HEADING = re.compile(r"(\*{1,50})[ ]+(.*)$")
_TAGS = re.compile(r"(?<! )[ ]+:([\w@#%:]{1,200}):$")
_KEYWORD = re.compile(r"\s*#\+(\w[\w-]{0,60})(?:\[[^\]]*\])?:\s*(.*)$")
_BEGIN = re.compile(r"(\s*)#\+begin_(\w{1,40})\s*(.*)$", re.I)
_DRAWER = re.compile(r"\s*:([\w-]{1,60}):\s*$")
_PLANNING = re.compile(r"\s*(?:CLOSED|SCHEDULED|DEADLINE|CLOCK):\s*[\[<]")
_ITEM = re.compile(r"(\s*)([-+]|\*(?<!^\*)|\d{1,9}[.)]|[A-Za-z][.)])(?:[ ]+|$)(?:\[@\d{1,6}\][ ]*)?(.*)$")
_BOX = re.compile(r"\[([ xX-])\][ ]+")
_TERM = re.compile(r"(.{1,300}?)[ ]+::(?:[ ]+(.*))?$")
_NOTE = re.compile(r"\[fn:([\w-]{1,60})\]\s*(.*)$")
_FIXED = re.compile(r"\s*:(?: |$)")
_RULE = re.compile(r"\s*-{5,}$")
_ROW_LINE = re.compile(r"\s*\|-")


class OrgParser:
    """Writes the lines of one document."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.inline = OrgInline()
        self.keywords: dict[str, list[str]] = {}
        self.includes: list[int] = []
        self._ends: dict[str, list[int]] = {}
        for number, line in enumerate(lines):
            bare = line.strip().lower()
            if bare.startswith("#+end_") or bare == ":end:":
                self._ends.setdefault(bare, []).append(number)

    def blocks(self, start: int, end: int, depth: int = 0) -> Iterator[Block]:
        """Return the blocks of some lines."""
        at = start
        while at < end:
            blocks, at = self._next(at, end, depth)
            yield from blocks
            yield from (block_of(note, at) for note in self.inline.notes)
            self.inline.notes.clear()

    def _next(self, at: int, end: int, depth: int) -> tuple[list[Block], int]:
        line = self.lines[at]
        bare = line.lstrip()
        if not bare:
            return [], at + 1
        if line[0] == "*" and not depth and (found := _HEADING.match(line)):
            return [self._heading(found, at)], at + 1
        if bare[0] == "#":
            return self._hash(line, at, end, depth)
        if bare[0] == ":":
            if (drawer := _DRAWER.match(line)) and (last := self._end(":end:", at, end)) is not None:
                is_shown = drawer[1].lower() not in ("properties", "logbook") and depth < MAX_DEPTH
                return list(self.blocks(at + 1, last, depth + 1)) if is_shown else [], last + 1
            if _FIXED.match(line):
                last = self._while(at, end, _FIXED)
                return _fence([_FIXED.sub("", text, count=1) for text in self.lines[at:last]], "", at), last
        if bare[0] == "|":
            return self._table(at, end)
        if _RULE.match(line):
            return [[(gfm.rule(), at + 1)]], at + 1
        if _PLANNING.match(line):
            return [[(gfm.escape_start(gfm.escape(bare)), at + 1)]], at + 1
        if (note := _NOTE.match(line)) and line[0] == "[":
            last = self._paragraph_end(at, end)
            text = "\n".join([note[2], *self.lines[at + 1 : last]]).strip()
            written = gfm.footnote(note[1], gfm.guard_note(self.inline.write(text)))
            return [block_of(written, at + 1)], last
        if _ITEM.match(line) and depth < MAX_DEPTH:
            return self._list(at, end, depth)
        last = self._paragraph_end(at, end)
        text = "\n".join([each.strip() for each in self.lines[at:last]])
        return [block_of(gfm.escape_start(self.inline.write(text)), at + 1)], last

    def _heading(self, found: re.Match[str], at: int) -> Block:
        title = found[2]
        tags = _TAGS.search(title)
        if tags:
            title = f"{title[: tags.start()]} ({', '.join(filter(None, tags[1].split(':')))})"
        text = self.inline.write(title.strip()) or gfm.escape(title)
        level = len(found[1])
        return [(gfm.heading(level, text) if level <= 6 else gfm.mark(text, "**"), at + 1)]

    def _hash(self, line: str, at: int, end: int, depth: int) -> tuple[list[Block], int]:
        """Blocks, keywords and comments."""
        if begin := _BEGIN.match(line):
            last = self._end(f"#+end_{begin[2].lower()}", at, end)
            if last is not None:
                return self._block(begin, at, last, depth), last + 1
        if keyword := _KEYWORD.match(line):
            return self._keyword(keyword[1].lower(), keyword[2].strip(), at), at + 1
        if re.match(r"\s*#(?: |$|\+)", line):
            return [], at + 1
        last = self._paragraph_end(at, end)
        text = "\n".join([each.strip() for each in self.lines[at:last]])
        return [block_of(gfm.escape_start(self.inline.write(text)), at + 1)], last

    def _keyword(self, name: str, value: str, at: int) -> list[Block]:
        if name in KEYWORDS:
            self.keywords.setdefault(name, []).append(value)
        elif name == "include":
            self.includes.append(at + 1)
            return [[(gfm.code_span(self.lines[at].strip()), at + 1)]]
        elif name == "caption" and value:
            return [[(gfm.mark(self.inline.write(value), "**"), at + 1)]]
        return []

    def _block(self, begin: re.Match[str], at: int, last: int, depth: int) -> list[Block]:
        name = begin[2].lower()
        if name == "comment":
            return []
        if name in CODE or depth >= MAX_DEPTH:
            language = re.match(r"[\w+#.-]{1,40}", begin[3]) if name == "src" else None
            texts = [re.sub(r"^(\s*),(?=[*,#])", r"\1", text) for text in self.lines[at + 1 : last]]
            return _fence(texts, language[0] if language else "", at + 1)
        inner = list(self.blocks(at + 1, last, depth + 1))
        if name == "quote":
            return [[(f"> {text}" if text else ">", line) for text, line in join_blocks(inner)]]
        if name == "verse":
            verses = [self.inline.write(text.strip()) for text in self.lines[at + 1 : last]]
            return [[(f"{text}\\" if text else "", at + 2 + number) for number, text in enumerate(verses)]]
        title = name.capitalize() if name in ("note", "tip", "warning", "important", "caution", "abstract") else ""
        return [*([[(f"**{title}**", at + 1)]] if title else []), *inner]

    def _list(self, at: int, end: int, depth: int) -> tuple[list[Block], int]:
        """Write the items that begin at the same column."""
        margin = _indent(self.lines[at])
        found: Block = []
        number = 0
        while at < end and (item := _ITEM.match(self.lines[at])) and _indent(self.lines[at]) == margin:
            last = self._item_end(at, end, margin)
            number = number + 1 if item[2][0].isalnum() else 0
            marker = f"{number}. " if number else "- "
            found += self._item(item, at, last, marker, depth)
            at = last
            while at < end and not self.lines[at] and at - last < 2:
                at += 1
        return [found], at

    def _item(self, item: re.Match[str], at: int, last: int, marker: str, depth: int) -> Block:
        text, lead = item[3], ""
        if box := _BOX.match(text):
            lead, text = f"[{' ' if box[1] == ' ' else 'x'}] ", text[box.end() :]
        if term := _TERM.match(text):
            lead += gfm.mark(self.inline.write(term[1]), "**") + (": " if term[2] else "")
            text = term[2] or ""
        stop = at + 1
        while stop < last and self.lines[stop] and not self._starts_block(stop):
            stop += 1
        texts = [text, *[each.strip() for each in self.lines[at + 1 : stop]]]
        written = self.inline.write("\n".join(texts).rstrip())
        first = block_of(lead + (written if lead else gfm.escape_start(written)), at + 1)
        inner = list(self.blocks(stop, last, depth + 1))
        if inner and inner[0][0][0].startswith(("- ", "1. ")):
            first, inner = [*first, *inner[0]], inner[1:]
        return indent_block(join_blocks([first, *inner]), " " * len(marker), first=marker)

    def _item_end(self, at: int, end: int, margin: int) -> int:
        """Return the line after an item: what is indented more belongs to it, and two blank lines end it."""
        last = stop = at + 1
        while stop < end and stop - last < 2:
            line = self.lines[stop]
            if line and (_indent(line) <= margin or (line[0] == "*" and _HEADING.match(line))):
                break
            stop += 1
            last = stop if line else last
        return last

    def _table(self, at: int, end: int) -> tuple[list[Block], int]:
        last = at
        while last < end and self.lines[last].lstrip().startswith("|"):
            last += 1
        rows: list[tuple[list[str], int]] = []
        header = 0
        for number in range(at, last):
            if _ROW_LINE.match(self.lines[number]):
                header = header or len(rows)
                continue
            cells = self.lines[number].strip().strip("|").split("|")
            if not all(re.fullmatch(r"\s*<[lcr]?\d*>\s*|\s*", cell) for cell in cells):
                rows.append(([gfm.cell(self.inline.write(cell.strip())) for cell in cells], number + 1))
        if not rows:
            return [], last
        if not header or header >= len(rows):
            rows.insert(0, ([""], rows[0][1]))
        table = gfm.table([cells for cells, _ in rows]).split("\n")
        numbers = [number for _, number in rows]
        return [list(zip(table, [numbers[0], *numbers], strict=True))], last

    def _paragraph_end(self, at: int, end: int) -> int:
        last = at + 1
        while last < end and self.lines[last] and not self._starts_block(last):
            last += 1
        return last

    def _starts_block(self, at: int) -> bool:
        line = self.lines[at]
        bare = line.lstrip()
        if line[0] == "*" and _HEADING.match(line):
            return True
        if bare[0] == "#":
            return bool(_BEGIN.match(line) or _KEYWORD.match(line) or bare[1:2] in ("", " "))
        if bare[0] == ":":
            return bool(_FIXED.match(line) or _DRAWER.match(line))
        return bare[0] == "|" or bool(_ITEM.match(line)) or (line[0] == "[" and bool(_NOTE.match(line)))

    def _while(self, at: int, end: int, pattern: re.Pattern[str]) -> int:
        while at < end and pattern.match(self.lines[at]):
            at += 1
        return at

    def _end(self, mark: str, at: int, end: int) -> int | None:
        """Return the next line that ends a block, if there is one."""
        places = self._ends.get(mark, [])
        found = bisect_right(places, at)
        return places[found] if found < len(places) and places[found] < end else None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _fence(texts: Sequence[str], language: str, at: int) -> list[Block]:
    """Write code that begins at the line `at`, counted from 0, without the margin that all of it has."""
    margin = min((_indent(text) for text in texts if text.strip()), default=0)
    lines = [(text[margin:], at + 1 + number) for number, text in enumerate(texts)]
    lines = without_blank_ends(lines)
    if not lines:
        return []
    fence = gfm.fence("\n".join([text for text, _ in lines]), language).split("\n")
    return [list(zip(fence, [lines[0][1], *[number for _, number in lines], lines[-1][1]], strict=True))]
