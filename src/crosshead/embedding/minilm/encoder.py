"""The embedder `minilm`: all-MiniLM-L6-v2 on onnxruntime.

1. A text becomes tokens; if there are too many for the model, overlapping windows of them.
2. Each window runs separately, on one thread. A batch would not be faster, and with int8 a vector would depend on the
   others in its batch, because values are rounded to the range of the whole batch. Texts run in parallel.
3. A text gets one vector per window, in order, and on request the vectors of all its tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from crosshead.embedding.install.installed import is_installed, read_manifest
from crosshead.embedding.minilm import token_vectors
from crosshead.embedding.minilm.files import TOKENIZER_NAME, model_folder
from crosshead.embedding.minilm.graph import graph_path
from crosshead.embedding.minilm.weights import MINILM, BertShape, Variant
from crosshead.embedding.onnx.sessions import RUNTIME, open_session, run_texts
from crosshead.embedding.text.readable_share import Reader
from crosshead.embedding.text.texts import clean_text, spread_windows
from crosshead.embedding.text.tokenizer import WordPieceTokenizer
from crosshead.errors import EmbedError, MissingExtra
from crosshead.language.frequent import FUNCTION_WORDS
from crosshead.types import QueryVectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from crosshead.types import Vectors

VARIANTS: Final[dict[str, Variant]] = {"minilm": "int8", "minilm:fp32": "fp32"}
OVERLAP_SHARE: Final = 8
"""Windows overlap by at least an eighth, so that a sentence at a cut is whole in one of them."""
SMALLEST_LENGTH: Final = 1e-9
_FUNCTION_WORDS: Final = frozenset(FUNCTION_WORDS["english"].split())
SENTENCE: Final = "sentence"
TOKENS: Final = "tokens"
"""The outputs of the graph."""


class MiniLMEmbedder:
    """Runs the model in a folder, by default the one in the user's cache."""

    def __init__(
        self,
        variant: Variant = "int8",
        folder: Path | None = None,
        *,
        shape: BertShape = MINILM,
        graph: bytes | None = None,
        jobs: int | None = None,
    ) -> None:
        """Pass a `graph` only with another shape."""
        self.name = next(name for name, each in VARIANTS.items() if each == variant)
        self.dimension = shape.hidden
        self.jobs = jobs
        """Texts to embed at the same time, one per thread; by default one per core."""
        self._folder = folder or model_folder(variant)
        self._install_command = f"crosshead model install minilm{'' if variant == 'int8' else f' --variant {variant}'}"
        self._graph = graph or graph_path(variant).read_bytes()
        self._window = shape.positions - 2
        if not all(map(find_spec, RUNTIME)):
            raise MissingExtra("index", f"The embedder {self.name}")
        self.revision = str(read_manifest(self._folder, self._install_command)["revision"])

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        """Return the vectors of each text, one per window."""
        return [vectors for vectors, _ in self._embed(texts, (SENTENCE,), on_progress)]

    def embed_with_tokens(
        self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None
    ) -> list[tuple[Vectors, bytes]]:
        """Return the vectors of each text, and its token vectors packed for `compare_tokens`."""
        return self._embed(texts, (SENTENCE, TOKENS), on_progress)

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a query, truncated if it is too long for the model."""
        return self.embed_query_with_tokens(text).vector

    def embed_query_with_tokens(self, text: str) -> QueryVectors:
        """Return the vector of a query, and one of length 1 for each of its tokens."""
        import numpy as np

        window = self._tokens([text])[0][: self._window]
        vector, tokens = self._run(window, (SENTENCE, TOKENS))
        rows = tokens[0, 1:-1][self._telling(window)]
        return QueryVectors(vector, rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), SMALLEST_LENGTH))

    def compare_tokens(self, query: Vectors, texts: Sequence[Sequence[bytes]]) -> list[float]:
        """Return the similarity of each text to the query, 0 to 1, from the token vectors of both."""
        return token_vectors.compare(query, texts)

    def read_share(self, text: str) -> float:
        """Return how much of a text the model can read, 0 to 1."""
        return self._reader.read_share(text)

    def word_share(self, text: str) -> float:
        """Return how many of a text's words the model has learned as words, not only their parts, 0 to 1."""
        return self._reader.word_share(text)

    def _embed(
        self, texts: Sequence[str], outputs: Sequence[str], on_progress: Callable[[int], None] | None
    ) -> list[tuple[Vectors, bytes]]:
        _ = self._session, self._first, self._last  # loaded once, not by every thread
        return run_texts(partial(self._embed_text, outputs), texts, self.jobs, on_progress)

    def _embed_text(self, outputs: Sequence[str], text: str) -> tuple[Vectors, bytes]:
        import numpy as np

        (tokens,) = self._tokens([text])
        spans = spread_windows(len(tokens), self._window, self._window // OVERLAP_SHARE)
        windows = [tokens[start:end] for start, end in spans]
        runs = [self._run(window, outputs) for window in windows]
        vectors = np.concatenate([row for row, *_ in runs])
        if TOKENS not in outputs:
            return vectors, b""
        rows = [more[0][0, 1:-1][self._telling(window)] for (_, *more), window in zip(runs, windows, strict=True)]
        return vectors, token_vectors.pack(np.concatenate(rows))

    def _telling(self, window: Sequence[int]) -> NDArray[np.bool_]:
        """Return which tokens say something: no punctuation and no function words, unless there is nothing else."""
        import numpy as np

        telling: NDArray[np.bool_] = self._telling_tokens[np.array(window, np.int64)]
        return telling if telling.any() else ~telling

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [self._tokenizer.encode(clean_text(text)) for text in texts]

    def _run(self, window: Sequence[int], outputs: Sequence[str]) -> list[Vectors]:
        import numpy as np

        ids = np.array([[self._first, *window, self._last]], np.int64)
        found: list[Vectors] = self._session.run(outputs, {"ids": ids})
        return found

    @cached_property
    def _first(self) -> int:
        return self._tokenizer.vocabulary["[CLS]"]

    @cached_property
    def _last(self) -> int:
        return self._tokenizer.vocabulary["[SEP]"]

    @cached_property
    def _telling_tokens(self) -> NDArray[np.bool_]:
        import numpy as np

        return np.array([_tells(token) for token in self._tokenizer.tokens])

    @cached_property
    def _tokenizer(self) -> WordPieceTokenizer:
        try:
            return WordPieceTokenizer((self._folder / TOKENIZER_NAME).read_bytes())
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise self._broken(error) from error

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self._tokenizer)

    @cached_property
    def _session(self) -> Any:
        try:
            return open_session(self._graph, self._folder)
        except Exception as error:  # onnxruntime has its own class for every kind of error
            raise self._broken(error) from error

    def _broken(self, error: Exception) -> EmbedError:
        reason = str(error).partition("\n")[0]
        return EmbedError(f"{self._folder}: the model cannot be loaded ({reason}); repair it: {self._install_command}")


def _tells(token: str) -> bool:
    return token not in _FUNCTION_WORDS and any(map(str.isalnum, token))


def is_ready(name: str) -> bool:
    """Is the model with this name installed, with all that it needs to run?"""
    return is_installed(model_folder(VARIANTS[name])) and all(map(find_spec, RUNTIME))
