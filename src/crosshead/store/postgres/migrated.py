"""Documents that were migrated from the older layout, beside those that are indexed here.

Their words are there before anybody says in which language they are, and their files, if there are any, before anybody
indexes them: then the words are made anew, and the document gives way to that of its file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from crosshead.model import MIGRATED_REVISION, TEXT_REVISION, DocumentRows, StoredDocument
from crosshead.store.headings import headings_of
from crosshead.store.postgres.database import Connection
from crosshead.store.postgres.texts import heading_lexemes, lexemes
from crosshead.store.records import from_record
from crosshead.words import words

LANGUAGE: Final = "auto"
"""Of the words that a migration makes; what an index has unless it is told another one."""
ROWS_AT_ONCE: Final = 1_000

_WORDED: Final = """
    SELECT chunks.id, record, content FROM chunks JOIN works ON works.id = work_id
    WHERE works.revision = %s AND terms IS NOT NULL
"""
_SET_WORDS: Final = "UPDATE chunks SET terms = %s, heading_terms = %s WHERE id = %s"
_TITLED: Final = """
    SELECT min(document_id), min(source) FROM works WHERE revision = %s AND title = ANY (%s) HAVING count(*) = 1
"""


def reword(connection: Connection, language: str) -> None:
    """Make the words of migrated documents anew, in the language of the index."""
    if language == LANGUAGE:
        return
    with connection.cursor("worded") as rows:
        rows.execute(_WORDED, [MIGRATED_REVISION])
        while found := rows.fetchmany(ROWS_AT_ONCE):
            chunks = ((id, from_record(record, content)) for id, record, content in found)
            changes = [
                (
                    lexemes(words(chunk.content, language)),
                    heading_lexemes(words(" ".join(headings_of(chunk)), language)),
                    id,
                )
                for id, chunk in chunks
            ]
            connection.cursor().executemany(_SET_WORDS, changes)


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
    if document.revision.startswith(TEXT_REVISION):
        return
    path = PurePosixPath(document.source)
    yield [document.source, path.name, path.stem, str(path.parent / path.stem)]
    yield [document.title]
