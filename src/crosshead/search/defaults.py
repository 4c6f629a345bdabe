"""Default search options per embedder and reranker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

from crosshead.options import MAXSIM
from crosshead.types import HAS_TOKEN_VECTORS, TUNED, SearchRequest

Request = TypeVar("Request", bound=SearchRequest)

NO_RERANKER: Final = "none"

BY_EMBEDDER: Final[Mapping[str, Mapping[str, Any]]] = {
    "static": {"dense_weight": 0.4, "weak_score": 0.26},
    "minilm": {},
    "minilm:fp32": {},
    "multilingual": {"dense_weight": 0.6, "weak_score": 0.28},
}
"""The static table knows words, not sentences: it may help, but must not overrule lexical search."""
NOT_CALIBRATED: Final[Mapping[str, Any]] = {"relative_cosines": True, "weak_score": 0.0}
"""For models whose cosines we have not calibrated on questions."""
WORDS_ALONE: Final[Mapping[str, Any]] = {"weak_score": 0.22}
"""For lexical search, also when the model cannot read the query: scores are lower."""
TOKEN_VECTORS: Final[Mapping[str, Any]] = {"rerank_depth": 20, "rerank_weight": 0.4, "weak_score": 0.37}
"""For an index that stores token vectors: comparing them is cheap."""
BY_RERANKER: Final[Mapping[str, Mapping[str, Any]]] = {
    MAXSIM: {"rerank_depth": 12, "rerank_weight": 0.25, "rerank_pieces": True},
}


def compares_token_vectors(settings: Mapping[str, Any], request: SearchRequest) -> bool:
    """Return whether hits are reranked with the token vectors of the index."""
    is_default = request.rerank is None or request.rerank == MAXSIM
    return bool(settings.get(HAS_TOKEN_VECTORS)) and is_default and request.mode == "hybrid"


def with_defaults(request: Request, settings: Mapping[str, Any]) -> Request:
    """Fill in what the caller did not set, for an index with these settings."""
    defaults = BY_EMBEDDER.get(settings["embedder"], NOT_CALIBRATED)
    if request.mode == "lexical":
        defaults = {**defaults, **WORDS_ALONE}
    if compares_token_vectors(settings, request):
        defaults = {**defaults, **TOKEN_VECTORS}
    elif isinstance(request.rerank, str):
        defaults = {**defaults, **BY_RERANKER.get(request.rerank, {})}
    if request.mode == "hybrid":
        defaults = {**defaults, **tuned_options(settings)}
    return replace(request, **{name: value for name, value in defaults.items() if name not in request.given})


def tuned_options(settings: Mapping[str, Any]) -> Mapping[str, float]:
    """Return the search options that an index was tuned to, unless it has another embedder since."""
    tuned: Mapping[str, Any] = settings.get(TUNED, {})
    options: Mapping[str, float] = tuned.get("options", {})
    return options if tuned.get("embedder") == settings["embedder"] else {}
