"""Blocks -> units: the pieces that packing joins into chunks but never cuts.

1. Blocks form groups: a chain of headings with the text below it. So a heading is never parted from its text.
2. A section that fits `max_tokens` with all its subsections is one unit. So it is never cut.
3. Every group of a larger section is a unit, or, if it is too large itself, its blocks are, or the pieces of these.
4. There must be a cut where a section that is not one unit begins and ends. So no part of it joins another section.

    blocks         groups                      units if "Guide" is too large, but "Install" fits

    # Guide        1: a chain of two           must cut
    ## Install     |  headings                 1: "# Guide" and all of "Install"
    Run make ...   |                           |
    ### Linux      2                           |
    Use apt ...    |                           |
    ## Use         3: too large itself         must cut
    A list ...     |                           2: "## Use" with the first items
                   |                           may cut, at a price
                   |                           3: more items
    # Reference    4                           must cut, because "Guide" ends
    ...            |                           4
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from crosshead.chunking import prices
from crosshead.chunking.measure import BlockSums
from crosshead.chunking.prices import Cut
from crosshead.chunking.splitting import BlockPart, BlockSplitter
from crosshead.markdown import find_ink
from crosshead.options import ChunkOptions
from crosshead.types import Block, OversizeReason

SHORTEST_BODY = 24
"""Tokens that a chain of headings must leave free for the text below it, or an eighth of a small maximum."""
INTRODUCED_KINDS = frozenset(("code", "table", "list", "math", "component"))


class Unit(NamedTuple):
    """A slice from `start` to the start of the next unit; its content ends at `end`."""

    start: int
    end: int
    tokens: int
    head: int
    """What the count changes by if a chunk begins here: tokens(content) = tokens + head + tail."""
    tail: int
    tokens_alone: int
    """Tokens of the content if the unit is a chunk without others."""
    cut: Cut | None
    """What a cut before it costs; None where there must be one."""
    reason: OversizeReason | None = None
    prefix: str = ""
    suffix: str = ""
    prefix_tokens: int = 0
    suffix_tokens: int = 0


Whole = tuple[int, int, int, int, int, int]
"""The fields of a unit up to `tokens_alone`."""


class Group(NamedTuple):
    """A chain of headings and the blocks below it, as block numbers."""

    first: int
    """The first heading."""
    body: int
    """The first block below the headings."""
    end: int
    depth: int
    """How many headings enclose the outermost heading of the chain; -1 for text before the first heading."""
    first_depth: int
    """How many enclose the first heading: more than `depth` if the chain continues with a higher heading."""
    levels: tuple[int, ...]
    """Levels of the sections that the chain opens and leaves open, from `depth` on."""


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

    `heads` are the numbers of the headings; `titled` says that the document has a title that is not a heading.
    """
    return _UnitMaker(blocks, sums, splitter, options, titled=titled).make_units(first_block, heads)


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

    def make_units(self, first_block: int, heads: Sequence[int]) -> list[Unit]:
        groups = list(self.groups(first_block, heads))
        units: list[Unit] = []
        cut_sections: list[int] = []
        """Depths of the open sections that are not one unit, outermost first."""
        follows_headings = False
        number = 0
        while number < len(groups):
            group = groups[number]
            whole, following = self.largest_section(groups, number)
            still_open = [depth for depth in cut_sections if depth < group.depth]
            next_depth = groups[following].first_depth if following < len(groups) else -1
            opened = range(group.depth, group.depth + len(group.levels))
            begun = [depth for depth in opened if not whole or next_depth > depth]
            must_cut = len(still_open) < len(cut_sections) or begun or follows_headings or self.leaves_no_room(group)
            cut = None if must_cut else self.cut_before(group)
            units += [Unit(*whole, cut)] if whole else self.split_group(group, cut)
            cut_sections = still_open + begun
            follows_headings = group.body == group.end and following == number + 1
            number = following
        return units

    # ------------------------------------------------------------------ groups

    def groups(self, first_block: int, heads: Sequence[int]) -> Iterator[Group]:
        """Yield the groups; the headings of a chain stay together as long as they leave room for text."""
        blocks, count = self.blocks, len(self.blocks)
        heads = [*heads, count]
        if first_block < heads[0]:
            yield Group(first_block, first_block, heads[0], -1, -1, ())
        open_levels: list[int] = []
        head = 0
        while head < len(heads) - 1:
            first = at = heads[head]
            tokens, depth, first_depth = 0, len(open_levels), -1
            while heads[head] == at < count:
                heading_tokens = self.heading_tokens(at, at + 1)
                if tokens and tokens + heading_tokens > self.longest_chain:
                    break
                while open_levels and open_levels[-1] >= blocks[at].level:
                    open_levels.pop()
                depth = min(depth, len(open_levels))
                first_depth = len(open_levels) if first_depth < 0 else first_depth
                open_levels.append(blocks[at].level)
                tokens += heading_tokens
                at += 1
                head += 1
            yield Group(first, at, heads[head], depth, first_depth, tuple(open_levels[depth:]))

    def heading_tokens(self, first: int, end: int) -> int:
        """Return the tokens of headings; if estimated, not the upper bound, which takes them for code."""
        sums = self.sums
        if sums.measure.exact:
            return sums.sums[end] - sums.sums[first]
        return sum(sums.measure.counter(self.text[sums.starts[at] : sums.starts[at + 1]]) for at in range(first, end))

    def leaves_no_room(self, group: Group) -> bool:
        """Is this a chain of headings too long for text to follow? Else it would join, and end, what precedes it."""
        return group.body == group.end < len(self.blocks)

    def cut_before(self, group: Group) -> Cut | None:
        """Return what a cut before a group costs, or None if there must be one.

        Sections may share a chunk only under a common heading or the document's title; chapters never do.
        """
        shared = group.depth + self.titled
        if group.depth < 0 or shared < 1 or group.levels[0] == 1:
            return None
        return prices.SECTION if group.levels[0] <= self.heading_depth else prices.PARAGRAPH

    def largest_section(self, groups: Sequence[Group], number: int) -> tuple[Whole | None, int]:
        """Return the largest section that begins with this group and fits, if any, and the group after it."""
        group, sums = groups[number], self.sums.sums
        most = sums[group.first] + self.max_tokens + prices.SLACK
        for depth, level in enumerate(group.levels, group.depth):
            if not self.may_hold_sections(level):
                continue
            end = number + 1
            while end < len(groups) and groups[end].depth > depth and sums[groups[end].end] <= most:
                end += 1
            if (end == len(groups) or groups[end].first_depth <= depth) and not self.leaves_no_room(groups[end - 1]):
                whole = self.whole(group.first, groups[end - 1].end)
                if whole:
                    return whole, end
        return self.whole(group.first, group.end), number + 1

    def may_hold_sections(self, level: int) -> bool:
        """May sections of this level be one unit with their subsections? With `min_tokens=0` only deep ones."""
        return self.min_tokens > 0 or level >= self.heading_depth

    def whole(self, first: int, end: int) -> Whole | None:
        """Return the first fields of a unit of the blocks `first` to `end`, if they fit."""
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
        ends = [*[piece.start for piece in pieces[1:]], end]
        for number, (piece, stop) in enumerate(zip(pieces, ends, strict=True)):
            yield from self.units_of(piece, stop, piece.cut if number else cut)

    def without_blank(self, pieces: list[BlockPart], end: int) -> list[BlockPart]:
        """Add pieces of only white space to the piece before them."""
        text, count = self.text, self.sums.measure.code
        solid: list[BlockPart] = []
        ends = [*[piece.start for piece in pieces[1:]], end]
        for piece, stop in zip(pieces, ends, strict=True):
            if find_ink(text, piece.content_start, stop):
                solid.append(piece)
            elif solid:
                last = solid[-1]
                join = -last.head if last.start == last.content_start else 0
                solid[-1] = last._replace(tokens=count(text[last.start : stop]) + join)
        return solid

    def group_pieces(self, group: Group) -> list[BlockPart]:
        """Return the pieces of a group, the last piece of its headings joined with the first one of its text."""
        if group.first == group.body:
            return self.body_pieces(group, self.max_tokens)
        *before, headings = self.heading_pieces(group)
        if group.body == group.end:
            return [*before, headings]
        room = self.max_tokens - self.tokens_taken_by(headings, self.sums.starts[group.body])
        first, *others = self.body_pieces(group, room)
        end = others[0].start if others else self.sums.starts[group.end]
        if not first.reason and not self.fits(headings, first, end):
            return [*before, headings, first, *others]  # the headings leave no room for any text
        joined = first._replace(
            start=headings.start, content_start=headings.content_start, tokens=headings.tokens + first.tokens,
            cut=headings.cut, head=headings.head,
        )  # fmt: skip
        return [*before, joined, *others]

    def heading_pieces(self, group: Group) -> list[BlockPart]:
        """Return the headings of a group as one piece; a heading that leaves no room for text is cut like prose."""
        starts, sums = self.sums.starts, self.sums.sums
        tokens = sums[group.body] - sums[group.first]
        if self.heading_tokens(group.first, group.body) > self.longest_chain:
            heading = self.blocks[group.first]._replace(end=starts[group.body])
            return self.splitter.pieces(heading, starts[group.body], tokens, self.max_tokens // 2, prices.PARAGRAPH)
        start, join = starts[group.first], self.sums.joins[group.first]
        return [BlockPart(start, start, tokens, prices.PARAGRAPH, head=-join)]

    def body_pieces(self, group: Group, room: int) -> list[BlockPart]:
        """Return the pieces of the blocks below the headings, which leave `room` for the first block."""
        starts, tokens = self.sums.starts, self.sums.tokens
        pieces: list[BlockPart] = []
        previous: Block | None = None
        for number in range(group.body, group.end):
            block = self.blocks[number]
            cut = self.cut_between(previous, block)
            pieces += self.splitter.pieces(block, starts[number + 1], tokens[number], room, cut)
            room, previous = self.max_tokens, block
        return pieces

    def tokens_taken_by(self, headings: BlockPart, end: int) -> int:
        """Return what headings take of the maximum; if estimated, not the upper bound, so that more fits below."""
        measure = self.sums.measure
        if measure.exact:
            return headings.tokens
        return min(headings.tokens, measure.counter(self.text[headings.start : end]))

    def fits(self, headings: BlockPart, piece: BlockPart, end: int) -> bool:
        """Do headings and the piece below them fit one chunk, without the white space at the end?"""
        if headings.tokens + piece.tokens <= self.max_tokens:
            return True
        return self.sums.measure.counter(self.text[headings.start : end].rstrip()) <= self.max_tokens

    def cut_between(self, previous: Block | None, block: Block) -> Cut:
        """Return what a cut between two blocks of a section costs."""
        if block.kind == "rule":
            return prices.RULE
        if previous and previous.kind == "paragraph":
            if self.text[max(previous.start, previous.end - 12) : previous.end].rstrip()[-1:] in (":", "："):
                return prices.COLON
            if block.kind in INTRODUCED_KINDS:
                return prices.INTRODUCED
        return prices.PARAGRAPH

    def units_of(self, piece: BlockPart, end: int, cut: Cut | None) -> Iterator[Unit]:
        """Yield the unit of a piece, or several if it is too large after all and not an atom."""
        measure = self.sums.measure
        content_end, tail = measure.tail(piece.start, end)
        alone = piece.tokens + piece.head + tail
        if piece.content_start > piece.start:  # head and tail may share one token, so they do not add up
            alone = measure.code(self.text[piece.content_start : content_end])
        if alone > self.max_tokens and (measure.recount or not measure.exact):  # it was only an upper bound
            alone = measure.counter(self.text[piece.content_start : content_end])
        if alone > self.max_tokens and not piece.reason and content_end - piece.content_start > 1:
            smaller = list(self.splitter.character_pieces(piece.start, end, self.max_tokens // 2, cut, measure.code))
            if len(smaller) > 1:
                for part, stop in zip(smaller, [*(part.start for part in smaller[1:]), end], strict=True):
                    yield from self.units_of(part, stop, part.cut)
                return
        yield Unit(
            piece.content_start, content_end, piece.tokens, piece.head, tail, alone, cut, piece.reason, piece.prefix,
            piece.suffix, piece.prefix_tokens, piece.suffix_tokens,
        )  # fmt: skip
