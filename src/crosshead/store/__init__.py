"""Rows -> an index that finds them again: a Lance table in a folder or on object storage, or PostgreSQL."""

from crosshead.store.copy import UNFINISHED_COPY, OnCopied, check_target, copy_documents
from crosshead.store.opening import POSTGRES, STORES, URL_FORMS, find_kind, is_folder, open_store
from crosshead.store.verify import inspect_documents, sample_chunks

__all__ = [
    "POSTGRES",
    "STORES",
    "UNFINISHED_COPY",
    "URL_FORMS",
    "OnCopied",
    "check_target",
    "copy_documents",
    "find_kind",
    "inspect_documents",
    "is_folder",
    "open_store",
    "sample_chunks",
]
