"""Everything about the older layout: tables that another program filled, with the breadcrumb as first line of a row.

migrate, obstacles, status      what `crosshead db` does and shows
layout, tables, titles          what the older tables and their rows look like
breadcrumbs, rows, text_search, odd_rows    the steps of revisions 0001 to 0004
adopted                         rows that became documents of an index

The store calls what this file exports, and knows nothing else of the older layout. A row that was migrated may differ
from one that Crosshead wrote: it may have no content, no lines, no document, or a parent in another document, and a
heading may hold more than its title.
"""

from crosshead.store.postgres.legacy.adopted import AdoptedDocuments, adopt_documents, check_model, skip_headings
from crosshead.store.postgres.legacy.layout import REVISION, has_tables, is_unfinished

__all__ = [
    "REVISION",
    "AdoptedDocuments",
    "adopt_documents",
    "check_model",
    "has_tables",
    "is_unfinished",
    "skip_headings",
]
