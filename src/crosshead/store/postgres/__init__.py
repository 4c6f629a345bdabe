"""The index in a PostgreSQL database with pgvector.

The revisions in `migrations/versions` make the tables, in the first schema of the connection's search path; a new
database goes through all of them. Columns may be NULL unless the list says otherwise. Rows that were migrated from the
older layout may lack more: see `legacy`.

`works`: one row per document.

    id                 integer, not null; what `chunks.work_id` refers to
    title              of the document
    document_id        16 hex, unique; NULL only in a row that another program writes
    source, format, text, revision, content_hash    as in `StoredDocument`
    date               YYYY-MM-DD, not null, empty if unknown
    metadata           JSON, not null: that of the user
    tags               text[], not null: `metadata_tags` of it, for filters
    pages, lines       JSON, not null: lists of pairs
    root_section_id    16 hex, unique: the section of level 0, which has no row in `chunks`
    links              JSON of its links and anchors (`DocumentLinks.to_record`); NULL until they were read
    link_keys          text[]: the keys by which it and the documents that link to it are found
    end_offset, end_line    where the root section ends; it starts at offset 0 and line 1

`chunks`: a row per section (a heading) and a row per chunk; both form one hierarchy.

    id                 integer, not null, given by the database
    chunk_id           16 hex, unique: the id of the chunk, or of the section; NULL in a row outside the index
    work_id            the document; its deletion deletes the row
    parent_id          the row of the section that directly encloses this section or chunk; NULL below the root section
    level              `H1`..`H6` for a section, `H0-chunk`..`H6-chunk` for a chunk, by the level of its section;
                       `H0-chunk` is text above the first heading
    seq                a chunk's index in the document; a section's number in document order, counted apart
    content            the exact text of a chunk, or the title of a section
    heading_breadcrumbs    "A > B > C" of a chunk, never part of the content; NULL for a section, and without a heading
                       above
    section_path       text[]: the titles that the breadcrumb joins; that of a section includes its own
    titles             text[]: `titles_column` of the sections around and inside a chunk, for filters
    title_keys         text[]: the same, cut to what an index can hold, if one of them is too long
    start_offset, end_offset    the span in the text of the document
    start_line, end_line    the same in lines
    record             JSON of a chunk without its content (`to_record`); NULL for a section
    terms, heading_terms    the words of a chunk's content, and of the headings above and inside it, as `lexemes` with
                       weights A and B; NULL for a section, and for a chunk that is not indexed
    content_tsvector   generated from both
    text_hash          of the text that is embedded
    embedding          the first vector, with the dimension of the index's model; `indexes` builds its index
    tokens             bytea[]: the token vectors of each piece, as the model encodes them, or NULL
    vector_status      `no_vec` nothing to embed, `to_vec` pending, `vec` done, `vec_err` failed; only rows with `terms`
                       are embedded
    vector_error       why it failed

`windows`: the further vectors of a chunk that is longer than the model's window.

    chunk              `chunks.id`; its deletion deletes the row
    number             1, 2, ...
    embedding          of the same dimension

`index_settings`: what the index was made with, a row of `name` and JSON `value` per setting. Without a row there is no
index yet.

`left_alone`: migrated rows whose breadcrumb was not recognized: `id`, `reason`.

`older_layout`: what a downgrade needs to restore the older layout: `name`, `definition`.

`crosshead_version`: the revision of the tables, kept by Alembic.

PostgreSQL stores neither U+0000 nor half a surrogate pair in text: `storable` replaces them with U+FFFD of the same
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
