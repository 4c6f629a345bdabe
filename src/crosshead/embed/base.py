"""The embedders by name."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from crosshead.errors import OptionsError

if TYPE_CHECKING:
    from crosshead.model import Embedder

logger = logging.getLogger("crosshead")

NAMES: Final = (
    "auto",
    "static",
    "minilm",
    "minilm:fp32",
    "multilingual",
    "ollama:MODEL",
    "openai:MODEL",
    "sentence-transformers:MODEL",
)


def get_embedder(name: str) -> Embedder:
    """Return an embedder; its model is loaded, or its server asked, when the first text comes."""
    kind, _, model = name.strip().partition(":")
    if kind in _WITH_MODEL:
        if not model:
            raise OptionsError(f"embedder {name!r} lacks a model: {kind}:MODEL")
        return _WITH_MODEL[kind](model)
    make = _BY_NAME.get(name.strip())
    if make is None:
        raise OptionsError(f"unknown embedder {name!r}: use one of {', '.join(NAMES)}")
    return make()


def choose_name() -> str:
    """Return the name that `auto` stands for on this machine now."""
    from crosshead.embed.minilm.encoder import is_ready

    return next((name for name in ("minilm", "minilm:fp32") if is_ready(name)), "static")


def _auto() -> Embedder:
    name = choose_name()
    embedder = get_embedder(name)
    if name == "static":
        logger.warning("embedding with the static table; for better answers: crosshead model install minilm")
    return embedder


def _static() -> Embedder:
    from crosshead.embed.static import StaticEmbedder

    return StaticEmbedder()


def _minilm() -> Embedder:
    from crosshead.embed.minilm.encoder import MiniLMEmbedder

    return MiniLMEmbedder("int8")


def _minilm_fp32() -> Embedder:
    from crosshead.embed.minilm.encoder import MiniLMEmbedder

    return MiniLMEmbedder("fp32")


def _multilingual() -> Embedder:
    from crosshead.embed.multilingual.encoder import MultilingualEmbedder

    return MultilingualEmbedder()


def _ollama(model: str) -> Embedder:
    from crosshead.embed.ollama import OllamaEmbedder

    return OllamaEmbedder(model)


def _openai(model: str) -> Embedder:
    from crosshead.embed.openai import OpenAIEmbedder

    return OpenAIEmbedder(model)


def _sentence_transformers(model: str) -> Embedder:
    from crosshead.embed.sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder(model)


_BY_NAME: Final[dict[str, Callable[[], Embedder]]] = {
    "auto": _auto,
    "static": _static,
    "minilm": _minilm,
    "minilm:int8": _minilm,
    "minilm:fp32": _minilm_fp32,
    "multilingual": _multilingual,
}
_WITH_MODEL: Final[dict[str, Callable[[str], Embedder]]] = {
    "ollama": _ollama,
    "openai": _openai,
    "sentence-transformers": _sentence_transformers,
}
