"""Lines of AsciiDoc -> blocks of Markdown."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from crosshead.formats.markup.asciidoc.inline import AsciidocInline
from crosshead.formats.markup.asciidoc.lists import ListWriter, item_start
from crosshead.formats.markup.asciidoc.tables import write_table
from crosshead.formats.shared import gfm
from crosshead.formats.shared.source_lines import Block, block_of, join_blocks

MAX_DEPTH: Final = 20
"""Of blocks inside blocks; deeper ones are text."""
MAX_VALUE: Final = 1_000
"""Characters of an attribute; a longer one is not replaced."""
ADMONITIONS: Final = ("NOTE", "TIP", "WARNING", "CAUTION", "IMPORTANT")

_HEADING = re.compile(r"(={1,6}|#{1,6})[ ]+(\S.*)$")
_UNDERLINE = re.compile(r"={2,}|-{2,}|~{2,}|\^{2,}|\+{2,}")
_UNDERLINES: Final = "=-~^+"
_DELIMITER = re.compile(r"(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|[|,:!]={3,}|`{3,}[\w+-]{0,40})$")
_ATTRIBUTE = re.compile(r":(!?[\w][\w-]{0,60}!?):(?:[ ]+(.*))?$")
_LIST_OF_ATTRIBUTES = re.compile(r"\[(?:[\w.#%\",=:*<>^!;+ |/~-]|\[[^\[\]]*\]){0,500}\]$")
_ANCHOR = re.compile(r"\[(?:\[([\w.:-]{1,100})(?:,.{0,100})?\]|[\w-]{0,20}#([\w.:-]{1,100})[^\]]{0,200})\]$")
_TITLE = re.compile(r"\.(?=[^\s.])(.{1,500})$")
_CONDITION = re.compile(r"(?:ifdef|ifndef|ifeval|endif)::")
_MACRO = re.compile(r"(\w{1,30})::([^\s\[]{0,400})\[(.*)\]$")
_ADMONITION = re.compile(rf"({'|'.join(ADMONITIONS)}):[ ]+(?=\S)")
_RULE = re.compile(r"'{3,}$|<{3,}$|-[ ]?-[ ]?-$|\*[ ]?\*[ ]?\*$")
_LEVEL_OFFSET: Final = "leveloffset"


class Attributes(NamedTuple):
    """The attributes and the title above a block."""

    title: str = ""
    style: str = ""
    language: str = ""
    named: str = ""
    """The whole list, for those who look for a name in it."""
    line: int = 0


class AsciidocParser:
    """Writes the lines of one document."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.attributes: dict[str, str] = {}
        self.inline = AsciidocInline(self.attributes, _titles(lines))
        self.includes: list[int] = []
        self.unclosed: list[int] = []
        self._delimiters: defaultdict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(lines):
            if _DELIMITER.match(line):
                self._delimiters[line].append(number)

    def blocks(self, start: int, end: int, depth: int = 0) -> Iterator[Block]:
        """Go through the blocks of some lines."""
        at = start
        while at < end:
            blocks, at = self.next_block(at, end, depth)
            yield from blocks

    def faults(self) -> Iterator[str]:
        """Say what was left out or guessed."""
        for what, lines in (("includes are not followed", self.includes), ("blocks are not closed", self.unclosed)):
            if lines:
                more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
                yield f"{what}: line {lines[0] + 1}{more}"

    def next_block(self, at: int, end: int, depth: int) -> tuple[list[Block], int]:
        """Return the blocks that the next one becomes, with the line after it."""
        given, at = self._above(at, end)
        if at >= end:
            return [], at
        self.inline.line = at + 1
        blocks, after = self._block(at, end, depth, given)
        notes = [block_of(note, at + 1) for note in self.inline.take_notes()]
        if given.title:
            blocks = [[(gfm.mark(self.inline.write(given.title), "**"), given.line + 1)], *blocks]
        return [*blocks, *([(text, after) for text, _ in note] for note in notes)], after

    def _above(self, at: int, end: int) -> tuple[Attributes, int]:
        """Read the lines above a block: attributes, a title, comments, conditions."""
        given = Attributes()
        while at < end:
            line = self.lines[at]
            if found := _ATTRIBUTE.match(line):
                at = self._set_attribute(found, at, end)
                continue
            if line.startswith("[") and _LIST_OF_ATTRIBUTES.match(line):
                given = _with_list(given, line)
                if anchor := _ANCHOR.match(line):
                    self.inline.line = at + 1
                    self.inline.add_anchor(anchor[1] or anchor[2])
            elif (found := _TITLE.match(line)) and not _DELIMITER.match(line):
                given = given._replace(title=found[1], line=at)
            elif line and not (line.startswith("//") and not line.startswith("///")) and not _CONDITION.match(line):
                break
            at += 1
        return given, at

    def _set_attribute(self, found: re.Match[str], at: int, end: int) -> int:
        name, value = found[1].strip("!").lower(), found[2] or ""
        at += 1
        while value.endswith("\\") and at < end:
            value, at = f"{value[:-1].rstrip(' +')} {self.lines[at].strip()}", at + 1
        if "!" in found[1]:
            self.attributes.pop(name, None)
        else:
            value = self.inline.expand(value)
            if len(value) <= MAX_VALUE:
                self.attributes[name] = value
        return at

    def _block(self, at: int, end: int, depth: int, given: Attributes) -> tuple[list[Block], int]:
        line = self.lines[at]
        if heading := self._heading(at, end, depth):
            return heading
        if _DELIMITER.match(line) and depth < MAX_DEPTH:
            return self._delimited(at, end, depth, given)
        if _RULE.match(line):
            return [[(gfm.rule(), at + 1)]], at + 1
        if found := _MACRO.match(line):
            return self._macro(found, at), at + 1
        if item_start(line) and given.style not in ("source", "listing", "literal"):
            return ListWriter(self, at, end, depth).write()
        return self._paragraph(at, end, given)

    def _heading(self, at: int, end: int, depth: int) -> tuple[list[Block], int] | None:
        line = self.lines[at]
        level, title, after = 0, "", at + 1
        if found := _HEADING.match(line):
            level, title = len(found[1]), _title(found)
        elif at + 1 < end and self._is_underlined(at):
            level, title, after = _UNDERLINES.index(self.lines[at + 1][0]) + 1, line, at + 2
        if not level:
            return None
        text = self.inline.write(title)
        if depth:
            return [[(gfm.mark(text, "**"), at + 1)]], after
        offset = self.attributes.get(_LEVEL_OFFSET, "0")
        level += int(offset) if re.fullmatch(r"[+-]?\d{1,2}", offset) else 0
        return [[(gfm.heading(level, text), at + 1)]], after

    def _is_underlined(self, at: int) -> bool:
        title, line = self.lines[at], self.lines[at + 1]
        if not _UNDERLINE.fullmatch(line) or not title[:1].strip() or not re.search(r"\w", title):
            return False
        above = self.lines[at - 1] if at else ""
        is_apart = not above or above[0] in "[.:/" or (at > 1 and _UNDERLINE.fullmatch(above) is not None)
        return abs(len(title) - len(line)) <= 2 and is_apart

    def _delimited(self, at: int, end: int, depth: int, given: Attributes) -> tuple[list[Block], int]:
        opening = self.lines[at]
        closing = (
            opening.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-")
            if opening[0] == "`"
            else opening
        )
        last = self._closing(closing, at, end)
        after = min(last + 1, end)
        sign = opening[0] if opening != "--" else "open"
        if sign == "/":
            return [], after
        if sign in "|,:!" and sign != "open":
            return [write_table(self.lines, at + 1, last, sign, given.named, self.inline)], after
        if sign in "-.`+" or (sign == "open" and given.style in ("source", "listing", "literal")):
            return self._verbatim(at + 1, last, given, opening), after
        inner = [*self.blocks(at + 1, last, depth + 1)]
        return self._framed(inner, given, at, sign), after

    def _closing(self, line: str, at: int, end: int) -> int:
        places = self._delimiters.get(line, [])
        found = bisect_right(places, at)
        if found < len(places) and places[found] < end:
            return places[found]
        self.unclosed.append(at)
        return end

    def _verbatim(self, start: int, end: int, given: Attributes, opening: str) -> list[Block]:
        while start < end and not self.lines[start]:
            start += 1
        while start < end and not self.lines[end - 1]:
            end -= 1
        text = "\n".join(self.lines[start:end])
        if not text:
            return []
        if opening[0] == "+" and given.style in ("stem", "latexmath", "asciimath"):
            return [block_of(gfm.math_block(text), start)]
        return [fence_block(text, opening.lstrip("`") if opening[0] == "`" else given.language, start)]

    def _framed(self, inner: list[Block], given: Attributes, at: int, sign: str) -> list[Block]:
        if given.style in ADMONITIONS:
            return [[(f"**{given.style.capitalize()}**", at + 1)], *inner]
        if sign == "_" or given.style in ("quote", "verse"):
            quoted = join_blocks(inner)
            return [[(f"> {text}" if text else ">", line) for text, line in quoted]]
        return inner

    def _macro(self, found: re.Match[str], at: int) -> list[Block]:
        name, target, text = found.groups()
        if name == "include":
            self.includes.append(at)
            return [[(gfm.code_span(found[0]), at + 1)]]
        if name == "image":
            return [[(gfm.image(text.partition(",")[0].strip('"'), target), at + 1)]]
        if name in ("toc", "indexterm", "index"):
            return []
        return [[(gfm.escape(found[0]), at + 1)]]

    def _paragraph(self, at: int, end: int, given: Attributes) -> tuple[list[Block], int]:
        after = at + 1
        while after < end and not self.ends_paragraph(self.lines[after]):
            after += 1
        lines = self.lines[at:after]
        if given.style in ("source", "listing", "literal") or lines[0].startswith(" "):
            width = min(len(line) - len(line.lstrip()) for line in lines)
            return [fence_block("\n".join(line[width:] for line in lines), given.language, at)], after
        return self._framed([self.text(at, after)], given, at, "_" if given.style == "quote" else ""), after

    def ends_paragraph(self, line: str) -> bool:
        """Return whether a line ends the paragraph above it."""
        if not line or line == "+" or _ATTRIBUTE.match(line):
            return True
        return bool(_DELIMITER.match(line) or (line[0] == "[" and _LIST_OF_ATTRIBUTES.match(line)))

    def text(self, start: int, end: int, first: str | None = None) -> Block:
        """Return lines of text, with `first` in place of the first."""
        lines = [self.lines[start] if first is None else first, *self.lines[start + 1 : end]]
        lines = [line.lstrip() for line in lines if not line.startswith("//")]
        text = "\n".join(lines)
        lead = ""
        if found := _ADMONITION.match(text):
            lead, text = f"**{found[1].capitalize()}:** ", text[found.end() :]
        return block_of(lead + gfm.escape_start(self.inline.write(text)), start + 1)


def _titles(lines: Sequence[str]) -> dict[str, str]:
    """Return the titles of sections by their anchors: those above them, and those that are made of their words."""
    found: dict[str, str] = {}
    anchors: list[str] = []
    for line in lines:
        if anchor := _ANCHOR.match(line):
            anchors.append((anchor[1] or anchor[2]).lower())
        elif heading := _HEADING.match(line):
            title = _title(heading)
            words = "_" + re.sub(r"[^\w]+", "_", title.lower()).strip("_")
            found.update(dict.fromkeys([*anchors, words], title))
            anchors = []
        elif line and line[0] != "[":
            if anchors and re.search(r"\w", line):
                found.update(dict.fromkeys(anchors, line[1:] if line[0] == "." else ""))
            anchors = []
    return {anchor: title for anchor, title in found.items() if title}


def _title(heading: re.Match[str]) -> str:
    """Return the title of a heading without the mark that may close it, as it opens it."""
    bare = heading[2].removesuffix(heading[1])
    return bare.rstrip(" ") if bare.endswith(" ") else heading[2]


def fence_block(text: str, language: str, start: int) -> Block:
    """Return a fence whose text begins at the line `start`, counted from 0."""
    block = block_of(gfm.fence(text, language), start)
    return [(block[0][0], start + 1), *block[1:-1], (block[-1][0], block[-1][1] - 1)]


def _with_list(given: Attributes, line: str) -> Attributes:
    """`[source,python]`, `[NOTE]`, `[quote, author]`, `[%header,cols=2*]`."""
    if line.startswith("[["):
        return given
    parts = [part.strip() for part in line[1:-1].split(",")]
    style = re.split(r"[.#%]", parts[0])[0]
    language = ""
    if style in ("source", "") and len(parts) > 1 and "=" not in parts[1]:
        style, language = "source", re.sub(r"[^\w+#-].*", "", parts[1])
    return given._replace(
        style=style if "=" not in style else "", language=language, named=f"{given.named},{line[1:-1]}"
    )
