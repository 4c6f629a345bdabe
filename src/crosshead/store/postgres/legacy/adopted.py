"""Documents that were migrated from the older layout, while they are part of an index.

They have words before anybody chooses a language and a model, and no file until their files are indexed. Then their
words are made again, and each gives way to the document of its file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Final

from crosshead.errors import ModelNotChosen
from crosshead.store.postgres.database.pool import Connection, Database
from crosshead.store.postgres.rows.terms import rebuild_terms
from crosshead.types import TEXT_REVISION, DocumentRows, StoredDocument

ADOPTED: Final = f"{TEXT_REVISION}older layout"
"""The revision of a migrated document; no pipeline makes this one."""
LANGUAGE: Final = "auto"
"""The language of the words that a migration makes."""

_ANY: Final = "SELECT EXISTS (SELECT FROM works WHERE document_id IS NOT NULL)"
_SOURCES: Final = 'SELECT source FROM works WHERE revision = %s ORDER BY source COLLATE "C"'
_ARE_LEFT: Final = "SELECT EXISTS (SELECT FROM works WHERE revision = %s)"
_TITLED: Final = """
    SELECT min(document_id), min(source) FROM works WHERE revision = %s AND title = ANY (%s) HAVING count(*) = 1
"""
_DROP_UNKNOWN_VECTORS: Final = """
    UPDATE chunks SET embedding = NULL WHERE embedding IS NOT NULL AND vector_status IS DISTINCT FROM 'vec'
"""
_SKIP_HEADINGS: Final = """
    UPDATE chunks SET vector_status = 'no_vec' WHERE id IN (
        SELECT id FROM chunks WHERE vector_status = 'to_vec' AND terms IS NULL FOR UPDATE SKIP LOCKED
    )
"""


class AdoptedDocuments:
    """The migrated documents of an index. Once all are replaced, no new ones come."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._are_left = True

    def sources(self) -> tuple[str, ...]:
        """Return the sources of those that no indexed file has replaced."""
        return tuple(source for (source,) in self._database.fetch(_SOURCES, ADOPTED))

    def replaced_by(self, documents: Sequence[DocumentRows]) -> dict[str, str]:
        """Return those that documents were made from the files of, by id, each with a note about what replaces it."""
        self._are_left = self._are_left and self._database.fetch(_ARE_LEFT, ADOPTED) == [(True,)]
        return self._database.run(partial(_find_replaced, documents=documents)) if self._are_left else {}


def adopt_documents(connection: Connection, language: str) -> None:
    """Make migrated documents part of a new index: drop vectors of an unknown model, make words in its language."""
    connection.execute(_DROP_UNKNOWN_VECTORS)
    if language != LANGUAGE:
        rebuild_terms(connection, "works.revision = %s", [ADOPTED], lambda _: language)


def check_model(connection: Connection, name: str) -> None:
    """Raise `ModelNotChosen` if there are migrated documents; the database has no settings yet."""
    if connection.execute(_ANY).fetchone() == (True,):
        raise ModelNotChosen(
            f"{name}: the documents here were migrated and have no model yet: choose one with: "
            "crosshead embed --pending --embedder NAME --index URL"
        )


def skip_headings(connection: Connection) -> None:
    """Mark pending headings as not to be embedded: they are found with their text."""
    connection.execute(_SKIP_HEADINGS)


def _find_replaced(connection: Connection, documents: Sequence[DocumentRows]) -> dict[str, str]:
    replaced = {}
    for document in (rows.document for rows in documents):
        named = (connection.execute(_TITLED, [ADOPTED, names]).fetchone() for names in _names(document))
        if match := next(filter(None, named), None):
            replaced[match[0]] = f"{document.source} takes the place of the migrated document {match[1]}"
    return {id: note for id, note in replaced.items() if id not in {rows.document.id for rows in documents}}


def _names(document: StoredDocument) -> Iterator[list[str]]:
    """Yield the names that the older layout may have for the file of a document: its path, then its title."""
    if document.revision.startswith(TEXT_REVISION):
        return
    path = PurePosixPath(document.source)
    yield [document.source, path.name, path.stem, str(path.parent / path.stem)]
    yield [document.title]
