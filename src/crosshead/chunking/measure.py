"""Token counts of any span of a document, from counting each block once.

A block owns the slice from its start to the start of the next block, so that trailing newlines are counted with it;
then the counts of an exact encoding add up:

    tokens(i..j) = sum of the slices + head(i) + tail(j)

`tail` is what leaving out the white space at the end changes. `head` undoes a `join`: a few places where the token of
one slice would reach into the next one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise
from operator import add

from crosshead.tokens import AnyCounter, Count, ExactCounter, has_fence_line, leaves_fence_open, may_be_code
from crosshead.types import Block

CODE_KINDS = frozenset(("code", "import", "component", "expression"))
LONGEST_MEMO = 32
"""Ends of slices that are longer than this are too rare to remember."""
MEMO_SIZE = 20_000
LONGEST_RUN = 256
"""Characters of punctuation that are looked back at; a longer run is no text, and its counts are recounted."""
CHAIN_SLACK = 2
"""Tokens that a line which begins with the seam may count more, depending on what else is in the chunk."""

WINDOW = 64
"""Characters at the end of a slice in which its content nearly always ends."""

SHORT_END = 4
"""Characters that nearly always show how a slice ends: a letter, punctuation, newlines."""

_PUNCTUATION = ".,:;!?)]}`'\"*_-|>/$%"
_JOINED_RIGHT = re.compile(r"(?:[^\w\s]|_)*\S{0,48}[\r\n/]{0,64}")
_CHAINED_RIGHT = re.compile(r"(?:[^\w\s]|_)+\n+/").match


class Measure:
    """Counts the tokens of one document."""

    def __init__(self, text: str, counter: AnyCounter, *, fences_may_be_cut: bool = False) -> None:
        self.text = text
        self.counter = counter
        self.prose, self.code, self.many, self.exact, self.seam = counter.slices(text)
        self.tails: dict[str, int] = counter.tails if isinstance(counter, ExactCounter) else {}
        self.ends: dict[str, tuple[int, int]] = counter.ends if isinstance(counter, ExactCounter) else {}
        self.fences_may_be_cut = fences_may_be_cut
        self.all_code = False
        self.recount = False
        """Must finished chunks be counted again? So it is after a cut inside a word, and where a line begins with the
        seam and holds nothing but punctuation: then a count depends on what else is in the chunk."""

    def count_blocks(self, blocks: Sequence[Block], starts: Sequence[int]) -> list[int]:
        """Return the tokens of each block's slice; `starts` are those of the blocks, and where the last slice ends."""
        text = self.text
        if self.exact:
            return self.many(map(text.__getitem__, map(slice, starts, starts[1:])))  # never all pieces at once
        # A fence line without its partner turns the rest of a chunk into code: then nothing is counted as prose.
        self.all_code = has_fence_line(text) and (
            self.fences_may_be_cut or any(leaves_fence_open(text[block.start : block.end]) for block in blocks)
        )
        return [
            self.count_of(block)(text[start:stop])
            for block, (start, stop) in zip(blocks, pairwise(starts), strict=True)
        ]

    def count_of(self, block: Block) -> Count:
        """Return what counts the pieces of a block; for an estimate it never counts too little."""
        if self.exact:
            return self.prose
        if self.all_code or block.kind in CODE_KINDS or may_be_code(self.text[block.start : block.end]):
            return self.code
        return self.prose

    def tail(self, start: int, end: int) -> tuple[int, int]:
        """Return where the content of a slice ends, and tokens(content) - tokens(slice).

        White space after a letter or digit is a token of its own; punctuation takes the newlines after it into its
        token. So the difference depends only on that run of punctuation, and there are few different ones.
        """
        text = self.text
        short = text[end - SHORT_END : end] if end - start >= SHORT_END else ""
        if known := self.ends.get(short):
            return end - known[0], known[1]
        window = text[max(start, end - WINDOW) : end]
        stripped = window.rstrip()
        stop = end - len(window) + len(stripped) if stripped else start + len(text[start:end].rstrip())
        if stop == end:
            return end, 0
        if not self.exact:
            return stop, 0  # an estimate may count too much while packing, never too little
        bare = stripped.rstrip(_PUNCTUATION)
        if bare and (bare[-1].isalnum() or (bare[-1].isspace() and not self.seam)):
            run = stop - len(stripped) + len(bare) - (bare[-1] == " " and bare != stripped)  # the usual case, quickly
        else:
            run = self._run_start(stop, start)
        key = text[run:end]
        found = self.tails.get(key)
        if found is None:
            found = self.prose(text[run:stop]) - self.prose(key)
            if len(key) < LONGEST_MEMO and len(self.tails) < MEMO_SIZE:
                self.tails[key] = found
        if run > end - SHORT_END and short and len(self.ends) < MEMO_SIZE:
            self.ends[short] = end - stop, found
        if run == start and self.seam and text.startswith(self.seam, start) and start:
            self.recount = True
            run = self._run_start(stop, max(0, start - LONGEST_RUN))
            found = max(found, self.prose(text[run:stop]) - self.prose(text[run:end]))
        return stop, found

    def join(self, at: int) -> int:
        """Return tokens(left + right) - tokens(left) - tokens(right) for a line that is cut at `at`.

        A start of a line needs it only before the encoding's seam; a cut inside a line always.
        """
        text = self.text
        if not self.exact or not at:
            return 0
        if text[at - 1] == "\n" and not (self.seam and text.startswith(self.seam, at)):
            return 0
        left = at
        while left and text[left - 1].isspace():
            left -= 1
        left = self._run_start(left, max(0, left - LONGEST_RUN))
        found = _JOINED_RIGHT.match(text, at)
        right = found.end() if found else at
        joined = self.prose(text[left:right]) - self.prose(text[left:at]) - self.prose(text[at:right])
        chained = self.seam and (f"\n{self.seam}" in text[left:at] or _CHAINED_RIGHT(text, at))
        if chained or at - left > LONGEST_RUN:
            self.recount = True
            joined += CHAIN_SLACK
        return joined

    def seam_slack(self, at: int) -> int:
        """Return what to add to the count of a piece that begins at `at` and may be too short to know the join."""
        if self.seam and at and self.text[at - 1] == "\n" and self.text.startswith(self.seam, at):
            self.recount = True
            return CHAIN_SLACK
        return 0

    def _run_start(self, stop: int, least: int) -> int:
        """Return where the run of punctuation before `stop` begins, with the space before it."""
        text, run = self.text, stop
        while run > least and not ((char := text[run - 1]).isalnum() or (char.isspace() and not self._is_seam(run))):
            run -= 1
        if least < run < stop and text[run - 1] == " ":
            run -= 1
        return run

    def _is_seam(self, at: int) -> bool:
        """Does the punctuation before the newline in front of `at` reach over it?"""
        return self.seam != "" and self.text[at - 1] == "\n" and self.text[at : at + 1] in ("\n", self.seam)


class BlockSums:
    """Tokens of any run of whole blocks of a document."""

    def __init__(self, measure: Measure, blocks: Sequence[Block]) -> None:
        self.measure = measure
        self.starts = [block.start for block in blocks]
        self.starts.append(len(measure.text))
        self.tokens = measure.count_blocks(blocks, self.starts)
        self.joins = [0] * len(self.tokens)
        if measure.seam:
            self.joins = [measure.join(start) for start in self.starts[:-1]]
            self.tokens = list(map(add, self.tokens, self.joins))
        self.sums = list(accumulate(self.tokens, initial=0))

    def span(self, first: int, end: int) -> tuple[int, int, int, int]:
        """Return (tokens of the slices, head, tail, where the content ends) of the blocks `first` to `end`."""
        content_end, tail = self.measure.tail(self.starts[end - 1], self.starts[end])
        return self.sums[end] - self.sums[first], -self.joins[first], tail, content_end

    def count(self, first: int, end: int) -> int:
        """Return the tokens of the blocks `first` to `end`, as if they stood alone."""
        tokens, head, tail, content_end = self.span(first, end)
        if self.measure.exact and not self.measure.recount:
            return tokens + head + tail
        return self.measure.counter(self.measure.text[self.starts[first] : content_end])
