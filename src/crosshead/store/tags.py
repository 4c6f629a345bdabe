"""The tags of a document: its language, and its metadata for filters.

A language has no `=`, which all metadata has, so that no filter takes one for the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from crosshead.store.lance.filters import metadata_tags
from crosshead.types import StoredDocument


def document_tags(document: StoredDocument) -> list[str]:
    """Return the tags of a document; its language, if there is one, comes first."""
    return [*filter(None, [document.language]), *metadata_tags(document.metadata.items())]


def tagged_language(tags: Sequence[str] | None) -> str:
    """Return the language among the tags of a document; empty if there is none."""
    return tags[0] if tags and "=" not in tags[0] else ""
