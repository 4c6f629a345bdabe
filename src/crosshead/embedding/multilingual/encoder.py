"""The embedder `multilingual`: Universal Sentence Encoder multilingual v3 on onnxruntime.

1. A text becomes tokens. The model adds up what it sees around every token, so that a text may have any length; but in
   the sum of a long text each part counts for little: more than a window's tokens become windows that overlap a little.
2. Every window runs alone, on one thread, as with MiniLM: as many texts run at once as there are jobs.
3. The vectors of a text's windows are its vectors, in order.
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
from crosshead.embedding.readable_share import Reader
from crosshead.embedding.texts import clean_text, spread_windows
from crosshead.errors import EmbedError, MissingExtra

if TYPE_CHECKING:
    from crosshead.types import Vectors

NAME: Final = "multilingual"
WINDOW: Final = 512
OVERLAP: Final = WINDOW // 8
FIRST: Final = 1
LAST: Final = 2
"""The tokens around every text."""


class MultilingualEmbedder:
    """Runs the model of a folder; by default that of the user's cache."""

    name = NAME

    def __init__(
        self,
        folder: Path | None = None,
        *,
        shape: EncoderShape = MULTILINGUAL,
        graph: bytes | None = None,
        jobs: int | None = None,
    ) -> None:
        """`graph` is needed for another shape only."""
        self.dimension = shape.dimension
        self.jobs = jobs
        """Texts that run at once, each on a thread; by default as many as there are cores."""
        self._folder = folder or model_folder()
        self._graph = graph or GRAPH.read_bytes()
        if not all(map(find_spec, RUNTIME)):
            raise MissingExtra("index", f"The embedder {NAME}")
        self.revision = str(read_manifest(self._folder, INSTALL_COMMAND)["revision"])

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        """Return the vectors of every text, one per window."""
        _ = self._session, self._tokenizer  # or every thread would load them
        return run_texts(self._embed_text, texts, self.jobs, on_progress)

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a question; what does not fit a window is left out."""
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
        except Exception as error:  # the package raises a class of its own for every kind of trouble
            raise _broken(self._folder, error) from error


def _broken(folder: Path, error: Exception) -> EmbedError:
    reason = str(error).partition("\n")[0]
    return EmbedError(f"{folder}: the model cannot be loaded ({reason}); repair it: {INSTALL_COMMAND}")


def is_ready() -> bool:
    """Can the model be run here and now?"""
    return is_installed(model_folder()) and all(map(find_spec, RUNTIME))
