from __future__ import annotations

from pathlib import Path

import pytest
from haystack import Document, Pipeline
from haystack.components.writers import DocumentWriter
from haystack.dataclasses import ByteStream
from haystack.document_stores.in_memory import InMemoryDocumentStore

import crosshead
from crosshead.adapters.haystack import CrossheadConverter, CrossheadRetriever, CrossheadSplitter
from crosshead.errors import CrossheadError
from crosshead.index import Index


def test_files_are_converted_cut_and_written_in_a_pipeline(docs: Path) -> None:
    store = InMemoryDocumentStore()
    pipeline = Pipeline()
    pipeline.add_component("converter", CrossheadConverter())
    pipeline.add_component("splitter", CrossheadSplitter(max_tokens=200))
    pipeline.add_component("writer", DocumentWriter(store))
    pipeline.connect("converter", "splitter")
    pipeline.connect("splitter", "writer")
    pipeline.run({"converter": {"sources": [docs / "handbook.md", str(docs / "page.html")], "meta": {"owner": "me"}}})
    chunks = crosshead.chunk(crosshead.read(docs / "handbook.md"), max_tokens=200)
    written = {each.id: each for each in store.filter_documents()}
    assert {each.id for each in chunks} <= set(written)
    rotation = next(each for each in written.values() if "90 days" in (each.content or ""))
    assert rotation.meta["breadcrumb"] == "Handbook > Keys > Rotation"
    assert rotation.meta["owner"] == "me"


class TestConverter:
    def test_bytes_are_read_by_their_name_type_or_content(self) -> None:
        page = b"<p>Apples cost two crowns.</p>"
        sources = [ByteStream(page, meta={"file_path": "page.html"}), ByteStream(page, mime_type="text/html")]
        found = CrossheadConverter().run(sources)["documents"]
        assert [each.content for each in found] == ["Apples cost two crowns.\n"] * 2

    def test_each_source_may_have_metadata_of_its_own(self, docs: Path) -> None:
        found = CrossheadConverter().run([docs / "handbook.md", docs / "page.html"], [{"n": 1}, {"n": 2}])["documents"]
        assert [each.meta["n"] for each in found] == [1, 2]

    def test_a_source_that_fails_is_warned_about_unless_it_is_the_only_one(
        self, docs: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        broken = docs / "broken.docx"
        broken.write_bytes(b"not a document")
        stream = ByteStream(b"not a document", meta={"file_path": "stream.docx"})
        found = CrossheadConverter().run([docs, broken, stream], [{"n": 1}, {"n": 2}, {"n": 3}])["documents"]
        assert [each.meta["n"] for each in found] == [1, 1]
        assert caplog.text.count(f"{broken}: ") == 2
        assert "stream.docx: " in caplog.text
        for alone in (broken, stream):
            with pytest.raises(CrossheadError, match=r"\.docx"):
                CrossheadConverter().run([alone])


class TestSplitter:
    def test_chunks_name_their_document(self) -> None:
        document = Document(content="# A\n\none\n", meta={"source": "a.md"})
        (made,) = CrossheadSplitter(breadcrumb=True).run([document])["documents"]
        assert made.content == "A\n# A\n\none"
        assert (made.meta["source_id"], made.meta["citation"]) == (document.id, "a.md:1-3")


class TestRetriever:
    def test_hits_are_those_of_the_index(self, index: Index) -> None:
        found = CrossheadRetriever(index, top_k=2).run("rotate keys")["documents"]
        hits = index.search("rotate keys", 2)
        assert [(each.id, each.score) for each in found] == [(hit.chunk.id, hit.final_score) for hit in hits]

    def test_filters_and_budgets_hold(self, index: Index) -> None:
        retriever = CrossheadRetriever(index, section_filter="Storage")
        found = retriever.run("keys")["documents"]
        assert {each.meta["breadcrumb"] for each in found} == {"Handbook > Keys > Storage"}
        assert retriever.run("apples", search={"section_filter": "Prices"})["documents"]
        passages = CrossheadRetriever(index, budget_tokens=150).run("rotate keys")["documents"]
        assert 0 < sum(each.meta["token_count"] for each in passages) <= 150


def test_pipelines_can_be_saved(index: Index) -> None:
    pipeline = Pipeline()
    pipeline.add_component("converter", CrossheadConverter())
    pipeline.add_component("splitter", CrossheadSplitter(max_tokens=200, breadcrumb=True))
    pipeline.add_component("retriever", CrossheadRetriever(index, top_k=1, section_filter="Keys*"))
    loaded = Pipeline.loads(pipeline.dumps(), allowed_modules=["crosshead.adapters.haystack"])
    found = loaded.get_component("retriever").run("rotate keys")["documents"]
    assert [each.id for each in found] == [index.search("rotate keys", 1)[0].chunk.id]
