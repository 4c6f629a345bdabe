"""The embedder `minilm`: all-MiniLM-L6-v2 on onnxruntime.

1. A text becomes tokens; more than fit the model become windows that overlap a little.
2. Windows of similar length run together, padded to the longest. With int8 each runs alone: values are rounded to the
   range of everything in a run, so that a vector would depend on its neighbors.
3. The vectors of a text's windows are its vectors, in order; on request the tokens of all its windows come with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from crosshead.embed.minilm import signs
from crosshead.embed.minilm.files import GRAPH_NAME, TOKENIZER_NAME, is_installed, model_folder, read_manifest
from crosshead.embed.minilm.weights import MINILM, Shape, Variant
from crosshead.embed.texts import batch_by_length, clean_text, spread_windows
from crosshead.embed.tokenizer import WordPieceTokenizer
from crosshead.errors import EmbedError, MissingExtra
from crosshead.model import AskedVectors

if TYPE_CHECKING:
    from crosshead.model import Vectors

VARIANTS: Final[dict[str, Variant]] = {"minilm": "int8", "minilm:fp32": "fp32"}
BATCH_TOKENS: Final[dict[Variant, int]] = {"fp32": 512, "int8": 0}
OVERLAP_SHARE: Final = 8
"""Windows overlap by at least an eighth, so that a sentence at a cut is whole in one of them."""
TEXTS_AT_ONCE: Final = 64
SMALLEST_LENGTH: Final = 1e-9
RUNTIME: Final = ("numpy", "onnxruntime")
SENTENCE: Final = "sentence"
TOKENS: Final = "tokens"
"""What the graph of the model gives."""


class MiniLMEmbedder:
    """Runs the model of a folder; by default that of the user's cache."""

    def __init__(
        self, variant: Variant = "int8", folder: Path | None = None, *, shape: Shape = MINILM, threads: int = 0
    ) -> None:
        self.name = next(name for name, each in VARIANTS.items() if each == variant)
        self.dimension = shape.hidden
        self._folder = folder or model_folder(variant)
        self._install_command = f"crosshead model install minilm{'' if variant == 'int8' else f' --variant {variant}'}"
        self._batch_tokens = BATCH_TOKENS[variant]
        self._window = shape.positions - 2
        self._threads = threads
        if not all(map(find_spec, RUNTIME)):
            raise MissingExtra("index", f"The embedder {self.name}")
        self.revision = str(read_manifest(self._folder, self._install_command)["revision"])

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        """Return the vectors of every text, one per window."""
        return [vectors for vectors, _ in self._embed(texts, (SENTENCE,), on_progress)]

    def embed_with_tokens(
        self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None
    ) -> list[tuple[Vectors, bytes]]:
        """Return the vectors of every text, and its tokens as `compare_tokens` takes them."""
        return self._embed(texts, (SENTENCE, TOKENS), on_progress)

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a question; what does not fit the model is left out."""
        return self.embed_question(text).vector

    def embed_question(self, text: str) -> AskedVectors:
        """Return the vector of a question, and one of length 1 for each of its tokens."""
        import numpy as np

        vector, tokens = self._run([self._tokens([text])[0][: self._window]], (SENTENCE, TOKENS))
        rows = tokens[0, 1:-1]
        return AskedVectors(vector, rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), SMALLEST_LENGTH))

    def compare_tokens(self, asked: Vectors, kept: Sequence[bytes]) -> list[float]:
        """Return how near the tokens of texts are to those of a question, 0 to 1."""
        return signs.compare(asked, kept)

    def _embed(
        self, texts: Sequence[str], outputs: Sequence[str], on_progress: Callable[[int], None] | None
    ) -> list[tuple[Vectors, bytes]]:
        found: list[tuple[Vectors, bytes]] = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            found.extend(self._embed_some(texts[start : start + TEXTS_AT_ONCE], outputs))
            if on_progress:
                on_progress(len(found))
        return found

    def _embed_some(self, texts: Sequence[str], outputs: Sequence[str]) -> Iterator[tuple[Vectors, bytes]]:
        import numpy as np

        overlap = self._window // OVERLAP_SHARE
        tokens = self._tokens(texts)
        spans = [spread_windows(len(each), self._window, overlap) for each in tokens]
        windows = [each[start:end] for each, own in zip(tokens, spans, strict=True) for start, end in own]
        rows = np.empty((len(windows), self.dimension), np.float32)
        packed = [b""] * len(windows)
        for batch in batch_by_length([len(window) for window in windows], self._batch_tokens):
            rows[batch], *of_tokens = self._run([windows[position] for position in batch], outputs)
            for position, found in zip(batch, *of_tokens, strict=True) if of_tokens else ():
                packed[position] = signs.pack(found[1 : len(windows[position]) + 1])
        end = 0
        for own in spans:
            start, end = end, end + len(own)
            yield rows[start:end], b"".join(packed[start:end])

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [self._tokenizer.encode(clean_text(text)) for text in texts]

    def _run(self, windows: Sequence[Sequence[int]], outputs: Sequence[str]) -> list[Vectors]:
        import numpy as np

        length = max(map(len, windows)) + 2
        ids = np.zeros((len(windows), length), np.int64)
        mask = np.zeros_like(ids)
        for row, window in enumerate(windows):
            ids[row, : len(window) + 2] = (self._first, *window, self._last)
            mask[row, : len(window) + 2] = 1
        rows: list[Vectors] = self._session.run(outputs, {"ids": ids, "mask": mask})
        return rows

    @cached_property
    def _first(self) -> int:
        return self._tokenizer.vocabulary["[CLS]"]

    @cached_property
    def _last(self) -> int:
        return self._tokenizer.vocabulary["[SEP]"]

    @cached_property
    def _tokenizer(self) -> WordPieceTokenizer:
        try:
            return WordPieceTokenizer((self._folder / TOKENIZER_NAME).read_bytes())
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise self._broken(error) from error

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = self._threads
        # Threads that wait in a loop are quick to start, but burn a core while a document is read or written.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        path = str(self._folder / GRAPH_NAME)
        try:
            return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the package raises a class of its own for every kind of trouble
            raise self._broken(error) from error

    def _broken(self, error: Exception) -> EmbedError:
        reason = str(error).partition("\n")[0]
        return EmbedError(f"{self._folder}: the model cannot be loaded ({reason}); repair it: {self._install_command}")


def is_ready(name: str) -> bool:
    """Can the model of this name be run here and now?"""
    return is_installed(model_folder(VARIANTS[name])) and all(map(find_spec, RUNTIME))
