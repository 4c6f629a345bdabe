from __future__ import annotations

import random

import psycopg
import pytest

from crosshead.language.words import LONGEST_WORD
from crosshead.store.postgres.rows.texts import LAST_POSITION, heading_lexemes, lexemes, storable


def count_places(database: str, notation: str) -> dict[str, int]:
    """What the database reads: how often it knows a word to be there."""
    with psycopg.connect(database) as connection:
        found = connection.execute("SELECT lexeme, cardinality(positions) FROM unnest(%s::tsvector)", [notation])
        return dict(found.fetchall())


@pytest.mark.parametrize("text", ["", "plain", "naïve", "日本", "a\ufffdb"])
def test_what_can_be_stored_stays(text: str) -> None:
    assert storable(text) == text


@pytest.mark.parametrize("text", ["a\0b", "é\0b", "a\ud800b", "\udfff"])
def test_what_cannot_be_stored_is_replaced(text: str) -> None:
    assert storable(text) == "".join(
        "\ufffd" if char == "\0" or "\ud800" <= char <= "\udfff" else char for char in text
    )


def test_words_of_any_kind_are_counted(database: str) -> None:
    words = ["rotat", "it's", "c:\\temp", "rotat", "日本", "a b", "\\", "'"]
    assert count_places(database, lexemes(words)) == {**dict.fromkeys(words, 1), "rotat": 2}


def test_headings_weigh_as_headings(database: str) -> None:
    notation = lexemes(["key", "rotat", "key"]) + heading_lexemes(["key", "guid"])
    with psycopg.connect(database) as connection:
        found = connection.execute("SELECT lexeme, weights FROM unnest(%s::tsvector)", [notation])
        assert dict(found.fetchall()) == {"key": ["A", "A", "B"], "rotat": ["A"], "guid": ["B"]}


def test_no_words(database: str) -> None:
    assert count_places(database, lexemes([])) == {}


def test_words_after_the_last_position_are_known_too(database: str) -> None:
    found = count_places(database, lexemes([*["often"] * (2 * LAST_POSITION), "late", "late"]))
    assert found == {"often": 256, "late": 1}


def test_a_text_of_too_many_words_is_known_by_its_first(database: str) -> None:
    chance = random.Random(3)
    words = ["".join(chance.choices("авгд", k=LONGEST_WORD)) for _ in range(20_000)]
    found = count_places(database, lexemes(words) + heading_lexemes(words[:10_000]))
    assert list(found) == sorted(found, key=lambda word: (len(word.encode()), word.encode()))
    assert set(words[:1_000]) < set(found) < set(words)
