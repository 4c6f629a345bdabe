from __future__ import annotations

from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosshead import ids

any_text = st.text(st.characters(exclude_categories=()))  # lone surrogates too


@pytest.mark.parametrize("text", ["", "text", "ключ 🔑", "\x00"])
def test_content_hash_is_sha256_of_utf8(text: str) -> None:
    assert ids.content_hash(text) == sha256(text.encode()).hexdigest()


@given(any_text)
def test_content_hash_of_any_text_is_64_hex_characters(text: str) -> None:
    assert len(ids.content_hash(text)) == 64
    assert set(ids.content_hash(text)) <= set("0123456789abcdef")


def test_lone_surrogates_are_not_confused() -> None:
    assert len({ids.content_hash(text) for text in ("\ud800", "\ud801", "\ufffd", "?")}) == 4


def test_ids_are_pinned() -> None:
    """An id that changes means that every index has to be built again."""
    assert ids.document_id("guide.md") == sha256(b"document:guide.md").hexdigest()[:16]
    assert ids.section_id("d", ("A", "Be"), 1) == sha256(b"section:d:1:1:A2:Be").hexdigest()[:16]
    assert ids.chunk_id("d", ("A", "Be"), "c", 2) == sha256(b"chunk:d:2:c:1:A2:Be").hexdigest()[:16]


def test_everything_that_names_a_place_changes_the_id() -> None:
    places = [
        ids.section_id("d", (), 0),
        ids.section_id("e", (), 0),
        ids.section_id("d", (), 1),
        ids.section_id("d", ("A",), 0),
        ids.section_id("d", ("A", "B"), 0),
        ids.section_id("d", ("AB",), 0),
        ids.section_id("d", ("A > B",), 0),
        ids.section_id("d", ("A", "0"), 0),
        ids.chunk_id("d", ("A",), "B", 0),
        ids.chunk_id("d", ("A",), "B", 1),
        ids.chunk_id("d", ("A",), "C", 0),
        ids.chunk_id("d", ("A", "B"), "", 0),
        ids.document_id("d"),
    ]
    assert len(set(places)) == len(places)
    assert all(len(place) == ids.ID_LENGTH == 16 for place in places)


@given(st.lists(st.lists(any_text, max_size=4).map(tuple), min_size=2, max_size=5, unique=True))
def test_different_paths_have_different_ids(paths: list[tuple[str, ...]]) -> None:
    made = sorted(ids.section_id("d", path, 0) for path in paths)
    assert all(first != second for first, second in pairwise(made))
