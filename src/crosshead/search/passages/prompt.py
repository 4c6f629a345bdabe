"""Passages -> the prompt for a language model, and the numbers in its answer -> passages."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from crosshead.errors import OptionsError
from crosshead.markdown import parse_blocks
from crosshead.options import Tokenizer, check_types
from crosshead.proof import cited_numbers
from crosshead.tokens import get_counter
from crosshead.types import MissingIndex, Passage

INSTRUCTIONS: Final = (
    "Answer the question from the numbered sources below, in the language of the question. "
    "After each statement, cite the sources it rests on, as in [1] or [1][3]. "
    "If the sources do not answer the question, say so."
)
NO_SOURCES: Final = "There are no sources."
CUT: Final = "..."


@dataclass(frozen=True, slots=True)
class CitedSource:
    """A source that an answer cites."""

    number: int
    passage: Passage | None
    """None if the prompt has no source of this number."""
    spans: tuple[tuple[int, int], ...]
    """Where the answer cites it: start and end of each pair of brackets."""

    @property
    def citation(self) -> str:
        """Where to find the source; empty if there is none."""
        return self.passage.citation if self.passage else ""


class Passages(list[Passage]):
    """Passages, best first, which turn into a prompt."""

    def __init__(
        self,
        passages: Iterable[Passage],
        query: str,
        budget_tokens: int,
        tokenizer: Tokenizer,
        missing: Sequence[MissingIndex] = (),
    ) -> None:
        super().__init__(passages)
        self.missing = tuple(missing)
        """Which of several indexes could not be searched."""
        self.query = query
        self.budget_tokens = budget_tokens
        self.tokenizer = tokenizer
        """Counts the tokens of the prompt, as in the index."""

    @property
    def complete(self) -> bool:
        """Were all indexes searched?"""
        return not self.missing

    def prompt(
        self, question: str | None = None, *, instructions: str = INSTRUCTIONS, budget_tokens: int | None = None
    ) -> Prompt:
        """Return instructions, numbered sources with their citations, and a question, by default the query.

        All of it together takes at most `budget_tokens`, by default the budget of the passages: the last source may be
        cut, and those after it left out.
        """
        check_types(str | None, question=question)
        check_types(str, instructions=instructions)
        check_types(int | None, budget_tokens=budget_tokens)
        budget = self.budget_tokens if budget_tokens is None else budget_tokens
        writer = _PromptWriter(instructions, self.query if question is None else question, self.tokenizer)
        text, count = writer.write(self, budget)
        return Prompt(text, self[:count])

    def citations(self, answer: str) -> list[CitedSource]:
        """Return what an answer cites by number, in order; for a prompt made by `prompt`, use its own `citations`."""
        return _citations(self, answer)


class Prompt(str):
    """A prompt: a string that knows its sources."""

    passages: tuple[Passage, ...]
    """The sources, by number from 1."""

    def __new__(cls, text: str, passages: Iterable[Passage] = ()) -> Prompt:
        """Return a text with its sources."""
        prompt = super().__new__(cls, text)
        prompt.passages = tuple(passages)
        return prompt

    def citations(self, answer: str) -> list[CitedSource]:
        """Return the sources that an answer to this prompt cites, in order.

        Understands `[1]`, `[1][3]`, `[1, 2]` and `[1-3]`. Code, links and subscripts such as `items[1]` cite nothing.
        """
        return _citations(self.passages, answer)


class _PromptWriter:
    """Writes prompts for one question."""

    def __init__(self, instructions: str, question: str, tokenizer: Tokenizer) -> None:
        self._head = instructions.strip()
        self._question = f"Question: {question.strip()}"
        self._count = get_counter(tokenizer)

    def write(self, passages: Passages, budget: int) -> tuple[str, int]:
        """Return a prompt within a budget, and how many of the passages are in it."""
        frame = self._count(self._joined([NO_SOURCES]))
        if not passages and frame <= budget:
            return self._joined([NO_SOURCES]), 0
        room = budget - frame
        while room > 0 and (sources := [*self._sources(passages, room)]):
            text = self._joined(sources)
            excess = self._count(text) - budget
            if excess <= 0:
                return text, len(sources)
            room -= excess  # joined parts may count a few tokens more than each alone
        raise OptionsError(
            f"budget_tokens={budget} is too small: instructions and question take {frame} tokens, and no source fits"
        )

    def _joined(self, sources: list[str]) -> str:
        return "\n\n".join(filter(None, [self._head, *sources, self._question]))

    def _sources(self, passages: Iterable[Passage], room: int) -> Iterator[str]:
        """Yield numbered sources while there is room; the last one may be cut."""
        for number, passage in enumerate(passages, 1):
            head = f"[{number}] {' | '.join(filter(None, [passage.citation, ' > '.join(passage.heading_chain)]))}\n\n"
            cost = self._count(f"\n\n{head}{passage.content}")
            if cost <= room:
                room -= cost
                yield head + passage.content
                continue
            ends = _ends(passage.content, lines=number == 1)
            fitting = bisect_right(ends, room, key=lambda end: self._count(f"\n\n{head}{passage.content[:end]}\n{CUT}"))
            if fitting:
                yield f"{head}{passage.content[: ends[fitting - 1]]}\n{CUT}"
            return


def _ends(content: str, *, lines: bool) -> list[int]:
    """Return where a text may be cut: after blocks other than headings, or else after lines."""
    blocks = [block.end for block in parse_blocks(content) if block.kind != "heading"][:-1]
    if blocks or not lines:
        return blocks
    return [at for at, char in enumerate(content) if char == "\n"]


def _citations(passages: list[Passage] | tuple[Passage, ...], answer: str) -> list[CitedSource]:
    check_types(str, answer=answer)
    spans: dict[int, list[tuple[int, int]]] = {}
    for number, start, end in cited_numbers(answer, len(passages)):
        spans.setdefault(number, []).append((start, end))
    known = dict(enumerate(passages, 1))
    return [CitedSource(number, known.get(number), tuple(dict.fromkeys(found))) for number, found in spans.items()]
