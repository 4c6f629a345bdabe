"""The embedders, and which of them are installed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from crosshead.embedding.base import OLLAMA, OPENAI, SENTENCE_TRANSFORMERS, choose_name
from crosshead.embedding.install.installed import bytes_used, is_installed
from crosshead.embedding.minilm.encoder import VARIANTS, is_ready
from crosshead.embedding.minilm.files import model_folder
from crosshead.embedding.minilm.weights import MINILM
from crosshead.embedding.multilingual import encoder as multilingual
from crosshead.embedding.multilingual import install as multilingual_install
from crosshead.embedding.multilingual.weights import MULTILINGUAL
from crosshead.embedding.static import DIMENSION, FOLDER, is_available


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """An embedder as shown to users."""

    name: str
    about: str
    installed: bool | None
    """None if unknown, because the model is behind a server."""
    auto: bool = False
    """Does `auto` currently stand for it?"""
    dimension: int | None = None
    size_bytes: int | None = None
    path: str | None = None
    install: str = ""
    """How to install it."""


def list_models() -> list[ModelInfo]:
    """Return all embedders, local ones first."""
    chosen = choose_name()
    return [_static(chosen), *_minilms(chosen), _multilingual(chosen), *_others()]


def _static(chosen: str) -> ModelInfo:
    installed = is_available()
    return ModelInfo(
        name="static",
        about="a fixed vector per token: instant, offline, knows words but not sentences",
        installed=installed,
        auto=installed and chosen == "static",
        dimension=DIMENSION,
        size_bytes=bytes_used(FOLDER) if installed else None,
        path=str(FOLDER) if installed else None,
        install="pip install 'crosshead[index]'",
    )


def _minilms(chosen: str) -> Iterator[ModelInfo]:
    about = {"int8": "all-MiniLM-L6-v2, rounded to 8 bits", "fp32": "all-MiniLM-L6-v2 in full precision, slower"}
    for name, variant in VARIANTS.items():
        folder = model_folder(variant)
        is_there = is_installed(folder)
        yield ModelInfo(
            name=name,
            about=about[variant],
            installed=is_there and is_ready(name),
            auto=chosen == name,
            dimension=MINILM.hidden,
            size_bytes=bytes_used(folder) if is_there else None,
            path=str(folder) if is_there else None,
            install=f"crosshead model install minilm{' --variant fp32' if variant == 'fp32' else ''}",
        )


def _multilingual(chosen: str) -> ModelInfo:
    folder = multilingual_install.model_folder()
    is_there = is_installed(folder)
    return ModelInfo(
        name=multilingual.NAME,
        about="Universal Sentence Encoder multilingual v3: 16 languages; query and text may differ in language",
        installed=is_there and multilingual.is_ready(),
        auto=chosen == multilingual.NAME,
        dimension=MULTILINGUAL.dimension,
        size_bytes=bytes_used(folder) if is_there else None,
        path=str(folder) if is_there else None,
        install=multilingual_install.INSTALL_COMMAND,
    )


def _others() -> Iterator[ModelInfo]:
    yield ModelInfo(f"{OLLAMA}:MODEL", "a model on an Ollama server (OLLAMA_HOST)", None, install="ollama pull MODEL")
    yield ModelInfo(
        f"{OPENAI}:MODEL", "a server with OpenAI's API (OPENAI_BASE_URL)", None, install="set OPENAI_API_KEY"
    )
    yield ModelInfo(
        f"{SENTENCE_TRANSFORMERS}:MODEL",
        "a model of the sentence-transformers package, by name or folder",
        None,
        install=f"pip install 'crosshead[{SENTENCE_TRANSFORMERS}]'",
    )
