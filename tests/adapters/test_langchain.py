from __future__ import annotations

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_tests.integration_tests import RetrieversIntegrationTests

import crosshead
from crosshead.adapters.langchain import CrossheadLoader, CrossheadRetriever, CrossheadSplitter
from crosshead.errors import CrossheadError, OptionsError
from crosshead.index import Index


class TestSplitter:
    def test_texts_are_those_of_chunks(self, docs: Path) -> None:
        text = (docs / "handbook.md").read_text()
        chunks = crosshead.chunk(text, max_tokens=120)
        assert CrossheadSplitter(max_tokens=120).split_text(text) == [each.render() for each in chunks]

    def test_documents_know_where_they_stand(self, docs: Path) -> None:
        text = (docs / "handbook.md").read_text()
        (given,) = CrossheadLoader(docs / "handbook.md").load()
        made = CrossheadSplitter().split_documents([given])
        rotation = next(each for each in made if "90 days" in each.page_content)
        assert rotation.metadata["breadcrumb"] == "Handbook > Keys > Rotation"
        first, last = rotation.metadata["start_line"], rotation.metadata["end_line"]
        assert text.splitlines()[first - 1] == "### Rotation"
        assert "90 days" in "\n".join(text.splitlines()[first - 1 : last])
        assert rotation.metadata["citation"].endswith(f"handbook.md:{first}-{last}")
        assert rotation.metadata["team"] == "infra"
        assert rotation.id == rotation.metadata["chunk_id"]
        assert rotation.metadata["parent_chunk_id"] in {each.id for each in made}

    def test_ids_are_those_of_the_library(self, docs: Path) -> None:
        path = docs / "handbook.md"
        made = CrossheadSplitter().split_documents(CrossheadLoader(path).load())
        assert [each.id for each in made] == [each.id for each in crosshead.chunk(crosshead.read(path))]

    def test_a_breadcrumb_may_stand_in_front(self, docs: Path) -> None:
        texts = CrossheadSplitter(breadcrumb=True).split_text((docs / "handbook.md").read_text())
        assert any(text.startswith("Handbook > Keys > Rotation\n") for text in texts)

    def test_several_texts_have_metadata_of_their_own(self) -> None:
        made = CrossheadSplitter().create_documents(
            ["# A\n\none\n", "# B\n\ntwo\n"], [{"source": "a"}, {"source": "b"}]
        )
        assert [(each.metadata["source"], each.metadata["breadcrumb"]) for each in made] == [("a", "A"), ("b", "B")]

    def test_metadata_suit_stores_that_take_flat_values_only(self, docs: Path) -> None:
        made = [*CrossheadLoader(docs).load(), *CrossheadLoader(docs, chunks=True).load()]
        for each in made:
            assert all(isinstance(value, str | int | float | bool) for value in each.metadata.values())
        assert {each.metadata.get("tags") for each in made} == {"a, b", None}
        assert {each.metadata.get("since") for each in made} == {"2026-01-31", None}

    def test_unknown_options_are_told(self) -> None:
        with pytest.raises(OptionsError, match="max_tokens"):
            CrossheadSplitter(max_token=100)


class TestLoader:
    def test_all_documents_of_a_folder_are_read(self, docs: Path) -> None:
        found = {Path(each.metadata["source"]).name: each for each in CrossheadLoader(docs).lazy_load()}
        assert set(found) == {"handbook.md", "page.html"}
        assert found["page.html"].page_content.startswith("# Prices")
        assert found["handbook.md"].metadata["team"] == "infra"

    def test_chunks_have_the_pages_and_sections_of_their_format(self, docs: Path) -> None:
        made = CrossheadLoader(docs / "page.html", max_tokens=50).load()
        assert made[0].metadata["citation"].endswith("page.html (Prices)")

    @pytest.mark.parametrize("named", [".", "docs.zip"])
    def test_documents_in_an_archive_are_read(self, tmp_path: Path, named: str) -> None:
        with ZipFile(tmp_path / "docs.zip", "w") as archive:
            archive.writestr("inner/guide.md", "# Guide\n\nText.\n")
        (found,) = CrossheadLoader(tmp_path / named).load()
        assert found.metadata["source"].endswith("docs.zip/inner/guide.md")
        assert found.page_content == "# Guide\n\nText.\n"

    def test_what_cannot_be_looked_into_is_told(self, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 and nothing else")
        assert CrossheadLoader(tmp_path).load() == []
        assert "broken.zip" in caplog.text

    def test_a_document_that_fails_is_warned_about_and_the_rest_is_read(
        self, docs: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        (docs / "broken.docx").write_bytes(b"not a document")
        (docs / "cut.pdf").write_bytes(b"%PDF-1.7")
        found = {each.metadata["source"].rpartition("/")[2] for each in CrossheadLoader(docs, docs / "cut.pdf").load()}
        assert found == {"handbook.md", "page.html"}
        warned = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
        assert [f"{docs / 'broken.docx'}: " in each for each in warned] == [True, False, False]
        assert all(each.startswith(f"{docs / 'cut.pdf'}: ") for each in warned[1:])

    @pytest.mark.parametrize("name", ["broken.docx", "broken.zip"])
    def test_a_named_file_that_cannot_be_read_raises(self, tmp_path: Path, name: str) -> None:
        (tmp_path / name).write_bytes(b"PK\x03\x04 and nothing else")
        with pytest.raises(CrossheadError, match=name):
            CrossheadLoader(tmp_path / name).load()

    def test_a_document_that_cannot_be_cut_is_warned_about(
        self, docs: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def cut(document: crosshead.Document, options: object) -> list[crosshead.Chunk]:
            if document.source.endswith("handbook.md"):
                raise ZeroDivisionError("division by zero")
            return crosshead.chunk(document)

        monkeypatch.setattr("crosshead.adapters.langchain.chunk", cut)
        found = CrossheadLoader(docs, chunks=True).load()
        assert {each.metadata["source"].rpartition("/")[2] for each in found} == {"page.html"}
        assert "handbook.md: a fault of Crosshead" in caplog.text

    def test_what_is_not_there_is_told(self, docs: Path) -> None:
        with pytest.raises(CrossheadError, match="no such file"):
            CrossheadLoader(docs / "gone.md").load()


class TestRetriever:
    def test_hits_are_those_of_the_index(self, index: Index) -> None:
        found = CrossheadRetriever(index=index, k=2).invoke("rotate keys")
        hits = index.search("rotate keys", 2)
        assert [each.id for each in found] == [hit.chunk.id for hit in hits]
        assert found[0].metadata["citation"] == hits[0].citation
        assert found[0].metadata["score"] == hits[0].final_score

    def test_filters_hold(self, index: Index) -> None:
        retriever = CrossheadRetriever(index=index, search_kwargs={"section_filter": "Storage"})
        assert {each.metadata["breadcrumb"] for each in retriever.invoke("keys")} == {"Handbook > Keys > Storage"}
        assert retriever.invoke("apples", section_filter="Prices")[0].metadata["source"] == "page.html"

    def test_what_is_around_comes_along(self, index: Index) -> None:
        retriever = CrossheadRetriever(index=index, k=1, search_kwargs={"expand_context": True})
        assert "About keys." in retriever.invoke("rotate every 90 days")[0].metadata["parent"]

    def test_passages_keep_to_their_budget(self, index: Index) -> None:
        found = CrossheadRetriever(index=index, budget_tokens=150).invoke("rotate keys")
        passages = index.passages("rotate keys", 150, limit=10)
        assert [each.page_content for each in found] == [each.content for each in passages]
        assert sum(each.metadata["token_count"] for each in found) <= 150

    def test_it_is_a_part_of_a_chain(self, index: Index) -> None:
        chain = {"context": CrossheadRetriever(index=index, k=1), "question": RunnablePassthrough()}
        answer: dict[str, Any] = (RunnablePassthrough() | chain).invoke("rotate keys")  # type: ignore[operator]
        assert "90 days" in answer["context"][0].page_content


def test_chunks_go_into_a_vector_store(docs: Path) -> None:
    from langchain_core.embeddings import DeterministicFakeEmbedding

    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))
    made = CrossheadLoader(docs, chunks=True).load()
    assert store.add_documents(made) == [each.id for each in made]
    assert isinstance(store.similarity_search("keys", k=1)[0], Document)


class TestStandard(RetrieversIntegrationTests):
    """What LangChain asks of every retriever."""

    @pytest.fixture(autouse=True)
    def _given(self, index: Index) -> None:
        type(self)._index = index

    @property
    def retriever_constructor(self) -> type[CrossheadRetriever]:
        return CrossheadRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"index": self._index}

    @property
    def retriever_query_example(self) -> str:
        return "keys"
