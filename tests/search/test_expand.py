"""The chunks around a chunk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support.stored_documents import SETTINGS, make_hit, make_rows, rows_of

from crosshead import pipeline
from crosshead.search.expand import expand, find_parent, find_siblings
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
    assert hit.parent == find_parent(store, second.id)


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
    assert find_parent(store, "0") is None
    assert find_siblings(store, "0") == []


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
