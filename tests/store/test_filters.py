from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.stored_documents import SETTINGS, WordEmbedder, make_rows

from crosshead.errors import OptionsError
from crosshead.ids import encodable
from crosshead.store.filters import LONGEST_GLOB
from crosshead.store.headings import SEPARATOR, as_document
from crosshead.store.lance.candidates import filters
from crosshead.store.lance.candidates.filters import one_of, quote, to_sql
from crosshead.store.lance.location.folder import Folder
from crosshead.store.lance.store import LanceStore
from crosshead.store.tags import metadata_tags
from crosshead.types import DocumentRows, Filter

ATTACKS = [
    "' OR 1=1 --",
    "' OR '1'='1",
    "'' OR 1=1",
    "\\' OR 1=1 --",
    "\\",
    "\\\\",
    "'",
    "''",
    "'''",
    '"',
    "`source`",
    "x') OR (1=1",
    "x', '.*') OR regexp_like(source, '.*",
    ".*",
    ".+",
    "(a|s).*",
    "[a-z]+.md",
    "^",
    "$",
    "|",
    "(?i)SECRET.MD",
    "(?x) ",
    "[^\x1f]*",
    "\x1f",
    "\x1f.*\x1f",
    "\0",
    "secret\0.md",
    "secret.md\0",
    "secret.md'; DROP TABLE rows; --",
    "secret.md\n",
    "\n",
    "\u2028",
    "＇ OR 1=1",
    "%",
    "_ecret.md",
    "{secret.md}",
    "[s]ecret.md",
    "\ud800",
    "ſecret.md",
    "$1",
    "?" * 8,
    "E'\\x27 OR 1=1'",
    "/* */",
]
SECRET = "secret.md"
EVERYTHING = 100


def make_documents() -> list[DocumentRows]:
    attacks = (
        make_rows(f"word {at}\n", f"<{at}>{attack}", metadata={"team": attack}) for at, attack in enumerate(ATTACKS)
    )
    return [
        make_rows("# Secret\n\nword\n", SECRET, format="secret", metadata={"team": "secret"}, date="2026-01-31"),
        make_rows("# Plain\n\nword\n", "plain.md", metadata={"team": "plain"}),
        *attacks,
    ]


def title_of(rows: DocumentRows) -> str:
    """Return the title that a filter finds: that of the only section, or that of a document without headings."""
    own = rows.chunks[0].chunk.section_path[-1:]
    title = own[0] if own else as_document(rows.document.title)
    return encodable(title).replace(SEPARATOR, " ").casefold()


TITLES = {encodable(rows.document.source): title_of(rows) for rows in make_documents()}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> LanceStore:
    store = LanceStore(Folder(tmp_path_factory.mktemp("filters") / "index"), create=SETTINGS)
    with store.lock():
        store.replace_documents(make_documents())
    return store


def found(store: LanceStore, filter: Filter) -> set[str]:
    dense = store.search_dense(WordEmbedder().embed_query("word"), EVERYTHING, filter)
    lexical = store.search_lexical(["word"], EVERYTHING, filter, heading_weight=0.25)
    assert {each.chunk_id for each in dense} == {each.chunk_id for each in lexical}
    return {chunk.source for chunk in store.chunks([each.chunk_id for each in dense])}


@pytest.mark.parametrize("attack", ATTACKS)
class TestAttacks:
    def test_a_source_matches_only_as_a_glob(self, store: LanceStore, attack: str) -> None:
        sources = {encodable(source) for source in (f"<{at}>{each}" for at, each in enumerate(ATTACKS))}
        expected = {each for each in {*sources, SECRET, "plain.md"} if _matches(each, encodable(attack))}
        assert found(store, Filter(source=attack)) == expected

    def test_a_source_is_found_by_itself_alone(self, store: LanceStore, attack: str) -> None:
        source = f"<{ATTACKS.index(attack)}>{attack}"
        assert encodable(source) in found(store, Filter(source=source))
        assert SECRET not in found(store, Filter(source=source))

    @pytest.mark.parametrize("glob", ["{}", "{}*", "*{}", "?{}"])
    def test_a_section_matches_only_as_a_glob(self, store: LanceStore, attack: str, glob: str) -> None:
        pattern = glob.replace("{}", attack)
        expected = {source for source, title in TITLES.items() if _matches(title, encodable(pattern).casefold())}
        assert found(store, Filter(section_filter=pattern)) == expected

    def test_a_format_lets_nothing_through(self, store: LanceStore, attack: str) -> None:
        assert found(store, Filter(format=attack)) == set()

    def test_a_value_of_metadata_matches_itself_alone(self, store: LanceStore, attack: str) -> None:
        expected = {encodable(f"<{ATTACKS.index(attack)}>{attack}")}
        assert found(store, Filter(metadata={"team": attack})) == expected

    def test_a_key_of_metadata_lets_nothing_through(self, store: LanceStore, attack: str) -> None:
        assert found(store, Filter(metadata={attack: "secret"})) == set()
        assert found(store, Filter(metadata={f'team="secret"{attack}': 1})) == set()

    @pytest.mark.parametrize("name", ["since", "until"])
    def test_a_date_is_an_error(self, store: LanceStore, attack: str, name: str) -> None:
        with pytest.raises(OptionsError):
            found(store, Filter(**{name: attack}))  # type: ignore[arg-type]

    def test_ids_let_nothing_through(self, store: LanceStore, attack: str) -> None:
        for read in (store.documents, store.sections, store.chunks, store.subsections, store.section_chunks):
            assert read([attack]) == []  # type: ignore[operator]
        assert store.known_vectors([attack]) == {}

    def test_deleting_an_unknown_id_deletes_nothing(self, store: LanceStore, attack: str) -> None:
        before = store.document_revisions()
        with store.lock():
            store.delete_documents([attack])
        assert store.document_revisions() == before


def _matches(text: str, pattern: str) -> bool:
    """Brackets are characters like others here."""
    return fnmatchcase(text, pattern.replace("[", "[[]"))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=40), st.sampled_from([lambda text: {"source": text}, lambda text: {"format": text}]))
def test_no_text_reaches_the_secret(store: LanceStore, text: str, make: Callable[[str], dict[str, Any]]) -> None:
    given = make(text)
    is_glob = "source" in given and _matches(SECRET, text)
    assert (SECRET in found(store, Filter(**given))) == (is_glob or not text)


@pytest.mark.parametrize(
    ("most_values", "shortest_range"), [(1_000, 20), (1_000, 1), (-1, 20)], ids=["list", "ranges", "expression"]
)
def test_however_a_glob_is_said_it_matches_only_as_a_glob(
    store: LanceStore, monkeypatch: pytest.MonkeyPatch, most_values: int, shortest_range: int
) -> None:
    monkeypatch.setattr(filters, "MOST_VALUES", most_values)
    monkeypatch.setattr(filters, "SHORTEST_RANGE", shortest_range)
    sources = {encodable(f"<{at}>{each}") for at, each in enumerate(ATTACKS)} | {SECRET, "plain.md"}
    for attack in map(encodable, ATTACKS):
        for glob in (f"*{attack}", f"<?*{attack}*", f"{attack}?"):
            assert found(store, Filter(source=glob)) == {each for each in sources if _matches(each, glob)}
        for glob in (f"{attack}*", f"*{attack}"):
            assert found(store, Filter(section_filter=glob)) == {
                source for source, title in TITLES.items() if _matches(title, glob.casefold())
            }


def no_values(column: str) -> pa.Array:
    return pa.array([], pa.string())


def test_an_empty_filter_has_no_condition() -> None:
    assert to_sql(Filter(), no_values) == ""


def test_quotes_are_doubled() -> None:
    assert quote("it's") == "'it''s'"
    assert one_of("key", ["a", "b'"]) == "key IN ('a', 'b''')"


@pytest.mark.parametrize("name", ["section_filter", "source"])
def test_a_glob_has_a_longest_length_and_works_up_to_it(store: LanceStore, name: str) -> None:
    for unit in ("*?", "?", "*a", "*ж", "\\", "*"):
        pattern = (unit * LONGEST_GLOB)[:LONGEST_GLOB]
        found(store, Filter(**{name: pattern}))  # type: ignore[arg-type]
    with pytest.raises(OptionsError, match=name):
        found(store, Filter(**{name: "?" * (LONGEST_GLOB + 1)}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("title", "pattern"),
    [
        ("Straße", "STRASSE"),
        ("ΟΔΟΣ ΟΔΟΣΤΡΩΜΑ", "οδος*"),
        ("ΟΔΟΣΤΡΩΜΑ", "ΟΔΟΣ*"),
        ("Что нового?", "что НОВОГО?"),
        ("C++ [draft] (v1.0)", "c++ [DRAFT] (V1.0)"),
        ("a\\b", "A\\B"),
        ("\\", "\\"),
        ("\\", "\\*"),
        ("a\\b", "?\\b"),
        ("100%_", "100%_"),
        ("鍵の回転", "*回転"),
        ("`code` & *stars*", "`code` & *STARS*"),
        ("100% of $5 ~ #1", "100% OF $5 ~ #1"),
        ("tab\tand -- dashes", "tab\tand -- DASHES"),
    ],
)
def test_titles_are_compared_without_case(tmp_path: Path, title: str, pattern: str) -> None:
    store = LanceStore(Folder(tmp_path / "index"), create=SETTINGS)
    rows = make_rows("# Other\n\nword\n", "other.md")
    wanted = make_rows("# Title\n\nword\n", "wanted.md")
    sections = [each._replace(path=(title,)) for each in wanted.sections]
    with store.lock():
        store.replace_documents([rows, wanted._replace(sections=tuple(sections))])
    assert found(store, Filter(section_filter=pattern)) == {"wanted.md"}


def test_metadata_is_equal_only_if_key_and_value_are() -> None:
    values = [1, 1.5, "1", True, None, "true", ["1"], {"a": 1}, 'x"=1', "="]
    tags = {tag for key in ("a", "a=", '="', "a=1") for value in values for tag in metadata_tags({key: value})}
    assert len(tags) == 4 * len(values)


def test_the_order_of_keys_inside_metadata_does_not_matter() -> None:
    assert metadata_tags({"a": {"x": 1, "y": 2}}) == metadata_tags({"a": {"y": 2, "x": 1}})


@pytest.mark.parametrize(("given", "day"), [("2026-01-31", "2026-01-31"), ("20260131", "2026-01-31")])
def test_days_are_written_in_one_way(given: str, day: str) -> None:
    assert day in to_sql(Filter(since=given), no_values)
