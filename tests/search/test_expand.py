"""The chunks around a chunk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.support.stored_documents import SETTINGS, make_hit, make_rows, rows_of

from crosshead import pipeline
from crosshead.search.expand import chunks_around, expand, find_parents, find_siblings
from crosshead.store.lance.location.folder import Folder
from crosshead.store.lance.store import LanceStore
from crosshead.types import Chunk, DocumentRows, Store

ROOT = Path(__file__).parents[2]
REAL = sorted(
    path
    for folder in ("examples/docs", "tests/fixtures/markdown")
    for path in (ROOT / folder).rglob("*")
    if path.is_file()
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return LanceStore(Folder(tmp_path / "index"), create=SETTINGS)


def put(store: Store, rows: DocumentRows) -> list[Chunk]:
    with store.lock():
        store.replace_documents([rows])
    return [stored.chunk for stored in rows.chunks]


def small(store: Store, text: str, **options: Any) -> list[Chunk]:
    return put(store, make_rows(text, max_tokens=16, min_tokens=0, target_tokens=4, **options))


def titles(chunks: list[Chunk]) -> list[str]:
    return [chunk.section_path[-1] for chunk in chunks]


SECTIONS = "# Top\n\nAbout it.\n\n" + "".join(f"## {name}\n\nText of {name}.\n\n" for name in ("A", "B", "C"))


def test_siblings_open_the_sections_under_the_same_parent(store: Store) -> None:
    _, _, second, _ = small(store, SECTIONS)
    assert titles(find_siblings(store, second.id)) == ["A", "C"]
    (hit,) = expand(store, [make_hit(second)])
    assert titles(list(hit.siblings)) == ["A", "C"]
    assert hit.parent is not None
    assert [hit.parent] == find_parents(store, second.id, 1)


def test_siblings_of_a_section_are_those_of_its_chunk(store: Store) -> None:
    _, _, second, _ = small(store, SECTIONS)
    assert find_siblings(store, second.section_id) == find_siblings(store, second.id)


def test_siblings_of_a_part_are_the_other_parts(store: Store) -> None:
    sentences = " ".join(f"Sentence number {number} is here." for number in range(12))
    chunks = small(store, f"# Top\n\nAbout it.\n\n## Long\n\n{sentences}\n\n## Short\n\nText.\n")
    parts = [chunk for chunk in chunks if chunk.section_path[-1] == "Long"]
    assert len(parts) > 3
    assert find_siblings(store, parts[2].id) == [*parts[:2], *parts[3:]]
    (hit,) = expand(store, [make_hit(parts[2])])
    assert hit.siblings == (parts[1], parts[3])


def test_chunk_that_opens_a_section_inside_it_is_a_sibling(store: Store) -> None:
    text = "# Top\n\n## A\n\n### Deep\n\nText of the deep one.\n\n## B\n\nText of the other one.\n"
    first, second = small(store, text)
    assert first.section_path == ("Top", "A", "Deep")
    assert find_siblings(store, second.id) == [first]


def test_chunk_above_all_headings_has_the_sections_below_it_beside_it(store: Store) -> None:
    first, second, third = small(store, "Above all headings.\n\n# A\n\nText of A.\n\n# B\n\nText of B.\n")
    assert find_siblings(store, first.id) == [second, third]
    (hit,) = expand(store, [make_hit(first)])
    assert hit.siblings == (second,)


def test_only_section_has_its_neighbors_beside_it(store: Store) -> None:
    first, second = small(store, "# Top\n\nAbout all of it here.\n\n## Only\n\nText of the only one, not short.\n")
    assert find_siblings(store, second.id) == [first]
    (hit,) = expand(store, [make_hit(second)])
    assert (hit.parent, hit.siblings) == (first, ())


def test_whole_document_stands_alone(store: Store) -> None:
    (only,) = small(store, "# Top\n\nText.\n")
    assert find_siblings(store, only.id) == []
    assert expand(store, [make_hit(only)]) == [make_hit(only)]


def test_what_is_not_there_has_nothing_around(store: Store) -> None:
    assert find_parents(store, "0", 2) == []
    assert find_siblings(store, "0") == []


DEEP = "".join(f"{'#' * (at + 1)} {name}\n\nText of {name} that fills a chunk.\n\n" for at, name in enumerate("ABCDE"))


@pytest.mark.parametrize("levels", range(1, 7))
def test_parents_of_parents_are_found_up_to_some_levels(store: Store, levels: int) -> None:
    chunks = small(store, DEEP)
    (hit,) = expand(store, [make_hit(chunks[-1])], levels)
    assert hit.parent is not None
    assert titles([hit.parent, *hit.ancestors]) == ["D", "C", "B", "A"][:levels]
    assert [chunk for place, chunk in chunks_around(hit) if place == "above"] == [hit.parent, *hit.ancestors]
    assert find_parents(store, chunks[-1].id, levels) == [hit.parent, *hit.ancestors]


def test_each_level_is_one_query_for_all_hits(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    chunks = small(store, DEEP)
    asked: list[Sequence[str]] = []
    find = store.chunks

    def ask(ids: Sequence[str]) -> list[Chunk]:
        asked.append(ids)
        return find(ids)

    monkeypatch.setattr(store, "chunks", ask)
    expand(store, [make_hit(chunk) for chunk in chunks], 9)
    assert len(asked) <= 2
    assert len({id for ids in asked for id in ids}) == sum(map(len, asked))


def test_parents_that_form_a_cycle_are_shown_once(store: Store) -> None:
    rows = make_rows(DEEP, max_tokens=16, min_tokens=0, target_tokens=4)
    first, *others = rows.chunks
    looped = first._replace(chunk=replace(first.chunk, parent_chunk_id=others[-1].chunk.id))
    *_, last = put(store, rows._replace(chunks=(looped, *others)))
    (hit,) = expand(store, [make_hit(last)], 1000)
    assert titles([chunk for place, chunk in chunks_around(hit) if place == "above"]) == ["D", "C", "B", "A", "E"]


@pytest.mark.parametrize("max_tokens", [40, 120, 400])
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_nothing_but_a_whole_document_stands_alone(store: Store, path: Path, max_tokens: int) -> None:
    chunks = put(store, rows_of(pipeline.read(path), max_tokens=max_tokens))
    for hit in expand(store, [make_hit(chunk) for chunk in chunks]):
        beside = find_siblings(store, hit.chunk.id)
        assert bool(hit.parent or hit.siblings) == bool(beside) == (len(chunks) > 1)
        assert hit.chunk not in (hit.parent, *hit.siblings, *beside)
        assert [each.index for each in beside] == sorted({each.index for each in beside})


def test_code_in_the_middle_of_a_section_brings_the_prose_around_it(store: Store) -> None:
    path = ROOT / "tests/fixtures/markdown/api.md"
    chunks = put(store, rows_of(pipeline.read(path), max_tokens=120))
    code = next(chunk for chunk in chunks if chunk.content_type == "code" and 0 < chunk.part < chunk.parts - 1)
    (hit,) = expand(store, [make_hit(code)])
    around = [each for each in (hit.parent, *hit.siblings) if each and each.section_id == code.section_id]
    assert {each.start < code.start for each in around} == {True, False}
    assert any(each.content_type != "code" for each in around)
