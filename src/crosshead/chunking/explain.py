"""Notes on why a chunk is cut as it is, for `explain`.

1. where it begins: at a chosen cut, or at one that had to be
2. what it holds: a whole section, a part of one, or joined sections, and why these were joined
3. which headings stay with the text below them
4. the price of its size
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crosshead.chunking.draft_position import DraftPosition
from crosshead.chunking.measure import BlockSums
from crosshead.chunking.pack import Draft
from crosshead.chunking.prices import size_prices
from crosshead.markdown import Outline, find_ink
from crosshead.options import ChunkOptions

MOST_NAMED = 6
"""More sections than this are only counted."""


class Explainer:
    """Explains the chunks of one document; `ends` are the blocks after each section, subsections included."""

    def __init__(
        self, sections: Outline, own_ends: Sequence[int], ends: Sequence[int], sums: BlockSums, options: ChunkOptions
    ) -> None:
        self.outline = sections
        self.own_ends = own_ends
        self.ends = ends
        self.sums = sums
        self.options = options

    def explain(self, number: int, draft: Draft, place: DraftPosition, part: int, parts: int) -> tuple[str, ...]:
        """Return the notes of a chunk."""
        if self.options.strategy == "fixed":
            return (draft.cut.explain(),) if draft.cut else ()
        return (
            self.beginning(number, draft, place),
            *self.holding(draft, place, part, parts),
            *self.sticking(draft, place),
            self.size(draft),
        )

    def beginning(self, number: int, draft: Draft, place: DraftPosition) -> str:
        if draft.cut:
            return draft.cut.explain()
        if not number:
            return "begins the document"
        text, block = self.sums.measure.text, self.sums.starts[place.first_block]
        if find_ink(text, block, draft.start):
            is_tag = text[draft.start] == "<" or text[draft.start - 1] == ">"
            where = "at a tag inside" if is_tag else "inside"
            return f"begins {where} a run of text without spaces that is too long for one chunk: there must be a cut"
        opened = place.headings[0] if place.headings else place.section
        if self.outline.parents[opened] == 0:
            return "begins where no heading is shared: there must be a cut"
        return "begins at the border of a section that was cut: no part of it is joined with others"

    def holding(self, draft: Draft, place: DraftPosition, part: int, parts: int) -> Iterator[str]:
        section, joined = place.section, self.joined(place)
        name = self.name(section)
        is_all = place.first_block <= self.outline.heads[section] and place.last_block + 1 == self.ends[section]
        if parts > 1:
            heading = "; render() repeats its heading" if part and section else ""
            yield f"part {part + 1} of {parts} of {name}, whose text has {self.own_tokens(section)} tokens{heading}"
        elif is_all:
            yield f"all of {name}{', with what is below it' if joined else ''}"
        elif place.first_block < self.own_ends[section]:
            yield f"the beginning of {name}, which is too large as a whole"
        if joined and not is_all:
            yield self.joining(draft, place, joined)

    def joining(self, draft: Draft, place: DraftPosition, joined: Sequence[int]) -> str:
        """Name the sections that share a chunk, and the reason if some are too small."""
        sizes = [self.sums.count(self.outline.heads[each], self.ends[each]) for each in joined]
        named = [f"{self.name(each)} ({size} tokens)" for each, size in zip(joined, sizes, strict=True)]
        named[MOST_NAMED:] = [f"{len(named) - MOST_NAMED} more"] if len(named) > MOST_NAMED else []
        has_own_text = place.first_block < self.own_ends[place.section]
        own = [draft.tokens - sum(sizes)] if has_own_text else []
        is_small = min(*own, *sizes, draft.tokens) < self.options.min_tokens
        why = f", because less than {self.options.min_tokens} tokens do not stand alone" if is_small else ""
        return f"joins {' and '.join(filter(None, (', '.join(named[:-1]), named[-1])))}{why}"

    def sticking(self, draft: Draft, place: DraftPosition) -> Iterator[str]:
        """Say where headings prevented a cut: several in a row, or one before an oversize block."""
        heads, headings = self.outline.heads, place.headings
        leading = sum(heads[each] == place.first_block + at for at, each in enumerate(headings))
        if leading > 1:
            yield f"{leading} headings stick to the text below them"
        if draft.reason:
            heading = "its heading stays with it, and " if leading else ""
            yield f"{draft.tokens} tokens are above the maximum: {heading}{draft.reason} is not cut"
        if draft.prefix or draft.suffix:
            yield "part of a block that is too large for one chunk"

    def size(self, draft: Draft) -> str:
        options = self.options
        if draft.tokens > options.max_tokens:
            return f"{draft.tokens} of {options.target_tokens} tokens"
        price = size_prices(options.max_tokens, options.target_tokens, options.min_tokens)[draft.tokens]
        return f"{draft.tokens} of {options.target_tokens} tokens: {price:+.2f}"

    # ------------------------------------------------------------------ sections

    def joined(self, place: DraftPosition) -> list[int]:
        """Return the sections in the chunk that are directly below its own."""
        return [
            each for each in place.headings if each != place.section and self.outline.parents[each] == place.section
        ]

    def own_tokens(self, section: int) -> int:
        return self.sums.count(self.outline.heads[section], self.own_ends[section])

    def name(self, section: int) -> str:
        return f"“{self.outline.paths[section][-1]}”" if section else "the text above all headings"
