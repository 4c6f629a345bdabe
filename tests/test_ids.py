"""Ids depend on what they name, and on nothing else."""

from __future__ import annotations

from hashlib import sha256

from crosshead import ids


def test_content_hash_is_the_sha256_of_the_text() -> None:
    assert ids.content_hash("ключ") == sha256("ключ".encode()).hexdigest()


def test_lone_surrogates_have_a_hash_of_their_own() -> None:
    assert ids.content_hash("\ud800") != ids.content_hash("\ud801")


def test_ids_are_sixteen_hex_characters() -> None:
    for name in (ids.document_id("a.md"), ids.section_id("d", ("A",), 0), ids.chunk_id("d", ("A",), "h", 0)):
        assert len(name) == 16
        assert int(name, 16) >= 0


def test_titles_that_join_to_the_same_text_have_different_ids() -> None:
    assert ids.section_id("d", ("a", "bc"), 0) != ids.section_id("d", ("ab", "c"), 0)
    assert ids.section_id("d", ("a > b",), 0) != ids.section_id("d", ("a", "b"), 0)


def test_equal_chunks_are_kept_apart_by_their_number() -> None:
    assert ids.chunk_id("d", ("A",), "h", 0) != ids.chunk_id("d", ("A",), "h", 1)
