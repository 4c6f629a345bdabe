"""Several indexes are searched as one: the hits, scores and order are those of one index with the same documents."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.support.stored_documents import WordEmbedder

from crosshead import Hit, Index
from crosshead.errors import IncompleteIndex, OptionsError, StoreError
from crosshead.index.joined import JoinedIndex
from crosshead.store import SCHEMA_SETTING
from crosshead.store.bm25 import MOST_COUNTED
from crosshead.store.lance import table_version
from crosshead.types import CALIBRATION, Calibration, Signals, SignalWeight

REPOSITORY = Path(__file__).parents[2]
GERMAN = """\
# Handbuch

Die Ordnung der Dokumente folgt den Überschriften.

## Schlüssel erneuern

Die Schlüssel werden alle neunzig Tage erneuert, und die alten Schlüssel werden gelöscht.

## Suche

Gesucht wird nach Wörtern und nach ihrer Bedeutung.
"""
QUERIES = (
    "how to rotate keys",
    "index of a folder on object storage",
    "Glossary",
    "the",
    "weak match and confidence",
    "Schlüssel erneuern",
    '"object storage" -postgres',
    "chunk size OR overlap",
    "handbook keys every ninety days",
    "xylophone quark",
)
REQUESTS: Sequence[dict[str, Any]] = (
    {},
    {"limit": 50},
    {"per_document": 1},
    {"source": "docs/*"},
    {"section_filter": "*index*"},
    {"format": "text"},
    {"all": False},
    {"expand_context": True},
    {"metadata": {"team": "infra"}},
    {"heading_weight": 0.0, "candidates": 20},
)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of several formats and two languages."""
    root = tmp_path_factory.mktemp("corpus")
    for name in ("indexing", "search-options", "glossary", "answers", "options", "citations", "storage", "server"):
        if (found := REPOSITORY / "docs" / f"{name}.md").exists():
            (root / "docs").mkdir(exist_ok=True)
            shutil.copy(found, root / "docs")
    shutil.copytree(REPOSITORY / "examples" / "docs", root / "examples")
    (root / "handbuch.md").write_text(GERMAN)
    for number in range(12):
        team = "infra" if number % 3 else "web"
        text = f"---\nteam: {team}\n---\n# Note {number}\n\nKeys of team {team} rotate every ninety days.\n"
        (root / f"note{number}.md").write_text(text)
        (root / f"log{number}.txt").write_text(f"Server {number} rotated its keys and its index {number} times.\n")
    return root


def documents_of(corpus: Path) -> list[Path]:
    return sorted(each for each in corpus.rglob("*") if each.is_file())


Make = Callable[[int], list[Path]]


@pytest.fixture(scope="session")
def make(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Cut the corpus into parts by document, once for each number of them, and index each."""
    folder, known = tmp_path_factory.mktemp("parts"), dict[int, list[Path]]()

    def cut(count: int) -> list[Path]:
        if count not in known:
            known[count] = [folder / f"of-{count}" / f"part-{number:02}" for number in range(count)]
            for number, location in enumerate(known[count]):
                with Index(location, root=corpus, embedder="static") as index:
                    index.add(*documents_of(corpus)[number::count], jobs=1)
        return known[count]

    return cut


@pytest.fixture(autouse=True)
def _in_process_reading(_in_process: None) -> None:
    """Reading in this process is faster for small files."""


def assert_alike(expected: Sequence[Hit], found: Sequence[Hit], tolerance: float = 1e-6) -> None:
    assert [each.chunk.id for each in found] == [each.chunk.id for each in expected]
    for one, other in zip(expected, found, strict=True):
        assert other.final_score == pytest.approx(one.final_score, abs=tolerance)
        assert other.lexical_score == pytest.approx(one.lexical_score, abs=tolerance)
        assert other.dense_score == pytest.approx(one.dense_score, abs=tolerance)
        assert (other.section_id, other.citation, other.is_weak) == (one.section_id, one.citation, one.is_weak)
        assert (other.snippet, other.highlights) == (one.snippet, one.highlights)
        assert (other.parent, other.siblings) == (one.parent, one.siblings)


def assert_one(one: Index, joined: JoinedIndex, tolerance: float = 1e-6, modes: Sequence[Any] = ()) -> None:
    """Check that two indexes answer all queries alike."""
    for query in QUERIES:
        for mode in modes or ("lexical", "dense", "hybrid"):
            for request in REQUESTS:
                found = joined.search(query, mode=mode, **request)
                assert found.complete
                assert_alike(one.search(query, mode=mode, **request), found, tolerance)


class TestScores:
    @pytest.mark.parametrize("count", [2, 7, 40])
    def test_hits_scores_and_order_are_those_of_one_index(self, make: Make, count: int) -> None:
        with Index(*make(1), create=False) as one, Index.join(make(count)) as joined:
            assert_one(one, joined)

    def test_word_statistics_add_up(self, make: Make) -> None:
        words = ["key", "rotat", "index", "xylophon"]
        with Index(*make(1), create=False) as one:
            expected = one._store.word_statistics(words)
        parts = [Index(each, create=False) for each in make(7)]
        first, *others = (each._store.word_statistics(words) for each in parts)
        total = sum(others, start=first)
        assert total == expected
        assert total.rows["index"] > MOST_COUNTED
        assert total.rows["xylophon"] == 0
        for each in parts:
            each.close()

    def test_passages_are_those_of_one_index(self, make: Make) -> None:
        with Index(*make(1), create=False) as one, Index.join(make(7)) as joined:
            for query in QUERIES:
                expected, found = one.passages(query, 600), joined.passages(query, 600)
                assert [(each.citation, each.content) for each in found] == [
                    (each.citation, each.content) for each in expected
                ]
                assert all(each.index for each in found)

    def test_tokens_are_compared(self, corpus: Path, tmp_path: Path) -> None:
        def index(name: str, files: Sequence[Path]) -> Index:
            made = Index(tmp_path / name, root=corpus, embedder=WordEmbedder(), piece_tokens=40)
            made.add(*files, jobs=1)
            return made

        files = documents_of(corpus)
        parts = [index(f"part{number}", files[number::3]) for number in range(3)]
        assert_one(index("one", files), Index.join(parts), modes=["hybrid"])

    def test_parts_that_are_too_large_for_memory(self, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
        with Index(*make(1), create=False) as one:
            expected = [one.search(query, mode="lexical", limit=20) for query in QUERIES]
        monkeypatch.setattr(table_version, "MOST_CHUNKS", 10)
        with Index.join(make(2)) as joined:
            for query, hits in zip(QUERIES, expected, strict=True):
                assert_alike(hits, joined.search(query, mode="lexical", limit=20))

    def test_few_proposals_of_a_large_table_are_enough(self, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(table_version, "MOST_CHUNKS", 10)
        with Index.join(make(2)) as joined:
            store = joined._current.read(lambda index: index.store)
            words, filter = ["index", "folder", "rotat", "key"], table_version.Filter()
            everything = store.search_lexical(words, 1000, filter, heading_weight=0.25)
            for limit in (1, 3, 10, 25):
                assert store.search_lexical(words, limit, filter, heading_weight=0.25) == everything[:limit]

    def test_after_documents_were_removed_and_changed(self, corpus: Path, tmp_path: Path) -> None:
        files = documents_of(corpus)
        locations = [tmp_path / f"part{number}" for number in range(3)]
        with Index.join([_index(each, corpus, files[at::3]) for at, each in enumerate(locations)]) as joined:
            before = joined.search("rotate keys", limit=50)
            removed, changed = {files[5], files[10]}, files[0]
            for each in joined._indexes.values():
                each.remove_documents([])
                for path in removed:
                    each.remove(path)
            _of(joined, changed, corpus).add_text(
                "# Keys\n\nRotate rare keys.", source=str(changed.relative_to(corpus))
            )
            one = _index(tmp_path / "one", corpus, [each for each in files if each not in {*removed, changed}])
            one.add_text("# Keys\n\nRotate rare keys.", source=str(changed.relative_to(corpus)))
            assert_one(one, joined)
            assert joined.search("rotate keys", limit=50) != before


def _index(location: Path, root: Path, files: Sequence[Path]) -> Index:
    index = Index(location, root=root, embedder="static")
    index.add(*files, jobs=1)
    return index


def _of(joined: JoinedIndex, path: Path, root: Path) -> Index:
    """Return the part that has a file."""
    source = str(path.relative_to(root))
    return next(each for each in joined._indexes.values() if source in each.sources())


class TestDatabases:
    @pytest.fixture
    def databases(self, server: str) -> Iterator[list[str]]:
        """The URLs of empty databases."""
        import uuid
        from urllib.parse import urlsplit

        import psycopg

        names = [f"crosshead_test_{uuid.uuid4().hex}" for _ in range(3)]
        with psycopg.connect(server, autocommit=True) as connection:
            for name in names:
                connection.execute(f"CREATE DATABASE {name}")
            yield [urlsplit(server)._replace(path=f"/{name}").geturl() for name in names]
            for name in names:
                connection.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def test_parts_in_databases(self, corpus: Path, databases: list[str]) -> None:
        files = documents_of(corpus)
        url, *urls = databases
        parts = [_index(each, corpus, files[at::2]) for at, each in enumerate(urls)]
        with _index(url, corpus, files) as one, Index.join(parts) as joined:
            for query in QUERIES:
                for mode in ("lexical", "dense", "hybrid"):
                    assert_alike(one.search(query, mode=mode), joined.search(query, mode=mode))
        for each in parts:
            each.close()

    def test_a_folder_and_a_database(self, corpus: Path, make: Make, databases: list[str]) -> None:
        files = documents_of(corpus)
        part = _index(databases[0], corpus, files[1::2])
        with Index(*make(1), create=False) as one, Index.join([make(2)[0], part]) as joined:
            for query in QUERIES:
                expected = {each.chunk.id: each.final_score for each in one.search(query, mode="lexical")}
                found = {each.chunk.id: each.final_score for each in joined.search(query, mode="lexical")}
                common = expected.keys() & found.keys()
                assert len(common) >= 0.8 * len(expected)
                assert all(found[each] == pytest.approx(expected[each], abs=0.2) for each in common)
        part.close()


class TestSameSources:
    """Two indexes have documents with the same source."""

    @pytest.fixture
    def joined(self, tmp_path: Path) -> Iterator[JoinedIndex]:
        for name, text in (("a", "# Alpha\n\nCopper wire.\n"), ("b", "# Beta\n\nCopper tubes.\n\n## Same\n\nIron.\n")):
            with Index(tmp_path / name, embedder="static") as index:
                index.add_text(text, source="README.md")
                index.add_text("# Shared\n\nTin cans.\n", source="shared.md")
        with Index.join([tmp_path / "a", tmp_path / "b"]) as joined:
            yield joined

    def test_each_hit_says_which_index_it_is_from(self, joined: JoinedIndex, tmp_path: Path) -> None:
        found = {each.index: each for each in joined.search("copper", mode="lexical")}
        assert {*found} == {str(tmp_path / "a"), str(tmp_path / "b")}
        for location, title in ((str(tmp_path / "a"), "Alpha"), (str(tmp_path / "b"), "Beta")):
            hit = found[location]
            assert hit.title == title
            document = joined.document(hit.chunk.document_id)
            section = joined.section(hit.section_id)
            assert document is not None
            assert section is not None
            assert document.text[hit.start : hit.end] == hit.content
            assert (section.index, section.title) == (location, title)

    def test_passages_quote_both(self, joined: JoinedIndex) -> None:
        text = "\n".join(each.content for each in joined.passages("copper", mode="lexical", all=True))
        assert "wire" in text
        assert "tubes" in text

    def test_the_same_chunk_is_one_hit(self, joined: JoinedIndex, tmp_path: Path) -> None:
        (hit,) = joined.search("tin cans", mode="lexical")
        assert hit.index == str(tmp_path / "a")

    def test_all_documents_are_listed(self, joined: JoinedIndex, tmp_path: Path) -> None:
        listed = [(each.location, each.source) for each in joined.documents()]
        expected = [(str(tmp_path / name), source) for name in "ab" for source in ("README.md", "shared.md")]
        assert listed == expected
        assert joined.sources() == ["README.md", "shared.md"]


class TestModels:
    def test_parts_with_other_models_are_asked_with_theirs(self, corpus: Path, tmp_path: Path) -> None:
        files = documents_of(corpus)
        words = Index(tmp_path / "words", root=corpus, embedder=WordEmbedder(), piece_tokens=40)
        words.add(*files[::2], jobs=1)
        with words, _index(tmp_path / "static", corpus, files[1::2]) as static:
            joined = Index.join([words, static])
            for query in QUERIES[:6]:
                for mode in ("dense", "hybrid"):
                    hits = joined.search(query, mode=mode, limit=300)
                    assert {each.index for each in hits} == {words.location, static.location}
                for part in (words, static):
                    alone = [each.chunk.id for each in part.search(query, mode="dense", limit=10)]
                    together = [
                        each.chunk.id
                        for each in joined.search(query, mode="dense", limit=300)
                        if each.index == part.location
                    ]
                    assert together[:10] == alone
                assert joined.passages(query, all=True)


class TestMissing:
    def test_a_part_that_is_missing_is_named(self, make: Make, tmp_path: Path) -> None:
        with Index.join([*make(2), tmp_path / "none"]) as joined, Index.join(make(2)) as others:
            found = joined.search("rotate keys")
            assert_alike(others.search("rotate keys"), found)
            assert not found.complete
            ((index, reason),) = [(each.index, each.reason) for each in found.missing]
            assert index == str(tmp_path / "none")
            assert "there is no index here" in reason
            assert not joined.passages("rotate keys").complete

    def test_all_can_be_required(self, make: Make, tmp_path: Path) -> None:
        joined = Index.join([*make(2), tmp_path / "none"], require_all=True)
        with joined, pytest.raises(IncompleteIndex, match="1 of 3 indexes could not be searched: "):
            joined.search("rotate keys")

    def test_it_is_an_error_if_none_answers(self, tmp_path: Path) -> None:
        with Index.join([tmp_path / "a", tmp_path / "b"]) as joined, pytest.raises(IncompleteIndex, match="2 of 2"):
            joined.search("rotate keys")

    def test_a_damaged_part_is_named_and_comes_back(self, make: Make, tmp_path: Path) -> None:
        first, second = (shutil.copytree(each, tmp_path / each.name) for each in make(2))
        with Index.join([first, second]) as joined:
            expected = joined.search("rotate keys", limit=30)
            second.rename(tmp_path / "away")
            found = joined.search("rotate keys", limit=30)
            assert [each.index for each in found.missing] == [str(second)]
            assert {each.index for each in found} == {str(first)}
            (tmp_path / "away").rename(second)
            assert_alike(expected, joined.search("rotate keys", limit=30))
            (second / "settings.json").write_text("{")
            with Index.join([first, second]) as again:
                assert [each.index for each in again.search("rotate keys").missing] == [str(second)]

    def test_a_part_of_another_version_is_named(self, make: Make, tmp_path: Path) -> None:
        first, second = (shutil.copytree(each, tmp_path / each.name) for each in make(2))
        settings = json.loads((second / "settings.json").read_text())
        (second / "settings.json").write_text(json.dumps({**settings, SCHEMA_SETTING: 99}))
        with Index.join([first, second]) as joined:
            (missing,) = joined.search("rotate keys").missing
        assert missing.index == str(second)
        assert "newer version" in missing.reason

    def test_a_slow_part_is_named_and_is_not_asked_again_while_it_is_silent(self, make: Make) -> None:
        with Index.join(make(2), part_seconds=0.2) as joined:
            expected = joined.search("rotate keys")
            part = [*joined._parts.values()][1]
            store = part.read(lambda store: store)
            part._store = Sleeping(store, 1.0)
            reasons = [joined.search("rotate keys").missing[0].reason for _ in range(2)]
            assert reasons == ["no answer within 0.2 seconds", "it has not answered an earlier question yet"]
            part._store = store
            time.sleep(1.2)
            assert_alike(expected, joined.search("rotate keys"))

    def test_a_part_that_was_changed_is_opened_again(self, corpus: Path, tmp_path: Path) -> None:
        locations = [tmp_path / "a", tmp_path / "b"]
        for at, each in enumerate(locations):
            _index(each, corpus, documents_of(corpus)[at::2]).close()
        with Index.join(locations) as joined:
            before = joined.search("rotate keys")
            with Index(locations[0], create=False) as index:
                index.change(max_tokens=200)
            found = joined.search("rotate keys")
            assert found.complete
            assert found != before


class Sleeping:
    """A store that does not answer for a while."""

    def __init__(self, store: Any, seconds: float) -> None:
        self._store, self._seconds = store, seconds

    def __getattr__(self, name: str) -> Any:
        time.sleep(self._seconds)
        return getattr(self._store, name)


class TestLocations:
    def test_patterns(self, make: Make) -> None:
        (parent,) = {each.parent for each in make(2)}
        with Index.join([parent / "part-*"]) as joined:
            assert joined.locations == [str(each) for each in make(2)]
        with pytest.raises(OptionsError, match="no index matches"):
            Index.join([parent / "none-*"])
        with pytest.raises(OptionsError, match="no index is named"):
            Index.join([])

    def test_patterns_of_object_storage(self, make: Make, bucket: str) -> None:
        for each in make(2):
            with Index(each, create=False) as index:
                index.copy_to(f"{bucket}/all/{each.name}")
        with Index.join([f"{bucket}/all/part-*"]) as joined, Index.join(make(2)) as local:
            assert joined.locations == [f"{bucket}/all/{each.name}" for each in make(2)]
            assert_alike(local.search("rotate keys"), joined.search("rotate keys"))

    def test_it_can_be_closed(self, make: Make) -> None:
        joined = Index.join(make(2))
        joined.close()
        with pytest.raises(StoreError, match="closed"):
            joined.search("rotate keys")


class TestConfidence:
    def test_hits_are_judged_by_the_calibration_of_their_index_if_all_have_one(
        self, make: Make, tmp_path: Path
    ) -> None:
        learned = {name: SignalWeight(0.5, 0.2, 1.0) for name in Signals._fields}
        copies = [shutil.copytree(each, tmp_path / each.name) for each in make(2)]
        for number, location in enumerate(copies):
            with Index.join(copies) as joined:
                found = joined.search("rotate keys")
                assert [each.confidence for each in found] == [None] * len(found)
            with Index(location, create=False) as index, index._index.lock():
                calibration = Calibration(0.05, float(number), learned, 0.0, 100, 0, 100)
                index._store.change_setting(CALIBRATION, calibration.to_json())
        with Index.join(copies) as joined:
            found = joined.search("rotate keys", limit=20)
            confidences = [each.confidence for each in found if each.confidence is not None]
            assert confidences == sorted(confidences, reverse=True)
            assert len(confidences) == len(found)
            assert {each.index: each.is_weak for each in found} == {str(copies[0]): False, str(copies[1]): True}
            assert joined.search("rotate keys", min_confidence=0.999999) == []


class TestLookups:
    def test_what_is_found_can_be_looked_up(self, make: Make) -> None:
        with Index(*make(1), create=False) as one, Index.join(make(7)) as joined:
            for hit in joined.search("rotate keys", limit=20):
                assert joined.chunk(hit.chunk.id) == one.chunk(hit.chunk.id)
                assert joined.parents(hit.chunk.id) == one.parents(hit.chunk.id)
                assert joined.siblings(hit.chunk.id) == one.siblings(hit.chunk.id)
                section, passage = joined.section(hit.section_id), joined.passage(hit.citation)
                assert section is not None
                assert passage is not None
                same_section, same_passage = one.section(hit.section_id), one.passage(hit.citation)
                assert same_section is not None
                assert same_passage is not None
                assert (section.content, passage.content) == (same_section.content, same_passage.content)
                original, same = joined.original(hit.chunk.document_id), one.original(hit.chunk.document_id)
                assert original is not None
                assert same is not None
                assert original.read() == same.read()
            assert joined.titles("key") == one.titles("key")
            assert joined.ids("0", 10_000) == one.ids("0", 10_000)
            assert joined.sources() == one.sources()
            assert joined.why_nothing("keys", source="none*") == one.why_nothing("keys", source="none*")

    def test_answers_cite_the_parts(self, make: Make) -> None:
        with Index.join(make(2)) as joined:
            answer = joined.ask("How are keys rotated?", llm=lambda prompt: "Keys rotate every ninety days [1].")
            assert answer.citations
            assert joined.verify(answer).sentences
