from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosshead.search.query.entities import MOST_ENTITIES, entity_share, find_entities


@pytest.mark.parametrize(
    ("query", "entities"),
    [
        ("how do I rotate keys", []),
        ("How does it work? What now", []),
        ('what is "key rotation" here', ["key rotation"]),
        ("«смена ключей» и “two words” and `x y`", ["смена ключей", "two words", "x y"]),
        ("「鍵の回転」とは", ["鍵の回転"]),
        ("what does --max-tokens do", ["--max-tokens"]),
        ("the -v flag", ["-v"]),
        ("a well-known long-running task", []),
        ("where is max_tokens set", ["max_tokens"]),
        ("use ChunkOptions or chunkSize", ["chunkoptions", "chunksize"]),
        ("call os.path.join, now.", ["os.path.join"]),
        ("in src/app.py?", ["src/app.py"]),
        ("std::vector and C:\\temp\\x", ["std::vector", "c:\\temp\\x"]),
        ("the HTTP API.", ["http", "api"]),
        ("sha256 of it", ["sha256"]),
        ("does Ada Lovelace know Grace", ["ada lovelace", "grace"]),
        ("did Ada, Grace and Bob meet", ["ada", "grace", "bob"]),
        ("как работает Вася Пупкин", ["вася пупкин"]),
        ("version 3.11 of 2026", []),
        ("HTTP http Http", ["http"]),
        ("", []),
        ("--- ... ///", []),
    ],
)
def test_what_a_query_names(query: str, entities: list[str]) -> None:
    assert find_entities(query) == entities


def test_there_is_a_largest_number() -> None:
    assert len(find_entities(" ".join(f"name_{number}" for number in range(100)))) == MOST_ENTITIES


@pytest.mark.parametrize(
    ("entities", "text", "share"),
    [
        ([], "text", 0.0),
        (["api"], "The API is here", 1.0),
        (["api"], "the capital", 0.0),
        (["api"], "capital, then (api)", 1.0),
        (["--max-tokens"], "use --max-tokens=5", 1.0),
        (["max_tokens"], "max_tokens_per_chunk", 0.0),
        (["a/b.py", "other"], "see a/b.py", 0.5),
        (["鍵の回転"], "毎日鍵の回転をする", 1.0),
        (["straße"], "STRASSE", 0.0),
        (["strasse"], "Straße", 1.0),
    ],
)
def test_share_of_what_a_text_contains(entities: list[str], text: str, share: float) -> None:
    assert entity_share(entities, text) == share


@given(st.text(max_size=300))
def test_a_query_contains_what_it_names(query: str) -> None:
    entities = find_entities(query)
    assert all(each and each in query.casefold() for each in entities)
    assert 0.0 <= entity_share(entities, query) <= 1.0


@pytest.mark.parametrize("unit", ["a", "_", "-", "A", "a.", "a_", '"', "A ", "::"])
def test_a_long_query_is_no_problem(unit: str) -> None:
    find_entities(unit * 20_000)
