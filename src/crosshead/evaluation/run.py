"""An index and questions -> an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

from crosshead.errors import CrossheadError, OptionsError
from crosshead.evaluation.measure import BUDGETS, DEEPEST, Figures, RankedChunk, mean_figures, measure
from crosshead.evaluation.questions import Question
from crosshead.options import SearchMode

if TYPE_CHECKING:
    from crosshead.index import Index

DEFAULT_LIMIT: Final = 20
"""Hits per question: enough for the largest of the default budgets."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The figures of each question."""

    questions: tuple[Question, ...]
    figures: tuple[Figures, ...]
    """In the order of the questions."""

    @property
    def means(self) -> dict[str, float]:
        """The mean of each figure over all questions."""
        return mean_figures(self.figures)

    @property
    def kinds(self) -> dict[str, Evaluation]:
        """The evaluation of each kind of question."""
        return {kind: self._only(kind) for kind in sorted({each.kind for each in self.questions if each.kind})}

    @property
    def missed(self) -> tuple[str, ...]:
        """The ids of questions without an answer within ten hits."""
        pairs = zip(self.questions, self.figures, strict=True)
        return tuple(question.id for question, figures in pairs if not figures[f"hit@{DEEPEST}"])

    def to_json(self) -> dict[str, object]:
        """Return the means as JSON, of all questions and by kind."""
        kinds = {kind: {"questions": len(each.questions), **each.means} for kind, each in self.kinds.items()}
        return {"figures": self.means, "kinds": kinds, "missed": self.missed}

    def _only(self, kind: str) -> Evaluation:
        pairs = zip(self.questions, self.figures, strict=True)
        chosen = [pair for pair in pairs if pair[0].kind == kind]
        return Evaluation(tuple(pair[0] for pair in chosen), tuple(pair[1] for pair in chosen))


def evaluate(
    index: Index,
    questions: Sequence[Question],
    *,
    limit: int = DEFAULT_LIMIT,
    mode: SearchMode = "hybrid",
    budgets: Sequence[int] = BUDGETS,
    on_progress: Callable[[int], None] | None = None,
    **search: Any,
) -> Evaluation:
    """Search an index for every question, and measure the hits.

    `budgets` are in tokens; `on_progress` gets the number of questions done; `search` are keywords of `Index.search`.
    """
    if not questions:
        raise OptionsError("no questions to evaluate")
    if limit < DEEPEST:
        raise OptionsError(f"limit={limit} must be at least {DEEPEST}, because hit@{DEEPEST} is measured")
    for budget in budgets:
        if budget < 1:
            raise OptionsError(f"a budget of {budget} tokens is too small: use at least 1")
    check_files(questions, index.sources())
    figures = []
    for done, question in enumerate(questions, 1):
        hits = index.search(question.text, limit, mode, **search)
        chunks = [hit.chunk for hit in hits]
        ranked = [RankedChunk(each.source, each.start_line, each.end_line, each.token_count) for each in chunks]
        figures.append(measure(question, ranked, budgets))
        if on_progress:
            on_progress(done)
    return Evaluation(tuple(questions), tuple(figures))


def check_files(questions: Sequence[Question], sources: Collection[str]) -> None:
    """Raise an error if evidence is in a document that the index does not have: it would look like a bad index."""
    known = frozenset(sources)
    for question in questions:
        for item in question.evidence:
            if item.file not in known:
                raise CrossheadError(
                    f"question {question.id!r}: no document {item.file!r}: {_hint(item.file, sources)}"
                )


def _hint(file: str, sources: Collection[str]) -> str:
    close = [source for source in sources if source.endswith(f"/{file}")] or get_close_matches(file, sources, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"documents are named as in {next(iter(sources))!r}" if sources else "the index has no documents"
