"""A run of text -> pieces that fit: lines, sentences, words, then characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from crosshead.chunking.measure import Measure
from crosshead.chunking.prices import LINE, SENTENCE, WORD, Cut
from crosshead.chunking.splitting import prose
from crosshead.chunking.splitting.part import BlockPart
from crosshead.chunking.splitting.prose import Span
from crosshead.markdown import find_ink, split_lines
from crosshead.tokens import Count

_SOFT_CHARACTERS = "。！？；，、.,;:)]}/-_"
END_SLACK: Final = 4
"""Tokens that a piece may gain without the newlines at its end, because punctuation shares tokens with newlines."""
CHARACTERS_PER_TOKEN: Final = 8
"""Hardly any text has more."""


class TextSplitter:
    """Cuts runs of text of one document."""

    def __init__(self, measure: Measure, text: str, max_tokens: int, *, split_atoms: bool) -> None:
        self.measure = measure
        self.text = text
        self.max_tokens = max_tokens
        self.split_atoms = split_atoms

    @cached_property
    def offsets(self) -> list[int]:
        """The offsets of the lines; computed only if a block must be cut."""
        return split_lines(self.text)[1]

    def line_end(self, line: int) -> int:
        return self.offsets[line] if line < len(self.offsets) else len(self.text)

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

    def line_piece(self, start: int, end: int, cut: Cut, count: Count) -> BlockPart:
        """Return a piece that begins with a line."""
        join = self.measure.join(start)
        return BlockPart(start, start, count(self.text[start:end]) + join, cut, head=-join)

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

    def begins_line(self, piece: BlockPart) -> bool:
        return not piece.content_start or self.text[piece.content_start - 1] == "\n"

    def is_too_large(self, piece: BlockPart, end: int, limit: int) -> bool:
        """Is the content of a piece, without the white space at its end, above a limit?"""
        if piece.tokens <= limit - END_SLACK:
            return False
        return self.measure.counter(self.text[piece.content_start : end].rstrip()) > limit

    def fits(self, piece: BlockPart, end: int, budget: int) -> bool:
        """Does a piece fit, whether or not a chunk begins with it, without the white space at its end?"""
        return piece.largest <= budget and not self.is_too_large(piece, end, budget)
