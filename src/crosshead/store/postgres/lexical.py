"""Words -> the chunks in which they weigh most.

PostgreSQL finds the rows that match a query of words at once, but ranks them one by one, and `ts_rank` does not know
that a rare word says more than a frequent one. So:

1. how many chunks hold each word comes from the statistics of the table for frequent words, and is counted for others
2. a word weighs by its rarity, as in BM25; words that are nearly everywhere are left out, and so are the less rare ones
   of a very long question
3. the combinations of words are taken in the order of their weight, as long as they promise a number of rows that can
   be ranked quickly: all words together, all but the least important one, ... a rare word alone
4. the rows of these combinations are ranked: for every word its weight times `ts_rank`, which grows with the number of
   places ever more slowly and falls with the length of the text, as in BM25; places in headings count as much as told
5. if there are fewer rows than asked for, more combinations are taken; in the end a single word suffices
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from crosshead.store.postgres.database import Connection
from crosshead.store.postgres.filters import Condition
from crosshead.store.postgres.indexes import Statistics
from crosshead.store.postgres.texts import quote, storable

MOST_WORDS: Final = 12
"""Words of a question that count."""
MOST_COMBINED: Final = 8
"""Of these, words whose combinations are tried; the others are found on their own at last."""
EVERYWHERE: Final = 0.25
"""Share of the chunks from which on a word tells nothing, if there are other words."""
ROWS_TO_RANK: Final = 1_000
MORE_ROWS: Final = 8
"""Factor by which the rows to rank grow when the first ones are too few."""
_RANK: Final = "%s * ts_rank(%s::float4[], words, %s::tsquery, 1)"

# `ts_filter` gives a vector that need not be unpacked again for every word.
_RANKED: Final = """
    SELECT chunk_id, {score} AS score FROM (
        SELECT chunk_id, ts_filter(content_tsvector, '{{a, b}}') AS words FROM chunks
        WHERE content_tsvector @@ %s::tsquery{condition} OFFSET 0
    ) AS candidates ORDER BY score DESC, chunk_id LIMIT %s
"""
_COUNT: Final = """
    SELECT (SELECT count(*) FROM chunks WHERE content_tsvector @@ word::tsquery)
    FROM unnest(%s::text[]) WITH ORDINALITY AS words (word, place) ORDER BY place
"""


class Term(NamedTuple):
    """A word, the number of chunks that hold it, and what it weighs."""

    word: str
    rows: float
    weight: float


def find_words(
    connection: Connection,
    words: Sequence[str],
    limit: int,
    condition: Condition,
    statistics: Statistics,
    heading_weight: float,
) -> list[tuple[str, float]]:
    """Return the chunks in which the words weigh most, best first, with their scores."""
    total = statistics.rows if statistics.rows > 0 else _count_rows(connection)
    terms = weigh(_count_words(connection, words, statistics.shares, total), total)
    labels = _label_weights(heading_weight)
    found: list[tuple[str, float]] = []
    for query in candidates(terms, total, limit) if terms else ():
        score = " + ".join([_RANK] * len(terms))
        weights = [value for term in terms for value in (term.weight, labels, quote(term.word))]
        values = [*weights, query, *condition.values, limit]
        found = connection.execute(_RANKED.format(score=score, condition=condition.sql), values).fetchall()
        if len(found) >= limit:
            break
    return [(chunk_id, score) for chunk_id, score in found if score > 0]  # else the words are only in headings


def _label_weights(heading_weight: float) -> list[float]:
    """Return what places labeled D, C, B (headings) and A (content) count; PostgreSQL takes none above 1."""
    largest = max(1.0, heading_weight)
    return [0.0, 0.0, heading_weight / largest, 1.0 / largest]


def _count_rows(connection: Connection) -> float:
    (count,) = connection.execute("SELECT count(*) FROM chunks").fetchone() or (0,)
    return float(count)


def _count_words(
    connection: Connection, words: Sequence[str], shares: Mapping[str, float], total: float
) -> dict[str, float]:
    """Return how many chunks hold each word."""
    distinct = [storable(word) for word in dict.fromkeys(words)]
    rare = [word for word in distinct if word not in shares]
    counted = connection.execute(_COUNT, [[quote(word) for word in rare]]).fetchall() if rare else []
    return {word: shares[word] * total for word in distinct if word in shares} | {
        word: count for word, (count,) in zip(rare, counted, strict=True)
    }


def weigh(counts: Mapping[str, float], total: float) -> list[Term]:
    """Return the words that count, the rarest first."""
    total = max(total, *counts.values()) if counts else total
    found = [Term(word, rows, _rarity(rows, total)) for word, rows in counts.items() if rows]
    telling = [term for term in found if term.rows <= EVERYWHERE * total] or found
    return sorted(telling, key=lambda term: (-term.weight, term.word))[:MOST_WORDS]


def _rarity(rows: float, total: float) -> float:
    return math.log(1 + (total - rows + 0.5) / (rows + 0.5))


def candidates(terms: Sequence[Term], total: float, least: int) -> Iterator[str]:
    """Return queries for more and more rows, the last one for all that hold a word."""
    any_word = " | ".join(quote(term.word) for term in terms)
    budget = max(ROWS_TO_RANK, 2 * least)
    while sum(term.rows for term in terms) > budget and len(terms) > 1:
        yield _weightiest(terms[:MOST_COMBINED], total, budget)
        budget *= MORE_ROWS
    yield any_word


def _weightiest(terms: Sequence[Term], total: float, budget: float) -> str:
    """Return the query for the weightiest combinations whose rows are within the budget."""
    chosen: list[tuple[Term, ...]] = []
    rows = 0.0
    for combination in sorted(_combinations(terms), key=lambda each: -sum(term.weight for term in each)):
        rows += _expected_rows(combination, total)
        if rows > budget and chosen:
            break
        held = set(combination)
        chosen = [each for each in chosen if not held.issubset(each)]  # they are among its rows
        chosen.append(combination)
    return " | ".join("(" + " & ".join(quote(term.word) for term in each) + ")" for each in chosen)


def _combinations(terms: Sequence[Term]) -> Iterator[tuple[Term, ...]]:
    for size in range(1, len(terms) + 1):
        yield from combinations(terms, size)


def _expected_rows(terms: Sequence[Term], total: float) -> float:
    """Words of a question often stand together, so each further one leaves more rows than chance would."""
    share = 1.0
    for place, term in enumerate(terms):  # the rarest first
        share *= (term.rows / total) ** (0.5**place)
    return share * total
