"""A text of an index -> the nearest sections of other documents. Nothing is embedded.

1. the stored vectors of the chunks at the text are averaged, and the chunks nearest to that are found
2. where vectors are missing, of the text or of other chunks, the words that are most typical of the text find more
3. each section of another document is there once, by its nearest chunk
4. texts that share most of their runs of words are marked as copies
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Final, NamedTuple

from crosshead.language.words import words
from crosshead.options import SearchOptions
from crosshead.types import Candidate, Chunk, Filter, ReadableStore, RelatedBy, RelatedSection, Vectors

FIRST_CANDIDATES: Final = 8
"""Candidates to look at first for each section that is wanted: some are of the same document, or of one section."""
MORE: Final = 4
"""Times as many as before, if these were not enough."""
TYPICAL_WORDS: Final = 20
MOST_WORDS: Final = 500
"""Words of a text whose rarity is looked up."""
RUN: Final = 3
"""Words in a run."""
COPY_SHARE: Final = 0.8
"""Share of runs from which on a text is a copy: that finds nearly all copies in which 5 % of the words are others, and
few of the nearest sections of other documents share a little less (`bench/retrieval/related.py`)."""

ANY: Final = Filter()


Runs = frozenset[tuple[str, ...]]
Search = Callable[[int], Sequence[Candidate]]


class _Near(NamedTuple):
    chunk: Chunk
    score: float
    compared: RelatedBy


def find_related(
    store: ReadableStore, chunks: Sequence[Chunk], limit: int, text_hash: Callable[[Chunk], str]
) -> list[RelatedSection]:
    """Return the sections of other documents that are nearest to some chunks of one; `text_hash` is that of vectors."""
    vector = _average(store.known_vectors([text_hash(each) for each in chunks]).values())
    text = "\n\n".join(each.content for each in chunks)
    own = {each.document_id for each in chunks}
    found: dict[str, _Near] = {}
    if vector is not None:
        _add_near(store, found, limit, own, "vectors", lambda count: store.search_dense(vector, count, ANY))
    if len(found) < limit and chunks and (vector is None or store.count_pending()):
        typical, weight = _typical_words(store, text, own), SearchOptions().heading_weight

        def search(count: int) -> Sequence[Candidate]:
            return store.search_lexical(typical, count, ANY, heading_weight=weight)

        _add_near(store, found, limit, own, "words", search)
    runs = _runs(text)
    return [_compared(near, runs) for near in found.values()]


def _add_near(
    store: ReadableStore,
    found: dict[str, _Near],
    limit: int,
    without: Container[str],
    compared: RelatedBy,
    search: Search,
) -> None:
    """Add the nearest sections of other documents until there are enough; look at more candidates if need be."""
    count, seen = FIRST_CANDIDATES * limit, set[str]()
    while True:
        candidates = search(count)
        scores = {each.chunk_id: each.score for each in candidates if each.chunk_id not in seen}
        for chunk in store.chunks([*scores]):
            if chunk.document_id not in without and len(found) < limit:
                found.setdefault(chunk.section_id, _Near(chunk, scores[chunk.id], compared))
        if len(found) >= limit or len(candidates) < count:
            return
        seen.update(scores)
        count *= MORE


def _average(vectors: Iterable[Vectors]) -> Vectors | None:
    """Return the direction of all vectors of some chunks together; None if there are none."""
    import numpy as np

    pieces = [each for each in vectors if len(each)]
    total = np.concatenate(pieces).astype(np.float32).sum(axis=0) if pieces else np.zeros(1, np.float32)
    length = float(np.linalg.norm(total))
    return (total / length)[None] if length else None


def _typical_words(store: ReadableStore, text: str, document_ids: Iterable[str]) -> list[str]:
    """Return the words of a text that are frequent in it and rare in the index."""
    languages = [each.language for each in store.documents([*document_ids])]
    counts = Counter(words(text, next(filter(None, languages), store.settings["language"])))
    frequent = [word for word, _ in counts.most_common(MOST_WORDS)]
    weights = zip(frequent, store.rarities(frequent), strict=True)
    ranked = sorted((-counts[word] * rarity, word) for word, rarity in weights if rarity > 0)
    return [word for _, word in ranked[:TYPICAL_WORDS]]


def shared_runs(text: str, other: str) -> float:
    """Return the share of the runs of words in the shorter of two texts that the other one has too."""
    return _share(_runs(text), _runs(other))


def _compared(near: _Near, runs: Runs) -> RelatedSection:
    shared = _share(_runs(near.chunk.content), runs)
    return RelatedSection(*near, shared, is_copy=shared >= COPY_SHARE)


def _share(runs: Runs, others: Runs) -> float:
    return len(runs & others) / (min(len(runs), len(others)) or 1)


def _runs(text: str) -> Runs:
    """Return all runs of a few words in a text; of a shorter text, the whole."""
    found = words(text)
    return (
        frozenset(tuple(found[at : at + RUN]) for at in range(max(1, len(found) - RUN + 1))) if found else frozenset()
    )
