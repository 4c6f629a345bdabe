"""Text -> vectors, and texts -> scores of a reranker: models on this machine, and models behind a server.

base         the embedders by name: static, minilm, multilingual, sentence_transformers, and those in `remote/`
models       which of them are installed; `install/` adds one
text/        texts -> clean windows in batches -> token ids; `vectors` of length 1
reranking/   the rerankers by name; `maxsim` compares token vectors
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crosshead.runtime.lazy import lazy_names

if TYPE_CHECKING:
    from crosshead.embedding.base import AUTO, ENGLISH, advise, get_embedder
    from crosshead.embedding.minilm.install import install_minilm
    from crosshead.embedding.minilm.weights import Variant
    from crosshead.embedding.models import ModelInfo, list_models
    from crosshead.embedding.multilingual.install import install_multilingual
    from crosshead.embedding.reranking.rerankers import get_reranker

__all__ = [
    "AUTO",
    "ENGLISH",
    "ModelInfo",
    "Variant",
    "advise",
    "get_embedder",
    "get_reranker",
    "install_minilm",
    "install_multilingual",
    "list_models",
]

_HOMES = {
    "base": "AUTO ENGLISH advise get_embedder",
    "models": "ModelInfo list_models",
    "minilm.install": "install_minilm",
    "minilm.weights": "Variant",
    "multilingual.install": "install_multilingual",
    "reranking.rerankers": "get_reranker",
}
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
