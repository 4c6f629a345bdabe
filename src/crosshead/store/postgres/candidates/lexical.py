"""Words -> the chunks in which they weigh most, by BM25 for content and headings.

PostgreSQL finds the rows that match a query of words quickly, but ranks them one by one, and `ts_rank` ignores how rare
a word is. So:

1. the number of chunks that hold a word comes from the statistics of the table if it is frequent; else it is counted
2. a word weighs by its rarity, as in BM25; words that are nearly everywhere are left out, and of a very long query also
   the less rare ones
3. combinations of words are taken in the order of their weight, while their expected rows can be ranked quickly: all
   words together, all but the least important one, ... a rare word alone
4. the rows of these combinations are ranked by BM25; the frequency of a word in a row follows from the `ts_rank` of
   that word alone, without normalization by length
5. if that gives fewer rows than the limit, more combinations are taken, in the end all rows with any of the words
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from crosshead.store.bm25 import LENGTH_WEIGHT, SATURATION, averages, best_score, heading_weight_of, rarity, weight_of
from crosshead.store.postgres.candidates.filters import Condition
from crosshead.store.postgres.database.pool import Connection
from crosshead.store.postgres.indexes import Statistics
from crosshead.store.postgres.rows.texts import quote, storable
from crosshead.types import BYTES, FieldLengths, WordStatistics

MOST_WORDS: Final = 24
"""Most words of a query that count."""
MOST_COMBINED: Final = 8
"""Most words to combine; the others are searched only in the last step."""
EVERYWHERE: Final = 0.25
"""Share of chunks above which a word is left out, if there are other words."""
ROWS_TO_RANK: Final = 1_000
MORE_ROWS: Final = 8
"""Factor for the rows to rank if the first ones are too few."""

# For a word that occurs n times, `ts_rank` is 1/1 + 1/4 + ... + 1/n^2 as a share of the infinite sum, pi^2/6. The rest
# of that sum is nearly 1 / (n + 0.5), so n is nearly 6 / pi^2 / (1 - rank) - 0.5. The BM25 saturation is n / (n + k).
_LIMIT: Final = 6 / math.pi**2
_COUNTED: Final = f"""CASE WHEN rank_{{at}} > 0
    THEN ({_LIMIT - 0.5} + 0.5 * rank_{{at}}) / ({_LIMIT} + (norm_{{field}} - 0.5) * (1 - rank_{{at}})) ELSE 0 END"""
_NORM: Final = f"{SATURATION} * ({1 - LENGTH_WEIGHT} + {LENGTH_WEIGHT} * octet_length({{column}}) / %s::float8)"
_FIELDS: Final = {"a": "terms", "b": "heading_terms"}
"""The columns of the words, by their weight in the text search vector."""

# `OFFSET 0` keeps the database from repeating a step wherever its result is used.
_RANKED: Final = """
    SELECT chunk_id, {score} AS score FROM (
        SELECT chunk_id, {norm_names}, {ranks} FROM (
            SELECT chunk_id, {fields}, {norms} FROM chunks
            WHERE content_tsvector @@ %s::tsquery{condition} OFFSET 0
        ) AS candidates OFFSET 0
    ) AS ranked ORDER BY score DESC, chunk_id LIMIT %s
"""
_COUNT: Final = """
    SELECT (SELECT count(*) FROM chunks WHERE content_tsvector @@ word::tsquery)
    FROM unnest(%s::text[]) WITH ORDINALITY AS words (word, place) ORDER BY place
"""


class Term(NamedTuple):
    """A word, the number of chunks that hold it, and its weight."""

    word: str
    rows: float
    weight: float


def find_words(
    connection: Connection,
    words: Sequence[str],
    limit: int,
    condition: Condition,
    own: Statistics,
    heading_weight: float,
    statistics: WordStatistics | None = None,
) -> list[tuple[str, float]]:
    """Return the best chunks by BM25, best first, with scores as a share of the maximum.

    `statistics`: those of an index that this one is a part of; by default, its own.
    """
    counted = statistics or word_statistics(connection, words, own)
    distinct = [*dict.fromkeys(words)]
    terms = weigh({storable(word): counted.rows.get(word, 0.0) for word in distinct}, counted.chunks)
    in_headings = {storable(word): heading_weight_of(word, counted) for word in distinct}
    maximum = best_score((weight_of(word, counted) for word in distinct), heading_weight)
    found: list[tuple[str, float]] = []
    for query in candidates(terms, counted.chunks, limit) if terms else ():
        rarities = ((term.weight, heading_weight * in_headings[term.word]) for term in terms)
        weights = [(SATURATION + 1) * rare for both in rarities for rare in both]
        of_fields = [quote(term.word) for term in terms for _ in _FIELDS]
        values = [*weights, *of_fields, *averages(counted, BYTES), query, *condition.values, limit]
        found = connection.execute(_ranking(len(terms), condition), values).fetchall()
        if len(found) >= limit:
            break
    # A score is 0 if the words are only in headings, and headings have no weight.
    return [(chunk_id, score / maximum) for chunk_id, score in found if score > 0]


def word_statistics(connection: Connection, words: Sequence[str], own: Statistics) -> WordStatistics:
    """Return how frequent words are."""
    total = own.chunks if own.chunks > 0 else _count_chunks(connection)
    counts = _count_words(connection, words, own.shares, total)
    texts, headings = own.lengths
    return WordStatistics(
        chunks=total,
        rows={word: counts[storable(word)] for word in words},
        lengths={BYTES: FieldLengths(total, texts * total, headings * total)},
    )


def _ranking(count: int, condition: Condition) -> str:
    """Return the query that ranks by `count` words, each of them in every field."""
    ranked = list(enumerate(field for _ in range(count) for field in _FIELDS))
    rank = "ts_rank('{{1, 1, 1, 1}}', {field}, %s::tsquery)::float8 AS rank_{at}"
    return _RANKED.format(
        score=" + ".join(f"%s * {_COUNTED.format(at=at, field=field)}" for at, field in ranked),
        norm_names=", ".join(f"norm_{field}" for field in _FIELDS),
        ranks=", ".join(rank.format(at=at, field=field) for at, field in ranked),
        fields=", ".join(f"ts_filter(content_tsvector, '{{{field}}}') AS {field}" for field in _FIELDS),
        norms=", ".join(f"{_NORM.format(column=column)} AS norm_{field}" for field, column in _FIELDS.items()),
        condition=condition.sql,
    )


def _count_chunks(connection: Connection) -> float:
    (count,) = connection.execute("SELECT count(terms) FROM chunks").fetchone() or (0,)
    return float(count)


def _count_words(
    connection: Connection, words: Sequence[str], shares: Mapping[str, float], total: float
) -> dict[str, float]:
    """Return the number of chunks that hold each word."""
    distinct = [storable(word) for word in dict.fromkeys(words)]
    rare = [word for word in distinct if word not in shares]
    counted = connection.execute(_COUNT, [[quote(word) for word in rare]]).fetchall() if rare else []
    return {word: shares[word] * total for word in distinct if word in shares} | {
        word: count for word, (count,) in zip(rare, counted, strict=True)
    }


def weigh(counts: Mapping[str, float], total: float) -> list[Term]:
    """Return the words to search by, the rarest first."""
    terms = [Term(word, rows, rarity(rows, total)) for word, rows in counts.items() if rows]
    telling = [term for term in terms if term.rows <= max(EVERYWHERE * total, ROWS_TO_RANK)] or terms
    return sorted(telling, key=lambda term: (-term.weight, term.word))[:MOST_WORDS]


def candidates(terms: Sequence[Term], total: float, limit: int) -> Iterator[str]:
    """Yield queries that match more and more rows; the last one matches all rows with any of the words."""
    any_word = " | ".join(quote(term.word) for term in terms)
    budget = max(ROWS_TO_RANK, 2 * limit)
    while min(total, sum(term.rows for term in terms)) > budget and len(terms) > 1:
        yield _heaviest(terms[:MOST_COMBINED], total, budget)
        budget *= MORE_ROWS
    yield any_word


def _heaviest(terms: Sequence[Term], total: float, budget: float) -> str:
    """Return the query for the heaviest combinations whose expected rows are within the budget."""
    chosen: list[tuple[Term, ...]] = []
    rows = 0.0
    for combination in sorted(_combinations(terms), key=lambda each: -sum(term.weight for term in each)):
        rows += _expected_rows(combination, total)
        if rows > budget and chosen:
            break
        held = set(combination)
        chosen = [each for each in chosen if not held.issubset(each)]  # its rows include theirs
        chosen.append(combination)
    return " | ".join("(" + " & ".join(quote(term.word) for term in each) + ")" for each in chosen)


def _combinations(terms: Sequence[Term]) -> Iterator[tuple[Term, ...]]:
    for size in range(1, len(terms) + 1):
        yield from combinations(terms, size)


def _expected_rows(terms: Sequence[Term], total: float) -> float:
    """Estimate the rows that hold all terms: words of a query often occur together, so more rows than by chance."""
    share = 1.0
    for place, term in enumerate(terms):  # the rarest first
        share *= (term.rows / total) ** (0.5**place)
    return share * total
