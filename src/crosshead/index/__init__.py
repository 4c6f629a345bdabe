"""Index: documents in, whole cited sections out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crosshead.index.index import Index
from crosshead.runtime.lazy import lazy_names
from crosshead.types import Status

if TYPE_CHECKING:
    from crosshead.index.joined import JoinedIndex
    from crosshead.indexing import AddResult, ChangeResult, EmbedResult, Progress

__all__ = ["AddResult", "ChangeResult", "EmbedResult", "Index", "JoinedIndex", "Progress", "Status"]

_HOMES = {"indexing": "AddResult ChangeResult EmbedResult Progress", "index.joined": "JoinedIndex"}
__getattr__, _ = lazy_names("crosshead", _HOMES)
