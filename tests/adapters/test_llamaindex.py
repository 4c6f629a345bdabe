from __future__ import annotations

from pathlib import Path

import pytest
from llama_index.core import MockEmbedding, SimpleDirectoryReader, StorageContext, VectorStoreIndex
from llama_index.core.node_parser import get_leaf_nodes
from llama_index.core.retrievers import AutoMergingRetriever
from llama_index.core.schema import MetadataMode, NodeRelationship
from llama_index.core.storage.docstore import SimpleDocumentStore

import crosshead
from crosshead.adapters.llamaindex import CrossheadNodeParser, CrossheadReader, CrossheadRetriever
from crosshead.errors import CrossheadError
from crosshead.index import Index


class TestNodeParser:
    def test_nodes_are_chunks_with_their_neighbors(self, docs: Path) -> None:
        documents = CrossheadReader().load_data(docs / "handbook.md")
        nodes = CrossheadNodeParser().get_nodes_from_documents(documents)
        chunks = crosshead.chunk(crosshead.read(docs / "handbook.md"))
        assert [node.node_id for node in nodes] == [each.id for each in chunks]
        for node, each in zip(nodes, chunks, strict=True):
            assert node.ref_doc_id == documents[0].doc_id
            assert (node.prev_node.node_id if node.prev_node else None) == each.prev_id
            assert (node.next_node.node_id if node.next_node else None) == each.next_id
            assert (node.parent_node.node_id if node.parent_node else None) == each.parent_chunk_id
            assert node.metadata["start_line"] == each.start_line
            assert documents[0].text[node.start_char_idx : node.end_char_idx] == each.content

    def test_embeddings_see_the_text_alone_and_models_the_citation(self, docs: Path) -> None:
        nodes = CrossheadNodeParser().get_nodes_from_documents(CrossheadReader().load_data(docs / "handbook.md"))
        node = nodes[1]
        assert node.get_content(MetadataMode.EMBED) == node.text
        assert "citation: " in node.get_content(MetadataMode.LLM)
        assert "chunk_id" not in node.get_content(MetadataMode.LLM)

    def test_options_are_those_of_the_library(self, docs: Path) -> None:
        documents = CrossheadReader().load_data(docs / "handbook.md")
        nodes = CrossheadNodeParser(chunking={"max_tokens": 60}).get_nodes_from_documents(documents)
        assert len(nodes) == len(crosshead.chunk(crosshead.read(docs / "handbook.md"), max_tokens=60))


class TestSections:
    def test_small_sections_are_the_parents_of_what_lies_in_them(self, docs: Path) -> None:
        documents = CrossheadReader().load_data(docs / "handbook.md")
        nodes = CrossheadNodeParser(section_tokens=2000).get_nodes_from_documents(documents)
        leaves = get_leaf_nodes(nodes)
        by_id = {node.node_id: node for node in nodes}
        assert len(leaves) == len(crosshead.chunk(crosshead.read(docs / "handbook.md"))) < len(nodes)
        for node in nodes:
            if node.parent_node:
                parent = by_id[node.parent_node.node_id]
                assert node.node_id in {each.node_id for each in parent.child_nodes}
                assert parent.start_char_idx <= node.start_char_idx <= node.end_char_idx <= parent.end_char_idx

    def test_large_sections_are_left_out(self, docs: Path) -> None:
        documents = CrossheadReader().load_data(docs / "handbook.md")
        nodes = CrossheadNodeParser(section_tokens=900).get_nodes_from_documents(documents)
        parents = [node for node in nodes if NodeRelationship.CHILD in node.relationships]
        assert [node.metadata["breadcrumb"] for node in parents] == ["Handbook > Keys"]

    def test_hits_that_fill_a_section_become_the_section(self, docs: Path) -> None:
        documents = CrossheadReader().load_data(docs / "handbook.md")
        nodes = CrossheadNodeParser(section_tokens=900).get_nodes_from_documents(documents)
        leaves = get_leaf_nodes(nodes)
        docstore = SimpleDocumentStore()
        docstore.add_documents(nodes)
        storage = StorageContext.from_defaults(docstore=docstore)
        vectors = VectorStoreIndex(leaves, storage_context=storage, embed_model=MockEmbedding(8))
        retriever = AutoMergingRetriever(vectors.as_retriever(similarity_top_k=len(leaves)), storage)
        found = retriever.retrieve("keys")
        assert any("90 days" in each.text and "vault" in each.text for each in found)


class TestReader:
    def test_a_folder_is_read_through_the_frameworks_reader(self, docs: Path) -> None:
        reader = CrossheadReader()
        found = SimpleDirectoryReader(str(docs), file_extractor={".html": reader, ".md": reader}).load_data()
        texts = {each.metadata["file_name"]: each.text for each in found}
        assert texts["page.html"].startswith("# Prices")

    def test_a_folder_is_read_at_once(self, docs: Path) -> None:
        assert len(CrossheadReader().load_data(docs)) == 2

    def test_a_document_that_fails_is_warned_about_unless_it_is_named(
        self, docs: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        (docs / "broken.docx").write_bytes(b"not a document")
        assert len(CrossheadReader().load_data(docs)) == 2
        assert f"{docs / 'broken.docx'}: " in caplog.text
        with pytest.raises(CrossheadError, match=r"broken\.docx"):
            CrossheadReader().load_data(docs / "broken.docx")


class TestRetriever:
    def test_hits_are_those_of_the_index(self, index: Index) -> None:
        found = CrossheadRetriever(index, limit=2).retrieve("rotate keys")
        hits = index.search("rotate keys", 2)
        assert [(each.node_id, each.score) for each in found] == [(hit.chunk.id, hit.final_score) for hit in hits]

    def test_filters_and_budgets_hold(self, index: Index) -> None:
        found = CrossheadRetriever(index, section_filter="Storage").retrieve("keys")
        assert {each.metadata["breadcrumb"] for each in found} == {"Handbook > Keys > Storage"}
        passages = CrossheadRetriever(index, budget_tokens=150).retrieve("rotate keys")
        assert 0 < sum(each.metadata["token_count"] for each in passages) <= 150

    async def test_it_can_be_awaited(self, index: Index) -> None:
        found = await CrossheadRetriever(index, limit=1).aretrieve("rotate keys")
        assert "90 days" in found[0].text
