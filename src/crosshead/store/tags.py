"""The tags of a document, which filters are compared with: its language, and its metadata as `key=value`.

A language has no `=`, and every tag of metadata has one, so that a filter cannot mistake one for the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crosshead.ids import canonical_json
from crosshead.types import StoredDocument


def metadata_tags(metadata: Mapping[str, Any]) -> list[str]:
    """Return a string per item; two are equal if and only if key and value are."""
    return [f"{key}={canonical_json(value)}" for key, value in metadata.items()]


def document_tags(document: StoredDocument) -> list[str]:
    """Return the tags of a document, its language first if it has one."""
    return [*filter(None, [document.language]), *metadata_tags(document.metadata)]


def tagged_language(tags: Sequence[str] | None) -> str:
    """Return the language among the tags of a document; empty if there is none."""
    return tags[0] if tags and "=" not in tags[0] else ""
