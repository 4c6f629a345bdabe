"""Rows -> an index that finds them again: a Lance table in a folder or on object storage, or PostgreSQL."""

from crosshead.store.copy import UNFINISHED_COPY, OnCopied, check_target, copy_documents
from crosshead.store.opening import is_folder, open_store
from crosshead.store.verify import inspect_documents, sample_chunks

__all__ = [
    "UNFINISHED_COPY",
    "OnCopied",
    "check_target",
    "copy_documents",
    "inspect_documents",
    "is_folder",
    "open_store",
    "sample_chunks",
]
