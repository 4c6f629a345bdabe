"""The index in a PostgreSQL database with pgvector.

The tables are made by the revisions in `migrations/versions` and by nothing else; a new database goes through all of
them. They stand in the first schema of the connection's search path. What is not mentioned may be NULL.

`works`: one row per document.

    id                 integer, not null; what `chunks.work_id` refers to
    title              of the document
    document_id        16 hex, unique; NULL only in a row that an older program writes
    source, format, text, revision, content_hash    as in `StoredDocument`
    date               YYYY-MM-DD, not null, empty if unknown
    metadata           JSON, not null: the user's
    tags               text[], not null: `metadata_tags` of it, for filters
    pages, lines       JSON, not null: lists of pairs
    root_section_id    16 hex, unique: the section of level 0, which has no row in `chunks`
    end_offset, end_line    where the root section ends; it starts at offset 0 and line 1

`chunks`: a row per section (a heading) and a row per chunk; both form one hierarchy.

    id                 integer, not null, given by the database
    chunk_id           16 hex, unique: the id of the chunk, or of the section; NULL in a row of the older layout that
                       has no work, or whose parents form a circle
    work_id            the document; its deletion deletes the row
    parent_id          the row of the section that directly encloses this section or chunk; NULL below the root section
    level              `H1`..`H6` for a section, `H0-chunk`..`H6-chunk` for a chunk, by the level of its section;
                       `H0-chunk` is text above the first heading
    seq                a chunk's index in the document; a section's number in document order, counted apart
    content            of a chunk its exact text, of a section its title; a row of the older layout may hold more
    heading_breadcrumbs    of a chunk "A > B > C", never part of the content; NULL in a row of a section, without a
                       heading above, and in rows of the older layout that the migration left alone
    section_path       text[]: the titles, of which the breadcrumb is a lossy form; of a section its own is the last
    titles             text[]: `titles_column` of the sections that a chunk lies in or holds, for filters
    title_keys         text[]: the same as an index holds them, where one of them is too long for it
    start_offset, end_offset    the place in the text of the document
    start_line, end_line    the same in lines; in a row of the older layout the lines of the file that it came from
    record             JSON of a chunk without its content (`to_record`); NULL for a section
    terms, heading_terms    the words of a chunk's content and of the headings above and inside it as `lexemes`, with
                       weight A and with weight B; NULL in a row of a section and where there is nothing to find
    content_tsvector   generated from both
    text_hash          of the text that is embedded
    embedding          the first vector; its dimension is that of the index's model. An index over it is made later,
                       see `indexes`
    tokens             bytea[]: the tokens of each piece of the embedded text, as the model keeps them; NULL where the
                       index does not
    vector_status      `no_vec` nothing to embed, `to_vec` waiting, `vec` done, `vec_err` failed; only a row with
                       `terms` is embedded, whatever the older layout says of its headings
    vector_error       why it failed

`windows`: the further vectors of a chunk that is longer than the model's window.

    chunk              `chunks.id`; its deletion deletes the row
    number             1, 2, ...
    embedding          of the same dimension

`index_settings`: what the index was made with, a row of `name` and JSON `value` per setting. Without a row there is no
index yet.

`left_alone`: rows of the older layout whose breadcrumb could not be told from their text: `id`, `reason`.

`older_layout`: what a downgrade needs to restore the older layout: `name`, `definition`.

`crosshead_version`: the revision of the tables, kept by Alembic.

PostgreSQL stores neither U+0000 nor half a surrogate pair in text: `storable` puts U+FFFD in their place, of the same
length, so that offsets hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crosshead.types import Store


def open_database(url: str, *, create: Mapping[str, Any] | None = None) -> Store:
    """Open an index in a database; `create` are the settings of a new one."""
    from crosshead.store.postgres.store import PostgresStore

    return PostgresStore(url, create=create)
