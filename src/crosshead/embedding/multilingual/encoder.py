"""The embedder `multilingual`: Universal Sentence Encoder multilingual v3 on onnxruntime.

1. A text becomes tokens. The model sums over all tokens and so accepts any length, but in a long text each part counts
   for little: a text with more tokens than a window is cut into overlapping windows.
2. Each window runs separately, on one thread, as with MiniLM. Texts run in parallel.
3. A text gets one vector per window, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from crosshead.embedding.install.installed import is_installed, read_manifest
from crosshead.embedding.multilingual.graph import GRAPH, SENTENCE
from crosshead.embedding.multilingual.install import INSTALL_COMMAND, VOCABULARY_NAME, model_folder
from crosshead.embedding.multilingual.tokenizer import UnigramTokenizer
from crosshead.embedding.multilingual.weights import MULTILINGUAL, EncoderShape
from crosshead.embedding.onnx.sessions import RUNTIME, open_session, run_texts
from crosshead.embedding.text.readable_share import Reader
from crosshead.embedding.text.texts import clean_text, spread_windows
from crosshead.errors import EmbedError, MissingExtra

if TYPE_CHECKING:
    from crosshead.types import Vectors

NAME: Final = "multilingual"
WINDOW: Final = 512
OVERLAP: Final = WINDOW // 8
FIRST: Final = 1
LAST: Final = 2
"""The tokens before and after every text."""


class MultilingualEmbedder:
    """Runs the model in a folder, by default the one in the user's cache."""

    name = NAME

    def __init__(
        self,
        folder: Path | None = None,
        *,
        shape: EncoderShape = MULTILINGUAL,
        graph: bytes | None = None,
        jobs: int | None = None,
    ) -> None:
        """Pass a `graph` only with another shape."""
        self.dimension = shape.dimension
        self.jobs = jobs
        """Texts to embed at the same time, one per thread; by default one per core."""
        self._folder = folder or model_folder()
        self._graph = graph or GRAPH.read_bytes()
        if not all(map(find_spec, RUNTIME)):
            raise MissingExtra("index", f"The embedder {NAME}")
        self.revision = str(read_manifest(self._folder, INSTALL_COMMAND)["revision"])

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        """Return the vectors of each text, one per window."""
        _ = self._session, self._tokenizer  # loaded once, not by every thread
        return run_texts(self._embed_text, texts, self.jobs, on_progress)

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a query, truncated if it is longer than a window."""
        return self._run(self._tokenizer.encode(clean_text(text))[:WINDOW])

    def read_share(self, text: str) -> float:
        """Return how much of a text the model can read, 0 to 1."""
        return self._reader.read_share(text)

    def _embed_text(self, text: str) -> Vectors:
        import numpy as np

        tokens = self._tokenizer.encode(clean_text(text))
        return np.concatenate([self._run(tokens[a:b]) for a, b in spread_windows(len(tokens), WINDOW, OVERLAP)])

    def _run(self, window: Sequence[int]) -> Vectors:
        import numpy as np

        (found,) = self._session.run([SENTENCE], {"ids": np.array([FIRST, *window, LAST], np.int64)})
        vector: Vectors = found
        return vector

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self._tokenizer)

    @cached_property
    def _tokenizer(self) -> UnigramTokenizer:
        try:
            return UnigramTokenizer((self._folder / VOCABULARY_NAME).read_bytes())
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise _broken(self._folder, error) from error

    @cached_property
    def _session(self) -> Any:
        try:
            return open_session(self._graph, self._folder)
        except Exception as error:  # onnxruntime has its own class for every kind of error
            raise _broken(self._folder, error) from error


def _broken(folder: Path, error: Exception) -> EmbedError:
    reason = str(error).partition("\n")[0]
    return EmbedError(f"{folder}: the model cannot be loaded ({reason}); repair it: {INSTALL_COMMAND}")


def is_ready() -> bool:
    """Is the model installed, with all that it needs to run?"""
    return is_installed(model_folder()) and all(map(find_spec, RUNTIME))
