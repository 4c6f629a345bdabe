"""Languages of documents from files to answers, and of documents that were indexed before languages were known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.stored_documents import WordEmbedder

from crosshead.index import Index
from crosshead.indexing.steps import prepare
from crosshead.runtime.workers import IN_PROCESS

SPANISH = """\
# Certificados

Los certificados se renuevan cada trimestre, sin que el usuario tenga que hacer nada.

# Configuraciones de red

Las configuraciones de la red no son las del servidor: véase `max_tokens`.
"""
GERMAN = "# Häuser\n\nDie Häuser werden nicht von der Stadt gebaut, sondern von den Bürgern.\n"
ENGLISH = "# Page {0}\n\nThe settings of page {0} are not those of the server, and they do not change.\n"


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "es.md").write_text(SPANISH, "utf-8")
    (docs / "de.md").write_text(GERMAN, "utf-8")
    for number in range(30):
        (docs / f"{number}.md").write_text(ENGLISH.format(number))
    with Index(tmp_path / ".crosshead", embedder=WordEmbedder()) as index:
        yield index


def add(index: Index) -> None:
    index.add(index.root / "docs", jobs=1)


def forget_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Index as it was done before languages were known."""
    monkeypatch.setenv(IN_PROCESS, "1")
    monkeypatch.setattr(prepare, "language_of", lambda text, recipe: "")


@pytest.mark.parametrize(
    ("query", "source"),
    [
        ("¿Cómo se renueva el certificado?", "docs/es.md"),
        ("configurar redes", "docs/es.md"),
        ("configuracion", "docs/es.md"),
        ("wie werden Haus und Stadt gebaut", "docs/de.md"),
        ("max_tokens", "docs/es.md"),
        ('"configuraciones de la red"', "docs/es.md"),
        ("servidor OR server -settings", "docs/es.md"),
    ],
)
def test_questions_find_documents_of_their_language(index: Index, query: str, source: str) -> None:
    add(index)
    hits = index.search(query, mode="lexical")
    assert hits[0].chunk.source == source
    assert hits[0].highlights


def test_score_does_not_depend_on_documents_in_other_languages(index: Index, tmp_path: Path) -> None:
    add(index)
    with Index(tmp_path / "alone", embedder=WordEmbedder()) as alone:
        alone.add_text(SPANISH, source="docs/es.md")
        query = "¿Cómo se renuevan los certificados?"
        expected = alone.search(query, 1, "lexical")[0].final_score
        assert index.search(query, 1, "lexical")[0].final_score == pytest.approx(expected, abs=0.1)


def test_languages_are_counted_and_listed(index: Index) -> None:
    add(index)
    assert index.status().languages == {"en": 30, "es": 1, "de": 1}
    assert {each.source: each.language for each in index.documents()}["docs/es.md"] == "es"


def test_language_that_is_asked_for_is_that_of_all_documents(tmp_path: Path) -> None:
    with Index(tmp_path / "new", embedder=WordEmbedder(), language="spanish") as index:
        index.add_text("# Page\n\nThe settings are not those of the server.\n", source="a")
        assert index.status().languages == {"es": 1}


def test_documents_without_language_are_found_as_before_and_brought_up_to_date(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        forget_languages(earlier)
        add(index)
    assert index.status().languages == {"": 32}
    assert index.search("certificados", 1, "lexical")[0].chunk.source == "docs/es.md"
    assert any("32 documents were indexed without their language" in each.message for each in index.doctor())
    index.optimize()
    assert index.status().languages == {"en": 30, "es": 1, "de": 1}
    assert not index.doctor()
    assert index.search("configurar redes", 1, "lexical")[0].chunk.source == "docs/es.md"
    assert index.status().pending == 0


def test_documents_with_and_without_language_are_found_side_by_side(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        forget_languages(earlier)
        add(index)
    index.add_text("# Certificados del correo\n\nLa renovación de los certificados del correo.\n", source="nuevo")
    assert index.status().languages == {"": 32, "es": 1}
    found = {hit.chunk.source for hit in index.search("certificados", mode="lexical")}
    assert found == {"docs/es.md", "nuevo"}
