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
"""The languages that `multilingual` was trained on, besides English."""
OLLAMA: Final = "ollama"
OPENAI: Final = "openai"
SENTENCE_TRANSFORMERS: Final = "sentence-transformers"


def get_embedder(name: str, language: str = ENGLISH) -> Embedder:
    """Return the embedder with this name; it loads its model, or calls its server, with the first text.

    `auto` is the best one installed for documents in a language (ISO 639).
    """
    if name.strip() == AUTO:
        name = choose_name(language)
    kind, _, model = name.strip().partition(":")
    if kind in _WITH_MODEL:
        if not model:
            raise OptionsError(f"embedder {name!r} needs a model: {kind}:MODEL")
        return _WITH_MODEL[kind](model)
    make = _BY_NAME.get(name.strip())
    if make is None:
        raise OptionsError(f"unknown embedder {name!r}: use one of {', '.join(embedder_names())}")
    return make()


def choose_name(language: str = ENGLISH) -> str:
    """Return the name of the embedder that `auto` stands for, for documents in a language (ISO 639)."""
    from crosshead.embedding.minilm import encoder as minilm
    from crosshead.embedding.multilingual import encoder as multilingual

    english = [name for name in minilm.VARIANTS if minilm.is_ready(name)]
    others = [multilingual.NAME] if multilingual.is_ready() else []
    ranked = [*english, *others] if _is_english(language) else [*others, *english]
    return next(iter(ranked), "static")


def advise(name: str, language: str = ENGLISH) -> str:
    """Return advice which model to use or install for better answers, or an empty text if there is no better one."""
    if not _is_english(language):
        if name == "multilingual" or language not in MULTILINGUAL_LANGUAGES:
            return ""
        if choose_name(language) == "multilingual":
            return f"embedding with {name}, which knows English; {_is_installed('multilingual')}"
        return (
            f"embedding with {name}, which knows English; for better answers in other languages: "
            "crosshead model install multilingual"
        )
    if name != "static":
        return ""
    best = choose_name(language)
    if best != name:
        return f"embedding with the static table; {_is_installed(best)}"
    return "embedding with the static table; for better answers: crosshead model install minilm"


def _is_installed(name: str) -> str:
    return f"{name} is installed: crosshead index --embedder {name}"


def _is_english(language: str) -> bool:
    return language in ("", ENGLISH)


@cache
def _static() -> Embedder:
    """Return one embedder for all indexes of this process: reading its table takes longer than a small index."""
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
    OLLAMA: _ollama,
    OPENAI: _openai,
    SENTENCE_TRANSFORMERS: _sentence_transformers,
}


def embedder_names() -> list[str]:
    """Return the names that `get_embedder` takes, without synonyms."""
    local = [name for name in _BY_NAME if name != "minilm:int8"]
    return [AUTO, *local, *(f"{kind}:MODEL" for kind in _WITH_MODEL)]
