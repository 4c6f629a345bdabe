"""PostgreSQL with pgvector: our chunks in your own table, kept up to date.

pip install 'crosshead[index]' 'psycopg[binary]' pgvector, then, in the folder examples:
python pgvector_store.py postgresql://localhost/DATABASE
"""

from __future__ import annotations

import sys
from pathlib import Path

import psycopg
from pgvector.psycopg import register_vector

import crosshead
from crosshead.embedding import get_embedder

DOCS = Path("docs")
MODEL = get_embedder("static")  # or any other model


def connect(url: str) -> psycopg.Connection:
    """Return a connection to a database with the table."""
    connection = psycopg.connect(url, autocommit=True)
    connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    register_vector(connection)
    connection.execute(
        "CREATE TABLE IF NOT EXISTS passages (id text PRIMARY KEY, source text, citation text, section text,"
        f" content text, embedding vector({MODEL.dimension}))"
    )
    connection.execute("CREATE INDEX IF NOT EXISTS passages_source ON passages (source)")
    return connection


def sync(connection: psycopg.Connection, path: Path) -> str:
    """Bring a document up to date: only new chunks are embedded; others that have moved get new citations."""
    document = crosshead.read(path)
    chunks = {chunk.id: chunk for chunk in crosshead.chunk(document, max_tokens=300)}
    with connection.transaction(), connection.cursor() as cursor:  # readers see the old document or the new one
        cursor.execute("SELECT id FROM passages WHERE source = %s FOR UPDATE", [document.source])
        stored = {id for (id,) in cursor}
        gone, kept = stored - chunks.keys(), stored & chunks.keys()
        new = [chunk for chunk in chunks.values() if chunk.id not in stored]
        cursor.execute("DELETE FROM passages WHERE id = ANY(%s)", [[*gone]])
        cursor.executemany(
            "UPDATE passages SET citation = %s, section = %s WHERE id = %s",
            [(chunks[id].citation, chunks[id].breadcrumb, id) for id in kept],
        )
        vectors = MODEL.embed([chunk.render(breadcrumb=True) for chunk in new])
        cursor.executemany(
            "INSERT INTO passages VALUES (%s, %s, %s, %s, %s, %s)",
            [
                (chunk.id, chunk.source, chunk.citation, chunk.breadcrumb, chunk.content, vector[0])
                for chunk, vector in zip(new, vectors, strict=True)
            ],
        )
    return f"{len(new)} new, {len(gone)} deleted"


def search(connection: psycopg.Connection, question: str, limit: int = 3) -> list[tuple[str, str, str]]:
    """Return citation, section and text of the best chunks."""
    return connection.execute(
        "SELECT citation, section, content FROM passages ORDER BY embedding <=> %s LIMIT %s",
        [MODEL.embed_query(question)[0], limit],
    ).fetchall()


if __name__ == "__main__":
    with connect(sys.argv[1]) as connection:
        for path in sorted(DOCS.glob("*.*")):
            sync(connection, path)
        print(*connection.execute("SELECT count(*) FROM passages").fetchone(), "chunks")
        for citation, section, _ in search(connection, "how do I rotate keys"):
            print(citation, "|", section)
