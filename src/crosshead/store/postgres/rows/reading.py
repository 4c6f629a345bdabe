"""Read the rows of an index: by ids, sections or hashes, and counts of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from crosshead.store.postgres.database.pool import Database
from crosshead.store.postgres.rows import conversion as rows
from crosshead.store.postgres.rows.texts import storable
from crosshead.store.records import from_record
from crosshead.store.tags import tagged_language
from crosshead.types import Chunk, DocumentLinks, ListedDocument, StoreContents, StoredDocument, StoredSection, Vectors

_REVISIONS: Final = "SELECT source, revision FROM works WHERE revision IS NOT NULL"
_KNOWN_IDS: Final = "SELECT document_id FROM works WHERE document_id = ANY (%s)"
_DOCUMENTS: Final = f"SELECT {', '.join(rows.DOCUMENT_COLUMNS)} FROM works WHERE document_id = ANY (%s)"
# A migrated heading may have no text and no lines, or hold more than its title.
_SECTIONS: Final = """
    SELECT section.chunk_id, COALESCE(parent.chunk_id, root_section_id), document_id,
        CASE WHEN section.content IS NULL THEN '' ELSE section.section_path[cardinality(section.section_path)] END,
        section.level, section.section_path, section.start_offset, section.end_offset,
        COALESCE(section.start_line, 1), COALESCE(section.end_line, section.start_line, 1)
    FROM chunks AS section JOIN works ON works.id = section.work_id
        LEFT JOIN chunks AS parent ON parent.id = section.parent_id
    WHERE section.level IN ('H1', 'H2', 'H3', 'H4', 'H5', 'H6') AND {condition}
    ORDER BY document_id, section.seq
"""
_ROOT_SECTIONS: Final = """
    SELECT root_section_id, NULL, document_id, '', 'H0', ARRAY[]::text[], 0, end_offset, 1, end_line
    FROM works WHERE root_section_id = ANY (%s)
"""
# With OR instead of UNION the database would scan all rows.
_BELOW: Final = """{row}.id IN (
    SELECT id FROM chunks WHERE parent_id IN (SELECT id FROM chunks WHERE chunk_id = ANY (%s))
    UNION ALL
    SELECT id FROM chunks
    WHERE work_id IN (SELECT id FROM works WHERE root_section_id = ANY (%s)) AND (parent_id IS NULL OR NOT EXISTS (
        SELECT FROM chunks AS parent WHERE parent.id = chunks.parent_id AND parent.work_id = chunks.work_id
    ))
)"""
# Migrated rows may have no content.
_CHUNKS: Final = """
    SELECT chunk.record, COALESCE(chunk.content, '') FROM chunks AS chunk WHERE chunk.record IS NOT NULL AND
"""
_IDS: Final = """
    SELECT chunk_id FROM chunks WHERE starts_with(chunk_id, %s)
    UNION SELECT root_section_id FROM works WHERE starts_with(root_section_id, %s)
    ORDER BY 1 LIMIT %s
"""
_TITLES: Final = """
    SELECT title FROM (
        SELECT DISTINCT ON (lower(title)) title
        FROM chunks CROSS JOIN LATERAL (VALUES (section_path[cardinality(section_path)])) AS own (title)
        WHERE level IN ('H1', 'H2', 'H3', 'H4', 'H5', 'H6') AND title ~* %s
        ORDER BY lower(title), title
    ) AS found
    ORDER BY title !~* %s, length(title), lower(title) COLLATE "C" LIMIT %s
"""
_COUNTS: Final = """
    SELECT (SELECT count(*) FROM works WHERE document_id IS NOT NULL),
        count(chunk_id) - count(record) + (SELECT count(root_section_id) FROM works),
        count(record),
        count(*) FILTER (WHERE vector_status = 'to_vec' AND terms IS NOT NULL),
        count(*) FILTER (WHERE vector_status = 'vec_err' AND terms IS NOT NULL)
    FROM chunks
"""
_LANGUAGES: Final = "SELECT tags[:1], count(*) FROM works WHERE document_id IS NOT NULL GROUP BY 1"
_LINKS: Final = "SELECT document_id, source, format, link_keys, links FROM works WHERE links IS NOT NULL AND"
_SIZE: Final = """
    SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest(ARRAY['works', 'chunks', 'windows']) AS name
"""
_LISTED: Final = """
    SELECT source, format, date, length(text),
        count(chunks.id) FILTER (WHERE level LIKE '%%-chunk'),
        count(chunks.id) FILTER (WHERE vector_status = 'to_vec' AND terms IS NOT NULL),
        count(chunks.id) FILTER (WHERE vector_status = 'vec_err' AND terms IS NOT NULL),
        tags[:1], title, content_hash, metadata
    FROM works LEFT JOIN chunks ON work_id = works.id
    WHERE document_id = ANY (%s) GROUP BY works.id
"""
_VECTORS: Final = """
    WITH known AS (
        SELECT DISTINCT ON (text_hash) text_hash, id, embedding FROM chunks
        WHERE text_hash = ANY (%s) AND embedding IS NOT NULL ORDER BY text_hash, id
    )
    SELECT text_hash, 0 AS number, embedding FROM known
    UNION ALL SELECT text_hash, number, windows.embedding FROM known JOIN windows ON chunk = known.id
    ORDER BY text_hash, number
"""
_TOKEN_VECTORS: Final = """
    SELECT DISTINCT ON (text_hash) text_hash, tokens FROM chunks
    WHERE text_hash = ANY (%s) AND tokens IS NOT NULL ORDER BY text_hash, id
"""
_TEXT_HASHES: Final = "SELECT DISTINCT text_hash FROM chunks WHERE embedding IS NOT NULL AND text_hash IS NOT NULL"


def revisions(database: Database) -> dict[str, str]:
    """Return the revision of every document by source."""
    return dict(database.fetch(_REVISIONS))


def known_ids(database: Database, ids: Sequence[str]) -> list[str]:
    """Return the ids of documents that are stored."""
    return [document_id for (document_id,) in database.fetch(_KNOWN_IDS, list(ids))]


def documents(database: Database, ids: Sequence[str]) -> list[StoredDocument]:
    """Return documents in the order of `ids`."""
    found = map(rows.to_document, database.fetch(_DOCUMENTS, list(ids)))
    return _in_order(ids, {document.id: document for document in found})


def document_links(database: Database, ids: Sequence[str]) -> list[DocumentLinks]:
    """Return the links of documents in the order of `ids`."""
    found = [_to_links(*row) for row in database.fetch(f"{_LINKS} document_id = ANY (%s)", list(ids))]
    return _in_order(ids, {each.document_id: each for each in found})


def linked_documents(database: Database, keys: Sequence[str], limit: int) -> list[DocumentLinks]:
    """Return the links of documents that have one of some keys, by source."""
    query = f'{_LINKS} link_keys && %s::text[] ORDER BY source COLLATE "C" LIMIT %s'
    return [_to_links(*row) for row in database.fetch(query, list(keys), limit)]


def _to_links(document_id: str, source: str, format: str, keys: Sequence[str], record: Any) -> DocumentLinks:
    return DocumentLinks.from_record(document_id, source, format, keys, record)


def list_documents(database: Database, ids: Sequence[str]) -> list[ListedDocument]:
    """Return the list entries of documents, sorted by source."""
    listed = database.fetch(_LISTED, list(ids))
    return sorted(ListedDocument._make([*row[:7], tagged_language(row[7]), *row[8:], ""]) for row in listed)


def sections(database: Database, ids: Sequence[str]) -> list[StoredSection]:
    """Return sections in the order of `ids`."""
    found = database.fetch(_SECTIONS.format(condition="section.chunk_id = ANY (%s)"), list(ids))
    found += database.fetch(_ROOT_SECTIONS, list(ids))
    return _in_order(ids, {section.id: section for section in map(rows.to_section, found)})


def subsections(database: Database, parent_ids: Sequence[str]) -> list[StoredSection]:
    """Return the direct subsections of some sections, in document order."""
    query = _SECTIONS.format(condition=_BELOW.format(row="section"))
    return [rows.to_section(row) for row in database.fetch(query, list(parent_ids), list(parent_ids))]


def chunks(database: Database, ids: Sequence[str]) -> list[Chunk]:
    """Return chunks in the order of `ids`."""
    found = database.fetch(_CHUNKS + "chunk.chunk_id = ANY (%s)", list(ids))
    return _in_order(ids, {chunk.id: chunk for chunk in (from_record(*row) for row in found)})


def ids_starting_with(database: Database, beginning: str, limit: int) -> list[str]:
    """Return ids of chunks and sections that start with some characters, sorted."""
    return [name for (name,) in database.fetch(_IDS, *[storable(beginning)] * 2, limit)]


def section_chunks(database: Database, section_ids: Sequence[str]) -> list[Chunk]:
    """Return the chunks that begin in some sections, in document order."""
    query = _CHUNKS + _BELOW.format(row="chunk")
    found = [from_record(*row) for row in database.fetch(query, list(section_ids), list(section_ids))]
    return sorted(found, key=lambda chunk: (chunk.document_id, chunk.index))


def complete_titles(database: Database, beginning: str, limit: int) -> list[str]:
    """Return up to `limit` titles with a word that starts with `beginning`."""
    word = re.escape(storable(beginning))
    return [title for (title,) in database.fetch(_TITLES, f"(^|[^[:alnum:]]){word}", f"^{word}", limit)]


def count_languages(database: Database) -> Counter[str]:
    """Return the number of documents by language code."""
    languages: Counter[str] = Counter()
    for tags, count in database.fetch(_LANGUAGES):
        languages[tagged_language(tags)] += count
    return languages


def distinct_values(database: Database, name: str) -> list[str]:
    """Return the distinct values of a column of documents, or of the metadata in its lists, sorted."""
    values = "unnest(tags)" if name == "tags" else name
    query = f"SELECT DISTINCT value FROM works, LATERAL (SELECT {values}) AS each (value) WHERE document_id IS NOT NULL"
    found = sorted(value for (value,) in database.fetch(query) if value)
    return [each for each in found if "=" in each] if name == "tags" else found


def contents(database: Database) -> StoreContents:
    """Return the counts of all rows."""
    return StoreContents(*database.fetch(_COUNTS)[0])


def size_bytes(database: Database) -> int:
    """Return the space that the tables take."""
    return int(database.fetch(_SIZE)[0][0])


def vectors_by_hash(database: Database, text_hashes: Sequence[str]) -> dict[str, Vectors]:
    """Return stored vectors by the hash of their text."""
    import numpy as np

    found: dict[str, list[Any]] = {}
    for text_hash, _, vector in database.fetch(_VECTORS, list(text_hashes)):
        found.setdefault(text_hash, []).append(vector.to_numpy())
    return {text_hash: np.array(vectors, np.float32) for text_hash, vectors in found.items()}


def token_vectors_by_hash(database: Database, text_hashes: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
    """Return stored token vectors by the hash of their text."""
    return {text_hash: tuple(pieces) for text_hash, pieces in database.fetch(_TOKEN_VECTORS, list(text_hashes))}


def embedded_text_hashes(database: Database) -> list[str]:
    """Return the hashes of all texts that have vectors."""
    return [text_hash for (text_hash,) in database.fetch(_TEXT_HASHES)]


def _in_order(ids: Sequence[str], found: Mapping[str, Any]) -> list[Any]:
    return [found[each] for each in ids if each in found]
