from __future__ import annotations

import pytest
from tests.support.stored_documents import make_rows

from crosshead.store.headings import Paths, headings_of, titles_column, with_paths

TEXT = "# Top\n\nAbout it.\n\n## A\n\nText of A.\n\n### Deep\n\nText.\n\n   ## B\n\nText of B.\n"


def paths(**options: object) -> list[Paths]:
    return [each for _, each in with_paths(make_rows(TEXT, **options))]  # type: ignore[arg-type]


def test_chunk_of_all_sections_has_all_their_paths() -> None:
    assert paths() == [(("Top",), ("Top", "A"), ("Top", "A", "Deep"), ("Top", "B"))]


def test_chunk_of_one_section_has_its_path_alone() -> None:
    sections = paths(max_tokens=8, min_tokens=0, target_tokens=4)
    assert sections == [(("Top",),), (("Top", "A"),), (("Top", "A", "Deep"),), (("Top", "B"),)]


def test_window_has_the_section_that_it_begins_in() -> None:
    windows = paths(max_tokens=5, strategy="fixed")
    assert windows[0][0] == ("Top",)
    assert (("Top", "A"), ("Top", "A", "Deep")) in windows
    assert windows[-1] == (("Top", "B"),)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([()], []),
        ([("Top", "A"), ("Top", "B")], ["top", "a", "top > a", "b", "top > b"]),
        ([("A\x1fB", "", "a b")], ["a b", "a b > ", "a b >  > a b"]),
    ],
)
def test_titles_and_breadcrumbs_are_there_once(given: list[tuple[str, ...]], expected: list[str]) -> None:
    assert titles_column(given) == expected


def test_headings_above_and_inside_are_there_once() -> None:
    (stored,) = make_rows(TEXT).chunks
    assert headings_of(stored.chunk) == ("Top", "A", "Deep", "B")
