"""An atom that no chunk can hold -> pieces at its lines or rows, each of them valid Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crosshead.chunking.prices import INNER_BLOCK, INNER_LINE, ITEM, Cut
from crosshead.chunking.splitting import prose
from crosshead.chunking.splitting.part import BlockPart
from crosshead.chunking.splitting.text import TextSplitter
from crosshead.markdown import find_ink
from crosshead.tokens import Count
from crosshead.types import Block, BlockKind, OversizeReason

ATOM_REASONS: Final[dict[BlockKind, OversizeReason]] = {
    "code": "code", "table": "table", "math": "math", "component": "component", "expression": "component",
}  # fmt: skip
"""Blocks that are never cut if they fit, and the `oversize_reason` of a chunk with a larger one."""

CONTAINER_MARK: Final = re.compile(r"[^\s>]")
_FENCE = re.compile(r"([\s>]*(?:(?:(?:[*+-]|[0-9]{1,9}[.)])[\s>]|\[\^[^\]\s]+\]:)[\s>]*)*)(`{3,}|~{3,})").match
_INDENT = " " * 4


class AtomSplitter(TextSplitter):
    """Cuts code, tables, formulas and components."""

    def wrapped_lines(self, atom: Block, end: int, budget: int, cut: Cut, *, nested: bool = False) -> list[BlockPart]:
        """Cut an atom at its lines; prefix and suffix make every piece valid Markdown."""
        prefix, suffix, indent, opening_lines = self.wrapping(atom, nested=nested)
        count = self.measure.code
        before, after = count(prefix), count(suffix)
        if before + after > self.max_tokens // 2:  # a header row this large is not counted: it would leave no room
            before = after = 0
        room = self.max_tokens - before - after
        pieces: list[BlockPart] = []
        behind = self.marks_start(atom, end)
        for start, stop, line_cut in self.atom_lines(atom, behind, cut, opening_lines, budget):
            piece = self.line_piece(start, stop, line_cut, count)
            if not pieces and self.parts_of_header(atom) > 1 and self.is_too_large(piece, stop, budget):
                pieces.append(piece._replace(reason="table"))
            elif self.is_too_large(piece, stop, budget):  # a line is cut only if no chunk can hold it
                pieces += self.prose_pieces(start, stop, min(budget, room), line_cut, count)
            else:
                pieces.append(piece)
            budget = self.max_tokens
        wrapped = [
            piece._replace(
                prefix=prefix if self.begins_line(piece) else prefix + self.inner_indent(piece, indent, suffix),
                suffix=suffix, prefix_tokens=before, suffix_tokens=after,
            )
            for piece in pieces
        ]  # fmt: skip
        wrapped[0] = wrapped[0]._replace(prefix="", prefix_tokens=0)
        if atom.closed:
            wrapped[-1] = wrapped[-1]._replace(suffix="", suffix_tokens=0)
        return [*wrapped[:-1], *self.with_marks(wrapped[-1], behind, end, count)]

    def marks_start(self, atom: Block, end: int) -> int:
        """Return where lines with only the marks of a quote begin after an atom, or `end`."""
        behind = self.line_end(atom.end_line)
        return behind if behind < end and find_ink(self.text, behind, end) else end

    def with_marks(self, piece: BlockPart, behind: int, end: int, count: Count) -> list[BlockPart]:
        """Return the last piece of an atom with the marks of a quote after it, as two pieces if they do not fit one."""
        if behind == end:
            return [piece]
        marks = self.line_piece(behind, end, INNER_LINE, count)
        together = piece.tokens + marks.tokens
        if together <= self.max_tokens or self.is_too_large(piece, behind, self.max_tokens):
            return [piece._replace(tokens=together)]
        return [piece, marks]

    def atom_lines(
        self, atom: Block, end: int, cut: Cut, opening_lines: int, budget: int
    ) -> Iterator[tuple[int, int, Cut]]:
        """Yield (start, end, price of a cut before it) for the lines of an atom, some of which stay together."""
        offsets, text = self.offsets, self.text
        has_tags = ATOM_REASONS[atom.kind] == "component"
        kept = self.kept_spans(atom.start, end, budget, self.measure.code) if has_tags else []
        line, closing = atom.start_line, atom.end_line
        if atom.kind in ("code", "math") and opening_lines > 1 and atom.closed:
            closing -= 1
        last = min(line + opening_lines - 1, atom.end_line)
        least = line + self.parts_of_header(atom) - 1
        while last > least and not self.lines_fit(line, last, budget):
            last -= 1
        while line <= atom.end_line:
            blank = False
            while last < atom.end_line and not text[offsets[last] : self.line_end(last + 1)].strip():
                last, blank = last + 1, True
            while last < atom.end_line and prose.lies_inside(offsets[last], kept):
                last += 1
            if last >= closing and self.lines_fit(line, atom.end_line, budget):
                last = atom.end_line
            yield offsets[line - 1], offsets[last] if last < atom.end_line else end, cut
            cut = INNER_BLOCK if blank else ITEM if atom.kind == "table" else INNER_LINE
            line = last = last + 1
            budget = self.max_tokens

    def parts_of_header(self, atom: Block) -> int:
        """Return how many first lines of an atom stay together: the two that make a table, if a chunk can hold them."""
        is_table = atom.kind == "table" and self.lines_fit(atom.start_line, atom.start_line + 1, self.max_tokens)
        return 2 if is_table else 1

    def lines_fit(self, first: int, last: int, budget: int) -> bool:
        return self.measure.counter(self.text[self.offsets[first - 1] : self.line_end(last)].rstrip()) <= budget

    def wrapping(self, atom: Block, *, nested: bool) -> tuple[str, str, str, int]:
        """Return the prefix and suffix for the pieces of an atom, and how many of its lines open it.

        The third value is the additional indentation of a piece that begins inside a line.
        """
        first_line = self.text[atom.start : self.line_end(atom.start_line)].rstrip("\n")
        if atom.kind == "table":
            header_end = self.offsets[atom.start_line + 1] if atom.end_line > atom.start_line + 1 else atom.end
            return self.text[atom.start : header_end].rstrip("\n") + "\n", "", "", 3
        fence = _FENCE(first_line) if atom.kind == "code" else None
        if fence and (nested or self.is_fenced(atom, fence[2])):
            container = CONTAINER_MARK.sub(" ", fence[1])
            return f"{container}{first_line[len(fence[1]) :]}\n", f"\n{container}{fence[2]}", container, 2
        if atom.kind == "math" and first_line.strip() in ("$$", r"\["):
            return f"{first_line}\n", f"\n{first_line.replace(chr(92) + '[', chr(92) + ']')}", "", 2
        return "", "", _INDENT if atom.kind == "code" else "", 1

    def is_fenced(self, atom: Block, fence: str) -> bool:
        """Is this code block fenced? Indented code may begin with a fence, too, but does not end with one."""
        last_line = self.text[self.offsets[atom.end_line - 1] : atom.end]
        return not atom.closed or last_line.strip().startswith(fence)

    def inner_indent(self, piece: BlockPart, indent: str, suffix: str) -> str:
        """Return the indentation of a piece that begins inside a line; deeper if the piece would close the fence."""
        fence = suffix.strip(" \n>")
        closes = fence != "" and self.text.startswith(fence, piece.content_start)
        return indent + _INDENT if closes else indent
