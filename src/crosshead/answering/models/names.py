"""The name of a language model -> the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crosshead.answering.models.base import Answerer, FunctionModel, LanguageModel
from crosshead.answering.models.ollama import KIND as OLLAMA
from crosshead.answering.models.ollama import OllamaModel
from crosshead.answering.models.openai import KIND as OPENAI
from crosshead.answering.models.openai import OpenAIModel
from crosshead.errors import OptionsError

KINDS: Final[dict[str, Callable[[str], LanguageModel]]] = {OPENAI: OpenAIModel, OLLAMA: OllamaModel}
EXAMPLES: Final = "ollama:llama3.2 or openai:gpt-4o-mini"


def get_language_model(llm: str | Answerer | LanguageModel) -> LanguageModel:
    """Return a model: by its name, from a function, or as it is."""
    if not isinstance(llm, str):
        if not callable(llm) and not hasattr(llm, "reply"):
            raise OptionsError(f"llm={llm!r} must be the name of a language model, or a function")
        return FunctionModel(llm) if callable(llm) else llm
    kind, _, model = llm.partition(":")
    if kind not in KINDS or not model.strip():
        raise OptionsError(f"{llm!r} is not the name of a language model; write {EXAMPLES}")
    return KINDS[kind](model.strip())
