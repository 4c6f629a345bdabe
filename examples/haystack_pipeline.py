"""Haystack: a pipeline that reads and cuts documents, and a retriever over an index.

pip install 'crosshead[index,haystack]', then: python examples/haystack_pipeline.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from haystack import Pipeline

import crosshead
from crosshead.adapters.haystack import CrossheadConverter, CrossheadRetriever, CrossheadSplitter

DOCS = Path(__file__).parent / "docs"

pipeline = Pipeline()
pipeline.add_component("converter", CrossheadConverter())
pipeline.add_component("splitter", CrossheadSplitter(max_tokens=300))
pipeline.connect("converter", "splitter")
chunks = pipeline.run({"converter": {"sources": [DOCS]}})["splitter"]["documents"]
print(f"{len(chunks)} chunks, as {chunks[0].meta['citation']}")

with tempfile.TemporaryDirectory() as folder, crosshead.Index(folder, root=DOCS, embedder="static") as index:
    index.add(DOCS)
    for document in CrossheadRetriever(index, top_k=3).run("how do I rotate keys")["documents"]:
        print(f"{document.score:.2f}", document.meta["citation"], "|", document.meta["breadcrumb"])
