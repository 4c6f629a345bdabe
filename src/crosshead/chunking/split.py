"""A block that is too large -> pieces that fit, cut at the least harmful places.

list -> items -> nested items, blocks and lines -> sentences -> words -> characters (`prose`)
code, table, formula: whole; with `oversize="split"`, lines or rows, with a prefix and suffix that make valid Markdown
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from crosshead.chunking import prose
from crosshead.chunking.measure import Measure
from crosshead.chunking.prices import INNER_BLOCK, INNER_LINE, ITEM, LINE, NESTED_ITEM, SENTENCE, WORD, Cut
from crosshead.chunking.prose import Span
from crosshead.chunking.rows import HtmlTable
from crosshead.markdown import HTML_TABLE, find_ink, split_lines
from crosshead.tokens import Count
from crosshead.types import Block, BlockKind, OversizeReason

ATOM_REASONS: Final[dict[BlockKind, OversizeReason]] = {
    "code": "code", "table": "table", "math": "math", "component": "component", "expression": "component",
}  # fmt: skip
"""Blocks that are never cut if they fit, and the `oversize_reason` of a chunk with a larger one."""

_SOFT_CHARACTERS = "。！？；，、.,;:)]}/-_"
_FENCE = re.compile(r"([\s>]*(?:(?:(?:[*+-]|[0-9]{1,9}[.)])[\s>]|\[\^[^\]\s]+\]:)[\s>]*)*)(`{3,}|~{3,})").match
_INDENT = " " * 4
END_SLACK: Final = 4
"""Tokens that a piece may gain without the newlines at its end, because punctuation shares tokens with newlines."""
CHARACTERS_PER_TOKEN: Final = 8
"""Hardly any text has more."""
_CONTAINER_MARK = re.compile(r"[^\s>]")


class BlockPart(NamedTuple):
    """Part of a block, from `start` to the start of the next piece."""

    start: int
    content_start: int
    """Where the content begins if a chunk begins here: inside a line, after the space."""
    tokens: int
    cut: Cut | None
    """What a cut before it costs; None where there must be one."""
    reason: OversizeReason | None = None
    prefix: str = ""
    """Text to put before a chunk that begins here; `suffix` goes after one that ends here."""
    suffix: str = ""
    head: int = 0
    """How `tokens` changes if a chunk begins here."""
    prefix_tokens: int = 0
    """Tokens to reserve for the prefix if a chunk begins here, and for the suffix if one ends here."""
    suffix_tokens: int = 0

    @property
    def largest(self) -> int:
        """Tokens of the piece, or of a chunk that begins with it, whichever is more."""
        return max(self.tokens, self.tokens + self.head)


class BlockSplitter:
    """Cuts the blocks of one document."""

    def __init__(self, measure: Measure, text: str, max_tokens: int, *, split_atoms: bool) -> None:
        self.measure = measure
        self.text = text
        self.max_tokens = max_tokens
        self.split_atoms = split_atoms

    def pieces(self, block: Block, end: int, tokens: int, budget: int, cut: Cut) -> list[BlockPart]:
        """Cut a block whose slice ends at `end`; `budget` is what the headings before it leave free."""
        reason = ATOM_REASONS.get(block.kind) if block.closed else None
        whole = BlockPart(block.start, block.start, tokens, cut, reason, head=-self.measure.join(block.start))
        if reason:
            if self.split_atoms and self.is_too_large(whole, end, self.max_tokens):
                return self.atom_pieces(block, end, budget, cut)
            return [whole]
        if block.kind == "list" and tokens > min(budget, self.max_tokens // 2):
            return self.item_pieces(block, end, budget, cut)
        if tokens <= budget:
            return [whole]
        if not block.closed:
            return self.atom_pieces(block, end, budget, cut)
        if block.kind in ("paragraph", "heading"):
            return self.prose_pieces(block.start, end, budget, cut, self.measure.count_of(block))
        return self.line_pieces(block, block.start_line, block.end_line, end, budget, cut)

    @cached_property
    def offsets(self) -> list[int]:
        """The offsets of the lines; computed only if a block must be cut."""
        return split_lines(self.text)[1]

    # ------------------------------------------------------------------ lists and other containers

    def item_pieces(self, block: Block, end: int, budget: int, cut: Cut) -> list[BlockPart]:
        pieces: list[BlockPart] = []
        starts = [self.offsets[first - 1] for first, _ in block.items]
        count = self.measure.count_of(block)
        for (first, last), (start, stop) in zip(block.items, pairwise([*starts, end]), strict=True):
            piece = self.line_piece(start, stop, cut, count)
            if piece.tokens > budget:
                pieces += self.line_pieces(block, first, last, stop, budget, cut)
            else:
                pieces.append(piece)
            cut, budget = ITEM, self.max_tokens
        return pieces

    def line_pieces(self, block: Block, first: int, last: int, end: int, budget: int, cut: Cut) -> list[BlockPart]:
        """Cut the lines `first` to `last` of a block; the atoms among them stay whole."""
        pieces: list[BlockPart] = []
        count = self.measure.count_of(block)
        kept = self.kept_spans(self.offsets[first - 1], end, budget, count)
        for start, stop, line_cut, atom in self.line_spans(block, first, last, end, cut, kept):
            behind = self.marks_start(atom, stop) if atom else stop
            piece = self.line_piece(start, behind, line_cut, count)
            if atom and self.split_atoms and self.is_too_large(piece, behind, self.max_tokens):
                pieces += self.atom_pieces(atom, stop, budget, line_cut, nested=True)
            elif atom:
                pieces += self.with_marks(piece._replace(reason=ATOM_REASONS[atom.kind]), behind, stop, count)
            elif piece.tokens > budget:
                pieces += self.prose_pieces(start, stop, budget, line_cut, count)
            else:
                pieces.append(piece)
            budget = self.max_tokens
        return pieces

    def marks_start(self, atom: Block, end: int) -> int:
        """Return where lines with only the marks of a quote begin after an atom, or `end`."""
        behind = self._line_end(atom.end_line)
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

    def is_too_large(self, piece: BlockPart, end: int, limit: int) -> bool:
        """Is the content of a piece, without the white space at its end, above a limit?"""
        if piece.tokens <= limit - END_SLACK:
            return False
        return self.measure.counter(self.text[piece.content_start : end].rstrip()) > limit

    def fits(self, piece: BlockPart, end: int, budget: int) -> bool:
        """Does a piece fit, whether or not a chunk begins with it, without the white space at its end?"""
        return piece.largest <= budget and not self.is_too_large(piece, end, budget)

    def line_piece(self, start: int, end: int, cut: Cut, count: Count) -> BlockPart:
        """Return a piece that begins with a line."""
        join = self.measure.join(start)
        return BlockPart(start, start, count(self.text[start:end]) + join, cut, head=-join)

    def line_spans(
        self, block: Block, first: int, last: int, end: int, cut: Cut, kept: Sequence[Span]
    ) -> Iterator[tuple[int, int, Cut, Block | None]]:
        """Yield (start, end, price of a cut before it, atom) for every line or atom that may be a piece."""
        text, offsets = self.text, self.offsets
        atoms = {atom.start_line: atom for atom in block.atoms}
        starts: list[tuple[int, Cut, Block | None]] = []
        line = first
        while line <= last:
            atom = atoms.get(line)
            start = offsets[line - 1]
            if starts and cut is INNER_LINE and prose.LIST_ITEM(text, start):
                cut = NESTED_ITEM
            starts.append((start, cut, atom))
            line = max(atom.end_line if atom else line, line) + 1
            while not atom and line <= last and line not in atoms and prose.lies_inside(offsets[line - 1], kept):
                line += 1
            cut = INNER_LINE
            while line <= last and not text[offsets[line - 1] : self._line_end(line)].replace(">", " ").strip():
                line += 1
                cut = INNER_BLOCK
        for (start, cut, atom), following in zip(starts, [*starts[1:], None], strict=True):
            yield start, following[0] if following else end, cut, atom

    def _line_end(self, line: int) -> int:
        return self.offsets[line] if line < len(self.offsets) else len(self.text)

    # ------------------------------------------------------------------ atoms

    def atom_pieces(self, atom: Block, end: int, budget: int, cut: Cut, *, nested: bool = False) -> list[BlockPart]:
        """Cut an atom at its lines; prefix and suffix make every piece valid Markdown."""
        if atom.lang == HTML_TABLE and atom.kind == "table":
            return self.html_table_pieces(atom, end, budget, cut)
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

    def html_table_pieces(self, atom: Block, end: int, budget: int, cut: Cut) -> list[BlockPart]:
        """Cut an HTML table before its rows, and a row that is too large like other HTML."""
        text, count, behind = self.text, self.measure.code, self.marks_start(atom, end)
        table = HtmlTable(text, atom.start, atom.end)
        starts = [atom.start, *table.rows]
        if len(starts) > 2 and self.measure.counter(text[atom.start : starts[2]].rstrip()) <= budget:
            del starts[1]  # the head stays with the first row
        pieces: list[BlockPart] = []
        for start, stop in pairwise([*starts, behind]):
            piece = self.inner_piece(start, stop, cut, count)
            if not self.is_too_large(piece, stop, budget):
                pieces.append(piece)
            elif self.begins_line(piece):
                first, last = bisect_right(self.offsets, start), bisect_left(self.offsets, stop)
                pieces += self.line_pieces(atom, first, last, stop, budget, cut)
            else:
                pieces += self.prose_pieces(start, stop, budget, cut, count)
            cut, budget = ITEM, self.max_tokens
        wrapped = list(self.with_tags(pieces, table, _CONTAINER_MARK.sub(" ", self.margin(atom)), behind))
        wrapped[0] = wrapped[0]._replace(prefix=pieces[0].prefix, prefix_tokens=0)
        wrapped[-1] = wrapped[-1]._replace(suffix=pieces[-1].suffix, suffix_tokens=0)
        return [*wrapped[:-1], *self.with_marks(wrapped[-1], behind, end, count)]

    def with_tags(self, pieces: Sequence[BlockPart], table: HtmlTable, margin: str, end: int) -> Iterator[BlockPart]:
        """Add the tags that make each piece of an HTML table a table; `margin` holds the marks of a quote."""
        margin = margin if ">" in margin else ""
        sizes: dict[str, int] = {}
        rows = set(table.rows)
        for piece, stop in zip(pieces, [*(piece.start for piece in pieces[1:]), end], strict=True):
            opening, closing = table.prefix(piece.content_start), table.suffix(stop)
            is_apart = piece.content_start not in rows and self.text.endswith("\n\n", 0, piece.start)
            inner = "" if self.begins_line(piece) else margin
            prefix = f"{margin}{opening}\n{chr(10) * is_apart}{inner}{piece.prefix}" if opening else piece.prefix
            suffix = f"{piece.suffix}\n{margin}{closing}" if closing else piece.suffix
            for each in (prefix, suffix):
                sizes[each] = sizes[each] if each in sizes else self.measure.code(each)
            fits = sizes[prefix] + sizes[suffix] <= self.max_tokens // 2  # else there would be no room for rows
            yield piece._replace(
                prefix=prefix, suffix=suffix,
                prefix_tokens=sizes[prefix] if fits else 0, suffix_tokens=sizes[suffix] if fits else 0,
            )  # fmt: skip

    def margin(self, atom: Block) -> str:
        """Return the text before the first tag of an atom: indentation, and the marks of lists and quotes."""
        return self.text[atom.start : max(atom.start, self.text.find("<", atom.start, atom.end))]

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
            while last < atom.end_line and not text[offsets[last] : self._line_end(last + 1)].strip():
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
        return self.measure.counter(self.text[self.offsets[first - 1] : self._line_end(last)].rstrip()) <= budget

    def wrapping(self, atom: Block, *, nested: bool) -> tuple[str, str, str, int]:
        """Return the prefix and suffix for the pieces of an atom, and how many of its lines open it.

        The third value is the additional indentation of a piece that begins inside a line.
        """
        first_line = self.text[atom.start : self._line_end(atom.start_line)].rstrip("\n")
        if atom.kind == "table":
            header_end = self.offsets[atom.start_line + 1] if atom.end_line > atom.start_line + 1 else atom.end
            return self.text[atom.start : header_end].rstrip("\n") + "\n", "", "", 3
        fence = _FENCE(first_line) if atom.kind == "code" else None
        if fence and (nested or self.is_fenced(atom, fence[2])):
            container = _CONTAINER_MARK.sub(" ", fence[1])
            return f"{container}{first_line[len(fence[1]) :]}\n", f"\n{container}{fence[2]}", container, 2
        if atom.kind == "math" and first_line.strip() in ("$$", r"\["):
            return f"{first_line}\n", f"\n{first_line.replace(chr(92) + '[', chr(92) + ']')}", "", 2
        return "", "", _INDENT if atom.kind == "code" else "", 1

    def is_fenced(self, atom: Block, fence: str) -> bool:
        """Is this code block fenced? Indented code may begin with a fence, too, but does not end with one."""
        last_line = self.text[self.offsets[atom.end_line - 1] : atom.end]
        return not atom.closed or last_line.strip().startswith(fence)

    def begins_line(self, piece: BlockPart) -> bool:
        return not piece.content_start or self.text[piece.content_start - 1] == "\n"

    def inner_indent(self, piece: BlockPart, indent: str, suffix: str) -> str:
        """Return the indentation of a piece that begins inside a line; deeper if the piece would close the fence."""
        fence = suffix.strip(" \n>")
        closes = fence != "" and self.text.startswith(fence, piece.content_start)
        return indent + _INDENT if closes else indent

    # ------------------------------------------------------------------ prose

    def prose_pieces(self, start: int, end: int, budget: int, cut: Cut | None, count: Count) -> list[BlockPart]:
        """Cut a run of text at lines, sentences, words, then characters; `budget` is that of the first piece."""
        pieces: list[BlockPart] = []
        kept = self.kept_spans(start, end, budget, count)
        for first, stop in prose.line_runs(self.text, start, end, kept) or [(start, end)]:
            line = self.inner_piece(first, stop, LINE, count)
            more = [line]
            if (first, stop) == (start, end) or not self.fits(line, stop, budget):
                more = list(self.sentence_pieces(first, stop, budget, count, kept))
            pieces += [more[0]._replace(cut=LINE), *more[1:]]
            budget = self.max_tokens
        pieces[0] = pieces[0]._replace(cut=cut)
        return pieces

    def kept_spans(self, start: int, end: int, budget: int, count: Count) -> list[Span]:
        """Return the spans of a text that are not cut: tags and elements that fit."""
        text, ink = self.text, self.skip_space(start, end)

        def fits(first: int, stop: int) -> bool:
            limit = (min(budget, self.max_tokens) if first <= ink else self.max_tokens) - END_SLACK
            return stop - first <= CHARACTERS_PER_TOKEN * limit and count(text[first:stop]) <= limit

        return prose.kept_spans(text, start, end, fits)

    def sentence_pieces(
        self, start: int, end: int, budget: int, count: Count, kept: Sequence[Span]
    ) -> Iterator[BlockPart]:
        for first, stop in prose.sentence_runs(self.text, start, end, kept):
            piece = self.inner_piece(first, stop, SENTENCE, count)
            if self.fits(piece, stop, budget):
                yield piece
            else:
                yield from self.word_pieces(first, stop, budget, count, kept)
            budget = self.max_tokens

    def word_pieces(self, start: int, end: int, budget: int, count: Count, kept: Sequence[Span]) -> Iterator[BlockPart]:
        """Cut a long sentence into runs of words."""
        held: BlockPart | None = None
        cut = SENTENCE
        for first, stop in prose.word_runs(self.text, start, end, kept):
            word = self.inner_piece(first, stop, WORD, count)._replace(cut=cut)
            if held and self.fits(longer := held._replace(tokens=held.tokens + word.tokens), stop, budget):
                held = longer
                continue
            if held:
                yield held
                held, cut, budget = None, WORD, self.max_tokens
                word = word._replace(cut=cut)
            if self.fits(word, stop, budget):
                held = word
                continue
            yield from self.tag_pieces(first, stop, budget, cut, count, kept)
            cut, budget = WORD, self.max_tokens
        if held:
            yield held

    def tag_pieces(
        self, start: int, end: int, budget: int, cut: Cut | None, count: Count, kept: Sequence[Span]
    ) -> Iterator[BlockPart]:
        """Cut a long word where a tag begins or ends, as rarely as possible, else at characters."""
        for edge, stop in prose.edge_runs(start, end, self.skip_space(start, end), kept):
            is_long = stop - start > CHARACTERS_PER_TOKEN * budget or count(self.text[start:stop]) > budget
            if is_long and edge > start:
                yield from self.character_pieces(start, edge, budget, cut, count)
                start, cut, budget = edge, None, self.max_tokens
        yield from self.character_pieces(start, end, budget, cut, count)

    def character_pieces(self, start: int, end: int, budget: int, cut: Cut | None, count: Count) -> Iterator[BlockPart]:
        """Cut a run without spaces, preferably after punctuation; never join its pieces: their counts do not add up."""
        self.measure.recount = True
        slack, last_slack = self.measure.joiner_slack(start), self.measure.joiner_slack(end)
        while start < end:
            content_start = self.content_start(start, end)
            stop = max(self.longest_prefix(content_start, end, budget, count), self.skip_space(start, end) + 1)
            tokens, content = count(self.text[start:stop]) + slack, count(self.text[content_start:stop])
            behind = last_slack if stop == end else 0
            yield BlockPart(start, content_start, tokens + behind, cut, head=content - tokens)
            start, cut, budget, slack = stop, None, self.max_tokens, 0

    def longest_prefix(self, start: int, end: int, limit: int, count: Count) -> int:
        """Return the end of the longest prefix that fits the limit, but at least one character."""
        text, limit = self.text, max(1, limit)
        stop = min(end, start + CHARACTERS_PER_TOKEN * limit)
        while stop - start > 1 and (tokens := count(text[start:stop].rstrip())) > limit:
            stop = start + max(1, min(stop - start - 1, (stop - start) * limit // tokens))
        if stop < end:
            soft = max(text.rfind(char, start + (stop - start) // 2, stop) for char in _SOFT_CHARACTERS) + 1
            stop = max(stop if soft <= start else soft, start + 1)
        return stop if find_ink(text, stop, end) else end

    def inner_piece(self, start: int, end: int, cut: Cut, count: Count) -> BlockPart:
        """Return a piece that may begin inside a line; the space before it is not part of its content."""
        content_start = self.content_start(start, end)
        if content_start == start:
            return self.line_piece(start, end, cut, count)
        tokens, content = count(self.text[start:end]), count(self.text[content_start:end])
        slack = self.measure.joiner_slack(end)
        return BlockPart(start, content_start, tokens + slack, cut, head=content - tokens)

    def content_start(self, start: int, end: int) -> int:
        """Return where the content of a piece begins: with the indentation of its line, if that leaves any room."""
        ink = self.skip_space(start, end)
        line_start = self.text.rfind("\n", max(0, start - 1), ink) + 1
        if start and not line_start:
            return ink  # inside a line
        return line_start if self.measure.counter(self.text[line_start : ink + 1]) <= self.max_tokens else ink

    def skip_space(self, start: int, end: int) -> int:
        ink = find_ink(self.text, start, end)
        return ink.start() if ink else end
