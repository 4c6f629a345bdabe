"""An index -> its calibration, without labels.

1. a sample of its chunks becomes questions, each with one of the same form about something else
2. each is searched for; it is answered if its section is among the first hits, without this section it is not
3. one third of the answered ones teaches the model, the others choose the threshold, so that the promise holds for them
4. users' own questions are more like those to come: if there are enough, they choose the threshold alone
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from crosshead.search.confidence.learn import learn
from crosshead.search.confidence.promise import choose_threshold
from crosshead.search.confidence.questions import KINDS, QuestionMaker
from crosshead.search.confidence.signals import COMPARED, SignalReader, mean_score
from crosshead.search.query.prepare import PreparedQuery
from crosshead.search.query.words import languages_of
from crosshead.search.searcher import Searcher
from crosshead.types import LEAST_QUESTIONS, Calibration, Chunk, Hit, ReadableStore, Signals

LEAST_ASKED: Final = 40
"""Questions of users that choose the threshold without made-up ones."""
SHARE_TO_LEARN: Final = 3
"""One question in three teaches the model."""
OF_ITS_OWN: Final = 5
"""More hits than are compared, for those of the question's own section."""
MOST_IDS: Final = 300_000
"""Ids of chunks and sections to sample from."""
IDS_PER_CHUNK: Final = 8
"""Ids for each chunk of the sample: those of sections are among them."""

PRECISION: Final = 4
"""Digits of a signal; the order in which a store adds up scores changes later ones."""

OnAsked = Callable[[int, int], None]


class Example(NamedTuple):
    """The signals of the first hit for a question that the index answers, and of first hits that do not answer."""

    answering: Signals
    others: Sequence[Signals]
    """Of the first hit outside the section that the question was made from, and for a question about something else."""
    teaches: bool
    """Does it teach the model, rather than choose the threshold?"""


@dataclass(frozen=True)
class Calibrator:
    """Asks an index questions about itself."""

    searcher: Searcher

    def calibrate(
        self, count: int, asked: Sequence[str], false_alarms: float, on_asked: OnAsked | None = None
    ) -> Calibration | None:
        """Return the calibration of an index, from up to `count` made-up questions and those that users `asked`.

        None if the index holds too little text.
        """
        examples = [*self._examples(count, on_asked)]
        if len(examples) < LEAST_QUESTIONS:
            return None
        taught = [each for each in examples if each.teaches]
        others = [other for each in taught for other in each.others]
        weights, intercept = learn([each.answering for each in taught], others)
        made = [each.answering for each in examples if not each.teaches]
        own = [signals for question in asked if (signals := self._first(*self.searcher.look(question, COMPARED)))]
        chosen_on = own if len(own) >= LEAST_ASKED else [*made, *own]
        chunks = self.searcher.store.contents().chunks
        learned = Calibration(false_alarms, 0.0, weights, intercept, len(chosen_on), len(own), chunks)
        threshold = choose_threshold([learned.confidence(each) for each in chosen_on], false_alarms)
        return replace(learned, threshold=threshold)

    def _examples(self, count: int, on_asked: OnAsked | None) -> Iterator[Example]:
        store = self.searcher.store
        chunks = sample(store, count)
        maker = question_maker(store, chunks)
        for number, chunk in enumerate(chunks):
            question = maker.answered(chunk, number)
            other = maker.unanswered(chunk, number)
            if question and other and (signals := self._signals(question, other, chunk)):
                yield Example(*signals, teaches=number // KINDS % SHARE_TO_LEARN == 0)
            if on_asked:
                on_asked(number + 1, len(chunks))

    def _signals(self, question: str, other: str, chunk: Chunk) -> tuple[Signals, Sequence[Signals]] | None:
        """Return the signals of an example; None if the index does not find the section that the question is about."""
        query, hits = self.searcher.look(question, COMPARED + OF_ITS_OWN)
        first = self._first(query, hits)
        if not first or not any(is_of(hit, chunk) for hit in hits[:COMPARED]):
            return None
        outside = self._first(query, [hit for hit in hits if not is_of(hit, chunk)])
        elsewhere = self._first(*self.searcher.look(other, COMPARED))
        return first, [each for each in (outside, elsewhere) if each]

    def _first(self, query: PreparedQuery, hits: Sequence[Hit]) -> Signals | None:
        """Return the signals of the first hit."""
        if not hits:
            return None
        ((hit, snippet),) = self.searcher.show(hits[:1], query)
        signals = SignalReader(query, self.searcher.store).read(hit, snippet.held, mean_score(hits))
        return Signals(*(round(each, PRECISION) for each in signals))


def sample(store: ReadableStore, count: int) -> list[Chunk]:
    """Return chunks of an index, those with the first ids: as good as any, and the same every time."""
    return store.chunks(store.ids_starting_with("", MOST_IDS)[: IDS_PER_CHUNK * count])[:count]


def question_maker(store: ReadableStore, chunks: Sequence[Chunk]) -> QuestionMaker:
    """Return what makes questions about these chunks of an index."""
    languages = languages_of(store.count_languages(), store.settings["language"])
    return QuestionMaker(languages, chunks, store.rarities)


def is_of(hit: Hit, chunk: Chunk) -> bool:
    """Return whether a hit is of the section of a chunk, or below it, or repeats its text."""
    is_below = hit.chunk.section_path[: len(chunk.section_path)] == chunk.section_path
    return hit.chunk.content == chunk.content or (hit.chunk.document_id == chunk.document_id and is_below)
