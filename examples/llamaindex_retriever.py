"""LlamaIndex: read and cut documents into nodes, and find sections in an index.

pip install 'crosshead[index,llamaindex]', then: python examples/llamaindex_retriever.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import crosshead
from crosshead.adapters.llamaindex import CrossheadNodeParser, CrossheadReader, CrossheadRetriever

DOCS = Path(__file__).parent / "docs"

documents = CrossheadReader().load_data(DOCS)
nodes = CrossheadNodeParser(chunking={"max_tokens": 300}).get_nodes_from_documents(documents)
print(f"{len(nodes)} nodes of {len(documents)} documents, as {nodes[0].metadata['citation']}")

with tempfile.TemporaryDirectory() as folder, crosshead.Index(folder, root=DOCS, embedder="static") as index:
    index.add(DOCS)
    for found in CrossheadRetriever(index, limit=3).retrieve("how do I rotate keys"):
        print(f"{found.score:.2f}", found.metadata["citation"], "|", found.metadata["breadcrumb"])
