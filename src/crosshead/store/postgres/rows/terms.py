"""Rebuild the words of stored chunks in another language; nothing else of their rows changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from crosshead.language.words import words
from crosshead.store.headings import headings_of
from crosshead.store.postgres.database.pool import Connection
from crosshead.store.postgres.rows.texts import heading_lexemes, lexemes
from crosshead.store.records import from_record

ROWS_AT_ONCE: Final = 1_000

_WORDED: Final = """
    SELECT chunks.id, document_id, record, content FROM chunks JOIN works ON works.id = work_id
    WHERE terms IS NOT NULL AND {condition}
"""
_SET_WORDS: Final = "UPDATE chunks SET terms = %s, heading_terms = %s WHERE id = %s"
_SET_LANGUAGE: Final = """
    UPDATE works SET tags = ARRAY[%s] || ARRAY(SELECT tag FROM unnest(tags) AS tag WHERE tag LIKE '%%=%%')
    WHERE document_id = %s
"""


def rebuild_terms(
    connection: Connection, condition: str, values: Sequence[Any], language_of: Callable[[str], str]
) -> None:
    """Rebuild the words of the works that meet a condition; `language_of` takes the id of a document."""
    with connection.cursor("rebuilt") as rows:
        rows.execute(_WORDED.format(condition=condition), values)
        while found := rows.fetchmany(ROWS_AT_ONCE):
            changes = [
                (*_terms(record, content, language_of(document_id)), id) for id, document_id, record, content in found
            ]
            connection.cursor().executemany(_SET_WORDS, changes)


def _terms(record: Any, content: str, language: str) -> tuple[str, str]:
    chunk = from_record(record, content)
    headings = " ".join(headings_of(chunk))
    return lexemes(words(chunk.content, language)), heading_lexemes(words(headings, language))


def set_languages(connection: Connection, languages: Mapping[str, str]) -> None:
    """Set the language of documents and rebuild their words; their locks are held."""
    rebuild_terms(connection, "document_id = ANY (%s)", [[*languages]], languages.__getitem__)
    connection.cursor().executemany(_SET_LANGUAGE, [(language, id) for id, language in languages.items()])
