"""`sentence-transformers:MODEL`: any embedder or cross-encoder of that package, by name or folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from crosshead.embedding.base import SENTENCE_TRANSFORMERS
from crosshead.embedding.text.texts import clean_text, spread_windows
from crosshead.embedding.vectors import check_vectors
from crosshead.errors import EmbedError, MissingExtra

if TYPE_CHECKING:
    from crosshead.types import Vectors

OVERLAP_SHARE: Final = 8
TEXTS_AT_ONCE: Final = 32


class SentenceTransformersEmbedder:
    """Runs a model with PyTorch."""

    def __init__(self, model: str) -> None:
        self.name = f"{SENTENCE_TRANSFORMERS}:{model}"
        self.revision = self.name
        self._model_name = model
        if not find_spec("sentence_transformers"):
            raise MissingExtra(SENTENCE_TRANSFORMERS, f"The embedder {self.name}")

    @cached_property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self.embed_query("dimension").shape[1])

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        """Return the vectors of each text, one per window of the model."""
        found: list[Vectors] = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            windows = [self._windows(clean_text(text)) for text in texts[start : start + TEXTS_AT_ONCE]]
            rows = self._encode("encode_document", [window for own in windows for window in own])
            for own in windows:
                found.append(rows[: len(own)])
                rows = rows[len(own) :]
            if on_progress:
                on_progress(len(found))
        return found

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a query; the model truncates it if it is too long."""
        return self._encode("encode_query", [clean_text(text)])

    def _encode(self, method: str, texts: list[str]) -> Vectors:
        """Encode with the method for queries or for documents, if the model distinguishes them."""
        encode = getattr(self._model, method, self._model.encode)
        try:
            rows = encode(texts, batch_size=TEXTS_AT_ONCE, show_progress_bar=False, convert_to_numpy=True)
        except Exception as error:  # a model may raise anything
            raise EmbedError(f"{self.name} failed: {_first_line(error)}") from error
        return check_vectors(rows, count=len(texts), dimension=None, origin=self.name)

    def _windows(self, text: str) -> list[str]:
        """Cut a text into windows, unless the model has no limit, or its tokenizer returns no offsets."""
        limit = getattr(self._model, "max_seq_length", None)
        tokenizer: Any = getattr(self._model, "tokenizer", None)
        if not limit or not getattr(tokenizer, "is_fast", False):
            return [text]
        places = tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
        )["offset_mapping"]
        size = max(int(limit) - tokenizer.num_special_tokens_to_add(), 1)
        spans = spread_windows(len(places), size, size // OVERLAP_SHARE)
        return [text[places[start][0] : places[end - 1][1]] for start, end in spans] if len(spans) > 1 else [text]

    @cached_property
    def _model(self) -> Any:
        return _load("SentenceTransformer", self._model_name)


class SentenceTransformersReranker:
    """Runs a cross-encoder with PyTorch."""

    def __init__(self, model: str) -> None:
        self.name = f"{SENTENCE_TRANSFORMERS}:{model}"
        self._model_name = model
        if not find_spec("sentence_transformers"):
            raise MissingExtra(SENTENCE_TRANSFORMERS, f"The reranker {self.name}")

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the relevance of each text; the model truncates texts that are too long."""
        if not texts:
            return []
        pairs = [(clean_text(query), clean_text(text)) for text in texts]
        try:
            scores = self._model.predict(pairs, batch_size=TEXTS_AT_ONCE, show_progress_bar=False)
            return [float(score) for score in scores]
        except Exception as error:  # a model may raise anything
            raise EmbedError(f"{self.name} failed: {_first_line(error)}") from error

    @cached_property
    def _model(self) -> Any:
        return _load("CrossEncoder", self._model_name)


def _load(kind: str, model: str) -> Any:
    try:
        import sentence_transformers

        return getattr(sentence_transformers, kind)(model)
    except Exception as error:  # a missing model, no network, a broken installation
        raise EmbedError(f"{SENTENCE_TRANSFORMERS}:{model} cannot be loaded: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
