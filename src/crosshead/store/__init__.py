"""Rows of documents -> an index that finds them again.

opening     which location opens which store
parts       which index of several holds a document
lance/      a Lance table, in a folder or on object storage
postgres/   tables in PostgreSQL, with their migrations, and `legacy/` for an older layout of them
joined/     several indexes, read as one
copy        from any store to any other
verify      the documents of any store

What both stores share: headings, tags and filters say what a chunk is found by, bm25 and ranking how it is scored,
records and settings how it is stored. Inside, both have the same modules: store (the protocol), rows, reading, filters,
dense, lexical, indexes, inspection.
"""

from typing import TYPE_CHECKING

from crosshead.runtime.lazy import lazy_names
from crosshead.store.copy import UNFINISHED_COPY, OnCopied, check_target, copy_documents, read_rows, with_known_vectors
from crosshead.store.opening import (
    POSTGRES,
    STORES,
    URL_FORMS,
    find_kind,
    holds_index,
    is_folder,
    is_pattern,
    matching_locations,
    open_store,
    public_location,
)
from crosshead.store.parts import Parts, find_parts, make_parts
from crosshead.store.settings import FILE_HASHES, PARTS_FILE, QUESTIONS_FILE, SCHEMA_SETTING
from crosshead.store.verify import inspect_documents, sample_chunks

if TYPE_CHECKING:
    from crosshead.store.joined import JoinedStore, Model, Part, PartFailure, PartsFailed

__all__ = [
    "FILE_HASHES",
    "PARTS_FILE",
    "POSTGRES",
    "QUESTIONS_FILE",
    "SCHEMA_SETTING",
    "STORES",
    "UNFINISHED_COPY",
    "URL_FORMS",
    "JoinedStore",
    "Model",
    "OnCopied",
    "Part",
    "PartFailure",
    "Parts",
    "PartsFailed",
    "check_target",
    "copy_documents",
    "find_kind",
    "find_parts",
    "holds_index",
    "inspect_documents",
    "is_folder",
    "is_pattern",
    "make_parts",
    "matching_locations",
    "open_store",
    "public_location",
    "read_rows",
    "sample_chunks",
    "with_known_vectors",
]

__getattr__, _ = lazy_names("crosshead.store", {"joined": "JoinedStore Model Part PartFailure PartsFailed"})
