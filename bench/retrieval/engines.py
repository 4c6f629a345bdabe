"""Crosshead's own engines: ways to set up an index and to ask it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from bench.retrieval.evidence import Collection

from crosshead import Index
from crosshead.evaluation import Question
from crosshead.evaluation.measure import Figures, RankedChunk, measure, recall
from crosshead.types import Chunk, Embedder, Passage

BUDGETS = (500, 1000, 2000, 4000)
LIMIT = 20
"""Hits per question, of every engine."""

Measure = Callable[[Question], Figures]


class Engine(NamedTuple):
    name: str
    """For the command line."""
    title: str
    made_with: Mapping[str, Any] = MappingProxyType({})
    """What is not default about the index."""
    search: Mapping[str, Any] = MappingProxyType({})
    quotes: bool = False
    """Does it give passages, of which only recall can be measured?"""
    embedder: str = ""
    """The only embedder that it is measured with."""

    @property
    def needs_vectors(self) -> bool:
        """Does the embedder make a difference?"""
        return self.search.get("mode") != "lexical"


DEFAULT = Engine("sections", "sections")
WORDS = Engine("words", "sections, words only", search={"mode": "lexical"})
WINDOWS = {"strategy": "fixed"}
DENSE = {"mode": "dense"}
CONTENT = {"embed_text": "content"}
ENGINES = (
    DEFAULT,
    WORDS,
    Engine("vectors", "sections, vectors only", search=DENSE),
    Engine("whole-chunks", "sections, whole-chunk vectors", made_with={"piece_tokens": 0}),
    Engine("content", "sections, embedded without breadcrumb", made_with=CONTENT),
    Engine("content-vectors", "sections, embedded without breadcrumb, vectors only", made_with=CONTENT, search=DENSE),
    Engine("windows", "windows", made_with=WINDOWS),
    Engine("window-vectors", "windows, vectors only", made_with=WINDOWS, search=DENSE),
    Engine("passages", "passages", quotes=True),
    Engine("no-tokens", "sections, without tokens", search={"rerank": "none"}, embedder="minilm"),
)


class Indexes(ExitStack):
    """The indexes of one collection, each made when it is first asked for."""

    def __init__(self, folder: Path, collection: Collection, embedder: Embedder, language: str = "auto") -> None:
        super().__init__()
        self._folder = folder
        self._collection = collection
        self._shared = {"embedder": embedder, "language": language}
        self._made: dict[str, Index] = {}

    def open(self, options: Mapping[str, Any]) -> Index:
        """Return an index with these options."""
        name = " ".join(f"{key}={value}" for key, value in options.items()) or "default"
        if name not in self._made:
            root, folder, texts = self._collection
            index = Index(self._folder / str(len(self._made)), root=root, **self._shared, **options)
            self._made[name] = self.enter_context(index)
            index.add(folder, jobs=1)
            missing = set(texts) - set(index.sources())
            if missing:
                raise SystemExit(f"not indexed: {', '.join(sorted(missing))}")
        return self._made[name]

    def measure(self, engine: Engine) -> Measure:
        """Return what asks an engine a question."""
        index = self.open(engine.made_with)
        if engine.quotes:
            return lambda question: _measure_passages(index, question)
        return lambda question: _measure_hits(index, question, engine.search)

    def is_weak(self, question: Question) -> bool:
        """Does the default engine call its first hit weak, or has it none?"""
        hits = self.open(DEFAULT.made_with).search(question.text, 1)
        return not hits or hits[0].is_weak


def _measure_hits(index: Index, question: Question, search: Mapping[str, Any]) -> Figures:
    hits = index.search(question.text, LIMIT, **search)
    return measure(question, _places([hit.chunk for hit in hits]), BUDGETS)


def _measure_passages(index: Index, question: Question) -> Figures:
    """Passages have no rank of their own: a reader gets all of them."""
    return {
        f"recall@{budget}": recall(question, _places(index.passages(question.text, budget, all=True)))
        for budget in BUDGETS
    }


def _places(found: Sequence[Chunk] | Sequence[Passage]) -> list[RankedChunk]:
    return [RankedChunk(each.source, each.start_line, each.end_line, each.token_count) for each in found]
