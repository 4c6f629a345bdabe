"""Chroma: our chunks in your own collection, kept up to date.

pip install 'crosshead[index]' chromadb, then, in the folder examples: python chroma_store.py
"""

from __future__ import annotations

from pathlib import Path

import chromadb

import crosshead
from crosshead.embedding import get_embedder

DOCS = Path("docs")
MODEL = get_embedder("static")  # or any other model


def open_collection(client: chromadb.ClientAPI) -> chromadb.Collection:
    """Return a collection for vectors that we make ourselves."""
    return client.get_or_create_collection("docs", embedding_function=None, configuration={"hnsw": {"space": "cosine"}})


def sync(collection: chromadb.Collection, path: Path) -> str:
    """Bring a document up to date: only new chunks are embedded; others that have moved get new citations."""
    document = crosshead.read(path)
    chunks = {chunk.id: chunk for chunk in crosshead.chunk(document, max_tokens=300)}
    stored = {*collection.get(where={"source": document.source}, include=[])["ids"]}
    gone, kept = stored - chunks.keys(), stored & chunks.keys()
    new = [chunk for chunk in chunks.values() if chunk.id not in stored]
    if gone:
        collection.delete([*gone])
    if kept:
        collection.update([*kept], metadatas=[metadata(chunks[each]) for each in kept])
    if new:
        vectors = MODEL.embed([chunk.render(breadcrumb=True) for chunk in new])
        collection.add(
            ids=[chunk.id for chunk in new],
            embeddings=[each[0] for each in vectors],
            documents=[chunk.content for chunk in new],
            metadatas=[metadata(chunk) for chunk in new],
        )
    return f"{len(new)} new, {len(gone)} deleted"


def metadata(chunk: crosshead.Chunk) -> dict[str, str]:
    """Return what to store next to the text and its vector."""
    return {"source": chunk.source, "citation": chunk.citation, "section": chunk.breadcrumb or ""}


def search(collection: chromadb.Collection, question: str, limit: int = 3) -> list[tuple[str, str, str]]:
    """Return citation, section and text of the best chunks."""
    found = collection.query(MODEL.embed_query(question), n_results=limit, include=["documents", "metadatas"])
    return [
        (each["citation"], each["section"], text)
        for each, text in zip(found["metadatas"][0], found["documents"][0], strict=True)
    ]


if __name__ == "__main__":
    collection = open_collection(chromadb.EphemeralClient())  # PersistentClient("FOLDER") keeps it
    for path in sorted(DOCS.glob("*.*")):
        sync(collection, path)
    print(collection.count(), "chunks")
    for citation, section, _ in search(collection, "how do I rotate keys"):
        print(citation, "|", section)
