"""Questions with evidence -> search settings that answer them better, if they do.

1. a hash of its id puts each question into one of two halves
2. one setting after another takes the value of a short list that scores best on the first half, twice in a row
3. the second half says what that gains, with an interval; only a gain whose interval is above zero is kept
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

from crosshead.errors import OptionsError
from crosshead.evaluation.compare import Difference, bootstrap
from crosshead.evaluation.questions import Question
from crosshead.evaluation.run import Evaluation, evaluate
from crosshead.types import HAS_TOKEN_VECTORS

if TYPE_CHECKING:
    from crosshead.index import Index

FEWEST: Final = 40
"""With fewer questions, half of them show no gain that is not chance."""
VALUES: Final[Mapping[str, Sequence[float]]] = {
    "dense_weight": (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.3),
    "heading_weight": (0.0, 0.1, 0.25, 0.5, 1.0),
    "entity_weight": (0.0, 0.05, 0.1, 0.2),
    "rerank_weight": (0.1, 0.25, 0.4, 0.7, 1.0),
}
"""What is tried."""
OF_TOKENS: Final = "rerank_weight"
"""Only matters to an index that stores token vectors."""
ROUNDS: Final = 2
BUDGET: Final = 1_000
FIGURES: Final = ("mrr@10", f"recall@{BUDGET}")
"""The score is their mean: the answer comes first, and a reader sees it."""

Settings = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Tuning:
    """What tuning found."""

    chosen_on: int
    """Number of questions that settings were chosen on."""
    reported_on: int
    tried: int
    """Number of settings that were tried."""
    before: Settings
    after: Settings
    score_before: float
    """Mean of MRR@10 and recall@1000 on the questions that nothing was chosen on; so is the next."""
    score_after: float
    gain: Difference

    @property
    def is_better(self) -> bool:
        """Whether the gain is more than chance."""
        return self.gain.low > 0

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {**values, "gain": self.gain._asdict(), "is_better": self.is_better}


def tune(
    index: Index, questions: Sequence[Question], *, on_progress: Callable[[int, int], None] | None = None
) -> Tuning:
    """Look for search settings that answer questions better; the index is not changed.

    `on_progress` gets the number of settings tried, and of all there are.
    """
    if len(questions) < FEWEST:
        raise OptionsError(
            f"tuning needs {FEWEST} questions, there are {len(questions)}: with fewer, a gain may be chance; "
            "rate more hits"
        )
    choose, report = (tuple(each for each in questions if _half(each) == half) for half in (0, 1))
    trials = Trials(index, choose, on_progress)
    before = trials.default
    after = trials.climb(before)
    old, new = (_scores(_run(index, report, settings)) for settings in (before, after))
    (gain,) = bootstrap([[one - other] for one, other in zip(new, old, strict=True)])
    return Tuning(len(choose), len(report), len(trials.scores), before, after, fmean(old), fmean(new), gain)


class Trials:
    """Tries settings on some questions, each once."""

    def __init__(
        self, index: Index, questions: Sequence[Question], on_progress: Callable[[int, int], None] | None
    ) -> None:
        self._index, self._questions, self._on_progress = index, questions, on_progress
        compares_tokens = index.status().settings.get(HAS_TOKEN_VECTORS)
        names = [name for name in VALUES if compares_tokens or name != OF_TOKENS]
        self.default: Settings = {name: getattr(index.search_defaults(), name) for name in names}
        self.scores: dict[tuple[float, ...], float] = {}

    def climb(self, settings: Settings) -> Settings:
        """Return the best settings that changing one after another leads to."""
        for _ in range(ROUNDS):
            for name in settings:
                tried = [{**settings, name: value} for value in dict.fromkeys((settings[name], *VALUES[name]))]
                settings = max(tried, key=self._score)  # of equal ones the first, which is the present one
        return settings

    def _score(self, settings: Settings) -> float:
        key = tuple(settings.values())
        if key not in self.scores:
            self.scores[key] = fmean(_scores(_run(self._index, self._questions, settings)))
            if self._on_progress:
                self._on_progress(len(self.scores), ROUNDS * sum(len(VALUES[name]) for name in settings))
        return self.scores[key]


def _run(index: Index, questions: Sequence[Question], settings: Settings) -> Evaluation:
    options: dict[str, Any] = dict(settings)
    return evaluate(index, questions, budgets=(BUDGET,), **options)


def _scores(evaluation: Evaluation) -> list[float]:
    return [fmean(figures[name] for name in FIGURES) for figures in evaluation.figures]


def _half(question: Question) -> int:
    return sha256(question.id.encode("utf-8", "replace")).digest()[0] % 2
