"""Lines of reStructuredText -> blocks of Markdown.

A block is known by its first line, as in docutils; what is indented under it is read in the same way, without its
margin. Titles make headings, and so do objects that a directive describes (`.. method::`).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from crosshead.formats.markup.rst import lists
from crosshead.formats.markup.rst.directives.parsing import parse_directive
from crosshead.formats.markup.rst.directives.writing import Directives
from crosshead.formats.markup.rst.inline import RstInline
from crosshead.formats.markup.rst.lines import Lines, indent_of
from crosshead.formats.markup.rst.references import References
from crosshead.formats.markup.rst.tables import grid_end, simple_end, write_grid, write_simple
from crosshead.formats.markup.rst.titles import RstTitle, is_rule, title_at
from crosshead.formats.shared import gfm
from crosshead.formats.shared.source_lines import Block, block_of, join_blocks

MAX_DEPTH: Final = 20
"""Of blocks inside blocks; deeper ones are preformatted text."""

_EXPLICIT = re.compile(r"\.\.(?: |$)")
_NOTE = re.compile(r"\.\. \[([^\]\s]{1,100})\](?:\s+|$)")
_DEFINITION = re.compile(r"\.\. (?:_\S|__:|\|[^|\s])")
_LINE_BLOCK = re.compile(r"\|(?: |$)")
_DOCTEST = re.compile(r">>>(?: |$)")


class Scope(NamedTuple):
    """The context of a block."""

    depth: int = 0
    level: int | None = 0
    """The level of the heading above; None where there can be no heading."""
    titles: bool = False
    """Whether titles may occur, which end the section above."""

    def inside(self) -> Scope:
        """Return the scope of what is inside a block."""
        return Scope(self.depth + 1, None)


class RstParser:
    """Writes the lines of one document."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.references = References(lines.texts)
        self.inline = RstInline(self.references)
        self.directives = Directives(self)
        self.language = ""
        """Language of literal blocks, set by `highlight`."""
        self.faults: list[tuple[int, str]] = []
        self._styles: list[str] = []

    def document(self) -> list[Block]:
        """Return all blocks."""
        return self.blocks(self.lines, Scope(titles=True))

    def blocks(self, lines: Lines, scope: Scope) -> list[Block]:
        """Return the blocks of some lines."""
        if scope.depth > MAX_DEPTH:
            return self.fence(lines)
        found: list[Block] = []
        at = 0
        while at < len(lines.texts):
            if title := title_at(lines.texts, at):
                scope = self._enter(title, scope)
                self.inline.line = lines.number(at + title.at)
                text = self.inline.write(" ".join(title.text.split()))
                text = gfm.heading(scope.level or 1, text) if scope.titles else gfm.mark(text, "**")
                found.append([(text, lines.number(at + title.at))])
                at += title.size
            else:
                blocks, at = self._next(lines, at, scope)
                found += blocks
        return found

    def _enter(self, title: RstTitle, scope: Scope) -> Scope:
        """Return the scope below a title; the order in which its styles appear is that of the levels."""
        if not scope.titles:
            return scope
        if title.style not in self._styles:
            self._styles.append(title.style)
        return scope._replace(level=self._styles.index(title.style) + 1)

    def _next(self, lines: Lines, at: int, scope: Scope) -> tuple[list[Block], int]:
        """Return the blocks that the next one becomes, with the line after it."""
        line = lines.texts[at]
        if not line:
            return [], at + 1
        if line[0] == " ":
            return self._quote(lines, at, scope)
        if found := lists.write_list(self, lines, at, scope):
            return found
        if line[0] == ".":
            if _EXPLICIT.match(line):
                return self._explicit(lines, at, scope)
        elif line[0] == "_":
            if line.startswith("__ "):
                return [], at + 1
        elif line[0] == "|":
            if _LINE_BLOCK.match(line):
                return self._line_block(lines, at)
        elif line[0] == ">":
            if _DOCTEST.match(line):
                end = _paragraph_end(lines, at)
                return self.fence(lines.part(at, end), "pycon"), end
        elif line[0] == "+":
            if end := grid_end(lines, at):
                return self._table(write_grid, lines, at, end, scope)
        elif line[0] == "=" and (end := simple_end(lines, at)):
            return self._table(write_simple, lines, at, end, scope)
        if is_rule(line) and len(line) >= 4 and not (lines.texts[at + 1 : at + 2] or [""])[0]:
            return [[(gfm.rule(), lines.number(at))]], at + 1
        return self._text(lines, at, scope)

    def _quote(self, lines: Lines, at: int, scope: Scope) -> tuple[list[Block], int]:
        """Write indented lines as a quote, unless they are only an indented list or code."""
        end = lines.after_indented(at)
        margin = indent_of(lines.texts[at])
        last = at
        while last < end and (not lines.texts[last] or indent_of(lines.texts[last]) >= margin):
            last += 1
        blocks = self.blocks(lines.part(at, last, margin).trimmed(), scope.inside())
        if any(block[0][0][:1].isalnum() and not re.match(r"\d+\. ", block[0][0]) for block in blocks):
            blocks = [[(f"> {text}" if text else ">", line) for text, line in join_blocks(blocks)]]
        return blocks, last

    def _line_block(self, lines: Lines, at: int) -> tuple[list[Block], int]:
        end = _paragraph_end(lines, at)
        texts = [text[1:].strip() if text[0] == "|" else text.strip() for text in lines.texts[at:end]]
        self.inline.line = lines.number(at)
        written = self.inline.write("\n".join(texts)).split("\n")
        block = [(gfm.escape_start(text), lines.number(at + number)) for number, text in enumerate(written)]
        broken = [(f"{text}\\" if text and after[0] else text, line) for (text, line), after in
                  zip(block, [*block[1:], ("", 0)], strict=True)]  # fmt: skip
        return [broken], end

    def _table(
        self, write: lists.TableWriter, lines: Lines, at: int, end: int, scope: Scope
    ) -> tuple[list[Block], int]:
        block = write(self, lines, at, end, scope)
        if block is None:
            self.faults.append((lines.number(at), "malformed table is kept as is"))
            return self.fence(lines.part(at, end)), end
        return [block], end

    def _explicit(self, lines: Lines, at: int, scope: Scope) -> tuple[list[Block], int]:
        end = lines.after_indented(at + 1)
        line = lines.texts[at]
        if directive := parse_directive(lines, at, end):
            return self.directives.write(directive, scope, lines, end), end
        if found := _NOTE.match(line):
            return self._note(lines, at, end, found, scope), end
        if _DEFINITION.match(line):
            return [], end
        if line == ".." and at + 1 < len(lines.texts) and not lines.texts[at + 1]:
            return [], at + 1  # an empty comment ends a block, and leaves what is indented below it
        return [], end

    def _note(self, lines: Lines, at: int, end: int, found: re.Match[str], scope: Scope) -> list[Block]:
        label = self.references.note(found[1], defined=True)
        body = lines.dedented(at + 1, end)
        body = Lines([lines.texts[at][found.end() :], *body.texts], lines.number(at))
        written = join_blocks(self.blocks(body.trimmed(), scope.inside())) or [("", lines.number(at))]
        lead = f"[^{label}]: "
        return [[(f"{lead}{gfm.guard_note(written[0][0])}", written[0][1]),
                 *[(f"    {text}" if text else "", line) for text, line in written[1:]]]]  # fmt: skip

    def _text(self, lines: Lines, at: int, scope: Scope) -> tuple[list[Block], int]:
        """A paragraph, with the literal block that it may announce."""
        end = _paragraph_end(lines, at)
        if end == at + 1 and is_rule(lines.texts[at]) and lines.texts[at] == "::":
            return self.literal(lines, end)
        block = self.paragraph(lines, at, end)
        if not lines.texts[end - 1].endswith("::"):
            return [block], end
        code, after = self.literal(lines, end)
        return [block, *code], after

    def paragraph(self, lines: Lines, at: int, end: int) -> Block:
        """Write lines of text; the two colons that announce a literal block are shown as one."""
        text = "\n".join([line.strip() for line in lines.texts[at:end]])
        if text.endswith("::"):
            text = text[:-2].rstrip() if text[-3:-2].isspace() else text[:-1]
        self.inline.line = lines.number(at)
        return block_of(gfm.escape_start(self.inline.write(text)), lines.number(at))

    def literal(self, lines: Lines, at: int) -> tuple[list[Block], int]:
        """Return the literal block below a line: what is indented, or quoted by one sign."""
        texts = lines.texts
        start = at
        while start < len(texts) and not texts[start]:
            start += 1
        if start == len(texts):
            return [], start
        if texts[start][0] == " ":
            end = lines.after_indented(start)
            return self.fence(lines.dedented(start, end), self.language), end
        if start > at and is_rule(texts[start][0]) and not title_at(texts, start):
            end = start
            while end < len(texts) and texts[end][:1] == texts[start][0]:
                end += 1
            return self.fence(lines.part(start, end), self.language), end
        return [], at

    def fence(self, lines: Lines, language: str = "") -> list[Block]:
        """Write code."""
        lines = lines.trimmed()
        if not lines.texts:
            return []
        block = block_of(gfm.fence("\n".join(lines.texts), language), lines.first - 1)
        return [[(block[0][0], lines.first), *block[1:-1], (block[-1][0], block[-1][1] - 1)]]


def _paragraph_end(lines: Lines, at: int) -> int:
    end = at + 1
    while end < len(lines.texts) and lines.texts[end]:
        end += 1
    return end
