from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.stored_documents import SETTINGS, WordEmbedder, make_rows

from crosshead.errors import OptionsError
from crosshead.ids import content_hash
from crosshead.search.retrieve import Retriever
from crosshead.store.lance.location.folder import Folder
from crosshead.store.lance.store import LanceStore
from crosshead.types import HAS_TOKEN_VECTORS, Chunk, Filter, Hit, Piece, SearchRequest

KEYS = """\
# Keys

## Rotation

Rotate the keys every ninety days with `max_age`.

## Storage

Keys live in the Vault.
"""
RULES = """\
# Project

About it.

## Critical Rules

- Never push to main.
- Always run the tests.

## Style

Short.
"""
DOCUMENTS = {
    "keys.md": KEYS,
    "CLAUDE.md": RULES,
    "ключи.md": "# Ключи\n\n## Обновление\n\nКлючи обновляются каждый день автоматически.\n",
    "鍵.md": "# 鍵\n\n## 回転\n\n鍵を毎日回転させる必要があります。\n",
    "far.md": "# Far\n\nSomething about elephants and whales.\n",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> LanceStore:
    store = LanceStore(Folder(tmp_path_factory.mktemp("search") / "index"), create=SETTINGS)
    sizes = {"max_tokens": 24, "min_tokens": 0, "target_tokens": 4}
    copies = [
        make_rows(f"# Copy {at}\n\n" + "the same gizmo text\n\n" * 20, f"copy{at}.md", max_tokens=8) for at in (1, 2)
    ]
    with store.lock():
        store.replace_documents(
            [
                *(make_rows(text, source, metadata={"name": source}, **sizes) for source, text in DOCUMENTS.items()),
                *copies,
            ]
        )
    return store


@pytest.fixture
def retriever(store: LanceStore) -> Retriever:
    return Retriever(store, WordEmbedder())


def search(retriever: Retriever, query: str, filter: Filter | None = None, **options: Any) -> list[Hit]:
    return retriever.search(SearchRequest(query=query, **{**vars(filter or Filter()), **options}))


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "dense"])
@pytest.mark.parametrize(
    ("query", "source", "section"),
    [
        ("rotate the keys every ninety days", "keys.md", "Rotation"),
        ("Critical Rules never push always run", "CLAUDE.md", "Critical Rules"),
        ("Ключи обновляются каждый день", "ключи.md", "Обновление"),
    ],
)
def test_the_right_section_comes_first(retriever: Retriever, mode: str, query: str, source: str, section: str) -> None:
    best = search(retriever, query, mode=mode)[0]
    assert (best.chunk.source, best.chunk.section_path[-1]) == (source, section)
    assert (best.dense_rank is None) == (mode == "lexical")
    assert (best.lexical_rank is None) == (mode == "dense")


@pytest.mark.parametrize(
    ("query", "source"), [("Critical Rules", "CLAUDE.md"), ("обновление ключей", "ключи.md"), ("鍵の回転", "鍵.md")]
)
def test_words_are_found_in_headings_and_in_any_script(retriever: Retriever, query: str, source: str) -> None:
    best = search(retriever, query, mode="lexical")[0]
    assert best.chunk.source == source


def test_a_whole_section_has_its_path(retriever: Retriever) -> None:
    best = search(retriever, "Critical Rules")[0].chunk
    assert best.content == "## Critical Rules\n\n- Never push to main.\n- Always run the tests."
    assert best.full_path == ("Project", "Critical Rules")


def test_the_same_question_has_the_same_answer(retriever: Retriever) -> None:
    assert search(retriever, "the same gizmo") == search(retriever, "the same gizmo")


def test_scores_fall(retriever: Retriever) -> None:
    scores = [hit.final_score for hit in search(retriever, "rotate the keys")]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("limit", [1, 3, 70])
def test_limit(retriever: Retriever, limit: int) -> None:
    found = search(retriever, "the same gizmo text", limit=limit, candidates=5)
    assert len({hit.chunk.id for hit in found}) == len(found)
    assert len(found) == limit if limit < 70 else len(found) >= 20


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "dense"])
def test_a_document_gives_no_more_than_its_share(retriever: Retriever, mode: str) -> None:
    found = search(retriever, "the same gizmo text keys", mode=mode, per_document=1, candidates=5, limit=3)
    assert len({hit.chunk.document_id for hit in found}) == len(found) == 3


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "dense"])
def test_filters_hold_on_every_side(retriever: Retriever, mode: str) -> None:
    found = search(retriever, "keys rules gizmo", Filter(source="keys.md"), mode=mode)
    assert found
    assert {hit.chunk.source for hit in found} == {"keys.md"}
    found = search(retriever, "keys vault", Filter(section_filter="storage", metadata={"name": "keys.md"}), mode=mode)
    assert {hit.chunk.section_path[-1] for hit in found} == {"Storage"}
    assert search(retriever, "keys", Filter(format="pdf"), mode=mode) == []


@pytest.mark.parametrize("query", ["", "   ", "\n\t\u3000"])
def test_an_empty_query_is_an_error(retriever: Retriever, query: str) -> None:
    with pytest.raises(OptionsError, match="empty"):
        search(retriever, query)


@pytest.mark.parametrize(
    "query",
    [
        "?", "\0", "\x1b[31m", "' OR 1=1 --", '"', "[[", "a" * 100_000, "keys " * 20_000, "\ufeff", "日" * 5_000,
        "the of and", "\U0001f600", "(((((", "*", "%s %d {}", "\\", "keys\0rotate", "- " * 1_000, "\u202ekeys",
        "keys \ud800",
    ],
)  # fmt: skip
@pytest.mark.parametrize("mode", ["hybrid", "lexical", "dense"])
def test_odd_queries_are_answered(retriever: Retriever, query: str, mode: str) -> None:
    hits = search(retriever, query, mode=mode)
    assert len({hit.chunk.id for hit in hits}) == len(hits)
    assert all(0 <= hit.final_score <= 1 for hit in hits)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1))
def test_any_query_is_answered(retriever: Retriever, query: str) -> None:
    if query.strip():
        search(retriever, query)


def test_without_vectors_only_words_are_compared(store: LanceStore) -> None:
    retriever = Retriever(store, None)
    assert search(retriever, "rotate keys")[0].chunk.section_path[-1] == "Rotation"
    with pytest.raises(OptionsError, match="lexical"):
        search(retriever, "rotate keys", mode="dense")


def test_what_the_query_names_is_lifted(retriever: Retriever) -> None:
    named = search(retriever, "keys in `max_age`", entity_weight=0.5)[0]
    assert named.chunk.section_path[-1] == "Rotation"
    unnamed = search(retriever, "keys in `max_age`", entity_weight=0.0)[0]
    assert named.entity_boost == pytest.approx(0.5 / 2.3)
    assert named.final_score == pytest.approx(unnamed.final_score * 1.8 / 2.3 + named.entity_boost)
    assert all(hit.entity_boost == 0.0 for hit in search(retriever, "keys in max age", entity_weight=0.5))


def test_words_that_say_nothing_are_not_looked_for(retriever: Retriever) -> None:
    plain = search(retriever, "elephants", mode="lexical")
    assert [hit.chunk.source for hit in plain] == ["far.md"]
    assert search(retriever, "which of the elephants are there, and how do I get to them", mode="lexical") == plain
    assert search(retriever, "the", mode="lexical"), "a question of nothing else is taken as it is"


def test_words_of_headings_count_as_much_as_told(retriever: Retriever) -> None:
    def sections(**options: Any) -> list[str]:
        return [hit.chunk.section_path[-1] for hit in search(retriever, "project", mode="lexical", **options)]

    assert sections(heading_weight=0.0) == ["Project"]
    assert sorted(sections()) == ["Critical Rules", "Project", "Style"]


def test_chunks_that_cannot_reach_the_first_places_are_not_read(
    retriever: Retriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = search(retriever, "the same `gizmo` text", limit=50)
    read: list[str] = []
    fetch = retriever.store.chunks
    monkeypatch.setattr(retriever.store, "chunks", lambda ids: read.extend(ids) or fetch(ids))
    assert search(retriever, "the same `gizmo` text", limit=3) == everything[:3]
    assert 3 <= len(read) < len(everything)


TITLES = """\
# Search

Search, search and search: search is what a search for a search does.

## Searching

Search with search.

## Words

### Search

Rarely found by its text.

## The search

Search again.

## Search by search

Search and search.
"""


@pytest.fixture(scope="module")
def titles(tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    store = LanceStore(Folder(tmp_path_factory.mktemp("titles") / "index"), create=SETTINGS)
    with store.lock():
        store.replace_documents([make_rows(TITLES, max_tokens=24, min_tokens=0, target_tokens=4)])
    return Retriever(store, WordEmbedder())


class TestTitles:
    @pytest.mark.parametrize("mode", ["hybrid", "lexical"])
    @pytest.mark.parametrize("query", ["Searching", "the search", "search by SEARCH?", "Words > Search", "words"])
    def test_section_whose_title_is_the_question_comes_first(self, titles: Retriever, mode: str, query: str) -> None:
        expected = query.strip("?").rpartition(" > ")[2].casefold()
        assert search(titles, query, mode=mode)[0].section_path[-1].casefold() == expected

    def test_all_sections_of_that_title_come_before_others(self, titles: Retriever) -> None:
        found = [hit.section_path[-1] == "Search" for hit in search(titles, "search")]
        assert found[:2] == [True, True]
        assert not any(found[2:])

    def test_section_above_many_others_is_found(self, tmp_path: Path) -> None:
        below = "".join(f"## Part {number}\n\nSearch, search and search.\n\n" for number in range(120))
        store = LanceStore(Folder(tmp_path / "index"), create=SETTINGS)
        with store.lock():
            store.replace_documents(
                [make_rows(f"# Search\n\nAbout {'it ' * 8}\n\n{below}", max_tokens=16, min_tokens=0, target_tokens=8)]
            )
        assert search(Retriever(store, None), "search")[0].section_path == ("Search",)

    def test_lift_stays_when_hits_are_judged_anew(self, titles: Retriever) -> None:
        best = search(titles, "Searching")[0]
        judge = Retriever(
            titles.store, None, lambda _, texts: [0.1 if "## Searching" in text else 0.9 for text in texts]
        )
        reranked = search(judge, "Searching")
        assert reranked[0].chunk == best.chunk
        assert 1.0 > reranked[0].final_score > reranked[1].final_score

    def test_several_of_them_stay_in_the_order_of_their_scores(self, titles: Retriever) -> None:
        scores = [hit.final_score for hit in search(titles, "search")]
        assert scores == sorted(scores, reverse=True)
        assert len({*scores[:3]}) == 3

    def test_filter_holds_for_titles_too(self, titles: Retriever) -> None:
        assert {hit.section_path[-1] for hit in search(titles, "search", Filter(section_filter="searching"))} == {
            "Searching"
        }

    def test_vectors_alone_know_no_titles(self, titles: Retriever) -> None:
        for hit in search(titles, "Searching", mode="dense"):
            assert hit.final_score == pytest.approx(hit.dense_score)


class LengthReranker:
    """The shortest text is the best; scores are negative, as the logits of real models may be."""

    name = "length"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        self.seen = list(texts)
        return [-len(text) / 20 for text in texts]


class TestReranking:
    def test_hits_are_sorted_by_the_reranker(self, store: LanceStore) -> None:
        rerank = LengthReranker().score
        found = search(Retriever(store, WordEmbedder(), rerank), "keys rules", limit=5, rerank_weight=1e6)
        scores = [hit.rerank_score for hit in found]
        assert None not in scores
        assert scores == sorted(scores, reverse=True)  # type: ignore[type-var]

    def test_it_sees_the_breadcrumb(self, store: LanceStore) -> None:
        reranker = LengthReranker()
        search(Retriever(store, WordEmbedder(), reranker.score), "rotate keys")
        assert any(text.startswith("Keys > Rotation\n") for text in reranker.seen)

    def test_what_it_does_not_see_comes_after(self, store: LanceStore) -> None:
        found = search(Retriever(store, WordEmbedder(), LengthReranker().score), "keys rules", limit=6, rerank_depth=2)
        assert [hit.rerank_score is None for hit in found] == [False, False, True, True, True, True]

    def test_a_score_for_every_text_is_needed(self, store: LanceStore) -> None:
        with pytest.raises(OptionsError, match=r"0 scores for \d+ texts"):
            search(Retriever(store, WordEmbedder(), lambda query, texts: []), "keys rules")

    def test_its_score_is_added_with_its_weight(self, store: LanceStore) -> None:
        plain = {
            hit.chunk.id: hit.final_score for hit in search(Retriever(store, WordEmbedder()), "keys rules", limit=50)
        }
        judge = Retriever(store, WordEmbedder(), lambda _, texts: [0.5] * len(texts))
        for hit in search(judge, "keys rules", limit=50, rerank_weight=3.0):
            assert hit.final_score == pytest.approx((plain[hit.chunk.id] + 3.0 * 0.5) / 4.0)

    def test_final_scores_stay_between_0_and_1(self, store: LanceStore) -> None:
        judge = Retriever(store, WordEmbedder(), lambda _, texts: [(-1000.0) ** at for at in range(len(texts))])
        assert all(0.0 <= hit.final_score <= 1.0 for hit in search(judge, "keys rules", limit=50))

    def test_it_may_read_the_best_piece_only(self, store: LanceStore) -> None:
        reranker = LengthReranker()
        retriever = Retriever(store, WordEmbedder(), reranker.score, Halves())
        whole = {hit.chunk.content for hit in search(retriever, "rotate keys", rerank_pieces=True)}
        assert any(text.startswith("Keys > Rotation\n") for text in reranker.seen)
        assert all(text.partition("\n")[2] not in whole for text in reranker.seen)
        assert any("Rotate" in text for text in reranker.seen)


class Halves:
    """Cuts every chunk in the middle."""

    def pieces(self, chunk: Chunk) -> list[Piece]:
        middle = len(chunk.content) // 2
        return [Piece(0, middle), Piece(middle, len(chunk.content))]

    def text_hash(self, chunk: Chunk) -> str:
        return chunk.content_hash


class ByContent:
    """Knows the tokens of a chunk as the tests store them; a chunk is one piece."""

    def pieces(self, chunk: Chunk) -> list[Piece]:
        return [Piece(0, len(chunk.content))]

    def text_hash(self, chunk: Chunk) -> str:
        return content_hash(chunk.content)


class TestTokens:
    """The tokens that an index keeps are compared with those of the question."""

    @pytest.fixture
    def comparing(self, store: LanceStore) -> Retriever:
        return Retriever(store, WordEmbedder(), piece_maker=ByContent(), compares_tokens=True)

    def test_they_decide_if_they_count_for_all(self, comparing: Retriever) -> None:
        query = "never push elephants"
        found = search(comparing, query, limit=5, rerank_weight=1e6)
        embedder = WordEmbedder()
        asked = embedder.embed_query_with_tokens(query).token_vectors
        for hit in found:
            (near,) = embedder.compare_tokens(asked, [(hit.chunk.content.encode(),)])
            assert hit.rerank_score == pytest.approx(near)
        scores = [hit.rerank_score or 0.0 for hit in found]
        assert scores == sorted(scores, reverse=True)
        assert len(set(scores)) > 1

    def test_scores_stay_between_0_and_1_and_what_was_not_compared_stays_behind(self, comparing: Retriever) -> None:
        found = search(comparing, "keys rules", limit=8, rerank_depth=3)
        assert [hit.rerank_score is None for hit in found] == [False] * 3 + [True] * 5
        scores = [hit.final_score for hit in found]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)

    def test_only_hybrid_search_compares_words_alone_without(self, store: LanceStore) -> None:
        without = Retriever(store, WordEmbedder(), piece_maker=ByContent())
        assert all(hit.rerank_score is None for hit in search(without, "keys rules"))
        comparing = Retriever(store, None, piece_maker=ByContent(), compares_tokens=True)
        assert all(hit.rerank_score is None for hit in search(comparing, "keys rules", mode="lexical"))

    def test_what_waits_for_its_tokens_is_not_put_back(self, tmp_path: Path) -> None:
        store = LanceStore(Folder(tmp_path / "index"), create=SETTINGS)
        waiting = make_rows("# B\n\nRotate all keys.\n", "b.md", embedded=False)
        with store.lock():
            store.replace_documents([make_rows("# A\n\nRotate the keys.\n", "a.md"), waiting])
        comparing = Retriever(store, WordEmbedder(), piece_maker=ByContent(), compares_tokens=True)
        first, second = search(comparing, "rotate keys")
        assert first.rerank_score == second.rerank_score

    def test_an_index_without_tokens_is_searched_as_ever(self, tmp_path: Path) -> None:
        store = LanceStore(Folder(tmp_path / "index"), create={**SETTINGS, HAS_TOKEN_VECTORS: False})
        with store.lock():
            store.replace_documents([make_rows("# A\n\nRotate the keys.\n", "a.md")])
        comparing = Retriever(store, WordEmbedder(), piece_maker=ByContent(), compares_tokens=True)
        (hit,) = search(comparing, "rotate keys")
        assert hit.rerank_score is None
        assert hit.chunk.source == "a.md"
