"""Index: documents in, whole cited sections out."""

from __future__ import annotations

from crosshead.index.index import Index
from crosshead.indexing import AddResult, ChangeResult, EmbedResult, Progress
from crosshead.types import Status

__all__ = ["AddResult", "ChangeResult", "EmbedResult", "Index", "Progress", "Status"]
