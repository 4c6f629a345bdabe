"""Qdrant: our chunks in your own collection, kept up to date.

pip install 'crosshead[index]' qdrant-client, then, in the folder examples: python qdrant_store.py
"""

from __future__ import annotations

from pathlib import Path

from qdrant_client import QdrantClient, models

import crosshead
from crosshead.embedding import get_embedder

DOCS = Path("docs")
NAME = "docs"
MODEL = get_embedder("static")  # or any other model


def make_collection(client: QdrantClient) -> None:
    """Make the collection, unless it is there."""
    if not client.collection_exists(NAME):
        client.create_collection(NAME, models.VectorParams(size=MODEL.dimension, distance=models.Distance.COSINE))


def sync(client: QdrantClient, path: Path) -> str:
    """Bring a document up to date: only new chunks are embedded; others that have moved get new citations."""
    document = crosshead.read(path)
    chunks = {point_id(chunk): chunk for chunk in crosshead.chunk(document, max_tokens=300)}
    same_source = models.FieldCondition(key="source", match=models.MatchValue(value=document.source))
    points, _ = client.scroll(NAME, models.Filter(must=[same_source]), limit=1_000_000, with_payload=False)
    stored = {each.id for each in points}
    gone, kept = stored - chunks.keys(), stored & chunks.keys()
    new = {id: chunk for id, chunk in chunks.items() if id not in stored}
    if gone:
        client.delete(NAME, [*gone])
    for id in kept:
        client.set_payload(NAME, payload(chunks[id]), [id])
    if new:
        vectors = MODEL.embed([chunk.render(breadcrumb=True) for chunk in new.values()])
        client.upsert(
            NAME,
            [
                models.PointStruct(id=id, vector=vector[0].tolist(), payload=payload(chunk))
                for (id, chunk), vector in zip(new.items(), vectors, strict=True)
            ],
        )
    return f"{len(new)} new, {len(gone)} deleted"


def point_id(chunk: crosshead.Chunk) -> int:
    """Return the id of a chunk, 16 hexadecimal digits, as Qdrant takes it: a number of 64 bits."""
    return int(chunk.id, 16)


def payload(chunk: crosshead.Chunk) -> dict[str, str]:
    """Return what to store next to the vector."""
    return {
        "source": chunk.source,
        "citation": chunk.citation,
        "section": chunk.breadcrumb or "",
        "content": chunk.content,
    }


def search(client: QdrantClient, question: str, limit: int = 3) -> list[tuple[str, str, str]]:
    """Return citation, section and text of the best chunks."""
    found = client.query_points(NAME, query=MODEL.embed_query(question)[0].tolist(), limit=limit)
    return [(each.payload["citation"], each.payload["section"], each.payload["content"]) for each in found.points]


if __name__ == "__main__":
    client = QdrantClient(":memory:")  # path="FOLDER" keeps it, url="http://..." is a server
    make_collection(client)
    for path in sorted(DOCS.glob("*.*")):
        sync(client, path)
    print(client.count(NAME).count, "chunks")
    for citation, section, _ in search(client, "how do I rotate keys"):
        print(citation, "|", section)
