"""LangChain: load and cut documents, and find sections in an index.

pip install 'crosshead[index,langchain]', then: python examples/langchain_retriever.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import crosshead
from crosshead.adapters.langchain import CrossheadLoader, CrossheadRetriever

DOCS = Path(__file__).parent / "docs"

chunks = CrossheadLoader(DOCS, chunks=True, max_tokens=300).load()
print(f"{len(chunks)} chunks, as {chunks[0].metadata['citation']}")

with tempfile.TemporaryDirectory() as folder, crosshead.Index(folder, root=DOCS, embedder="static") as index:
    index.add(DOCS)
    retriever = CrossheadRetriever(index=index, k=3)
    for document in retriever.invoke("how do I rotate keys"):
        print(document.metadata["citation"], "|", document.metadata["breadcrumb"])
