"""How an index is searched by default: by its embedder, and by what judges the first hits anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from crosshead.model import KEEPS_TOKENS
from crosshead.options import SearchOptions, search_options

MAXSIM: Final = "maxsim"
NO_RERANKER: Final = "none"

USUAL_SEARCH: Final[Mapping[str, Mapping[str, Any]]] = {
    "static": {"dense_weight": 0.4, "weak_score": 0.26},
    "minilm": {},
    "minilm:fp32": {},
    "multilingual": {"dense_weight": 0.6, "weak_score": 0.28},
}
"""By embedder. The static table knows words but not sentences: it may help, but not overrule what words say."""
OTHER_SEARCH: Final[Mapping[str, Any]] = {"relative_cosines": True, "weak_score": 0.0}
"""For models whose cosines nobody has compared with answers."""
WORDS_ALONE: Final[Mapping[str, Any]] = {"weak_score": 0.22}
"""Where only words count, as for a question that the model cannot read, scores are lower."""
KEPT_TOKENS: Final[Mapping[str, Any]] = {"rerank_depth": 20, "rerank_weight": 0.4, "weak_score": 0.37}
"""Where the index keeps the tokens of its chunks, comparing them is cheap."""
RERANKED_SEARCH: Final[Mapping[str, Mapping[str, Any]]] = {
    MAXSIM: {"rerank_depth": 12, "rerank_weight": 0.25, "rerank_pieces": True},
}
"""By reranker."""


def compares_kept_tokens(settings: Mapping[str, Any], rerank: object, mode: str) -> bool:
    """Return whether hits are judged by the tokens that an index keeps: unless another reranker is named, or none."""
    return bool(settings.get(KEEPS_TOKENS)) and rerank in (None, MAXSIM) and mode == "hybrid"


def usual_options(settings: Mapping[str, Any], rerank: object, **given: Any) -> SearchOptions:
    """Return the options of a search in an index with these settings; what is given counts."""
    usual = USUAL_SEARCH.get(settings["embedder"], OTHER_SEARCH)
    if given["mode"] == "lexical":
        usual = {**usual, **WORDS_ALONE}
    if compares_kept_tokens(settings, rerank, given["mode"]):
        usual = {**usual, **KEPT_TOKENS}
    elif isinstance(rerank, str):
        usual = {**usual, **RERANKED_SEARCH.get(rerank, {})}
    return search_options(**{**usual, **given})
