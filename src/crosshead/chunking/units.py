"""Blocks -> units: the pieces that packing joins into chunks but never cuts.

1. blocks form groups: a chain of headings with the text below it, so that a heading never stands apart
2. a section that fits `max_tokens` with all its subsections is one unit, so that it is never cut
3. of a larger section every group is a unit; a group that is too large becomes its blocks, and those their pieces
4. a section that is not one unit begins and ends with a cut, so that no part of it is joined with other sections
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from crosshead.chunking import prices
from crosshead.chunking.measure import BlockSums
from crosshead.chunking.prices import Cut
from crosshead.chunking.split import BlockPart, BlockSplitter
from crosshead.options import ChunkOptions
from crosshead.types import Block, OversizeReason

SHORTEST_BODY = 24
"""Tokens that a chain of headings must leave free for the text below it, or an eighth of a small budget."""
INTRODUCED_KINDS = frozenset(("code", "table", "list", "math", "component"))


class Unit(NamedTuple):
    """A slice from `start` to the start of the next unit; its content ends at `end`."""

    start: int
    end: int
    tokens: int
    head: int
    """What the count changes by if a chunk begins here: tokens(content) = tokens + head + tail."""
    tail: int
    alone: int
    """Tokens of the content, if the unit is a chunk by itself."""
    cut: Cut | None
    """What a cut in front of it costs; None where there must be one."""
    reason: OversizeReason | None = None
    prefix: str = ""
    suffix: str = ""
    room_before: int = 0
    room_behind: int = 0


Whole = tuple[int, int, int, int, int, int]
"""The fields of a unit up to `alone`."""


class Group(NamedTuple):
    """A chain of headings and the blocks below it, as block numbers."""

    first: int
    body: int
    end: int
    depth: int
    """Headings that enclose the outermost heading of the chain; -1 for text before the first heading."""
    first_depth: int
    """Headings that enclose the first one, which is deeper than the outermost if it belongs to what ends here."""
    levels: tuple[int, ...]
    """Of the headings that the chain leaves open, from `depth` on."""


def make_units(
    blocks: Sequence[Block],
    heads: Sequence[int],
    sums: BlockSums,
    splitter: BlockSplitter,
    options: ChunkOptions,
    first_block: int,
    *,
    titled: bool,
) -> list[Unit]:
    """Cut the blocks from `first_block` on into units.

    `heads` are the numbers of the headings; `titled`: the blocks share a title that is no heading.
    """
    return _UnitMaker(blocks, sums, splitter, options, titled=titled).run(first_block, heads)


class _UnitMaker:
    def __init__(
        self, blocks: Sequence[Block], sums: BlockSums, splitter: BlockSplitter, options: ChunkOptions, *, titled: bool
    ) -> None:
        self.blocks = blocks
        self.sums = sums
        self.splitter = splitter
        self.text = splitter.text
        self.max_tokens = options.max_tokens
        self.min_tokens = options.min_tokens
        self.heading_depth = options.heading_depth
        self.titled = titled
        self.longest_chain = options.max_tokens - min(SHORTEST_BODY, options.max_tokens // 8)

    def run(self, first_block: int, heads: Sequence[int]) -> list[Unit]:
        groups = list(self.groups(first_block, heads))
        units: list[Unit] = []
        torn: list[int] = []
        after_bare = False
        number = 0
        while number < len(groups):
            group = groups[number]
            whole, following = self.largest_section(groups, number)
            ends_torn = bool(torn) and torn[-1] >= group.depth
            while torn and torn[-1] >= group.depth:
                torn.pop()
            reach = groups[following].first_depth if following < len(groups) else -1
            begins_torn = [
                depth for depth in range(group.depth, group.depth + len(group.levels)) if not whole or reach > depth
            ]
            torn += begins_torn
            must_cut = ends_torn or begins_torn or after_bare or self.is_bare(group)
            cut = None if must_cut else self.cut_before(group)
            if whole:
                units.append(Unit(*whole, cut))
            else:
                units += self.split_group(group, cut)
            after_bare = group.body == group.end and following == number + 1
            number = following
        return units

    # ------------------------------------------------------------------ groups

    def groups(self, at: int, heads: Sequence[int]) -> Iterator[Group]:
        """Headings of a chain stay together as long as they leave room for text."""
        blocks, count = self.blocks, len(self.blocks)
        heads = [*heads, count]
        if at < heads[0]:
            yield Group(at, at, heads[0], -1, -1, ())
        stack: list[int] = []
        head = 0
        while head < len(heads) - 1:
            first = at = heads[head]
            chain, depth, first_depth = 0, len(stack), -1
            while heads[head] == at < count and not (chain and chain + self.chain(at, at + 1) > self.longest_chain):
                level = blocks[at].level
                while stack and stack[-1] >= level:
                    stack.pop()
                depth = min(depth, len(stack))
                first_depth = len(stack) if first_depth < 0 else first_depth
                stack.append(level)
                chain += self.chain(at, at + 1)
                at += 1
                head += 1
            yield Group(first, at, heads[head], depth, first_depth, tuple(stack[depth:]))

    def chain(self, first: int, end: int) -> int:
        """Return the tokens of headings; for an estimate not the upper bound, which takes them for code."""
        sums = self.sums
        if sums.measure.exact:
            return sums.sums[end] - sums.sums[first]
        return sum(sums.measure.counter(self.text[sums.starts[at] : sums.starts[at + 1]]) for at in range(first, end))

    def is_bare(self, group: Group) -> bool:
        """Are these headings that leave no room for what follows? What they follow would end with them."""
        return group.body == group.end < len(self.blocks)

    def cut_before(self, group: Group) -> Cut | None:
        """Sections may share a chunk only below a heading, or below the document's title; chapters never do."""
        shared = group.depth + self.titled
        if group.depth < 0 or shared < 1 or group.levels[0] == 1:
            return None
        return prices.SECTION if group.levels[0] <= self.heading_depth else prices.PARAGRAPH

    def largest_section(self, groups: Sequence[Group], number: int) -> tuple[Whole | None, int]:
        """Return the largest section that starts here and fits, and the number of the group after it."""
        group, limit, sums = groups[number], self.max_tokens, self.sums.sums
        most = sums[group.first] + limit + prices.SLACK
        for depth, level in enumerate(group.levels, group.depth):
            if not self.may_hold_sections(level):
                continue
            end = number + 1
            while end < len(groups) and groups[end].depth > depth and sums[groups[end].end] <= most:
                end += 1
            if (end == len(groups) or groups[end].first_depth <= depth) and not self.is_bare(groups[end - 1]):
                whole = self.whole(group.first, groups[end - 1].end)
                if whole:
                    return whole, end
        return self.whole(group.first, group.end), number + 1

    def may_hold_sections(self, level: int) -> bool:
        """Without a minimum every section is a chunk, but for those whose heading is too deep for a cut."""
        return self.min_tokens > 0 or level >= self.heading_depth

    def whole(self, first: int, end: int) -> Whole | None:
        """Return the blocks `first` to `end` as the beginning of a unit, if they fit."""
        sums = self.sums.sums
        if sums[end] - sums[first] > self.max_tokens + prices.SLACK:
            return None
        tokens, head, tail, content_end = self.sums.span(first, end)
        alone = tokens + head + tail
        return (self.sums.starts[first], content_end, tokens, head, tail, alone) if alone <= self.max_tokens else None

    # ------------------------------------------------------------------ groups that are too large

    def split_group(self, group: Group, cut: Cut | None) -> Iterator[Unit]:
        """Cut a group into units; the first one holds the headings."""
        end = self.sums.starts[group.end]
        pieces = self.without_blank(self.group_pieces(group), end)
        ends = [*(piece.start for piece in pieces[1:]), end]
        for number, (piece, stop) in enumerate(zip(pieces, ends, strict=True)):
            yield from self.units_of(piece, stop, piece.cut if number else cut)

    def without_blank(self, pieces: list[BlockPart], end: int) -> list[BlockPart]:
        """White space is no piece: it belongs to the one before it."""
        text, count = self.text, self.sums.measure.code
        kept: list[BlockPart] = []
        ends = [*(piece.start for piece in pieces[1:]), end]
        for piece, stop in zip(pieces, ends, strict=True):
            if text[piece.content_start : stop].strip():
                kept.append(piece)
            elif kept:
                last = kept[-1]
                join = -last.head if last.start == last.content_start else 0
                kept[-1] = last._replace(tokens=count(text[last.start : stop]) + join)
        return kept

    def group_pieces(self, group: Group) -> list[BlockPart]:
        blocks, starts, tokens, sums = self.blocks, self.sums.starts, self.sums.tokens, self.sums.sums
        pieces: list[BlockPart] = []
        chain = sums[group.body] - sums[group.first]
        glued = BlockPart(
            starts[group.first], starts[group.first], chain, prices.PARAGRAPH, head=-self.sums.joins[group.first]
        )
        if self.chain(group.first, group.body) > self.longest_chain:  # a heading that leaves no room is cut like prose
            heading = blocks[group.first]._replace(end=starts[group.body])
            pieces = self.splitter.pieces(heading, starts[group.body], chain, self.max_tokens // 2, prices.PARAGRAPH)
            if group.body == group.end:
                return pieces
            glued = pieces.pop()
        elif group.body == group.end:
            return [glued]
        previous: Block | None = None
        for number in range(group.body, group.end):
            block = blocks[number]
            room = (
                self.max_tokens - self.headings_tokens(glued, starts[number])
                if number == group.body
                else self.max_tokens
            )
            more = self.splitter.pieces(
                block, starts[number + 1], tokens[number], room, self.cut_between(previous, block)
            )
            stop = more[1].start if len(more) > 1 else starts[number + 1]
            fits = more[0].reason or self.fits(glued, more[0], stop)
            if number == group.body and group.body > group.first and not fits:
                pieces.append(glued)  # there is no room for any text below this heading
            elif number == group.body and group.body > group.first:
                more[0] = more[0]._replace(
                    start=glued.start, content_start=glued.content_start, tokens=glued.tokens + more[0].tokens,
                    cut=glued.cut, head=glued.head,
                )  # fmt: skip
            pieces += more
            previous = block
        return pieces

    def headings_tokens(self, headings: BlockPart, end: int) -> int:
        """Return what headings take of the budget; for an estimate not the upper bound, so that more fits below."""
        measure = self.sums.measure
        return (
            headings.tokens if measure.exact else min(headings.tokens, measure.counter(self.text[headings.start : end]))
        )

    def fits(self, headings: BlockPart, piece: BlockPart, end: int) -> bool:
        """Do headings and the piece below them fit together, without the white space at the end?"""
        if headings.tokens + piece.tokens <= self.max_tokens:
            return True
        return self.sums.measure.counter(self.text[headings.start : end].rstrip()) <= self.max_tokens

    def cut_between(self, previous: Block | None, block: Block) -> Cut:
        if block.kind == "rule":
            return prices.RULE
        if previous and previous.kind == "paragraph":
            if self.text[max(previous.start, previous.end - 12) : previous.end].rstrip()[-1:] in (":", "："):
                return prices.COLON
            if block.kind in INTRODUCED_KINDS:
                return prices.INTRODUCED
        return prices.PARAGRAPH

    def units_of(self, piece: BlockPart, end: int, cut: Cut | None) -> Iterator[Unit]:
        """Make a unit of a piece; one that is too large after all is cut once more, whatever it holds."""
        measure = self.sums.measure
        content_end, tail = measure.tail(piece.start, end)
        alone = piece.tokens + piece.head + tail
        if piece.content_start > piece.start:  # both ends may share one token, so their corrections do not add up
            alone = measure.code(self.text[piece.content_start : content_end])
        if alone > self.max_tokens and (measure.recount or not measure.exact):  # that was an upper bound
            alone = measure.counter(self.text[piece.content_start : content_end])
        if alone > self.max_tokens and not piece.reason and content_end - piece.content_start > 1:
            smaller = list(self.splitter.character_pieces(piece.start, end, self.max_tokens // 2, cut, measure.code))
            if len(smaller) > 1:
                for part, stop in zip(smaller, [*(part.start for part in smaller[1:]), end], strict=True):
                    yield from self.units_of(part, stop, part.cut)
                return
        yield Unit(
            piece.content_start, content_end, piece.tokens, piece.head, tail, alone, cut, piece.reason, piece.prefix,
            piece.suffix, piece.room_before, piece.room_behind,
        )  # fmt: skip
