"""The embedders by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

from crosshead.errors import OptionsError

if TYPE_CHECKING:
    from crosshead.types import Embedder

AUTO: Final = "auto"
ENGLISH: Final = "en"
MULTILINGUAL_LANGUAGES: Final = frozenset(
    {"ar", "de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"}
)
"""Those that the model `multilingual` was trained with, besides English."""
NAMES: Final = (
    AUTO,
    "static",
    "minilm",
    "minilm:fp32",
    "multilingual",
    "ollama:MODEL",
    "openai:MODEL",
    "sentence-transformers:MODEL",
)


def get_embedder(name: str, language: str = ENGLISH) -> Embedder:
    """Return an embedder; its model is loaded, or its server called, when the first text comes.

    `auto` is the best that is installed for documents in a language (ISO 639).
    """
    if name.strip() == AUTO:
        name = choose_name(language)
    kind, _, model = name.strip().partition(":")
    if kind in _WITH_MODEL:
        if not model:
            raise OptionsError(f"embedder {name!r} lacks a model: {kind}:MODEL")
        return _WITH_MODEL[kind](model)
    make = _BY_NAME.get(name.strip())
    if make is None:
        raise OptionsError(f"unknown embedder {name!r}: use one of {', '.join(NAMES)}")
    return make()


def choose_name(language: str = ENGLISH) -> str:
    """Return the name that `auto` stands for on this machine now, for documents in a language (ISO 639)."""
    from crosshead.embedding.minilm import encoder as minilm
    from crosshead.embedding.multilingual import encoder as multilingual

    english = [name for name in minilm.VARIANTS if minilm.is_ready(name)]
    others = [multilingual.NAME] if multilingual.is_ready() else []
    ranked = [*english, *others] if _is_english(language) else [*others, *english]
    return next(iter(ranked), "static")


def advise(name: str, language: str = ENGLISH) -> str:
    """Return which model to install for better answers than this one gives; empty if we know none."""
    if not _is_english(language):
        if name == "multilingual" or language not in MULTILINGUAL_LANGUAGES:
            return ""
        return (
            f"embedding with {name}, which knows English; for better answers in other languages: "
            "crosshead model install multilingual"
        )
    if name != "static":
        return ""
    return "embedding with the static table; for better answers: crosshead model install minilm"


def _is_english(language: str) -> bool:
    return language in ("", ENGLISH)


@cache
def _static() -> Embedder:
    """One for all indexes of this process: its table takes longer to read than a small index to write."""
    from crosshead.embedding.static import StaticEmbedder

    return StaticEmbedder()


def _minilm() -> Embedder:
    from crosshead.embedding.minilm.encoder import MiniLMEmbedder

    return MiniLMEmbedder("int8")


def _minilm_fp32() -> Embedder:
    from crosshead.embedding.minilm.encoder import MiniLMEmbedder

    return MiniLMEmbedder("fp32")


def _multilingual() -> Embedder:
    from crosshead.embedding.multilingual.encoder import MultilingualEmbedder

    return MultilingualEmbedder()


def _ollama(model: str) -> Embedder:
    from crosshead.embedding.remote.ollama import OllamaEmbedder

    return OllamaEmbedder(model)


def _openai(model: str) -> Embedder:
    from crosshead.embedding.remote.openai import OpenAIEmbedder

    return OpenAIEmbedder(model)


def _sentence_transformers(model: str) -> Embedder:
    from crosshead.embedding.sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder(model)


_BY_NAME: Final[dict[str, Callable[[], Embedder]]] = {
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
