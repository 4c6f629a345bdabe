"""How an index is searched, unless told otherwise: by its embedder, and by the reranker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from crosshead.options import SearchOptions, search_options

USUAL_SEARCH: Final[Mapping[str, Mapping[str, Any]]] = {
    "static": {"dense_weight": 0.4, "weak_score": 0.26},
    "minilm": {},
    "minilm:fp32": {},
}
"""By the embedder. The static table knows words but not sentences: it may help, but not overrule what words say."""
OTHER_SEARCH: Final[Mapping[str, Any]] = {"relative_cosines": True, "weak_score": 0.0}
"""The same for models whose cosines nobody has compared with answers."""
RERANKED_SEARCH: Final[Mapping[str, Mapping[str, Any]]] = {
    "maxsim": {"rerank_depth": 12, "rerank_weight": 0.25, "rerank_pieces": True},
}
"""By the name of a reranker."""


def usual_options(embedder: str, rerank: object, given: Mapping[str, Any]) -> SearchOptions:
    """Return what was given, and what is usual for the rest."""
    reranked = RERANKED_SEARCH.get(rerank, {}) if isinstance(rerank, str) else {}
    return search_options(**{**USUAL_SEARCH.get(embedder, OTHER_SEARCH), **reranked, **given})
