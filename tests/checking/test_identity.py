from __future__ import annotations

import pytest
from tests.checking.cutting import broken_rules, cut, faults, with_change

TEXT = "# A\n\nSame.\n\nSame.\n\nOther.\n"


def test_number_of_earlier_copies_keeps_equal_chunks_apart() -> None:
    document, chunks = cut("Same.\n\nOther.\n\nSame.\n\nSame.\n", "Other.", "Same.", "Same.")
    assert len({chunk.content for chunk in chunks}) == 2
    assert len({chunk.id for chunk in chunks}) == 4
    assert faults(document, chunks) == []
    swapped = [chunks[0], chunks[1], chunks[3], chunks[2]]
    assert "ids" in broken_rules(document, swapped)


def test_shared_id_is_found() -> None:
    document, chunks = cut(TEXT, "Other")
    found = faults(document, with_change(chunks, 1, id=chunks[0].id))
    assert sum("shares its id" in fault for fault in found) == 2


def test_invented_id_is_found() -> None:
    document, chunks = cut(TEXT, "Other")
    assert any("has the id 'abc', not" in fault for fault in faults(document, with_change(chunks, 1, id="abc")))


@pytest.mark.parametrize("changes", [{"document_id": "f" * 16}, {"source": "other.md"}])
def test_chunk_of_another_document_is_found(changes: dict[str, str]) -> None:
    document, chunks = cut(TEXT, "Other")
    assert broken_rules(document, with_change(chunks, 0, **changes)) == {"ids"}
