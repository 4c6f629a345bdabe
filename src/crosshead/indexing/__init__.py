"""Files -> rows of an index.

    find files -> prepare (read, chunk) in an engine: worker processes or Ray -> write -> embed what is pending

`adding` runs these steps, `opened` is the index that they work on, `watch` says when to run them again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crosshead.runtime.lazy import lazy_names

if TYPE_CHECKING:
    from crosshead.indexing.adding import (
        AddKeywords,
        AddRequest,
        WatchKeywords,
        add_documents,
        add_text,
        copy_index,
        open_to_add,
        watch_documents,
    )
    from crosshead.indexing.change.run import ChangeResult, change_index
    from crosshead.indexing.contents import (
        advice_about,
        list_documents,
        optimize_index,
        questions_file,
        remove_documents,
        remove_source,
        status_of,
    )
    from crosshead.indexing.current import CurrentIndex
    from crosshead.indexing.diagnosis import diagnose
    from crosshead.indexing.embedding.pending import EmbedResult, OnPending, embed_pending
    from crosshead.indexing.embedding.pieces import PieceCutter
    from crosshead.indexing.engines.base import EngineName, check_engine
    from crosshead.indexing.engines.stores import StoreCluster
    from crosshead.indexing.files.figures import FigureFile, open_figures
    from crosshead.indexing.files.hashes import indexed_files
    from crosshead.indexing.files.original import Original, find_original
    from crosshead.indexing.files.pages import PagedFile, locate_text, open_pages, span_of
    from crosshead.indexing.files.sources import UPLOADS, Sources, find_sources, lies_in, source_of
    from crosshead.indexing.files.walk import (
        FoundFile,
        files_at,
        files_in,
        has_reader,
        is_image,
        no_documents,
        no_such_path,
    )
    from crosshead.indexing.language.choice import add_languages
    from crosshead.indexing.opened import IndexSettings, OpenedIndex, check_revision, default_root, whole_path
    from crosshead.indexing.parts import PartedIndex, add_to_parts, open_parts
    from crosshead.indexing.recipe import EmbedText, Recipe
    from crosshead.indexing.steps.prepare import sections_of
    from crosshead.indexing.steps.run import AddResult, Progress

__all__ = [
    "UPLOADS",
    "AddKeywords",
    "AddRequest",
    "AddResult",
    "ChangeResult",
    "CurrentIndex",
    "EmbedResult",
    "EmbedText",
    "EngineName",
    "FigureFile",
    "FoundFile",
    "IndexSettings",
    "OnPending",
    "OpenedIndex",
    "Original",
    "PagedFile",
    "PartedIndex",
    "PieceCutter",
    "Progress",
    "Recipe",
    "Sources",
    "StoreCluster",
    "WatchKeywords",
    "add_documents",
    "add_languages",
    "add_text",
    "add_to_parts",
    "advice_about",
    "change_index",
    "check_engine",
    "check_revision",
    "copy_index",
    "default_root",
    "diagnose",
    "embed_pending",
    "files_at",
    "files_in",
    "find_original",
    "find_sources",
    "has_reader",
    "indexed_files",
    "is_image",
    "lies_in",
    "list_documents",
    "locate_text",
    "no_documents",
    "no_such_path",
    "open_figures",
    "open_pages",
    "open_parts",
    "open_to_add",
    "optimize_index",
    "questions_file",
    "remove_documents",
    "remove_source",
    "sections_of",
    "source_of",
    "span_of",
    "status_of",
    "watch_documents",
    "whole_path",
]

_HOMES = {
    "adding": "AddKeywords WatchKeywords AddRequest add_documents add_text copy_index open_to_add watch_documents",
    "change.run": "ChangeResult change_index",
    "contents": "advice_about list_documents optimize_index questions_file remove_documents remove_source status_of",
    "current": "CurrentIndex",
    "diagnosis": "diagnose",
    "engines.base": "EngineName check_engine",
    "engines.stores": "StoreCluster",
    "files.figures": "FigureFile open_figures",
    "files.hashes": "indexed_files",
    "files.original": "Original find_original",
    "files.pages": "PagedFile locate_text open_pages span_of",
    "files.sources": "UPLOADS Sources find_sources lies_in source_of",
    "files.walk": "FoundFile files_at files_in has_reader is_image no_documents no_such_path",
    "language.choice": "add_languages",
    "opened": "IndexSettings OpenedIndex check_revision default_root whole_path",
    "embedding.pieces": "PieceCutter",
    "embedding.pending": "EmbedResult OnPending embed_pending",
    "parts": "PartedIndex add_to_parts open_parts",
    "steps.prepare": "sections_of",
    "recipe": "EmbedText Recipe",
    "steps.run": "AddResult Progress",
}
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
