"""Documents that were migrated from the older layout, beside those that are indexed here.

Their words are there before anybody says in which language they are, and their files, if there are any, before anybody
indexes them: then the words are made anew, and the document gives way to that of its file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from crosshead.store.postgres.database import Connection
from crosshead.store.postgres.reword import reword
from crosshead.types import MIGRATED_REVISION, TEXT_REVISION, DocumentRows, StoredDocument

LANGUAGE: Final = "auto"
"""Of the words that a migration makes; what an index has unless it is told another one."""

_TITLED: Final = """
    SELECT min(document_id), min(source) FROM works WHERE revision = %s AND title = ANY (%s) HAVING count(*) = 1
"""


def reword_all(connection: Connection, language: str) -> None:
    """Make the words of migrated documents again, in the language of the index."""
    if language != LANGUAGE:
        reword(connection, "works.revision = %s", [MIGRATED_REVISION], lambda _: language)


def any_left(connection: Connection) -> bool:
    """Return whether there are migrated documents."""
    query = "SELECT EXISTS (SELECT FROM works WHERE revision = %s)"
    return connection.execute(query, [MIGRATED_REVISION]).fetchone() == (True,)


def find_replaced(connection: Connection, documents: Sequence[DocumentRows]) -> dict[str, str]:
    """Return the migrated documents whose files some documents are made from: by their ids what takes their place."""
    replaced = {}
    for document in (rows.document for rows in documents):
        named = (connection.execute(_TITLED, [MIGRATED_REVISION, names]).fetchone() for names in _names(document))
        if found := next(filter(None, named), None):
            replaced[found[0]] = f"{document.source} takes the place of the migrated document {found[1]}"
    return {id: note for id, note in replaced.items() if id not in {rows.document.id for rows in documents}}


def _names(document: StoredDocument) -> Iterator[list[str]]:
    """Return what the older layout may call the file of a document: by its path, else by its title."""
    if document.revision.startswith(TEXT_REVISION) or document.revision == MIGRATED_REVISION:
        return
    path = PurePosixPath(document.source)
    yield [document.source, path.name, path.stem, str(path.parent / path.stem)]
    yield [document.title]
