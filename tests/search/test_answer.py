"""The section that answers, inside a chunk of several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.formats.pdf.building import Sheet, build
from tests.support.stored_documents import SETTINGS, WordEmbedder, make_rows, rows_of

from crosshead import pipeline
from crosshead.errors import EmbedError
from crosshead.search import answer
from crosshead.search.answer import SliceVectors
from crosshead.search.retrieve import Retriever
from crosshead.store.lance.location.folder import Folder
from crosshead.store.lance.store import LanceStore
from crosshead.types import DocumentRows, Hit, SearchRequest, Vectors

EXAMPLES = Path(__file__).parents[2] / "examples" / "docs"
TEXT = """\
# Guide

Welcome, whoever you are.

## Install

Take the package.

### Linux

Ask your vendor.

### Windows

Run the wizard, then Linux tools.

## Install later

Wait for the keys.

## Bare

### Keys

Rotate them.
"""


def ask(folder: Path, query: str, *documents: DocumentRows, embedder: Any = None, **options: Any) -> list[Hit]:
    store = LanceStore(Folder(folder / "index"), create=SETTINGS)
    with store.lock():
        store.replace_documents(documents or [make_rows(TEXT)])
    return Retriever(store, embedder).search(SearchRequest(query=query, **options))


@pytest.mark.parametrize(
    ("query", "path", "lines"),
    [
        ("who is welcome", (), "1-25"),
        ("where is the wizard", ("Install", "Windows"), "13-15"),
        ("install on Linux", ("Install", "Linux"), "9-11"),
        ("Install", ("Install",), "5-15"),
        ("the INSTALL", ("Install",), "5-15"),
        ("install later", ("Install later",), "17-19"),
        ("later", ("Install later",), "17-19"),
        ("rotate bare keys", ("Bare", "Keys"), "23-25"),
        ("bare", ("Bare",), "21-25"),
        ("package or vendor", ("Install",), "5-15"),
    ],
)
def test_hit_names_the_section_that_holds_the_words(tmp_path: Path, query: str, path: tuple[str], lines: str) -> None:
    (hit,) = ask(tmp_path, query)
    assert hit.chunk.section_path == ("Guide",)
    assert (hit.section_path, hit.citation) == (("Guide", *path), f"guide.md:{lines}")
    assert hit.full_path == hit.section_path
    first, last = map(int, lines.split("-"))
    assert TEXT[hit.start : hit.end] == "\n".join(TEXT.splitlines()[first - 1 : last])


def test_snippet_is_of_the_section_that_answers(tmp_path: Path) -> None:
    (hit,) = ask(tmp_path, "Linux")
    assert hit.snippet == "Ask your vendor."


def test_chunk_of_one_section_is_its_own_answer(tmp_path: Path) -> None:
    for hit in ask(tmp_path, "install linux", make_rows(TEXT, max_tokens=12, min_tokens=0, target_tokens=4)):
        assert (hit.section_path, hit.citation) == (hit.chunk.section_path, hit.chunk.citation)
        assert (hit.start, hit.end) == (hit.chunk.start, hit.chunk.end)


def test_enclosing_section_that_a_chunk_opens_may_be_named(tmp_path: Path) -> None:
    (hit,) = ask(tmp_path, "outer", make_rows("# Top\n\n## Outer\n\n### Inner\n\nText.\n"))
    assert hit.chunk.section_path == ("Top", "Outer", "Inner")
    assert (hit.section_path, hit.citation) == (("Top", "Outer"), "guide.md:1-7")


class Foretelling(WordEmbedder):
    """Takes a question for one about Windows, and remembers what it was given."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        self.texts += texts
        return super().embed(texts, on_progress=on_progress)

    def embed_query(self, text: str) -> Vectors:
        return super().embed_query("run wizard" if text == "something else" else text)


def test_vectors_choose_where_no_word_is_found(tmp_path: Path) -> None:
    embedder = Foretelling()
    (hit,) = ask(tmp_path, "something else", embedder=embedder)
    assert hit.section_path == ("Guide", "Install", "Windows")
    assert "Guide > Install > Windows\n### Windows" in embedder.texts[3]


def test_vectors_are_not_needed_where_words_are_found(tmp_path: Path) -> None:
    embedder = Foretelling()
    (hit,) = ask(tmp_path, "vendor", embedder=embedder)
    assert (hit.section_path[-1], embedder.texts) == ("Linux", [])


class Refusing(Foretelling):
    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        raise EmbedError("refused")


def test_chunk_names_its_own_section_where_neither_words_nor_vectors_tell(tmp_path: Path) -> None:
    (hit,) = ask(tmp_path, "something else", embedder=Refusing())
    assert hit.section_path == hit.chunk.section_path == ("Guide",)


def test_section_of_a_paged_document_is_cited_by_its_own_pages(tmp_path: Path) -> None:
    def page(title: str, size: int, text: str) -> Callable[[Sheet], None]:
        def draw(sheet: Sheet) -> None:
            sheet.heading(title, size)
            sheet.paragraph(text)

        return draw

    sheets = (page("Causes", 20, "The report names one cause."), page("Alarms", 14, "The median stayed low at night."))
    document = pipeline.read(build(*sheets), "pdf", source="report.pdf")
    (hit,) = ask(tmp_path, "the median stayed low", rows_of(document, max_tokens=2000, min_tokens=2000))
    assert hit.chunk.citation == "report.pdf p. 1-2"
    assert (hit.citation, hit.pages, hit.section_path) == ("report.pdf p. 2", (2, 2), ("Causes", "Alarms"))


def _sections(section: Any) -> list[Any]:
    return [section, *(below for child in section.children for below in _sections(child))]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.*")), ids=lambda path: path.name)
def test_answer_lies_below_the_section_of_the_chunk(tmp_path: Path, path: Path) -> None:
    document = pipeline.read(path)
    known = {each.path for each in _sections(document.root)}
    for hit in ask(tmp_path, "key message queue price time", rows_of(document), embedder=WordEmbedder(), limit=50):
        assert hit.section_path[: len(hit.chunk.section_path)] == hit.chunk.section_path
        assert hit.section_path in known
        assert hit.citation.startswith(str(path))


def test_the_vector_of_a_slice_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = Foretelling()
    vectors = SliceVectors(embedder)
    first = vectors(["one", "two", "one"])
    assert embedder.texts == ["one", "two"]
    monkeypatch.setattr(answer, "MOST_REMEMBERED", 2)
    again = vectors(["three", "one"])
    assert (again[1] == first[0]).all()
    vectors(["two"])  # forgotten, because a third text was one too many
    assert embedder.texts == ["one", "two", "three", "two"]
