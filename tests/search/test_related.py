"""The nearest sections of other documents, by what the index has of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from tests.support.stored_documents import WordEmbedder

from crosshead import Index
from crosshead.errors import OptionsError
from crosshead.types import Vectors

ROTATE = "Rotate the signing keys every quarter. Announce the rotation a week before, and keep the old key for a day."
BACKUP = "Backups run every night. They are copied to another building, and kept for ninety days."
KEYS = f"# Keys\n\n## Rotation\n\n{ROTATE}\n\n## Storage\n\nThe keys are in a safe, which two people open together.\n"
RUNBOOK = f"# Runbook\n\n## Keys\n\nTo rotate signing keys, announce it, then replace.\n\n## Nights\n\n{BACKUP}\n"


class CountingEmbedder(WordEmbedder):
    """Counts the texts that it embeds."""

    count = 0

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        self.count += len(texts)
        return super().embed(texts, on_progress=on_progress)

    def embed_query(self, text: str) -> Vectors:
        self.count += 1
        return super().embed_query(text)


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
def index(tmp_path: Path, embedder: CountingEmbedder) -> Iterator[Index]:
    with Index(tmp_path / "index", embedder=embedder, min_tokens=0) as index:
        index.add_text(KEYS, source="keys.md")
        index.add_text(RUNBOOK, source="runbook.md")
        yield index


def test_nearest_sections_are_of_other_documents_and_nothing_is_embedded(
    index: Index, embedder: CountingEmbedder
) -> None:
    before = embedder.count
    found = index.related("keys.md:5") or []
    assert embedder.count == before
    assert {each.source for each in found} == {"runbook.md"}
    assert found[0].section_path[-1] == "Keys"
    assert [each.compared for each in found] == ["vectors"] * len(found)
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
    assert len({each.section_id for each in found}) == len(found)
    assert not any(each.is_copy for each in found)
    assert len(index.related("keys.md:5", 1) or []) == 1


def test_a_text_is_named_in_many_ways(index: Index) -> None:
    hit = index.search("rotate the signing keys every quarter", 1)[0]
    section = index.section(hit.section_id)
    assert section is not None
    wanted = index.related(hit)
    assert wanted
    for text in (hit.chunk, hit.chunk.id, hit.section_id, section, hit.citation):
        assert index.related(text) == wanted
    whole = index.related("keys.md")
    assert whole
    assert {each.source for each in whole} == {"runbook.md"}


def test_what_is_not_there_is_related_to_nothing(index: Index) -> None:
    assert index.related("gone.md") is None
    assert index.related("0" * 16) is None
    with pytest.raises(OptionsError, match="limit='3' must be a whole number"):
        index.related("keys.md", "3")  # type: ignore[arg-type]


def test_the_only_document_has_no_related_sections(tmp_path: Path) -> None:
    with Index(tmp_path / "alone", embedder=WordEmbedder()) as index:
        index.add_text(KEYS, source="keys.md")
        assert index.related("keys.md") == []


def test_copies_are_marked_and_texts_about_the_same_are_not(index: Index) -> None:
    index.add_text(f"# Handbook\n\n## Rotating\n\n{ROTATE.replace('quarter', 'month')}\n", source="handbook.md")
    found = {each.source: each for each in reversed(index.related("keys.md:5") or [])}
    assert found["handbook.md"].is_copy
    assert 0.5 < found["handbook.md"].shared < 1
    assert not found["runbook.md"].is_copy


def test_a_copy_inside_a_longer_section_is_marked(index: Index) -> None:
    index.add_text(f"# Handbook\n\n{BACKUP} {ROTATE} {'Other words follow here. ' * 9}\n", source="handbook.md")
    copies = [each.source for each in index.related("keys.md:5") or [] if each.is_copy]
    assert copies == ["handbook.md"]


def test_texts_without_vectors_are_compared_by_their_words(tmp_path: Path) -> None:
    for name, text in (("keys.md", KEYS), ("runbook.md", RUNBOOK)):
        (tmp_path / name).write_text(text)
    with Index(tmp_path / "index", root=tmp_path, embedder=WordEmbedder(), min_tokens=0) as index:
        index.add(tmp_path / "keys.md", embed=False)
        index.add(tmp_path / "runbook.md", embed=False)
        found = index.related("keys.md:5") or []
        assert found[0].section_path[-1] == "Keys"
        assert {each.compared for each in found} == {"words"}
        index.embed_pending()
        assert {each.compared for each in index.related("keys.md:5") or []} == {"vectors"}


def test_a_document_of_many_sections_does_not_hide_the_others(index: Index) -> None:
    sections = "".join(f"## Rotation {number}\n\n{ROTATE}\n\n" for number in range(60))
    index.add_text(f"# Log\n\n{sections}", source="log.md")
    found = index.related("log.md:5", 2) or []
    assert [each.source for each in found] == ["keys.md", "runbook.md"] or {"keys.md"} == {
        each.source for each in found
    }
    assert len(found) == 2
