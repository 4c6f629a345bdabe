"""Token counts of any span of a document, from counting each block once.

A block owns the slice from its start to the start of the next block, trailing newlines included. Then the counts of an
exact encoding add up:

    tokens(i..j) = sum of the slices + head(i) + tail(j)

`tail` is what leaving out the white space at the end changes. `head` undoes a `join`: in a few places the last token of
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
"""Ends of slices longer than this are too rare to remember."""
MEMO_SIZE = 20_000
LONGEST_RUN = 256
"""Characters of punctuation to look back at; with longer runs, which are not text, chunks are counted again."""
CHAIN_SLACK = 2
"""Tokens that a line which begins with the joiner may count more, depending on what else is in the chunk."""

WINDOW = 64
"""Characters at the end of a slice in which its content nearly always ends."""

SHORT_ENDS = (4, 6)
"""Characters that nearly always show how a slice ends: a letter, punctuation, newlines; or the fence of code."""

_JOINED_RIGHT = re.compile(r"(?:[^\w\s]|_)*\S{0,48}[\r\n/]{0,64}")
_CHAINED_RIGHT = re.compile(r"(?:[^\w\s]|_)+\n+/").match


class Measure:
    """Counts the tokens of one document."""

    def __init__(self, text: str, counter: AnyCounter, *, fences_may_be_cut: bool = False) -> None:
        self.text = text
        self.counter = counter
        self.prose, self.code, self.many, self.exact, self.joiner = counter.slices(text)
        self.tails: dict[str, int] = counter.tails if isinstance(counter, ExactCounter) else {}
        self.ends: dict[str, tuple[int, int]] = counter.ends if isinstance(counter, ExactCounter) else {}
        self.fences_may_be_cut = fences_may_be_cut
        self.all_code = False
        self.recount = False
        """Must finished chunks be counted again? Yes after a cut inside a word, and if a line begins with the joiner
        and holds only punctuation: then its count depends on what else is in the chunk."""

    def count_blocks(self, blocks: Sequence[Block], starts: Sequence[int]) -> list[int]:
        """Return the tokens of each block's slice; `starts` are the starts of the blocks and the end of the text."""
        text = self.text
        if self.exact:
            return self.many(
                map(text.__getitem__, map(slice, starts, starts[1:]))
            )  # one at a time: all slices together would be a second copy of the text
        # A fence line without its partner turns the rest of a chunk into code: then nothing is counted as prose.
        self.all_code = has_fence_line(text) and (
            self.fences_may_be_cut or any(leaves_fence_open(text[block.start : block.end]) for block in blocks)
        )
        return [
            self.count_of(block)(text[start:stop])
            for block, (start, stop) in zip(blocks, pairwise(starts), strict=True)
        ]

    def count_of(self, block: Block) -> Count:
        """Return the function that counts pieces of a block; an estimate never counts too little."""
        if self.exact:
            return self.prose
        if self.all_code or block.kind in CODE_KINDS or may_be_code(self.text[block.start : block.end]):
            return self.code
        return self.prose

    def tail(self, start: int, end: int) -> tuple[int, int]:
        """Return where the content of a slice ends, and tokens(content) - tokens(slice).

        White space after a letter or digit is a separate token; punctuation takes the newlines after it into its
        token. So the difference depends only on that run of punctuation, and there are few different ones.
        """
        text = self.text
        for length in SHORT_ENDS:
            if end - start >= length and (known := self.ends.get(text[end - length : end])):
                return end - known[0], known[1]
        stop = self._content_end(start, end)
        if stop == end or not self.exact:
            return stop, 0  # an estimate may count too much while packing, never too little
        run = self._run_start(stop, start)
        key = text[run:end]
        change = self.tails.get(key)
        if change is None:
            change = self._tail_of(run, stop, end)
            if len(key) < LONGEST_MEMO and len(self.tails) < MEMO_SIZE:
                self.tails[key] = change
        length = next((length for length in SHORT_ENDS if run > end - length >= start), 0)
        if length and len(self.ends) < MEMO_SIZE:
            self.ends[text[end - length : end]] = end - stop, change
        if run == start and self._begins_with_joiner(start):
            self.recount = True
            change = max(change, self._tail_of(self._run_start(stop, max(0, start - LONGEST_RUN)), stop, end))
        return stop, change

    def _content_end(self, start: int, end: int) -> int:
        """Return where the white space at the end of a slice begins."""
        window = self.text[max(start, end - WINDOW) : end]
        content = window.rstrip()
        return end - len(window) + len(content) if content else start + len(self.text[start:end].rstrip())

    def _tail_of(self, run: int, stop: int, end: int) -> int:
        return self.prose(self.text[run:stop]) - self.prose(self.text[run:end])

    def join(self, at: int) -> int:
        """Return tokens(left + right) - tokens(left) - tokens(right) for the texts before and after `at`.

        At the start of a line this is 0, unless the line begins with the joiner of the encoding.
        """
        text = self.text
        if not self.exact or not at:
            return 0
        if text[at - 1] == "\n" and not self._begins_with_joiner(at):
            return 0
        left = at
        while left and text[left - 1].isspace():
            left -= 1
        left = self._run_start(left, max(0, left - LONGEST_RUN))
        reach = _JOINED_RIGHT.match(text, at)
        right = reach.end() if reach else at
        joined = self.prose(text[left:right]) - self.prose(text[left:at]) - self.prose(text[at:right])
        chained = self.joiner and (f"\n{self.joiner}" in text[left:at] or _CHAINED_RIGHT(text, at))
        if chained or at - left > LONGEST_RUN:
            self.recount = True
            joined += CHAIN_SLACK
        return joined

    def joiner_slack(self, at: int) -> int:
        """Return what to add to the count of a piece that begins at `at` and may be too short for its join."""
        if at and self.text[at - 1] == "\n" and self._begins_with_joiner(at):
            self.recount = True
            return CHAIN_SLACK
        return 0

    def _run_start(self, stop: int, least: int) -> int:
        """Return where the run of punctuation before `stop` begins, including a space before it."""
        text, run = self.text, stop
        while run > least and not ((char := text[run - 1]).isalnum() or (char.isspace() and not self._is_joined(run))):
            run -= 1
        if least < run < stop and text[run - 1] == " ":
            run -= 1
        return run

    def _is_joined(self, at: int) -> bool:
        """Is the newline before `at` in one token with punctuation on both sides?"""
        return self.joiner != "" and self.text[at - 1] == "\n" and self.text[at : at + 1] in ("\n", self.joiner)

    def _begins_with_joiner(self, at: int) -> bool:
        return self.joiner != "" and at > 0 and self.text.startswith(self.joiner, at)


class BlockSums:
    """Tokens of any run of whole blocks of a document."""

    def __init__(self, measure: Measure, blocks: Sequence[Block]) -> None:
        self.measure = measure
        self.starts = [block.start for block in blocks]
        self.starts.append(len(measure.text))
        self.tokens = measure.count_blocks(blocks, self.starts)
        self.joins = [0] * len(self.tokens)
        if measure.joiner:
            self.joins = [measure.join(start) for start in self.starts[:-1]]
            self.tokens = list(map(add, self.tokens, self.joins))
        self.sums = list(accumulate(self.tokens, initial=0))

    def span(self, first: int, end: int) -> tuple[int, int, int, int]:
        """Return (tokens of the slices, head, tail, where the content ends) of the blocks `first` to `end`."""
        content_end, tail = self.measure.tail(self.starts[end - 1], self.starts[end])
        return self.sums[end] - self.sums[first], -self.joins[first], tail, content_end

    def count(self, first: int, end: int) -> int:
        """Return the token count of the blocks `first` to `end` if they were a separate text."""
        tokens, head, tail, content_end = self.span(first, end)
        if self.measure.exact and not self.measure.recount:
            return tokens + head + tail
        return self.measure.counter(self.measure.text[self.starts[first] : content_end])
