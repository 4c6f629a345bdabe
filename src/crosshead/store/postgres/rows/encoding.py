"""The form in which rows reach the process that commits: as they are.

How a row is stored depends on the rows that the document had before.
"""

from __future__ import annotations

from crosshead.types import DocumentRows, EncodedRows, StoredChunk


def encode(rows: DocumentRows) -> EncodedRows:
    """Return the rows of a document for `decode`."""
    return rows.encoded_as(rows)


def decode(encoded: EncodedRows) -> DocumentRows:
    """Return the rows of a document, with the vectors that were found or made since."""
    rows: DocumentRows = encoded.rows

    def filled(stored: StoredChunk) -> StoredChunk:
        found = encoded.vectors.get(stored.chunk.id)
        return stored._replace(vectors=found.vectors, token_vectors=found.token_vectors) if found else stored

    return rows._replace(chunks=tuple(map(filled, rows.chunks)))
